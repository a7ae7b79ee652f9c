#pragma once

#include <string>
#include <vector>

#include "microslip/core/any_model.hpp"

namespace microslip::catalog {

/// One law inside a sum; `label` prefixes its parameters, states and columns.
struct Term {
  std::string label;
  AnyModel model;
};

/// Several laws under the same displacement, as one law.
AnyModel make_sum(std::vector<Term> terms);

/// The description of such a sum from those of its terms. Parameters are "label.name".
Description describe_sum(const std::vector<std::string>& labels,
                         const std::vector<Description>& terms);

}  // namespace microslip::catalog
