#include "microslip/dynamics/structure/modes.hpp"

#include <string>
#include <utility>

#include "microslip/core/error.hpp"
#include "microslip/detail/numerics/dense.hpp"
#include "microslip/dynamics/structure/structure.hpp"

namespace microslip::dynamics {

Modes linear_modes(const Eigen::MatrixXd& M, const Eigen::MatrixXd& K) {
  dense::SymmetricModes modes(K, M);
  if (!modes.found) throw Error("M is not positive definite");
  return {modes.values.cwiseMax(0).cwiseSqrt(), std::move(modes.vectors)};
}

Modes modes_at_rest(const Structure& structure, const Eigen::VectorXd& x) {
  Eigen::MatrixXd K = structure.K;
  for (const JointElement& joint : structure.joints)
    K += tangent_at_rest(joint.model) * joint.w * joint.w.transpose();
  for (const InterfaceElement& interface : structure.interfaces)
    add_along(K, interface.w,
              x.size() > 0 ? tangent_about(*interface.law, displacements(interface, x))
                           : tangent_at_rest(*interface.law));
  return linear_modes(structure.M, K);
}

SparseMatrix modal_damping(const SparseMatrix& M, const SparseMatrix& K,
                           const std::vector<double>& ratios) {
  const Modes modes = linear_modes(M, K);
  const auto given = static_cast<Eigen::Index>(ratios.size());
  if (given > M.rows())
    throw Error("damping has " + std::to_string(given) + " ratios; there are " +
                std::to_string(M.rows()) + " modes");
  Eigen::MatrixXd C = Eigen::MatrixXd::Zero(M.rows(), M.rows());
  for (Eigen::Index i = 0; i < given; ++i) {
    const Eigen::VectorXd momentum = M * modes.shapes.col(i);
    C += 2 * ratios[static_cast<std::size_t>(i)] * modes.omega[i] * momentum * momentum.transpose();
  }
  return C.sparseView();
}

}  // namespace microslip::dynamics
