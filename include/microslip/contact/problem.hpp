#pragma once

/// # Unilateral contact with Coulomb friction
///
///     T = g + b f − K w
///
/// N pairs of points of an interface, in two dimensions. At a pair, w = (w_n, w_t) is the
/// displacement of one side against the other, w_n the opening, and T = (T_n, T_t) the force that
/// the two sides exchange, tension positive. K is the stiffness of the bodies, condensed to the
/// interface; g is a constant load and b the share of a load f that varies. With the contact force
/// P = −T_n,
///
///     w_n ≥ 0,  P ≥ 0,  w_n P = 0            (contact)
///     |T_t| ≤ μ P,  ẇ_t = 0 below the limit  (friction)
///     at the limit ẇ_t has the direction of T_t.
///
/// The displacement that belongs to the load is ξ = bᵀw, since f dξ is the work:
///
///     ∫ f d(bᵀw) + gᵀΔw = Δ(½ wᵀK w) + Σ ∫ T_t dw_t.
///
/// Components of a pair stand side by side: entry 2i is normal, entry 2i + 1 tangential.
///
/// Where the sides have a gap at rest, w_n is the opening with the gap in it: w = w⁰ at rest, and w
/// is to be read as w − w⁰ in the forces and in ξ.

#include <Eigen/Core>

#include "microslip/friction/system.hpp"

namespace microslip::contact {

using Index = Eigen::Index;
using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;

/// K, g, b and μ, checked once and immutable afterwards.
class Problem {
 public:
  /// Throws Error that names the entry when sizes differ, a number is not finite, K is not
  /// symmetric, or a μ or a gap is negative. An empty g is zero, an empty gap none.
  Problem(Matrix K, Vector g, Vector b, Vector mu, const Vector& gap = {});

  Index nodes() const noexcept { return mu_.size(); }
  const Matrix& K() const noexcept { return K_; }
  const Vector& g() const noexcept { return g_; }
  const Vector& b() const noexcept { return b_; }
  const Vector& mu() const noexcept { return mu_; }
  /// w⁰: the gaps at rest, 0 in the tangential entries.
  const Vector& w0() const noexcept { return w0_; }

 private:
  Matrix K_;
  Vector g_, b_, mu_, w0_;
};

/// The same interface where nothing opens and the contact forces P are given and constant: a system
/// of sliders with the limits μ_i P_i, K_tt and b_t. Throws Error when a limit is not positive.
friction::System tied(const Problem& problem, const Vector& pressure);

/// Contact forces P of sides that may separate and do not slip, under the load g alone: K and g of
/// the normal components, and the gaps. Throws Error when they are not found.
Vector normal_forces(const Matrix& K, const Vector& g, const Vector& gap);

}  // namespace microslip::contact
