#pragma once

#include <Eigen/Core>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "microslip/detail/numerics/dense.hpp"

namespace microslip::dynamics {

/// A memory that fades by less in a period stays as the first period left it. What is solved for has
/// an error of 1e-16 over the part that fades: a mean force, known to four digits at worst. The shape
/// of the loop does not feel it, because what would change the shape makes the memory fade.
inline constexpr double slowest_fading = 1e-12;

/// What numbers of a state count as 1.
inline Eigen::VectorXd units_of(const Eigen::VectorXd& begin, const Eigen::VectorXd& end) {
  return begin.cwiseAbs().cwiseMax(end.cwiseAbs()).unaryExpr([](double x) {
    return x > 0 ? x : 1.0;
  });
}

/// x with  J x + r = 0,  or, in directions where J is next to zero, x = reference: the least of
/// ‖J x + r‖² + slowest² ‖x − reference‖² in units of the numbers.
inline Eigen::MatrixXd closed_state(const Eigen::MatrixXd& J, const Eigen::MatrixXd& r,
                                    const Eigen::MatrixXd& reference,
                                    const Eigen::VectorXd& units) {
  const Eigen::Index n = J.rows();
  const Eigen::VectorXd inverse = units.cwiseInverse();
  Eigen::MatrixXd tall(2 * n, n), right(2 * n, r.cols());
  tall.topRows(n) = inverse.asDiagonal() * J * units.asDiagonal();
  tall.bottomRows(n) = slowest_fading * Eigen::MatrixXd::Identity(n, n);
  right.topRows(n) = -(inverse.asDiagonal() * r);
  right.bottomRows(n) = slowest_fading * (inverse.asDiagonal() * reference);
  return units.asDiagonal() * dense::least_squares(tall, right);
}

/// Whether what a period leaves open is as little as rounding of some hundred steps makes it, or as a
/// memory that hardly fades leaves it.
inline bool closes(const Eigen::VectorXd& open, const Eigen::VectorXd& units) {
  return open.cwiseQuotient(units).lpNorm<Eigen::Infinity>() <= slowest_fading;
}

/// Newton's steps for a state that closes. Where the memory fades with a power of a force the root is a
/// multiple one: steps shrink by a constant factor, and once that is seen they are as much longer.
class ClosingSteps {
 public:
  /// The next change of x with J x + r = 0; directions where J is next to zero stay where they are.
  Eigen::VectorXd next(const Eigen::MatrixXd& J, const Eigen::VectorXd& r,
                       const Eigen::VectorXd& units) {
    Eigen::VectorXd change = closed_state(J, r, Eigen::VectorXd::Zero(r.size()), units);
    size_ = change.cwiseQuotient(units).lpNorm<Eigen::Infinity>();
    const double ratio = size_ / before_;
    const bool steady = ratio > 0.3 && ratio < 0.95 && std::abs(ratio - ratio_) < 0.02;
    ratio_ = steady ? 0 : ratio;  // after a long step anew
    left_ = ratio < 0.9 ? size_ * ratio / (1 - ratio) : 10 * size_;
    before_ = size_;
    if (!steady) return change;
    // r falls with the power p of the distance to the root, so that rounding hides a part of it.
    const double p = 1 / (1 - ratio);
    const double open = r.cwiseQuotient(units).lpNorm<Eigen::Infinity>();
    hidden_ = p * size_ * std::pow(1e-16 / std::max(open, 1e-16), 1 / p);
    return p * change;
  }
  double size() const { return size_; }  ///< of Newton's step, in units
  /// What is not known of the solution: steps that would follow, and what rounding hides.
  double left() const { return std::max(left_, hidden_); }

 private:
  double size_ = 0, before_ = 0, ratio_ = 0, left_ = 0, hidden_ = 0;
};

/// What is left of the way from rest in derivatives: nothing in numbers that were solved for far from
/// where that way has led.
inline void forget_way(const Eigen::VectorXd& found, const Eigen::VectorXd& reference,
                       const Eigen::VectorXd& units, Eigen::MatrixXd& wrt_way) {
  for (Eigen::Index i = 0; i < reference.size(); ++i)
    if (std::abs(found[i] - reference[i]) > 0.1 * units[i]) wrt_way.row(i).setZero();
}

/// Whether the memory fades within some periods, so that the way from rest does not matter and the
/// next loop is found from this one.
inline bool fades(const Eigen::MatrixXd& J, const Eigen::VectorXd& units) {
  const Eigen::VectorXd inverse = units.cwiseInverse();
  const double largest = (inverse.asDiagonal() * dense::inverse(J) * units.asDiagonal()).norm();
  return largest <= 1e3;
}

/// What rounding of the numbers leaves open of such a solution, in units of the numbers.
inline double rounding_of_closed_state(const Eigen::MatrixXd& J, const Eigen::VectorXd& units) {
  const Eigen::Index n = J.rows();
  const Eigen::MatrixXd moved =
      closed_state(J, units.asDiagonal(), Eigen::MatrixXd::Zero(n, n), units);
  return 4e-16 * (units.cwiseInverse().asDiagonal() * moved).cwiseAbs().rowwise().sum().maxCoeff();
}

}  // namespace microslip::dynamics
