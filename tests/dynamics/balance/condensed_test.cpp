#include "dynamics/balance/condensed.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <complex>

#include "dynamics/balance/harmonic_balance.hpp"
#include "dynamics/support.hpp"

namespace microslip::dynamics {
namespace condensed_test {

/// A row of unit masses on a row of springs, with springs as joints: the motion under a harmonic force is
/// (K + Σ k w wᵀ − ω²M + iωC)⁻¹ F, whatever condensation makes of it.
TEST(Condensed, springs_as_joints_move_as_springs_of_the_structure) {
  constexpr Eigen::Index n = 6;
  constexpr double omega = 0.83, joint = 0.4;
  Eigen::MatrixXd K = Eigen::MatrixXd::Zero(n, n);
  for (Eigen::Index i = 0; i < n; ++i) {
    K(i, i) = i + 1 < n ? 2 : 1;
    if (i > 0) K(i, i - 1) = K(i - 1, i) = -1;
  }
  Structure s{diagonal(std::vector<double>(n, 1)), (0.02 * K).sparseView(), K.sparseView(), {}, {}};
  s.joints.push_back({law("linear", {{"k", joint}}), between(n, 1, 4)});
  s.joints.push_back({law("linear", {{"k", 2 * joint}}), between(n, 0, 6)});
  s.loads.push_back({Eigen::VectorXd::Unit(n, 1), Tones{{{0.3, 0, 1, 0}, {0.1, 0.5, 3, 0}}}});

  HarmonicBalance balance(s, 3);
  ASSERT_FALSE(balance.condense(true));
  Eigen::VectorXd y = balance.starts().linear_response(omega);
  y.head(balance.size()) *= 0.5;  // so that there is something to solve for
  const NewtonResult found = solve_at(balance, y);
  EXPECT_TRUE(found.converged);
  EXPECT_LE(found.iterations, 2);

  for (const JointElement& spring : s.joints)
    K += std::get<double>(spring.model.parameters().at("k")) * spring.w.dense() *
         spring.w.dense().transpose();
  for (const Tone& tone : std::get<Tones>(s.loads[0].signal).list) {
    const int h = tone.harmonic;
    Eigen::MatrixXcd Z = K.cast<std::complex<double>>();
    Z += std::complex<double>(0, h * omega) * Eigen::MatrixXd(s.C);
    Z -= h * h * omega * omega * Eigen::MatrixXcd::Identity(n, n);
    const Eigen::VectorXcd x = Z.partialPivLu().solve(
        std::polar(tone.amplitude, tone.phase) * s.loads[0].direction.cast<std::complex<double>>());
    // a cos hθ + b sin hθ is the real part of (a − ib) e^{ihθ}.
    EXPECT_LT((y.segment((2 * h - 1) * n, n) - x.real()).norm(), 1e-10 * x.norm()) << h;
    EXPECT_LT((y.segment(2 * h * n, n) + x.imag()).norm(), 1e-10 * x.norm()) << h;
  }
}

}  // namespace condensed_test
}  // namespace microslip::dynamics
