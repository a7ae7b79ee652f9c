#include "microslip/detail/kernels/comparison/printed_two_state.hpp"

#include <limits>

#include "microslip/detail/numerics/dense.hpp"

namespace microslip {

PrintedTwoState::Slip PrintedTwoState::by_eigenproblem(const Vector& c) const {
  const Eigen::Matrix2d A = a_.asDiagonal();
  Eigen::Matrix4d B;
  B << A, c * c.transpose(), A, A;
  const dense::Modes modes(B);
  Slip best{Vector::Zero(), std::numeric_limits<double>::infinity()};
  for (int k = 0; k < 4; ++k) {
    if (modes.values[k].imag() != 0) continue;
    Vector eta = modes.vectors.col(k).head<2>().normalized();
    if (eta.dot(c) > 0) eta = -eta;
    const double y = distance(eta, c);
    if (y < best.y) best = {eta, y};
  }
  return best;
}

}  // namespace microslip
