#pragma once

#include "laws/samples.hpp"

namespace microslip::laws::samples {

inline constexpr LawSamples iwan_table{
    .law = "iwan-table",
    .draw = [](Rng& rng) -> ParameterValues {
      std::vector<double> phi{rng.below(2) == 0 ? 0.0 : rng.uniform(0.05, 0.2)}, rho;
      for (std::size_t n = 1 + rng.below(5); n > 0; --n) {
        phi.push_back(phi.back() + rng.uniform(0.05, 0.6));
        rho.push_back(rng.uniform(0.1, 2));
      }
      return {{"phi", phi}, {"rho", rho}, {"k", rng.uniform(0, 0.3)}};
    },
    .sets = [](std::string_view claim, bool holding) -> Sets {
      if (claim != "bounded") return {};
      const ParameterValues limited{{"k", 0.0}}, spring{{"k", 0.2}};
      return {holding ? limited : spring};
    },
};

}  // namespace microslip::laws::samples
