#pragma once

#include "laws/samples.hpp"

namespace microslip::laws::samples {

inline constexpr LawSamples chaboche{
    .law = "chaboche",
    .sets = [](std::string_view claim, bool holding) -> Sets {
      const std::vector<double> none{0, 0};
      const ParameterValues standard{}, linear{{"gamma", none}, {"Q", 0.0}};
      const ParameterValues never{{"gamma", none}, {"b", 0.0}}, isotropic{{"gamma", none}};
      const ParameterValues forgets{{"Q", 0.0}}, one_linear{{"gamma", std::vector<double>{2, 0}}};
      if (claim == "bounded") {
        if (holding) return {standard, forgets};
        return {linear, one_linear};
      }
      if (holding) return {linear, never};
      return {standard, isotropic, forgets};
    },
};

}  // namespace microslip::laws::samples
