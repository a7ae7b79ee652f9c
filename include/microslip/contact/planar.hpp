#pragma once

/// # Contact with friction in the tangent plane
///
///     T = g + b f − K (w − w⁰),   w = (w_n, w_t1, w_t2) at each pair of points
///
/// with the conditions of problem.hpp, where |T_t| ≤ μP now is a disc and slip has the direction of
/// T_t. With tied normals P is given and constant, and w has the two tangential components alone.
///
/// Between two loads slip is taken as straight (the implicit increment), so a path is exact up to
/// the turning of slip directions: the error is first order in the increments. Each increment is
/// the root of the projections of Alart and Curnier (Computer Methods in Applied Mechanics and
/// Engineering 92 (1991) 353–375) by a semismooth Newton method; Gauss–Seidel sweeps bring it near
/// where it fails, and then the increment is halved. An increment that is not solved is a status.

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "microslip/contact/solver.hpp"

namespace microslip::contact {

struct PlanarProblem {
  Matrix K;           ///< 3N, or 2N with tied normals
  Vector g, b;        ///< as many
  Vector mu;          ///< N
  Vector gap{};       ///< N, or empty
  Vector pressure{};  ///< N contact forces of tied normals; empty: unilateral contact

  Index nodes() const noexcept { return mu.size(); }
  bool tied() const noexcept { return pressure.size() > 0; }
  /// Components of a pair, and the place of the first tangential one.
  Index components() const noexcept { return tied() ? 2 : 3; }
  Index first_tangent() const noexcept { return tied() ? 0 : 1; }
};

struct PlanarRow {
  const Vector& w;
  const Vector& T;
  const std::vector<Contact>& nodes;  ///< slip is `forward` where it goes along the first tangent
};

struct PlanarResult {
  std::vector<double> xi;      ///< bᵀ(w − w⁰) of each row
  std::vector<double> energy;  ///< friction loss up to each row
  std::vector<Stretch> stretches;
  std::size_t iterations = 0;
  Status status = Status::ok;  ///< if not ok, the rows end before the one that failed
  std::string trouble{};
};

/// From rest through the preload g, whose energy is not counted, along the loads; each row in a
/// number of equal increments.
PlanarResult run(const PlanarProblem& problem, std::span<const double> loads, int increments,
                 const std::function<void(std::size_t, const PlanarRow&)>& each_row = {});

}  // namespace microslip::contact
