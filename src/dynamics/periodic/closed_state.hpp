#pragma once

#include <Eigen/Core>
#include <Eigen/LU>

#include "microslip/numerics/dense.hpp"

namespace microslip::dynamics {

/// A memory that fades by less in a period stays as the first period left it. Closer to 1 rounding
/// would decide: what is solved for has an error of 1e-16 over the part that fades.
inline constexpr double slowest_fading = 1e-8;

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

/// Whether J is so far from singular that the reference of closed_state changes a solution by less
/// than 1e-10 of it.
inline bool fades(const Eigen::MatrixXd& J, const Eigen::VectorXd& units) {
  const Eigen::VectorXd inverse = units.cwiseInverse();
  const double largest = (inverse.asDiagonal() * dense::inverse(J) * units.asDiagonal()).norm();
  return largest * slowest_fading <= 1e-5;  // of 1 / largest² against slowest_fading²
}

/// What rounding of the numbers leaves open of such a solution, in units of the numbers.
inline double rounding_of_closed_state(const Eigen::MatrixXd& J, const Eigen::VectorXd& units) {
  const Eigen::Index n = J.rows();
  const Eigen::MatrixXd moved =
      closed_state(J, units.asDiagonal(), Eigen::MatrixXd::Zero(n, n), units);
  return 4e-16 * (units.cwiseInverse().asDiagonal() * moved).cwiseAbs().rowwise().sum().maxCoeff();
}

}  // namespace microslip::dynamics
