#pragma once

#include <string>
#include <vector>

#include "microslip/fit/fit.hpp"
#include "support.hpp"

namespace microslip::reproduce {

/// Loops made with printed parameters, and the fit that has to find them again.
struct Refit {
  ParameterValues printed;  ///< in canonical form
  fit::Data data;
  fit::Fit fit;

  double truth(const std::string& name) const;
  double found(const std::string& name) const;
  /// Loops as points and the refit as a line.
  io::Panel panel(const std::string& title) const;
};

/// `fixed` are parameters that the source does not fit.
Refit refit_own_loops(const ModelSpec& law, const std::string& fitted, std::vector<double> u,
                      const std::map<std::string, double>& fixed = {});

}  // namespace microslip::reproduce
