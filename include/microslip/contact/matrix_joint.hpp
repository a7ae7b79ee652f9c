#pragma once

/// # Joints from matrices of a finite-element code
///
/// A stiffness matrix of parts that do not know of each other, pairs of nodes that may touch, the
/// degrees of freedom that a drive moves by u, and constant forces (a bolt). At a pair with the
/// normal n and tangents t1, t2,
///
///     q_to = q_from + n w_n + t1 w_t1 + t2 w_t2.
///
/// A direction in which both nodes of a pair are held drops out. Where each pair is left with one
/// tangent (two-dimensional meshes, planes of symmetry, or a given direction of slip, in which case
/// the other tangent is tied), the exact solvers apply; otherwise friction acts in the plane.

#include <array>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "microslip/contact/condensed.hpp"
#include "microslip/contact/planar.hpp"

namespace microslip::contact {

struct NodePair {
  std::array<Index, 3> from{-1, -1, -1};  ///< rows of K; −1: held
  std::array<Index, 3> to{-1, -1, -1};
  std::array<double, 3> normal{0, 0, 1};  ///< from `from` to `to`; any length
  double mu = 0;
  double gap = 0;
  double force = std::numeric_limits<double>::quiet_NaN();  ///< P of tied normals; NaN: not given
  std::string name{};  ///< "pair 3 (nodes 12 and 40)", for messages
};

struct MatrixJointInput {
  SparseMatrix K;
  std::vector<NodePair> pairs;
  std::vector<Index> held;    ///< rows of K without motion
  std::vector<Index> driven;  ///< rows of K that move by u
  Vector forces{};            ///< constant; empty: none
  std::optional<std::array<double, 3>> slip{};
  std::vector<std::string> names{};  ///< of the rows of K, for messages
};

class MatrixJoint {
 public:
  /// Throws Error that names the pair, the degree of freedom or the entry.
  explicit MatrixJoint(const MatrixJointInput& input);

  Index nodes() const noexcept { return mu_.size(); }
  /// Friction acts in the tangent plane: three components at each pair instead of two.
  bool planar() const noexcept { return components_ == 3; }
  const Condensed& condensed() const noexcept { return condensed_; }
  double force(double u, double bw) const noexcept {
    return condensed_.c0() * u - bw + condensed_.constant_force();
  }

  /// Unilateral contact with one tangent; not if planar.
  Problem problem() const;
  /// Contact forces for tied normals: those given, or those of the constant forces.
  Vector contact_forces() const;
  TiedInterface tied() const;
  PlanarProblem planar_problem(bool unilateral) const;

 private:
  Index components_;
  Vector mu_, gap_, given_;
  Condensed condensed_;
  Matrix K_;  ///< with a spring at components that drop out
};

}  // namespace microslip::contact
