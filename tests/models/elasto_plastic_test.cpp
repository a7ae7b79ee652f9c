#include "microslip/models/elasto_plastic.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <utility>

#include "microslip/detail/numerics/constants.hpp"
#include "support/runge_kutta.hpp"

namespace microslip {
namespace elasto_plastic_test {

using Law = ElastoPlastic<double>;

/// (75)–(80) of the review with the signs put back.
double printed_rate(const Law::Params& p, double v, double z) {
  const double zss =
      (p.zc + (p.zs - p.zc) * std::exp(-std::pow(std::abs(v) / p.vs, p.n))) / p.sigma0;
  const double zmax = std::max(p.zs, p.zc) / p.sigma0;
  const double y = v > 0 ? z : -z;
  double alpha = 0;
  if (y > p.zba)
    alpha = y >= zss ? 1 : 0.5 + 0.5 * std::sin(pi * (y - (zmax + p.zba) / 2) / (zmax - p.zba));
  return v * (1 - alpha * y / zss);
}

// Slow and fast steps: elastic, climbing, held at zss, coming down from beyond it.
TEST(ElastoPlastic, follows_the_printed_equation) {
  const Law::Params p{.sigma0 = 3,
                      .sigma1 = 0.2,
                      .sigma2 = 0.1,
                      .zc = 1,
                      .zs = 1.6,
                      .vs = 0.4,
                      .n = 2.5,
                      .zba = 0.2};
  const Law law(p);
  auto state = law.rest();
  std::array<double, 2> y{};  // z, work
  double account = 0;
  for (const auto& [u, dt] :
       {std::pair{0.15, 0.5}, {0.4, 3.0}, {1.5, 9.0}, {1.7, 0.1}, {1.2, 0.4}, {-0.4, 2.0}}) {
    const double v = (u - state.u) / dt;
    const auto force = [&](double z) {
      return p.sigma0 * z + p.sigma1 * printed_rate(p, v, z) + p.sigma2 * v;
    };
    y = testing::runge_kutta<2>(y, dt, 40000, [&](const std::array<double, 2>& at) {
      return std::array<double, 2>{printed_rate(p, v, at[0]), force(at[0]) * v};
    });
    const auto reply = law.step(state, u, dt, state);
    ASSERT_EQ(reply.status, Status::ok);
    account += reply.dissipated;
    // The reference steps across the jump of α at zss, so it is good to its own step there.
    EXPECT_NEAR(state.z, y[0], 2e-5);
    EXPECT_NEAR(account + law.stored(state), y[1], 2e-5);
  }
}

TEST(ElastoPlastic, small_motions_leave_no_drift) {
  const Law law({});
  auto state = law.rest();
  for (int i = 0; i < 100; ++i) {
    law.step(state, 0.45, 0.3, state);
    law.step(state, -0.45, 0.3, state);
  }
  EXPECT_NEAR(state.z, -0.45, 1e-13);
}

// Review, Table 1: tuned at amplitude 1 and ω = 1 to D/2π = 2/π; four printed digits of σ0.
TEST(ElastoPlastic, table_of_the_review) {
  const Law law({.sigma0 = 4.6685,
                 .sigma1 = 0.01,
                 .sigma2 = 0.01,
                 .zc = 1.5,
                 .zs = 1.5,
                 .vs = 0.15,
                 .n = 2.5,
                 .zba = 0.1607});
  auto state = law.rest();
  const int rows = 2000;
  double lost = 0;
  for (int i = 1; i <= 3 * rows; ++i) {
    const double u = std::sin(2 * pi * i / rows);
    const double energy = law.step(state, u, 2 * pi / rows, state).dissipated;
    if (i > 2 * rows) lost += energy;
  }
  EXPECT_NEAR(lost / (2 * pi), 2 / pi, 2e-5);
}

// With zss = zmax the limit is approached for ever: the steps used to end beside it, 1e-14 away,
// and to go on until they were too many.
TEST(ElastoPlastic, sliding_without_end_reaches_the_largest_limit) {
  for (const double zba : {0.93, 0.9314333050498464, 0.94}) {
    const ElastoPlastic<double> law({.sigma0 = 1.8771273433420914,
                                     .sigma1 = 0,
                                     .sigma2 = 0,
                                     .zc = 1.8147940291877298,
                                     .zs = 0.8971264582255586,
                                     .vs = 0.16956950843689497,
                                     .n = 2,
                                     .zba = zba});
    auto state = law.rest();
    const auto reply = law.step(state, 1.5e6, 1e6, state);
    EXPECT_EQ(reply.status, Status::ok);
    EXPECT_NEAR(reply.force, 1.8147940291877298, 1e-11);
  }
}

// Where zba is next to zss = zmax the way to sliding is all bend. With t = tan θ and a narrow unit
// = 2 (zmax − zba)/π, dt/dx = 1/unit + t/zss but for terms of order (unit/zss)², which has the
// solution t = (zss/unit) (exp(x/zss) − 1); zss − y = unit/t. The damping of the bristles shows the
// slope, (1 + t unit/zss)/(1 + t²).
TEST(ElastoPlastic, break_away_next_to_the_limit) {
  for (const double room : {1e-5, 1e-6, 1e-8}) {
    const double unit = 2 * room / pi;
    const Law law({.sigma0 = 1,
                   .sigma1 = 1,
                   .sigma2 = 0,
                   .zc = 1,
                   .zs = 1,
                   .vs = 1,
                   .n = 2,
                   .zba = 1 - room});
    for (const double x : {1e-3, 0.1, 0.5}) {
      const double u = 1 - room + x, t = std::expm1(x) / unit;
      auto state = law.rest();
      const auto reply = law.step(state, u, u, state);  // at speed 1
      ASSERT_EQ(reply.status, Status::ok);
      const double slope = (1 + t * unit) / (1 + t * t);
      // The way ends where less than 1e-12 is left of the slope.
      EXPECT_NEAR(reply.force - state.z, slope, 1e-6 * slope + 1e-12) << room << ", " << x;
    }
  }
}

/// Without dashpots the force says nothing of the speed: the law took this bend for steady sliding.
TEST(ElastoPlastic, has_the_force_of_its_bristles_where_it_has_no_dashpots) {
  const Law law({.sigma0 = 0.68,
                 .sigma1 = 0,
                 .sigma2 = 0,
                 .zc = 1,
                 .zs = 0.35,
                 .vs = 2.3,
                 .n = 0.7,
                 .zba = 0.24});
  auto state = law.rest();
  const double u = -0.45, dt = 0.022;
  const double force = law.step(state, u, dt, state).force;
  ASSERT_GT(std::abs(state.z), 0.24);
  EXPECT_EQ(force, 0.68 * state.z);
  EXPECT_EQ(law.force(state, u / dt).force, force);
}

}  // namespace elasto_plastic_test
}  // namespace microslip
