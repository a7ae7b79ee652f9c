#include <gtest/gtest.h>

#include "cases.hpp"

/// Systems of small whole numbers under loads of halves: events coincide with one another, with
/// rows and with reversals, speeds vanish, blocks are singular, parts float.
namespace microslip::friction::testing {
namespace degenerate_test {

Eigen::MatrixXd whole_stiffness(Rng& rng, Index n, int type) {
  Eigen::MatrixXd K = Eigen::MatrixXd::Zero(n, n);
  if (type == 0) {  // a network of springs without ground
    for (Index i = 0; i < n; ++i)
      for (Index j = 0; j < i; ++j) {
        if (!rng.chance(0.5)) continue;
        const double k = 1 + double(rng.below(2));
        K(i, i) += k;
        K(j, j) += k;
        K(i, j) = K(j, i) = -k;
      }
    return K;
  }
  const Index rank = type == 1 ? std::max<Index>(1, n / 2) : n + 1;
  const Eigen::MatrixXd B =
      Eigen::MatrixXd::NullaryExpr(n, rank, [&](Index, Index) { return double(rng.below(5)) - 2; });
  K = B * B.transpose();
  if (type == 3) K.diagonal().array() += 0.5;
  return K;
}

System whole_system(Rng& rng) {
  const auto n = static_cast<Index>(1 + rng.below(9));
  const Eigen::MatrixXd K = whole_stiffness(rng, n, int(rng.below(4)));
  Vector mu(n), b(n);
  for (Index i = 0; i < n; ++i) {
    mu[i] = 0.5 * (1 + double(rng.below(2)));
    b[i] = double(rng.below(3)) - 1;
  }
  return System(K, mu, b);
}

/// The same turns in 64 increments each.
double error_of_increments(const System& system, const std::vector<double>& turns,
                           const std::vector<double>& exact) {
  std::vector<double> fine;
  double before = 0;
  for (const double turn : turns) {
    for (int i = 1; i <= 64; ++i) fine.push_back(before + (turn - before) * i / 64);
    before = turn;
  }
  const Result steps = run(system, fine, {.method = Method::active_set});
  double error = 0;
  for (std::size_t i = 0; i < exact.size(); ++i)
    error = std::max(error, std::abs(steps.xi[64 * i + 63] - exact[i]));
  return error / std::max(1.0, range(exact));
}

TEST(Degenerate, all_methods_agree_on_what_is_possible) {
  int floating = 0;
  for (std::uint64_t k = 0; k < 1500; ++k) {
    Rng rng(base_seed() + k);
    const System system = whole_system(rng);
    std::vector<double> f;
    for (int i = 0; i < 8; ++i) f.push_back(0.5 * (double(rng.below(13)) - 6));
    const Result event = run(system, f), path = run(system, f, {.log_slips = true});
    const Result steps = run(system, f, {.method = Method::active_set});
    const Result lemke = run(system, f, {.method = Method::lemke});
    for (const Result* other : {&path, &steps, &lemke}) {
      EXPECT_EQ(other->status, event.status) << "case " << k;
      EXPECT_EQ(other->xi.size(), event.xi.size()) << "case " << k;
    }
    floating += event.status == Status::macroslip;
    EXPECT_NE(event.status, Status::not_converged) << "case " << k;
    EXPECT_LT(beyond_limits(system, event.end), 1e-9) << "case " << k;
    EXPECT_LT(largest_difference(event.xi, path.xi), 1e-9) << "case " << k;
    // Where K is singular, a load at the very limit leaves positions open.
    if (!system.definite()) continue;
    EXPECT_LT(largest_difference(steps.xi, lemke.xi), 1e-9 * (1 + range(steps.xi)));
    // First order: 0.0104 is the worst of 40000 such cases.
    EXPECT_LT(error_of_increments(system, f, event.xi), 0.02) << "case " << k;
  }
  EXPECT_GT(floating, 100);
}

TEST(Degenerate, a_slider_whose_speed_vanishes_does_not_stop_the_others) {
  // All three arrive at f = −1. Once the third slips, the first has no speed left, and its rounded
  // one may have either sign; the second is relieved. 2 x3 = −1 at f = −2.
  const double K[] = {9, -3, 2, -3, 7, -3, 2, -3, 2}, b[] = {1, -1, 1};
  const System system(Eigen::Map<const Eigen::MatrixXd>(K, 3, 3), Vector::Ones(3),
                      Eigen::Map<const Vector>(b, 3));
  const Result result = run(system, std::vector{-2.0});
  ASSERT_EQ(result.status, Status::ok);
  EXPECT_NEAR(result.end.x[0], 0, 1e-14);
  EXPECT_NEAR(result.end.x[1], 0, 1e-14);
  EXPECT_NEAR(result.end.x[2], -0.5, 1e-14);
}

}  // namespace degenerate_test
}  // namespace microslip::friction::testing
