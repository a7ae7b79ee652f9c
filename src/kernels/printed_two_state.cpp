#include "microslip/kernels/printed_two_state.hpp"

#include <Eigen/Eigenvalues>

namespace microslip {

PrintedTwoState::Slip PrintedTwoState::by_eigenproblem(const Vector& c) const {
  const Eigen::Matrix2d A = a_.asDiagonal();
  Eigen::Matrix4d B;
  B << A, c * c.transpose(), A, A;
  const Eigen::EigenSolver<Eigen::Matrix4d> solver(B);
  Slip best{Vector::Zero(), std::numeric_limits<double>::infinity()};
  for (int k = 0; k < 4; ++k) {
    if (solver.eigenvalues()[k].imag() != 0) continue;
    // A real eigenvalue keeps its real vector in one column of the pseudo-eigenvectors.
    Vector eta = solver.pseudoEigenvectors().col(k).head<2>().normalized();
    if (eta.dot(c) > 0) eta = -eta;
    const double y = distance(eta, c);
    if (y < best.y) best = {eta, y};
  }
  return best;
}

}  // namespace microslip
