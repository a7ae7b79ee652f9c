#pragma once

#include <vector>

#include "microslip/fit/fit.hpp"

namespace microslip::fit {

/// A fit to the rows that are not held out, from where a fit to all rows ended.
struct Refit {
  std::vector<std::vector<double>> force;  ///< of each record; empty if the law has no answer
  double error_of_the_rest = 0;            ///< rms over the range, of the rows that are held out
};
Refit refit(const AnyModel& model, const std::vector<Data>& records_with_gaps,
            const Settings& settings, const Fit& from);

}  // namespace microslip::fit
