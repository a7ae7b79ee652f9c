#pragma once

#include <iterator>

#include "laws/samples.hpp"

namespace microslip::laws::samples {

inline constexpr LawSamples iwan_density{
    .law = "iwan-density",
    .draw = [](Rng& rng) -> ParameterValues {
      const char* densities[] = {"2*(1.6-phi)", "phi^-0.5", "1+phi^2", "exp(-3*phi)", "1"};
      return {{"rho", densities[rng.below(std::size(densities))]},
              {"phi_max", rng.uniform(0.5, 1.5)},
              {"S", rng.uniform(0, 1)}};
    },
    .effort = 3,
};

}  // namespace microslip::laws::samples
