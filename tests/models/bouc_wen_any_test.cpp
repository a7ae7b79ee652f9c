#include <gtest/gtest.h>

#include <cmath>

#include "microslip/core/error.hpp"
#include "microslip/models/bouc_wen.hpp"

/// bouc-wen(admissible=any): gamma beyond ±beta.
namespace microslip {
namespace bouc_wen_any_test {

using Law = BoucWen<double>;
constexpr Law::Options any{.admissible = Law::Admissible::any};

/// The printed equation by Heun's method over many small pieces of the way.
class Printed {
 public:
  explicit Printed(const Law::Params& p) : p_(p) {}
  double force(double to, int pieces = 40000) {
    const double du = (to - u_) / pieces;
    const auto rate = [&](double z) {
      return p_.A - std::pow(std::abs(z), p_.n - 1) *
                        (p_.beta * (du > 0 ? 1 : -1) * z + p_.gamma * std::abs(z));
    };
    for (int i = 0; i < pieces; ++i) {
      const double first = rate(z_);
      z_ += 0.5 * du * (first + rate(z_ + du * first));
    }
    u_ = to;
    return p_.a * p_.k * u_ + (1 - p_.a) * p_.k * z_;
  }

 private:
  Law::Params p_;
  double u_ = 0, z_ = 0;
};

TEST(BoucWenAny, is_refused_unless_it_is_asked_for) {
  EXPECT_THROW(Law({.A = 1, .beta = 0.8, .gamma = -1.1, .n = 1, .k = 1, .a = 0}), Error);
  EXPECT_NO_THROW(Law({.A = 1, .beta = 0.8, .gamma = -1.1, .n = 1, .k = 1, .a = 0}, any));
  EXPECT_NO_THROW(Law({.A = 1, .beta = 0.8, .gamma = 1.1, .n = 1.5, .k = 1, .a = 0}, any));
}

TEST(BoucWenAny, follows_the_printed_equation) {
  // The second order of the comparison leaves (way/pieces)² ≈ 1e-9.
  for (const Law::Params& p :
       {Law::Params{.A = 1, .beta = 0.8, .gamma = -1.1, .n = 1, .k = 2, .a = 0},
        Law::Params{.A = 1.2, .beta = 0.3, .gamma = 0.9, .n = 1, .k = 1, .a = 0.2},
        Law::Params{.A = 1, .beta = 0.3, .gamma = -0.6, .n = 1.6, .k = 1, .a = 0.1}}) {
    const Law law(p, any);
    Printed printed(p);
    auto state = law.rest();
    for (const double u : {0.5, -0.4, 0.7, 0.2, 0.6, -0.8, 0.0})
      EXPECT_NEAR(law.step(state, u, state).force, printed.force(u), 1e-7) << p.gamma << " " << u;
  }
}

/// What holds all the same: the force is odd, and no path depends on how it is cut.
TEST(BoucWenAny, is_odd_and_does_not_depend_on_steps) {
  const Law law({.A = 1, .beta = 0.8, .gamma = -1.1, .n = 1, .k = 2, .a = 0.1}, any);
  auto state = law.rest(), mirror = law.rest(), fine = law.rest();
  double before = 0;
  for (const double u : {0.9, -0.3, 0.4, -1.0, 0.2}) {
    const double f = law.step(state, u, state).force;
    EXPECT_DOUBLE_EQ(law.step(mirror, -u, mirror).force, -f);
    double last = 0;
    for (int i = 1; i <= 50; ++i) last = law.step(fine, before + (u - before) * i / 50, fine).force;
    EXPECT_NEAR(last, f, 1e-12);
    before = u;
  }
}

/// What is given up: with gamma < −beta a force grows while loading without limit, exponentially for n = 1, and the
/// slope of the first loading rises, which no arrangement of sliders has.
TEST(BoucWenAny, grows_while_loading) {
  const Law law({.A = 1, .beta = 0.8, .gamma = -1.1, .n = 1, .k = 1, .a = 0}, any);
  auto state = law.rest();
  for (const double u : {0.5, 2.0, 10.0})
    EXPECT_NEAR(law.step(state, u, state).force, (std::exp(0.3 * u) - 1) / 0.3,
                1e-12 * std::exp(0.3 * u));
}

/// For n = 2 the first loading is tan: it ends at a finite displacement, π/2 over the square root of −(beta + gamma).
TEST(BoucWenAny, ends_at_a_finite_displacement_with_a_status) {
  const Law law({.A = 1, .beta = 0.5, .gamma = -0.75, .n = 2, .k = 1, .a = 0}, any);
  const double end = std::acos(0.0) / 0.5;
  auto state = law.rest();
  const auto near = law.step(state, 0.9 * end, state);
  EXPECT_EQ(near.status, Status::ok);
  EXPECT_NEAR(near.force, std::tan(0.9 * end * 0.5) / 0.5, 1e-8);
  EXPECT_NE(law.step(state, 1.01 * end, state).status, Status::ok);
}

}  // namespace bouc_wen_any_test
}  // namespace microslip
