#pragma once

/// # An interface condensed from a sparse stiffness
///
/// Displacements of all degrees of freedom follow from y (free), w (relative displacements of the
/// two sides of an interface) and u (the driven displacement),
///
///     q = B y + S w + d u,
///
/// and y minimises the energy ½ qᵀK q − fᵀq. What is left is
///
///     T = g + b u − K_w w       (forces that the sides exchange)
///     F = c0 u − bᵀw + F_g      (force of the drive)
///
/// with the constants g and F_g that the loads f cause.

#include <Eigen/SparseCore>
#include <memory>
#include <vector>

#include "microslip/contact/problem.hpp"

namespace microslip::contact {

using SparseMatrix = Eigen::SparseMatrix<double>;

class Condensed {
 public:
  /// K symmetric, and definite once w and u are held; throws Error otherwise.
  Condensed(const SparseMatrix& K, const SparseMatrix& B, const SparseMatrix& S, const Vector& d,
            const Vector& f);

  const Matrix& K() const noexcept { return K_; }
  const Vector& b() const noexcept { return b_; }
  const Vector& g() const noexcept { return g_; }
  double c0() const noexcept { return c0_; }
  double constant_force() const noexcept { return constant_force_; }

  /// All displacements q for given w and u, with the loads f in place.
  Vector displacements(const Vector& w, double u) const;

 private:
  SparseMatrix B_, S_, coupling_;  ///< BᵀK S
  Vector d_, coupling_d_, load_;   ///< BᵀK d, Bᵀf
  struct Factor;
  std::shared_ptr<const Factor> factor_;
  Matrix K_;
  Vector b_, g_;
  double c0_ = 0, constant_force_ = 0;
};

/// An interface whose normals are tied, as a system of sliders that is driven by a displacement:
/// F = c0 u − bᵀx. Points without contact force slide freely; they are condensed out.
struct TiedInterface {
  friction::System system;
  double c0;
  std::vector<Index> points;  ///< of the interface that are left as sliders
  std::vector<Index> free;    ///< the others: they move by free_by_u u − free_by_x x
  Vector free_by_u{};
  Matrix free_by_x{};

  /// Relative displacements of all points, normal and tangential side by side.
  Vector w(const Vector& x, double u) const;
};

/// Tangential parts of K and b (entries 2i + 1), the stiffness c0 of the drive, limits μ_i P_i.
/// Throws Error when a limit is negative or all are zero.
TiedInterface tied_interface(const Matrix& K, const Vector& b, double c0, const Vector& limits);

}  // namespace microslip::contact
