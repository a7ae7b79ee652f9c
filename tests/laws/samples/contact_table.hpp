#pragma once

#include <vector>

#include "laws/samples.hpp"

namespace microslip::laws::samples {

inline constexpr LawSamples contact_table{
    .law = "contact-table",
    // Two to four lines, each steeper than the one before; touching before, at or after rest.
    .draw = [](Rng& rng) -> ParameterValues {
      std::vector<double> un{rng.chance(0.1) ? 0 : rng.uniform(-2, 0.5)}, N{0};
      double slope = 0;
      for (int lines = 2 + (rng.chance(0.5) ? 1 : 0) + (rng.chance(0.5) ? 1 : 0); lines > 0;
           --lines) {
        slope += rng.log_uniform(0.2, 3);
        const double way = rng.log_uniform(0.2, 2);
        un.push_back(un.back() + way);
        N.push_back(N.back() + slope * way);
      }
      const double mu = rng.chance(0.05) ? 0 : rng.log_uniform(0.05, 2);
      return {{"un", un}, {"N", N}, {"ratio", rng.log_uniform(0.2, 2)}, {"mu", mu}};
    },
};

}  // namespace microslip::laws::samples
