#pragma once

#include <Eigen/Core>
#include <cmath>

namespace microslip::dynamics {

/// Gauss's method of order six.
struct Gauss {
  Eigen::Matrix3d A, A2;
  Eigen::Vector3d b, c, bA, to_end;  ///< to_end: extrapolates from the stages to the end
  Gauss() {
    const double r = std::sqrt(15.0);
    A.row(0) = Eigen::RowVector3d(5.0 / 36, 2.0 / 9 - r / 15, 5.0 / 36 - r / 30);
    A.row(1) = Eigen::RowVector3d(5.0 / 36 + r / 24, 2.0 / 9, 5.0 / 36 - r / 24);
    A.row(2) = Eigen::RowVector3d(5.0 / 36 + r / 30, 2.0 / 9 + r / 15, 5.0 / 36);
    A2 = A * A;
    b = Eigen::Vector3d(5.0 / 18, 4.0 / 9, 5.0 / 18);
    c = Eigen::Vector3d(0.5 - r / 10, 0.5, 0.5 + r / 10);
    bA = A.transpose() * b;
    for (int i = 0; i < 3; ++i) {
      to_end[i] = 1;
      for (int j = 0; j < 3; ++j)
        if (j != i) to_end[i] *= (1 - c[j]) / (c[i] - c[j]);
    }
  }
};
inline const Gauss gauss_six;

}  // namespace microslip::dynamics
