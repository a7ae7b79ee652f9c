#include "microslip/models/duhem_rate.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "microslip/core/error.hpp"
#include "microslip/models/duhem.hpp"
#include "microslip/models/lugre.hpp"
#include "microslip/models/lugre_duhem.hpp"
#include "support/random.hpp"

namespace microslip {
namespace duhem_rate_test {

DuhemRate<double> law_of(const std::string& g1, const std::string& g2) {
  return DuhemRate<double>(
      {.g1 = Expression::parse(g1, {"u", "z", "v"}), .g2 = Expression::parse(g2, {"u", "z", "v"})});
}

struct Row {
  double u, dt;
};
constexpr Row rows[] = {{0.3, 0.1}, {2.0, 5.0}, {1.2, 0.01}, {1.2, 1.0}, {-3.0, 0.5}, {4.0, 1e-3}};

TEST(DuhemRate, is_the_bristle_of_lugre) {
  // z' = u' − |u'| σ0 z/(zc + (zs − zc) e^−(u'/vs)²), f = σ0 z with σ0 = 2.
  const LuGre<double> lugre(
      {.sigma0 = 2, .sigma1 = 0, .sigma2 = 0, .zc = 0.5, .zs = 0.8, .vs = 1.5});
  const std::string share = "*z/(0.5+0.3*exp(-(v/1.5)^2))";
  const auto law = law_of("2*(1-1" + share + ")", "2*(1+1" + share + ")");
  auto one = law.rest();
  auto other = lugre.rest();
  for (const Row& row : rows) {
    const auto f = law.step(one, row.u, row.dt, one);
    const auto g = lugre.step(other, row.u, row.dt, other);
    EXPECT_NEAR(f.force, g.force, 1e-10) << row.u;
    if (row.u == 1.2 && row.dt == 1.0) continue;  // at rest: lugre's sigma1 has no say, nor has v
    EXPECT_NEAR(f.tangent, g.tangent, 1e-8 * (1 + std::abs(g.tangent))) << row.u;
  }
}

TEST(DuhemRate, is_lugre_duhem_without_its_stiction_time) {
  const LuGreDuhem<double> gavin({.beta = 0.5, .gamma = 0.5, .n = 2, .g0 = 1.5, .vs = 2, .Ts = 0});
  // f = fc g0^(1/n) z
  const std::string q = "1.5/(1+exp(-(v/2)^2))", root = "1.5^0.5";
  const auto law =
      law_of(root + "*(1-max(z,0)^2/1.5*" + q + ")", root + "*(1-max(-z,0)^2/1.5*" + q + ")");
  auto one = law.rest();
  auto other = gavin.rest();
  for (const Row& row : rows)
    EXPECT_NEAR(law.step(one, row.u, row.dt, one).force,
                gavin.step(other, row.u, row.dt, other).force, 1e-9)
        << row.u;
}

TEST(DuhemRate, without_the_velocity_is_duhem) {
  const auto law = law_of("1.2-(z-0.2*u)", "1.2+(z-0.2*u)");
  const Duhem<double> duhem({.g1 = Expression::parse("1.2-(z-0.2*u)", {"u", "z"}),
                             .g2 = Expression::parse("1.2+(z-0.2*u)", {"u", "z"})});
  auto one = law.rest();
  auto other = duhem.rest();
  for (const Row& row : rows) {
    const auto f = law.step(one, row.u, row.dt, one);
    const auto g = duhem.step(other, row.u, other);
    EXPECT_NEAR(f.force, g.force, 1e-13);
    EXPECT_NEAR(f.tangent, g.tangent, 1e-11);
    EXPECT_NEAR(f.dissipated, g.dissipated, 1e-12);
  }
}

// Slopes a + b z + c u have a closed form. The product of nothing hides that from the formula, which
// is then integrated with error control.
TEST(DuhemRate, a_slope_that_is_affine_has_a_closed_form) {
  const struct {
    const char *g1, *g2;
    double longest;
  } formulas[] = {{"1-(1+v)*z", "1+(1-v)*z", 3},
                  {"2-3*(z-0.5*u)", "2+3*(z-0.5*u)+v", 30},
                  {"2+0.3*u+0.4*v", "2+0.3*u", 10},
                  {"3+v", "3", 10},
                  {"1+0.5*z-u", "1+0.1*z", 1}};
  for (const auto& [g1, g2, longest] : formulas) {
    const auto law = law_of(g1, g2);
    const auto other = law_of(g1 + std::string("+0*z*z"), g2 + std::string("+0*z*z"));
    testing::Rng rng(11);
    auto one = law.rest();
    auto two = other.rest();
    for (int i = 0; i < 200; ++i) {
      const double u = longest * rng.uniform(-1, 1), dt = rng.log_uniform(1e-1, 1e2);
      const auto f = law.step(one, u, dt, one);
      const auto g = other.step(two, u, dt, two);
      ASSERT_EQ(f.status, Status::ok) << g1;
      ASSERT_EQ(g.status, Status::ok) << g1;
      const double size = 1 + std::abs(g.force);
      ASSERT_NEAR(f.force, g.force, 1e-10 * size) << g1 << " step " << i;
      ASSERT_NEAR(f.tangent, g.tangent, 1e-8 * (size + std::abs(g.tangent))) << g1 << " step " << i;
      ASSERT_NEAR(f.dissipated, g.dissipated, 1e-9 * size * size * longest) << g1 << " step " << i;
      two = one;
    }
  }
}

TEST(DuhemRate, a_stiff_step_arrives_at_its_limit) {
  const auto law = law_of("1-(1+v)*z", "1+(1-v)*z");
  auto state = law.rest();
  const auto reply = law.step(state, 1e6, 10, state);
  EXPECT_EQ(reply.status, Status::ok);
  EXPECT_DOUBLE_EQ(reply.force, 1 / (1 + 1e5));
  EXPECT_NEAR(reply.tangent, -0.1 / (1 + 1e5) / (1 + 1e5), 1e-16);  // through the velocity alone
}

TEST(DuhemRate, a_force_that_grows_beyond_numbers_is_reported) {
  const auto law = law_of("1+z", "1+z");
  auto state = law.rest();
  EXPECT_EQ(law.step(state, 1e4, 1, state).status, Status::not_converged);
  EXPECT_EQ(state.u, 0);
}

TEST(DuhemRate, an_infinitely_slow_motion_has_no_velocity) {
  const auto law = law_of("1-(1+v)*z", "1+(1-v)*z");
  auto state = law.rest();
  // dz/du = 1 − z
  EXPECT_NEAR(law.step(state, 0.7, std::numeric_limits<double>::infinity(), state).force,
              1 - std::exp(-0.7), 1e-12);
}

TEST(DuhemRate, refuses_a_formula_without_a_value_at_rest) {
  EXPECT_THROW(law_of("1-z/v", "1+z"), Error);
  EXPECT_THROW(law_of("1-z", "1+z/v"), Error);
}

}  // namespace duhem_rate_test
}  // namespace microslip
