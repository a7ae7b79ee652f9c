#include "microslip/dynamics/structure/structure.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "microslip/core/error.hpp"
#include "microslip/core/text.hpp"

namespace microslip::dynamics {
namespace {

void check_square(const SparseMatrix& matrix, Eigen::Index size, const char* name) {
  if (matrix.rows() != size || matrix.cols() != size)
    throw Error(std::string(name) + " has " + std::to_string(matrix.rows()) + " rows and " +
                std::to_string(matrix.cols()) + " columns; M has " + std::to_string(size));
}

void check_symmetric(const SparseMatrix& matrix, const char* name) {
  const SparseMatrix transposed = matrix.transpose();
  // Finite-element codes write single precision now and then.
  if ((matrix - transposed).norm() > 1e-6 * matrix.norm())
    throw Error(std::string(name) + " is not symmetric");
}

}  // namespace

void check(const Structure& structure) {
  check_parts(structure);
  for (const InterfaceElement& interface : structure.interfaces)
    if (!interface.law->model() && !interface.law->walk())
      throw Error("this analysis cannot be combined with " + interface.law->name());
}

void check_parts(const Structure& structure) {
  const Eigen::Index n = structure.size();
  if (n == 0) throw Error("the structure has no degree of freedom");
  check_square(structure.M, n, "M");
  check_square(structure.C, n, "C");
  check_square(structure.K, n, "K");
  check_symmetric(structure.M, "M");
  check_symmetric(structure.K, "K");
  for (Eigen::Index i = 0; i < n; ++i)
    if (!(structure.M.coeff(i, i) > 0))
      throw Error("the mass of degree of freedom " + std::to_string(i + 1) + " = " +
                  number_text(structure.M.coeff(i, i)) + " must be positive");
  for (std::size_t j = 0; j < structure.joints.size(); ++j) {
    const JointElement& joint = structure.joints[j];
    const Description& law = joint.model.description();
    const std::string name = "joint " + std::to_string(j + 1) + " (" + law.name + ")";
    if (law.family == Family::planar)
      throw Error(name + " has several directions, so that it must be an interface");
    if (law.driven == Driven::force)
      throw Error(
          name +
          " is driven by force; as a joint it must be driven by displacement, as in series(" +
          law.name + ")");
    if (joint.w.size() != n || joint.w.is_zero())
      throw Error(name + " must connect two different places");
  }
  for (const InterfaceElement& interface : structure.interfaces) {
    if (static_cast<Eigen::Index>(interface.w.size()) != interface.law->size())
      throw Error(interface.law->name() + " needs " + std::to_string(interface.law->size()) +
                  " directions");
    for (const Direction& w : interface.w)
      if (w.size() != n || (interface.law->model() && w.is_zero()))
        throw Error(interface.law->name() + " must connect two different places");
  }
}

void refuse_interfaces(const Structure& structure, const std::string& analysis) {
  for (const InterfaceElement& interface : structure.interfaces)
    throw Error(analysis + " cannot be combined with " + interface.law->name());
}

void refuse_other_interfaces(const Structure& structure, const std::string& analysis) {
  for (const InterfaceElement& interface : structure.interfaces)
    if (!interface.law->model())
      throw Error(analysis + " cannot be combined with " + interface.law->name());
}

bool rigid(const Structure& structure) {
  return std::any_of(structure.joints.begin(), structure.joints.end(),
                     [](const JointElement& joint) { return joint.model.rigid(); });
}

double tangent_at_rest(const AnyModel& model) {
  AnyState state = model.rest();
  // Rate-dependent laws: infinitely slowly, without the force of their dashpots.
  if (model.rate_dependent() && model.rigid()) return 0;
  const double dt = model.rate_dependent() ? std::numeric_limits<double>::infinity() : 1;
  const double tangent = model.step(state, 0, dt, state).tangent;
  return std::isfinite(tangent) ? tangent : 0;
}

}  // namespace microslip::dynamics
