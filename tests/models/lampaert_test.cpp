#include "microslip/models/lampaert.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace microslip {
namespace {

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

TEST(Lampaert, FollowsThePrintedEquations) {
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

}  // namespace
}  // namespace microslip
