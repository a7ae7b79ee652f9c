#include "microslip/dynamics/periodic/small_vibrations.hpp"

#include <algorithm>
#include <cmath>
#include <complex>

#include "microslip/core/error.hpp"
#include "microslip/detail/numerics/dense.hpp"
#include "microslip/dynamics/structure/modes.hpp"
#include "microslip/dynamics/structure/reduction.hpp"
#include "microslip/dynamics/time/time_integration.hpp"

namespace microslip::dynamics {
namespace {

using Complex = std::complex<double>;

/// All modes of a full matrix of this size take a second.
constexpr Eigen::Index most_by_dense = 600;

/// Of a small loop about a state: a slider that slips there sticks in it.
double tangent_of_small_loop(const AnyModel& model, AnyState state, double u) {
  constexpr double small = 1e-5;
  if (model.rate_dependent() || u == 0) return tangent_at_rest(model);
  const double step = small * std::abs(u);
  AnyState next = state;
  for (const double there : {u + step, u - step, u + step}) {
    if (model.step(state, there, 1, next).status != Status::ok) return tangent_at_rest(model);
    std::swap(state, next);
  }
  const double above = model.step(state, u + step, 1, next).force;
  const double below = model.step(state, u - step, 1, next).force;
  return (above - below) / (2 * step);
}

/// What of a structure without a mass or stiffness of its own makes a link to six digits.
double link_of(const SparseMatrix& K) {
  return 1e6 * Eigen::VectorXd(K.diagonal()).cwiseAbs().maxCoeff();
}

SparseMatrix stiffness_of(const Structure& structure, JointTangents joints) {
  SparseMatrix K = structure.K;
  if (joints == JointTangents::free) return K;
  StaticState state;
  if (joints == JointTangents::preloaded) {
    state = static_equilibrium(structure);
    if (!state.converged) throw Error("no equilibrium under the static loads was found");
  }
  const double link = link_of(structure.K);
  for (std::size_t j = 0; j < structure.joints.size(); ++j) {
    const JointElement& joint = structure.joints[j];
    const double tangent =
        joint.model.rigid() ? link
        : joints == JointTangents::stuck
            ? tangent_at_rest(joint.model)
            : tangent_of_small_loop(joint.model, state.joints[j], joint.w.dot(state.x));
    add_along(K, joint.w, tangent);
  }
  if (structure.interfaces.empty()) return K;
  Eigen::MatrixXd with_interfaces = K;
  for (const InterfaceElement& interface : structure.interfaces)
    add_along(with_interfaces, interface.w,
              joints == JointTangents::stuck
                  ? tangent_at_rest(*interface.law)
                  : tangent_about(*interface.law, displacements(interface, state.x)));
  return with_interfaces.sparseView(0, 0);
}

/// The largest element real and positive, xᴴMx = 1 as the columns of `shapes` have it.
Eigen::VectorXcd normalised(const Eigen::MatrixXd& shapes, const Eigen::VectorXcd& modal) {
  const Eigen::VectorXcd parts = modal / modal.norm();
  Eigen::VectorXcd shape(shapes.rows());
  shape.real() = shapes * parts.real();
  shape.imag() = shapes * parts.imag();
  Eigen::Index largest = 0;
  shape.cwiseAbs().maxCoeff(&largest);
  return shape * (std::abs(shape[largest]) / shape[largest]);
}

/// Modes without damping whose damping does not couple them.
std::vector<SmallVibration> uncoupled(const Modes& modes, const Eigen::VectorXd& damping) {
  std::vector<SmallVibration> result;
  for (Eigen::Index i = 0; i < modes.omega.size(); ++i) {
    const double omega = modes.omega[i];
    const Eigen::VectorXcd alone = Eigen::VectorXcd::Unit(modes.omega.size(), i);
    result.push_back(
        {omega, omega > 0 ? damping[i] / (2 * omega) : 0, normalised(modes.shapes, alone)});
  }
  return result;
}

/// λ² q + λ D q + Ω² q = 0 as a system of first order in (q, q').
std::vector<SmallVibration> coupled(const Modes& modes, const Eigen::MatrixXd& damping) {
  const Eigen::Index n = modes.omega.size();
  const double unit = modes.omega.maxCoeff();
  if (!(unit > 0)) return uncoupled(modes, damping.diagonal());
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(2 * n, 2 * n);
  A.topRightCorner(n, n).setIdentity();
  A.bottomLeftCorner(n, n).diagonal() = -(modes.omega / unit).cwiseAbs2();
  A.bottomRightCorner(n, n) = -damping / unit;
  const dense::Modes found(A);
  // A rigid-body motion is a double root, of which half the digits are left, or a root and a slow decay.
  constexpr double rounding = 1e-7;
  Eigen::Index rigid = (modes.omega.array() <= rounding * unit).count();
  std::vector<SmallVibration> result;
  for (Eigen::Index i = 0; i < 2 * n; ++i) {
    const Complex lambda = found.values[i];
    Eigen::VectorXcd modal(n);
    if (lambda.imag() == 0) {
      modal = found.vectors.col(i).head(n).cast<Complex>();
    } else {
      modal.real() = found.vectors.col(i).head(n);
      modal.imag() = found.vectors.col(i + 1).head(n);
      ++i;
    }
    const double size = std::abs(lambda) > rounding ? std::abs(lambda) : 0;
    if (size == 0 && --rigid < 0) continue;  // counted already
    result.push_back({size * unit, size > 0 ? -lambda.real() / size : 0,
                      normalised(modes.shapes, lambda.imag() < 0 ? modal.conjugate() : modal)});
  }
  std::stable_sort(result.begin(), result.end(),
                   [](const auto& a, const auto& b) { return a.omega < b.omega; });
  return result;
}

}  // namespace

std::vector<SmallVibration> small_vibrations(const Structure& structure, JointTangents joints,
                                             int count) {
  if (count < 1) throw Error("modes = " + std::to_string(count) + " must be 1 or more");
  const SparseMatrix K = stiffness_of(structure, joints);
  const Eigen::Index n = structure.size();
  const auto wanted = static_cast<int>(std::min<Eigen::Index>(count, n));
  const Modes modes =
      n <= most_by_dense
          ? linear_modes(structure.M, K)
          : lowest_modes(structure.M, K, static_cast<int>(std::min<Eigen::Index>(2 * wanted, n)));
  const Eigen::MatrixXd damping = modes.shapes.transpose() * (structure.C * modes.shapes);
  Eigen::MatrixXd mixed = damping;
  mixed.diagonal().setZero();
  // Modal damping comes back from its matrix with rounding.
  constexpr double rounding = 1e-9;
  std::vector<SmallVibration> all = mixed.norm() <= rounding * damping.norm()
                                        ? uncoupled(modes, damping.diagonal())
                                        : coupled(modes, damping);
  all.resize(std::min(all.size(), static_cast<std::size_t>(wanted)));
  return all;
}

}  // namespace microslip::dynamics
