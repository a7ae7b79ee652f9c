#include "dynamics/balance/gmres.hpp"

#include <gtest/gtest.h>

namespace microslip::dynamics {
namespace gmres_test {

/// A = 1 + p qᵀ has A⁻¹ b = b − p qᵀb/(1 + qᵀp), and a Krylov space of two dimensions.
TEST(Gmres, identity_and_a_dyad_take_two_iterations) {
  const Eigen::Index n = 30;
  const Eigen::VectorXd p = Eigen::VectorXd::LinSpaced(n, 1, 2);
  const Eigen::VectorXd q = Eigen::VectorXd::LinSpaced(n, -0.5, 0.7);
  const Eigen::VectorXd b = Eigen::VectorXd::LinSpaced(n, 3, 1).cwiseAbs2();
  Eigen::VectorXd x;
  const int iterations =
      gmres([&](const Eigen::VectorXd& z) { return Eigen::VectorXd(z + p * q.dot(z)); }, b, x);
  EXPECT_EQ(iterations, 2);
  const Eigen::VectorXd expected = b - p * (q.dot(b) / (1 + q.dot(p)));
  EXPECT_LT((x - expected).norm(), 1e-12 * expected.norm());
}

/// A cyclic shift: nothing is gained before the last iteration.
TEST(Gmres, a_shift_takes_as_many_iterations_as_unknowns) {
  const Eigen::Index n = 12;
  Eigen::VectorXd x;
  const auto shift = [&](const Eigen::VectorXd& z) {
    Eigen::VectorXd moved(n);
    moved << z.tail(n - 1), z[0];
    return moved;
  };
  EXPECT_EQ(gmres(shift, Eigen::VectorXd::Unit(n, 0), x), n);
  EXPECT_LT((x - Eigen::VectorXd::Unit(n, 1)).norm(), 1e-14);
}

TEST(Gmres, a_system_without_a_solution_is_said_to_have_none) {
  const auto singular = [](const Eigen::VectorXd& z) {
    return Eigen::VectorXd(Eigen::Vector2d(z[0], 0));
  };
  Eigen::VectorXd x;
  EXPECT_EQ(gmres(singular, Eigen::Vector2d(0, 1), x), -1);
  EXPECT_EQ(gmres(singular, Eigen::Vector2d(1, 1), x), -1);
  EXPECT_EQ(gmres(singular, Eigen::Vector2d::Zero(), x), 0);
  EXPECT_EQ(x, Eigen::Vector2d::Zero());
}

}  // namespace gmres_test
}  // namespace microslip::dynamics
