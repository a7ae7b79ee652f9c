#pragma once

#include "microslip/core/any_model.hpp"

namespace microslip::catalog {

/// A law driven by force, driven by displacement instead, as `series(law)` does; any other law as it
/// is. Where the law slides as a whole, its force stays and the displacement goes on.
AnyModel by_displacement(const AnyModel& model);

/// A law with a spring in series, `series(law, compliance=…)`. Throws Error if the law depends on time.
AnyModel in_series(const AnyModel& model, double compliance);

}  // namespace microslip::catalog
