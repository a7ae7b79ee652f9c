#include "microslip/dynamics/periodic/small_vibrations.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>

#include "dynamics/support.hpp"
#include "microslip/detail/numerics/constants.hpp"

namespace microslip::dynamics {
namespace small_vibrations_test {

/// n unit masses on a row of unit springs, held at one end.
Structure chain(Eigen::Index n) {
  Structure s{SparseMatrix(n, n), SparseMatrix(n, n), SparseMatrix(n, n), {}, {}};
  s.M.setIdentity();
  for (Eigen::Index i = 0; i < n; ++i) {
    s.K.coeffRef(i, i) = i + 1 < n ? 2 : 1;
    if (i > 0) s.K.coeffRef(i, i - 1) = s.K.coeffRef(i - 1, i) = -1;
  }
  return s;
}

TEST(SmallVibrations, a_chain_has_the_frequencies_of_its_closed_form) {
  for (const Eigen::Index n : {5, 700}) {
    Structure s = chain(n);
    constexpr double alpha = 0.01;
    s.C = alpha * s.M;
    const auto modes = small_vibrations(s, JointTangents::stuck, 5);
    ASSERT_EQ(modes.size(), 5u);
    for (std::size_t i = 0; i < modes.size(); ++i) {
      const double omega = 2 * std::sin((2 * static_cast<double>(i) + 1) * pi /
                                        (2 * (2 * static_cast<double>(n) + 1)));
      EXPECT_NEAR(modes[i].omega, omega, 1e-9) << n;
      EXPECT_NEAR(modes[i].zeta, alpha / (2 * omega), 1e-7 * alpha / omega) << n;
      EXPECT_NEAR(modes[i].shape.squaredNorm(), 1, 1e-9);
    }
  }
}

TEST(SmallVibrations, a_dashpot_that_couples_modes_gives_complex_shapes) {
  Structure s = chain(3);
  add_along(s.C, between(3, 0, 3), 0.3);
  const auto modes = small_vibrations(s, JointTangents::free, 3);
  ASSERT_EQ(modes.size(), 3u);
  for (const SmallVibration& mode : modes) {
    const std::complex<double> lambda(-mode.zeta * mode.omega,
                                      mode.omega * std::sqrt(1 - mode.zeta * mode.zeta));
    const Eigen::MatrixXcd Z = lambda * lambda * Eigen::MatrixXd(s.M).cast<std::complex<double>>() +
                               lambda * Eigen::MatrixXd(s.C).cast<std::complex<double>>() +
                               Eigen::MatrixXd(s.K).cast<std::complex<double>>();
    EXPECT_LT((Z * mode.shape).norm(), 1e-10);
    EXPECT_GT(mode.shape.imag().norm(), 1e-3);
  }
  // The trace of C is what all modes lose together.
  double sum = 0;
  for (const SmallVibration& mode : modes) sum += 2 * mode.zeta * mode.omega;
  EXPECT_NEAR(sum, 0.3, 1e-12);
}

TEST(SmallVibrations, joints_are_free_stuck_or_small_loops_under_the_static_loads) {
  constexpr double k = 1, kt = 0.5;
  Structure s = oscillator(jenkins(kt, 0.2), 0.1, 1, 0, k);
  const auto omega = [&](JointTangents joints) {
    return small_vibrations(s, joints, 1).front().omega;
  };
  EXPECT_NEAR(omega(JointTangents::free), std::sqrt(k), 1e-12);
  EXPECT_NEAR(omega(JointTangents::stuck), std::sqrt(k + kt), 1e-12);
  // A slider that slips under the load sticks in small loops about it.
  s.loads = {{Eigen::VectorXd::Ones(1), Constant{5}}};
  EXPECT_NEAR(omega(JointTangents::preloaded), std::sqrt(k + kt), 1e-9);
  // A gap is open at rest and closed under the load.
  s.joints = {{law("unilateral", {{"k", kt}, {"gap", 0.5}}), Eigen::VectorXd::Ones(1)}};
  EXPECT_NEAR(omega(JointTangents::stuck), std::sqrt(k), 1e-12);
  EXPECT_NEAR(omega(JointTangents::preloaded), std::sqrt(k + kt), 1e-9);
}

TEST(SmallVibrations, a_free_body_has_modes_without_frequency) {
  Structure s{diagonal({1, 1}), diagonal({0, 0}), SparseMatrix(2, 2), {}, {}};
  add_along(s.K, between(2, 1, 2), 2);
  const auto modes = small_vibrations(s, JointTangents::free, 10);
  ASSERT_EQ(modes.size(), 2u);
  EXPECT_NEAR(modes[0].omega, 0, 1e-7);
  EXPECT_EQ(modes[0].zeta, 0);
  EXPECT_NEAR(modes[1].omega, 2, 1e-12);
}

TEST(SmallVibrations, a_rigid_body_motion_beside_damping_is_one_mode) {
  // A free chain whose damping couples its modes: λ = 0 twice, and two pairs.
  Structure s{diagonal({1, 2, 1}), diagonal({0, 0, 0}), SparseMatrix(3, 3), {}, {}};
  for (const int i : {1, 2}) add_along(s.K, between(3, i, i + 1), 2);
  add_along(s.C, between(3, 1, 2), 0.1);
  auto modes = small_vibrations(s, JointTangents::free, 10);
  ASSERT_EQ(modes.size(), 3u);
  EXPECT_EQ(modes[0].omega, 0);
  EXPECT_GT(modes[1].omega, 1);
  // A slow decay of the whole body (0.04 kg/s over 4 kg) is a root of its own beside the one at rest.
  s.C.coeffRef(0, 0) += 0.04;
  modes = small_vibrations(s, JointTangents::free, 10);
  EXPECT_EQ(modes[0].omega, 0);
  EXPECT_NEAR(modes[1].omega, 0.01, 1e-4);
  EXPECT_GT(modes[2].omega, 1);
}

}  // namespace small_vibrations_test
}  // namespace microslip::dynamics
