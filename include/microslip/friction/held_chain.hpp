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
/// is exact as long as no slider turns within it. An active set starts from that of the last step; an
/// iteration is a tridiagonal solve, of cost O(n).

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
    long solves = 0;  ///< of tridiagonal systems, to count the cost
  };

  /// A friction limit for each slider. Throws Error unless there are two sliders or more and all numbers
  /// are positive.
  HeldChain(double k, double k_end, Eigen::VectorXd phi);

  Eigen::Index size() const { return phi_.size(); }
  State rest() const;
  /// `to` may be `from`.
  Reply step(const State& from, const Eigen::Vector2d& d, State& to) const;
  double stored(const State& state) const;

 private:
  /// Of the forces by d, with the sliders that slip.
  Eigen::Matrix2d tangent(const std::vector<std::int8_t>& side) const;
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
