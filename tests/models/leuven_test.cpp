#include "microslip/models/leuven.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace microslip {
namespace {

using Law = Leuven<double>;

/// The rules of the review with a list of the forces at reversals, by many midpoint steps of Fh
/// itself: z is eliminated through the slope of the transition curve at the force reached on it.
struct Printed {
  Law::Params p;
  double force = 0, work = 0;
  int direction = 0;
  std::vector<double> reversals;

  std::vector<std::pair<double, double>> pieces;  // g at the end of each, its slope
  explicit Printed(const Law::Params& params) : p(params) {
    std::vector<std::pair<double, double>> corners;  // slip distance, stiffness lost
    double K = 0, x = 0, g = 0;
    for (std::size_t i = 0; i < p.k.size(); ++i) {
      corners.emplace_back(p.phi[i] / p.k[i], p.k[i]);
      K += p.k[i];
    }
    std::sort(corners.begin(), corners.end());
    for (const auto& [at, lost] : corners) {
      pieces.emplace_back(g += K * (at - x), K);
      x = at;
      K -= lost;
    }
  }

  /// g' where g has the value y.
  double slope(double y) const {
    for (const auto& [end, K] : pieces)
      if (y < end) return K;
    return 0;
  }
  double base() const { return reversals.empty() ? 0 : reversals.back(); }
  double rate(double y, double limit) const { return 1 - std::pow(std::max(y, 0.0) / limit, p.n); }
  double change(double d, double y, double limit) const {
    return d * slope(reversals.empty() ? y : y / 2) * rate(y, limit);
  }
  void close_loops(double d) {
    while (reversals.size() >= 2 && d * (force - reversals[reversals.size() - 2]) >= 0)
      reversals.resize(reversals.size() - 2);
    if (reversals.size() == 1 && d * (force + reversals[0]) >= 0) reversals.clear();
  }
  double move(double du, double dt, int steps) {
    const double d = du < 0 ? -1 : 1, v = du / dt, h = std::abs(du) / steps;
    const double S = p.fc + (p.fs - p.fc) * std::exp(-std::pow(std::abs(v) / p.vs, p.delta));
    if (d * direction < 0) reversals.push_back(force);
    direction = static_cast<int>(d);
    const auto along = [&] { return d * (force - base()); };
    for (int i = 0; i < steps; ++i) {
      const double limit = S - d * base();
      const double y = along() + 0.5 * h * d * change(d, along(), limit);
      work += (base() + d * y + (p.sigma1 * rate(y, limit) + p.sigma2) * v) * d * h;
      force += h * change(d, y, limit);
      close_loops(d);
    }
    return force + (p.sigma1 * rate(along(), S - d * base()) + p.sigma2) * v;
  }
};

TEST(Leuven, FollowsThePrintedRules) {
  Law::Params p;
  p.fs = 1.2;
  for (const double n : {1.0, 2.0, 3.5}) {
    p.n = n;
    const Law law(p);
    Printed expected(p);
    auto state = law.rest();
    double account = 0;
    // A nested loop that closes; slow, then fast: above the limit, back along the branch over
    // corners; a second reversal below the limit of the fast motion.
    for (const auto& [u, dt] : {std::pair{0.5, 2.0},
                                {1.5, 30.0},
                                {1.8, 0.1},
                                {0.9, 1.0},
                                {1.3, 2.0},
                                {1.1, 2.0},
                                {1.6, 2.0},
                                {-1.5, 1.0},
                                {-3.5, 30.0},
                                {-3.8, 0.2},
                                {-3.4, 0.5},
                                {-4.0, 0.2}}) {
      const double f = expected.move(u - state.u, dt, 20000);
      const auto reply = law.step(state, u, dt, state);
      ASSERT_EQ(reply.status, Status::ok);
      account += reply.dissipated;
      // Steps of up to 3e-4 that end beside corners and closings, not on them: the error is of
      // first order, and a quarter of it with four times as many.
      EXPECT_NEAR(reply.force, f, 1e-5) << "n = " << n << ", u = " << u;
      EXPECT_NEAR(account + law.stored(state), expected.work, 2e-5) << "n = " << n << ", u = " << u;
    }
  }
}

// Two reversals at 1.1 and more in a slow motion, whose limit is 1.2; then fast, where it is 1.
TEST(Leuven, UndefinedWhereTheLimitFallsBelowAReversal) {
  Law::Params p;
  p.fs = 1.2;
  const Law law(p);
  auto state = law.rest();
  EXPECT_EQ(law.step(state, 3, 300, state).status, Status::ok);
  EXPECT_EQ(law.step(state, 2.97, 3, state).status, Status::ok);
  const auto before = state;
  EXPECT_EQ(law.step(state, 3.5, 0.1, state).status, Status::undefined);
  EXPECT_EQ(state.u, before.u);  // as it was
  EXPECT_EQ(state.f, before.f);
  EXPECT_EQ(law.step(state, 3.5, 50, state).status, Status::ok);
}

// The branch begins 4e-10 below the limit: the 47th power of what is left is no number.
TEST(Leuven, ABranchMayBeginJustBelowTheLimit) {
  Law::Params p;
  p.sigma1 = p.sigma2 = 0;
  p.n = 47;
  p.k = {1};
  p.phi = {10};
  const Law law(p);
  auto state = law.rest();
  law.step(state, 1.38, 1, state);
  ASSERT_NEAR(state.f, 1, 2e-8);
  ASSERT_LT(state.f, 1);
  const double top = state.f;
  law.step(state, 1.38 - 1e-12, 1, state);
  const auto reply = law.step(state, 1.38, 1, state);
  EXPECT_EQ(reply.status, Status::ok);
  EXPECT_NEAR(reply.force, top, 1e-15);
}

// Right after a reversal bristles slide along with their force: one step gives back more than Ψ
// held, the cycle does not.
TEST(Leuven, StepsMayGiveBackEnergyCyclesDoNot) {
  Law::Params p;
  p.sigma1 = p.sigma2 = 0;
  p.k = {1};
  p.phi = {10};  // stays elastic: all loss is sliding
  const Law law(p);
  auto state = law.rest();
  law.step(state, -10, 1, state);
  const double first = law.step(state, -9.1, 1, state).dissipated;
  EXPECT_LT(first, -0.02);
  EXPECT_GT(
      first + law.step(state, 10, 1, state).dissipated + law.step(state, -10, 1, state).dissipated,
      30);  // 4 · 10 − 8 for a slider of stiffness 1, more than rounded corners take away
}

}  // namespace
}  // namespace microslip
