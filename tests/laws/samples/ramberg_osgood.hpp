#pragma once

#include "laws/samples.hpp"

namespace microslip::laws::samples {

inline constexpr LawSamples ramberg_osgood{
    .law = "ramberg-osgood",
    // With n next to 1 the stiffness at rest is reached only at forces below the smallest number: the
    // part that yields falls like f^(n−1), and 1e-290 to the power 0.01 is still a thousandth.
    .draw = [](Rng& rng) -> ParameterValues {
      return {{"k", rng.log_uniform(0.2, 5.0)},
              {"fy", rng.log_uniform(0.2, 5.0)},
              {"alpha", rng.log_uniform(0.05, 2.0)},
              {"n", 1 + rng.log_uniform(0.05, 20.0)}};
    },
};

}  // namespace microslip::laws::samples
