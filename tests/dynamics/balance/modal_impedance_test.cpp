#include "dynamics/balance/modal_impedance.hpp"

#include <gtest/gtest.h>

#include <random>

#include "dynamics/balance/harmonic_balance.hpp"
#include "dynamics/jointed_beam.hpp"
#include "microslip/dynamics/periodic/nonlinear_mode.hpp"
#include "microslip/dynamics/structure/modes.hpp"

namespace microslip::dynamics {
namespace modal_impedance_test {

using Complex = std::complex<double>;

Eigen::MatrixXd random_matrix(Eigen::Index rows, Eigen::Index columns, std::mt19937& random) {
  std::uniform_real_distribution<double> between(-1, 1);
  return Eigen::MatrixXd::NullaryExpr(rows, columns, [&] { return between(random); });
}

TEST(ModalImpedance, solves_what_the_whole_matrix_solves) {
  std::mt19937 random(7);
  constexpr Eigen::Index n = 20;
  for (const Eigen::Index rank : {0, 1, 3, 20})
    for (const bool symmetric : {true, false}) {
      const Eigen::MatrixXd left = random_matrix(n, rank, random);
      const Eigen::MatrixXd right = symmetric ? left : random_matrix(n, rank, random);
      Eigen::MatrixXd C = left * right.transpose();
      if (rank == 0) C = Eigen::VectorXd::LinSpaced(n, 0.1, 2).asDiagonal();
      const ModalDamping damping(C);
      EXPECT_EQ(damping.left.cols(), rank == 1 || rank == 3 ? rank : 0);
      EXPECT_EQ(damping.full.size() > 0, rank == 20);
      constexpr double rate = 3;
      Eigen::VectorXcd D(n);
      for (Eigen::Index i = 0; i < n; ++i) {
        const auto omega = static_cast<double>(i + 1);
        D[i] = omega * omega - rate * rate;
      }
      // The third mode is in resonance to the last digit, the one before nearly.
      if (rank != 0) D[1] = 1e-9;
      Eigen::MatrixXcd Z = Complex(0, rate) * C.cast<Complex>();
      Z.diagonal() += D;
      const Eigen::MatrixXcd b = random_matrix(n, 2, random).cast<Complex>();
      const ModalImpedance impedance(D, rate, damping);
      const Eigen::MatrixXcd x = impedance.solve(b), y = impedance.solve_transposed(b);
      // One and two modes in resonance are held by as many columns of damping.
      if (rank == 1) continue;
      EXPECT_LT((Z * x - b).norm(), 1e-11 * (Z.norm() * x.norm())) << rank << symmetric;
      EXPECT_LT((Z.transpose() * y - b).norm(), 1e-11 * (Z.norm() * y.norm())) << rank << symmetric;
    }
}

TEST(ModalImpedance, damping_by_ratios_of_stuck_modes_is_condensed_as_the_whole) {
  for (const bool clamped : {true, false}) {
    JointedBeam beam;
    beam.elements = 4;
    beam.joints = 6;
    beam.clamped = clamped;
    beam.alpha = beam.beta = 0;
    Structure s = beam.structure();
    SparseMatrix stuck = s.K;
    for (const JointElement& joint : s.joints)
      add_along(stuck, joint.w, tangent_at_rest(joint.model));
    const std::vector<double> ratios =
        clamped ? std::vector{0.01, 0.02} : std::vector{0.0, 0.0, 0.0, 0.01, 0.02};
    s.C = modal_damping(s.M, stuck, ratios);
    Eigen::VectorXd direction = Eigen::VectorXd::Zero(s.size());
    direction[beam.dof(0, 4, 1)] = 1;
    s.loads.push_back({direction, Tones{{{5, 0, 1, 0}}}});
    const double omega = 0.97 * modes_at_rest(s).omega[clamped ? 0 : 3];
    HarmonicBalance whole(s, 3), condensed(s, 3);
    condensed.condense(true);
    ASSERT_NE(condensed.condensed(), nullptr) << clamped;
    Eigen::VectorXd y = whole.starts().linear_response(omega), z = condensed.starts().linear_response(omega);
    const NewtonResult first = solve_at(whole, y), second = solve_at(condensed, z);
    EXPECT_TRUE(first.converged && second.converged) << clamped;
    EXPECT_LE(second.iterations, first.iterations + 3);
    const Eigen::VectorXd difference = (y - z).head(whole.size()).cwiseQuotient(whole.units());
    EXPECT_LT(difference.norm(), 1e-7 * y.head(whole.size()).cwiseQuotient(whole.units()).norm());
  }
}

}  // namespace modal_impedance_test
}  // namespace microslip::dynamics
