#pragma once

#include <vector>

#include "microslip/core/any_model.hpp"

namespace microslip::catalog {

/// A law driven by force, driven by displacement instead, as `series(law)` does; any other law as it
/// is. Where the law slides as a whole, its force stays and the displacement goes on.
AnyModel by_displacement(const AnyModel& model);

/// A law with a spring in series, `series(law, compliance=…)`. Throws Error if the law depends on time.
AnyModel in_series(const AnyModel& model, double compliance);

/// Laws side by side that are `by_displacement` of a system of sliders: rigid friction that lets go at the
/// first slip, and a sum of plays. A system in which no slider turns while the force grows (a chain that
/// is pulled) obeys Masing's rules with a backbone of straight pieces, and so do they. Empty if the law is
/// not such a system; this is found from its events and tried on a path.
std::vector<AnyModel> parallel_parts(const AnyModel& model);

}  // namespace microslip::catalog
