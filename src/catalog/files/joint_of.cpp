#include "microslip/catalog/joint_of.hpp"

#include <utility>

#include "microslip/catalog/by_displacement.hpp"

namespace microslip::catalog {

dynamics::JointElement joint_of(const AnyModel& model, dynamics::Direction w, std::string name) {
  dynamics::JointElement joint{by_displacement(model), std::move(w), std::move(name)};
  // One that is rigid until it slips slides on a body there, as all rigid friction does.
  if (model.description().driven == Driven::force && !joint.model.rigid())
    joint.softened = [model](double compliance) { return in_series(model, compliance); };
  return joint;
}

}  // namespace microslip::catalog
