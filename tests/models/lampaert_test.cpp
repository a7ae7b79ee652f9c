#include "microslip/models/lampaert.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

namespace microslip {
namespace lampaert_test {

using Law = Lampaert<double>;

/// The printed equations with elements as explicit sliders, by many midpoint steps of the motion.
struct Explicit {
  Law::Params p;
  std::vector<double> force = std::vector<double>(p.k.size());
  double work = 0;

  static double clamp(double x, double limit) { return std::clamp(x, -limit, limit); }
  double moved(double dz, std::vector<double>& to) const {
    double sum = 0;
    for (std::size_t i = 0; i < to.size(); ++i)
      sum += to[i] = clamp(force[i] + p.k[i] * dz, p.phi[i]);
    return sum;
  }
  double total() const {
    std::vector<double> same = force;
    return moved(0, same);
  }
  double rate(double y, double limit) const {
    return 1 - (y < 0 ? -1 : 1) * std::pow(std::abs(y) / limit, p.n);
  }
  /// The force after a motion.
  double move(double du, double dt, int steps) {
    const double d = du < 0 ? -1 : 1, v = du / dt, h = std::abs(du) / steps;
    const double limit = p.fc + (p.fs - p.fc) * std::exp(-std::pow(std::abs(v) / p.vs, p.delta));
    std::vector<double> next = force;
    double last = 0;
    for (int i = 0; i < steps; ++i) {
      const double half = moved(0.5 * d * h * rate(d * total(), limit), next);
      last = rate(d * half, limit);
      work += (half + (p.sigma1 * last + p.sigma2) * v) * d * h;
      moved(d * h * last, next);
      force = next;
    }
    return total() + (p.sigma1 * rate(d * total(), limit) + p.sigma2) * v;
  }
};

TEST(Lampaert, follows_the_printed_equations) {
  Law::Params p;
  for (const double n : {1.0, 2.0, 3.5}) {
    p.n = n;
    const Law law(p);
    Explicit expected{p};
    auto state = law.rest();
    double account = 0;
    // Slow, then fast: the force is above the limit and comes down against the motion.
    for (const auto& [u, dt] : {std::pair{0.5, 2.0},
                                {1.5, 30.0},
                                {1.8, 0.1},
                                {0.9, 1.0},
                                {1.3, 2.0},
                                {-1.5, 1.0},
                                {-1.2, 0.5},
                                {-4.0, 0.2}}) {
      const double f = expected.move(u - state.u, dt, 20000);
      const auto reply = law.step(state, u, dt, state);
      account += reply.dissipated;
      // Midpoint steps over corners: an error of order the step squared.
      EXPECT_NEAR(reply.force, f, 2e-6) << "n = " << n << ", u = " << u;
      EXPECT_NEAR(account + law.stored(state), expected.work, 1e-5) << "n = " << n << ", u = " << u;
    }
  }
}

// From far above the limit down to it: n k x/S = 38 lengths of the decay, so nothing is left of the
// way, and σ1 v = 43 shows every error of z'.
TEST(Lampaert, comes_down_to_the_limit_without_an_error) {
  Law::Params p;
  p.sigma1 = 0.77;
  p.sigma2 = 0;
  p.fc = 0.735;
  p.fs = 0.92;
  p.vs = 4.86;
  p.delta = 1.58;
  p.n = 6.68;
  p.k = {2.05, 0.37};
  p.phi = {1.1, 0.6};
  const Law law(p);
  auto state = law.rest();
  law.step(state, -1.5, 4.5, state);
  ASSERT_LT(state.friction, -0.9);
  EXPECT_NEAR(law.step(state, -3.25, 0.0313, state).force, -0.735, 1e-13);
}

// Without corners the last of the way to sliding is exponential, S − F ~ exp(−n k x/S), and with
// fs = fc the limit has the derivative dS/dfc = 1 − exp(−v/vs), other for each speed.
using Real = Dual<1>;

Lampaert<Real> by_limit(double fc, double n) {
  Lampaert<Real>::Params p;
  p.sigma1 = p.sigma2 = Real(0);
  p.fc = Real(fc, 0);
  p.fs = Real(fc);
  p.vs = p.delta = Real(1);
  p.n = Real(n);
  p.k = {Real(1)};
  p.phi = {Real(10)};
  return Lampaert<Real>(p);
}
double limit_slope(double v) { return 1 - std::exp(-v); }

// The force does not change any more, its derivative does.
TEST(LampaertSensitivity, moves_where_the_bristles_rest) {
  for (const double n : {1.0, 2.0, 3.5})
    for (const double S : {0.7, 0.9, 1.0, 1.3}) {
      const auto law = by_limit(S, n);
      auto state = law.rest();
      law.step(state, Real(100), 200, state);
      EXPECT_NEAR(state.f.v[0], limit_slope(0.5), 1e-14);
      law.step(state, Real(100.5), 0.5 / 3, state);
      const double slope =
          limit_slope(3) + (limit_slope(0.5) - limit_slope(3)) * std::exp(-0.5 * n / S);
      EXPECT_NEAR(state.f.v[0], slope, 1e-12);
      EXPECT_NEAR(state.z.v[0], slope, 1e-12);
      EXPECT_NEAR(law.stored(state).v[0], S * slope, 1e-12);
    }
}

// The last motion closes a loop 1e-10 below the limit: where it does depends on fc as well.
TEST(LampaertSensitivity, knows_where_a_loop_closes_next_to_the_limit) {
  const auto last_force = [](const auto& fc) {
    using R = std::decay_t<decltype(fc)>;
    typename Lampaert<R>::Params p;
    p.sigma1 = p.sigma2 = R(0);
    p.fc = fc;
    p.fs = R(0.5255689368075599);
    p.vs = R(0.1);
    p.delta = R(0.7747220758995701);
    p.n = R(3.441526919374595);
    p.k = {R(1.254308868460811), R(3.18485379549297), R(0.766457347859017), R(2.942806312670071)};
    p.phi = {R(0.14929402097518624), R(0.14182351071879418), R(0.14930754419523562),
             R(0.4546868778527002)};
    const Lampaert<R> law(p);
    auto state = law.rest();
    for (const auto& [u, dt] : {std::pair{-0.19, 1.9}, {0.52, 0.5}, {0.0, 0.1}, {-0.29, 1.0}})
      law.step(state, R(u), dt, state);
    return state.f;
  };
  const double fc = 0.5255689368075599, h = 1e-6;  // error h², rounding 1e-10
  EXPECT_NEAR(last_force(Real(fc, 0)).v[0], (last_force(fc + h) - last_force(fc - h)) / (2 * h),
              1e-8);
}

// The smallest displacement there is: 1/speed is too large for a number.
TEST(Lampaert, the_smallest_step_has_the_slope_of_a_short_one) {
  const Law law({});
  auto state = law.rest();
  const double shortest = std::numeric_limits<double>::denorm_min();
  EXPECT_NEAR(law.step(law.rest(), shortest, 0.1, state).tangent, 3 + 0.2 / 0.1, 1e-12);
}

// Sliding fast, the damping of the bristles multiplies every error of their force by a thousand: a
// place of z that was rounded to a corner 1e-12 away showed.
TEST(Lampaert, fast_sliding_keeps_its_digits) {
  Law::Params p;
  p.sigma1 = 1.6918975069098194;
  p.sigma2 = 0;
  p.fc = p.fs = 0.376860569594474;
  p.n = 8.169926875890916;
  p.k = {0.31640593679447043, 1.5745694203889455, 0.17812337170273124, 0.6361370493536233};
  p.phi = {0.9085605347830802, 0.6742776557545463, 0.02012465140973659, 0.8522567687640792};
  const Law law(p);
  for (double cut = 0.5; cut < 1; cut += 0.002) {
    auto state = law.rest();
    for (const auto& [u, dt] : {std::pair{0.3, 0.2115711236174907},
                                {-0.07, 0.20348669587912707},
                                {0.26, 1.7483382138357788},
                                {-0.48, 0.04343274674120742},
                                {0.44, 0.042845885451998744}}) {
      const double middle = state.u + cut * (u - state.u);
      law.step(state, middle, cut * dt, state);
      law.step(state, u, (1 - cut) * dt, state);
    }
    EXPECT_NEAR(state.f, 0.376860569594474, 1e-11) << cut;  // f = fc where sliding is steady
  }
}

}  // namespace lampaert_test
}  // namespace microslip
