#pragma once

/// A row of sliders between two springs that hold its ends:
///
///     φ_i sgn(q̇_i) + (K q)_i = k_end (d_1 δ_i1 + d_2 δ_in),
///
/// neighbours joined by springs k, the first slider held by a spring k_end from d_1 and the last one by
/// a spring k_end from d_2. The forces in these springs are k_end (d_1 − q_1) and k_end (d_2 − q_n).
/// Held like that, the chain goes on when all of its sliders slip.
///
/// A step is the implicit increment min ½qᵀKq − pᵀq + Σ φ_i|q_i − q_i⁰| (p is the right-hand side), which
/// is exact as long as no slider turns within it. As long as a stuck slider is left between the fronts of
/// slip from both ends, each end is by itself: sliders i < L slip, friction there changes by
/// Δr_i = ±φ_i − r_i, and with R_m = Σ_{i≤m} Δr_i the end force changes by
///
///     ΔF = (Δd + Σ_{m<L} R_m/k) / (1/k_end + L/k),
///
/// where L is the first slider that holds ΔF − R_{L−1}: one pass to the front and one back. Where the
/// fronts meet, an active set starts from that of the last step; an iteration is a tridiagonal solve, of
/// cost O(n).

#include <Eigen/Core>
#include <cstdint>
#include <vector>

#include "microslip/core/response.hpp"

namespace microslip::friction {

class HeldChain {
 public:
  struct State {
    Eigen::Vector2d d = Eigen::Vector2d::Zero();
    Eigen::VectorXd q;
    std::vector<std::int8_t> side;  ///< of the last step: ±1 slipped, 0 stuck
  };
  struct Reply {
    Eigen::Vector2d force;
    Eigen::Matrix2d tangent;
    double dissipated = 0;
    Status status = Status::ok;
    long solves = 0;  ///< passes over the sliders, to count the cost
  };

  /// A friction limit for each slider. Throws Error unless there are two sliders or more and all numbers
  /// are positive.
  HeldChain(double k, double k_end, Eigen::VectorXd phi);

  Eigen::Index size() const { return phi_.size(); }
  double k() const { return k_; }
  double k_end() const { return k_end_; }
  const Eigen::VectorXd& phi() const { return phi_; }
  State rest() const;
  /// `to` may be `from`.
  Reply step(const State& from, const Eigen::Vector2d& d, State& to) const;
  double stored(const State& state) const;

 private:
  /// Of the forces by d, with the sliders that slip.
  Eigen::Matrix2d tangent(const std::vector<std::int8_t>& side) const;
  /// The slip that begins at one end as if the other did not move, in the places of `to`, whose sides it
  /// sets; `at` counts sliders from that end. The number of sliders that slip; −1 if all would.
  struct Front {
    Eigen::Index slipping = 0;
    double pushed = 0;  ///< the force on the slider at the front, its change
  };
  template <class At>
  Front slip_from(double way, const At& at, const State& from, State& to) const;
  bool step_by_fronts(const State& from, const Eigen::Vector2d& d, State& to) const;
  void solve_active_set(const State& from, State& to, Reply& reply) const;
  /// The force that slider i passes to the ground.
  double held(const State& state, Eigen::Index i) const;
  /// Solves for the sliders that slip, the others held where they were; `factor` is scratch memory.
  void solve(const State& state, const Eigen::VectorXd& before, Eigen::VectorXd& factor,
             Eigen::VectorXd& q) const;

  double k_, k_end_;
  Eigen::VectorXd phi_;
  /// Factors of the elimination along a stretch of slipping sliders that begins at the first one, or behind
  /// a stuck one.
  std::vector<double> from_end_{}, from_stuck_{};
};

}  // namespace microslip::friction
