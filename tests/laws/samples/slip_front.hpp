#pragma once

#include "laws/samples.hpp"

namespace microslip::laws::samples {

inline constexpr LawSamples slip_front{
    .law = "slip-front",
    // A part of the load of macroslip: paths go to ten times the scale.
    .scale = [](const AnyModel& model) -> Scales {
      const double p = number(model, "p"), ell = number(model, "ell");
      const double load = 0.15 * number(model, "t") * ell / (p + 1);
      AnyState state = model.rest();
      return {load, model.step(state, 4 * load, 0, state).force};
    },
    .some_motions_undefined = true,  // beyond macroslip
};

}  // namespace microslip::laws::samples
