#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <vector>

#include "dynamics/fourier/fourier.hpp"

namespace microslip::dynamics {

using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// A periodic displacement q(θ) and where it reverses.
class PeriodicMotion {
 public:
  /// The way from one reversal to the next.
  struct Leg {
    double from, to;  ///< angles
    double target;
    int direction;
    int kinks = 0;  ///< of a law that goes along, passed so far
  };

  explicit PeriodicMotion(int harmonics);

  void set(const Eigen::VectorXd& q);
  /// Whether q(θ + π) = −q(θ); the second half of the reversals is then the first one mirrored, to
  /// the last digit.
  bool pair_reversals();

  const Eigen::VectorXd& q() const { return q_; }
  FourierPoint at(double theta) const { return fourier_point(q_, theta); }
  /// Angles, from the reversal furthest out on: there laws with return-point memory have forgotten
  /// everything before.
  const std::vector<double>& reversals() const { return reversals_; }
  const std::vector<double>& turning_values() const { return turning_values_; }
  Leg leg_after(std::size_t reversal) const;
  /// Rounding must not carry a displacement past the reversals.
  double within(double u) const { return std::clamp(u, least_, most_); }

 private:
  void add_reversals();

  Eigen::VectorXd q_;
  RowMatrix slope_grid_;  ///< q′ on equal angles, where reversals are looked for
  Eigen::VectorXd slopes_;
  std::vector<double> reversals_, turning_values_;
  double least_ = 0, most_ = 0;  ///< of the turning values
};

}  // namespace microslip::dynamics
