#pragma once

#include "laws/samples.hpp"

namespace microslip::laws::samples {

inline constexpr LawSamples coulomb_viscous{
    .law = "coulomb-viscous",
    .sets = [](std::string_view, bool holding) -> Sets {
      const ParameterValues dry{{"c", 0.0}}, wet{};
      return {holding ? dry : wet};
    },
    // At unit velocities both parts are felt; the law knows no length.
    .scale = [](const AnyModel& model) -> Scales {
      return {.u = 1, .f = number(model, "fc") + number(model, "c")};
    },
};

}  // namespace microslip::laws::samples
