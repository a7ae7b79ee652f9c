#include "microslip/models/two_state.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <boost/math/quadrature/gauss_kronrod.hpp>
#include <boost/numeric/odeint.hpp>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>
#include <vector>

#include "microslip/models/jenkins.hpp"
#include "support/message_of.hpp"
#include "two_state_cases.hpp"

namespace microslip {
namespace two_state_test {

using namespace two_state_cases;

double yield_displacement(const Params& p) {
  return 1 / std::hypot(p.b1 / std::sqrt(p.mu * p.sigma), p.b2 / std::sqrt(p.mu));
}
double half_gap(const Params& p) {
  return std::sqrt(p.mu * (p.sigma * p.b1 * p.b1 + p.b2 * p.b2)) / p.alpha;
}

/// Random turning points, steps from 0.01 to `longest` yield displacements.
std::vector<double> random_path(const Params& p, int rows, double longest, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> sign(-1, 1);
  std::uniform_real_distribution<double> exponent(-2, std::log10(longest));
  std::vector<double> path;
  double u = 0;
  for (int i = 0; i < rows; ++i) {
    const double size = std::pow(10., exponent(random)) * yield_displacement(p);
    u += std::copysign(size, sign(random) - 0.1 * u / yield_displacement(p));
    path.push_back(u);
  }
  return path;
}

/// Below 1e-34 the way out of saturation was shorter than what counts as saturated: at a turn the force
/// jumped to its other limit. The limit of flat ellipses is reached to the root of σ.
TEST(TwoState, flat_ellipses_have_a_limit) {
  const Params nearly{.sigma = 1e-24};
  const std::vector<double> path = random_path({.sigma = 1e-2}, 400, 30, 3);
  const TwoState<double> reference(nearly);
  for (const double sigma : {1e-30, 1e-34, 1e-36, 1e-40, 1e-80, 1e-200, 1e-300}) {
    const TwoState<double> flat({.sigma = sigma});
    TwoState<double>::State a, b;
    double lost = 0, lost_by_reference = 0;
    for (const double u : path) {
      const Response<double> got = flat.step(a, u, a), wanted = reference.step(b, u, b);
      lost += got.dissipated;
      lost_by_reference += wanted.dissipated;
      ASSERT_NEAR(got.force, wanted.force, 1e-10) << sigma << " at " << u;
    }
    EXPECT_NEAR(lost, lost_by_reference, 1e-9 * lost_by_reference) << sigma;
  }
}

/// The plasticity problem by other means: bisection for the start of slip, then an
/// error-controlled Runge–Kutta of order 8 for ds/d|u| = b d − λ A⁻¹s.
class Reference {
 public:
  explicit Reference(const Params& p) : p_(p), a_{p.mu * p.sigma, p.mu}, b_{p.b1, p.b2} {}

  double step(double u) {
    const double d = u > u_ ? 1 : -1;
    const double length = std::abs(u - u_);
    const double free = slip_after(d, length);
    for (std::size_t i = 0; i < 2; ++i) s_[i] += b_[i] * d * free;
    if (free < length) slip(d, length - free);
    u_ = u;
    const double bb = b_[0] * b_[0] + b_[1] * b_[1];
    return (1 + p_.ks - bb / p_.alpha) * u + (b_[0] * s_[0] + b_[1] * s_[1]) / p_.alpha;
  }

 private:
  using Vector = std::array<double, 2>;

  double excess(double d, double x) const {
    double sum = -1;
    for (std::size_t i = 0; i < 2; ++i) sum += std::pow(s_[i] + b_[i] * d * x, 2) / a_[i];
    return sum;
  }
  double slip_after(double d, double length) const {
    double outward = 0, bb = 0;
    for (std::size_t i = 0; i < 2; ++i) {
      outward += s_[i] * b_[i] * d / a_[i];
      bb += b_[i] * b_[i] / a_[i];
    }
    if (outward > 0 && excess(d, 0) > -1e-11) return 0;
    double inside = std::max(0., -outward / bb);  // the deepest point of the line
    double outside = length;
    if (inside >= length || excess(d, length) <= 0) return length;
    for (int i = 0; i < 200; ++i) {
      const double middle = 0.5 * (inside + outside);
      (excess(d, middle) > 0 ? outside : inside) = middle;
    }
    return inside;
  }
  void slip(double d, double length) {
    namespace odeint = boost::numeric::odeint;
    const auto rate = [&](const Vector& s, Vector& ds, double) {
      double push = 0, normal = 0;
      for (std::size_t i = 0; i < 2; ++i) {
        push += s[i] / a_[i] * b_[i] * d;
        normal += s[i] * s[i] / (a_[i] * a_[i]);
      }
      for (std::size_t i = 0; i < 2; ++i) ds[i] = b_[i] * d - push / normal * s[i] / a_[i];
    };
    const double size = std::sqrt(std::min(a_[0], a_[1]));
    odeint::integrate_adaptive(
        odeint::make_controlled<odeint::runge_kutta_fehlberg78<Vector>>(1e-14 * size, 1e-13), rate,
        s_, 0., length, std::min(length, 0.01 * yield_displacement(p_)));
  }

  Params p_;
  Vector a_, b_, s_{0, 0};
  double u_ = 0;
};

TEST(TwoState, describes_itself) {
  static_assert(RateIndependentLaw<Law>);
  static_assert(RateIndependentLaw<TwoState<Dual<2>>>);
  EXPECT_EQ(Law({}).rest().f, 0);
}

TEST(TwoState, defaults_are_normalised) {
  const Params expected = normalised(2. / 3, 1. / 16);
  const Params defaults{};
  EXPECT_DOUBLE_EQ(defaults.alpha, expected.alpha);
  EXPECT_DOUBLE_EQ(defaults.sigma, expected.sigma);
  EXPECT_DOUBLE_EQ(defaults.b1, expected.b1);
  EXPECT_DOUBLE_EQ(defaults.b2, expected.b2);
}

// Thesis, eqs 4.12–4.17.
TEST(TwoState, saturates_as_printed) {
  for (const auto& c : table_5_1) {
    const Law law(c.params);
    EXPECT_NEAR(law.saturated_slope(), c.saturated_slope, 1e-10);
    EXPECT_NEAR(law.half_gap(), c.half_gap, 1e-10);
    for (const double u : {60., -60.}) {
      State s = law.rest();
      const auto reply = law.step(s, u, s);
      EXPECT_NEAR(reply.force, c.saturated_slope * u + std::copysign(c.half_gap, u), 1e-8);
      EXPECT_NEAR(reply.tangent, law.saturated_slope(), 1e-10);
      // s = ±A b/√(bᵀA b), which is the point ±1 along the saturated direction
      EXPECT_NEAR(s.along, std::copysign(1, u), 1e-10);
      EXPECT_NEAR(s.across, 0, 1e-10);
    }
  }
  for (const auto& p : {normalised(0.5, 0.49), Params{}}) {
    EXPECT_NEAR(Law(p).saturated_slope(), 0, 1e-15);
    EXPECT_NEAR(Law(p).half_gap(), 1, 1e-15);
  }
}

TEST(TwoState, first_slope_is_one_plus_ks_and_so_after_a_reversal) {
  for (const auto& p : parameter_sets()) {
    const Law law(p);
    State s = law.rest();
    const double small = 0.5 * yield_displacement(p);
    auto reply = law.step(s, small, s);
    EXPECT_NEAR(reply.force, (1 + p.ks) * small, 1e-14 * half_gap(p));
    EXPECT_EQ(reply.tangent, 1 + p.ks);
    EXPECT_EQ(reply.dissipated, 0);
    const double top = law.step(s, 20 * small, s).force;
    reply = law.step(s, 19.99 * small, s);
    EXPECT_NEAR(reply.force, top - (1 + p.ks) * 0.01 * small, 1e-12 * half_gap(p));
    EXPECT_EQ(reply.tangent, 1 + p.ks);
  }
}

// Turning points of thesis fig. 4.7 (a) and (b), computed by an independent program.
TEST(TwoState, gives_the_forces_of_figure4_7) {
  const Law law(normalised(0.5, 0.49));
  State s = law.rest();
  for (const auto& [u, f] : {std::pair{5., 0.999912121896058},
                             {-5., -0.999994727115122},
                             {5., 0.999994146099003},
                             {-5., -0.999994156462946}})
    EXPECT_NEAR(law.step(s, u, s).force, f, 1e-11);
  s = law.rest();
  const double a = 2.534004854757, b = 0.882507448166;
  for (const auto& [u, f] : {std::pair{a, 0.998925771636},
                             {b, -0.652571634955},
                             {4.5, 0.999853850470},
                             {b, -0.996693419969},
                             {a, 0.654803986622},
                             {-a, -0.999896147478},
                             {-b, 0.651601259113},
                             {-4.5, -0.999985979835},
                             {-b, 0.996259014717},
                             {-a, -0.655238391874}})
    EXPECT_NEAR(law.step(s, u, s).force, f, 3e-12);
}

TEST(TwoState, agrees_with_an_independent_integration) {
  unsigned seed = 7;
  for (const auto& p : parameter_sets()) {
    const Law law(p);
    State s = law.rest();
    Reference reference(p);
    for (const double u : random_path(p, 60, 30, ++seed))
      ASSERT_NEAR(law.step(s, u, s).force, reference.step(u), 1e-10 * half_gap(p))
          << "sigma " << p.sigma << " b1 " << p.b1 << " seed " << seed;
  }
}

TEST(TwoState, does_not_depend_on_the_cutting_of_the_path) {
  unsigned seed = 100;
  for (const auto& p : parameter_sets()) {
    const Law law(p);
    std::mt19937 random(++seed);
    State whole = law.rest();
    State cut = law.rest();
    double u_before = 0, lost_whole = 0, lost_cut = 0;
    for (const double u : random_path(p, 200, 30, seed)) {
      lost_whole += law.step(whole, u, whole).dissipated;
      const int pieces = 1 + static_cast<int>(random() % 50);
      for (int i = 1; i <= pieces; ++i)
        lost_cut +=
            law.step(cut, i == pieces ? u : u_before + (u - u_before) * i / pieces, cut).dissipated;
      u_before = u;
      ASSERT_NEAR(cut.f, whole.f, 1e-12 * half_gap(p)) << "seed " << seed;
      ASSERT_NEAR(lost_cut, lost_whole, 1e-12 * lost_whole) << "seed " << seed;
    }
  }
}

// One millionth of a yield displacement a step: rounding must not pile up.
TEST(TwoState, a_million_tiny_steps_equal_one_long_step) {
  const Law law({});
  State whole = law.rest();
  law.step(whole, 1.1, whole);
  State cut = whole;
  const double lost = law.step(whole, 2.1, whole).dissipated;
  double lost_cut = 0;
  for (int i = 1; i <= 1000000; ++i) lost_cut += law.step(cut, 1.1 + 1e-6 * i, cut).dissipated;
  EXPECT_NEAR(cut.f, whole.f, 1e-12);
  EXPECT_NEAR(lost_cut, lost, 1e-11);
}

TEST(TwoState, work_is_stored_plus_dissipated) {
  unsigned seed = 200;
  for (const auto& p : parameter_sets()) {
    const Law law(p);
    State s = law.rest();
    for (const double u : random_path(p, 25, 30, ++seed)) {
      const State before = s;
      const auto force = [&](double x) {
        State trial;
        return law.step(before, x, trial).force;
      };
      const auto work = [&](double from, double to) {
        return boost::math::quadrature::gauss_kronrod<double, 61>::integrate(force, from, to, 12,
                                                                             1e-11);
      };
      const int d = u > before.u ? 1 : -1;
      const double kink = law.next_kink(before, d);
      const bool passes = d * (u - kink) > 0;
      const double total = passes ? work(before.u, kink) + work(kink, u) : work(before.u, u);
      const double lost = law.step(before, u, s).dissipated;
      EXPECT_GE(lost, 0);
      const double scale = half_gap(p) * yield_displacement(p) + std::abs(law.stored(s)) + lost;
      EXPECT_NEAR(total, law.stored(s) - law.stored(before) + lost, 1e-11 * scale)
          << "sigma " << p.sigma << " b1 " << p.b1 << " seed " << seed;
    }
  }
}

TEST(TwoState, tangent_is_the_slope_ahead) {
  unsigned seed = 300;
  for (const auto& p : parameter_sets()) {
    const Law law(p);
    State s = law.rest();
    const double h = 1e-4 * yield_displacement(p);
    double u_before = 0;
    for (const double u : random_path(p, 100, 30, ++seed)) {
      const auto reply = law.step(s, u, s);
      const double d = u > u_before ? 1 : -1;
      u_before = u;
      if (std::abs(law.next_kink(s, d > 0 ? 1 : -1) - u) < 3 * h) continue;
      State ahead;
      const double f1 = law.step(s, u + d * h, ahead).force;
      const double f2 = law.step(s, u + 2 * d * h, ahead).force;
      // Second-order one-sided difference; its error grows with the curvature ~1/σ.
      const double slope = d * (-3 * reply.force + 4 * f1 - f2) / (2 * h);
      ASSERT_NEAR(reply.tangent, slope, 2e-4 * (1 + std::abs(p.ks))) << "seed " << seed;
      EXPECT_EQ(law.step(s, u, ahead).tangent == 1 + p.ks, s.slipping == 0);
      EXPECT_NEAR(law.step(s, u, ahead).tangent, reply.tangent, 1e-12);
    }
  }
}

TEST(TwoState, zero_step_returns_the_committed_force) {
  const Law law({});
  State s = law.rest();
  EXPECT_EQ(law.step(s, 0, s).tangent, 1);
  for (const double u : {0.3, 1.7, 1.6, -3.}) {
    const auto moved = law.step(s, u, s);
    const State before = s;
    const auto reply = law.step(s, u, s);
    EXPECT_EQ(reply.force, moved.force);
    EXPECT_EQ(reply.dissipated, 0);
    EXPECT_EQ(s.along, before.along);
    EXPECT_EQ(s.across, before.across);
  }
}

TEST(TwoState, kink_is_where_slip_starts) {
  const Params p = normalised(0.5, 0.49);
  const Law law(p);
  State s = law.rest();
  // Printed nowhere; 1/√(b1²/σ + b2²) with these parameters.
  EXPECT_NEAR(law.next_kink(s, 1), 0.994936676326, 1e-12);
  EXPECT_NEAR(law.next_kink(s, -1), -0.994936676326, 1e-12);
  const auto at_yield = law.step(s, law.next_kink(s, 1), s);
  EXPECT_EQ(at_yield.dissipated, 0);
  EXPECT_LT(at_yield.tangent, 1);  // the slope ahead
  law.step(s, 60, s);
  EXPECT_EQ(law.next_kink(s, 1), std::numeric_limits<double>::infinity());
  // The chord of the ellipse along b from A b/R: 2 |b|²/(R |β|²), and here |b|² = R.
  EXPECT_NEAR(law.next_kink(s, -1), 60 - 2 * std::pow(0.994936676326, 2), 1e-11);
}

TEST(TwoState, stepping_to_the_kink_always_leaves_the_elastic_domain) {
  unsigned seed = 400;
  for (const auto& p : parameter_sets()) {
    const Law law(p);
    State s = law.rest();
    for (const double u : random_path(p, 300, 30, ++seed)) {
      for (const int d : {1, -1}) {
        const double kink = law.next_kink(s, d);
        if (std::isinf(kink)) continue;
        State there;
        law.step(s, kink, there);
        EXPECT_EQ(law.next_kink(there, d), d * std::numeric_limits<double>::infinity())
            << "seed " << seed;
      }
      law.step(s, u, s);
    }
  }
}

TEST(TwoState, huge_steps) {
  for (const auto& p : parameter_sets()) {
    const Law law(p);
    State s = law.rest();
    const double far = 1e6 * yield_displacement(p);
    double lost = 0;
    for (const double u : {far, -far, far, far * 1e6, -far}) {
      const auto reply = law.step(s, u, s);
      const double d = u == -far ? -1 : 1;
      const double expected = law.saturated_slope() * u + d * half_gap(p);
      EXPECT_NEAR(reply.force, expected, 1e-13 * (half_gap(p) + std::abs(expected)));
      EXPECT_NEAR(reply.tangent, law.saturated_slope(), 1e-14 * (1 + std::abs(p.ks)));
      lost = reply.dissipated;
    }
    // All but the turn of the last leg goes at the saturated gap.
    EXPECT_NEAR(lost / (half_gap(p) * (far * 1e6 + far)), 1, 1e-10);
    law.step(s, -2e306, s);
    EXPECT_TRUE(std::isfinite(s.along) && std::isfinite(s.across));
  }
}

TEST(TwoState, tiny_steps) {
  const Law law({});
  State s = law.rest();
  EXPECT_DOUBLE_EQ(law.step(s, 1e-300, s).force, 1e-300);
  law.step(s, 2, s);
  law.step(s, 0, s);
  law.step(s, -2, s);
  State at_zero = s;
  // Slip through u = 0, where a step of 1e-300 is not lost in u.
  law.step(at_zero, 0.1, at_zero);
  law.step(at_zero, 5, at_zero);
  law.step(at_zero, 0, at_zero);
  ASSERT_NE(at_zero.slipping, 0);
  const double f = at_zero.f;
  const auto reply = law.step(at_zero, -1e-300, at_zero);
  EXPECT_NEAR(reply.force, f, 1e-15);
  EXPECT_GE(reply.dissipated, 0);
  EXPECT_LT(reply.dissipated, 1e-15);
}

TEST(TwoState, is_odd_to_the_last_bit) {
  for (const auto& p : parameter_sets()) {
    const Law law(p);
    State s = law.rest();
    State mirror = law.rest();
    for (const double u : random_path(p, 100, 30, 5))
      EXPECT_EQ(law.step(s, u, s).force, -law.step(mirror, -u, mirror).force);
  }
}

TEST(TwoState, scale_of_the_states_does_not_matter) {
  const Params p{.mu = 1, .sigma = 0.3, .alpha = 0.8, .b1 = 0.5, .b2 = 0.6, .ks = 0.1};
  const double r = 3;
  const Law law(p);
  const Law scaled({.mu = r * r * p.mu,
                    .sigma = p.sigma,
                    .alpha = r * r * p.alpha,
                    .b1 = r * p.b1,
                    .b2 = r * p.b2,
                    .ks = p.ks});
  State s = law.rest();
  State t = law.rest();
  for (const double u : random_path(p, 100, 30, 6)) {
    EXPECT_NEAR(law.step(s, u, s).force, scaled.step(t, u, t).force, 1e-13);
    EXPECT_NEAR(law.stored(s), scaled.stored(t), 1e-12);
  }
}

// With b along an axis only one state slips: a slider with a spring, and a spring beside it.
TEST(TwoState, with_b_along_an_axis_it_is_jenkins_and_a_spring) {
  for (const bool first : {true, false}) {
    const double b = -0.7, mu = 2, sigma = 0.3, alpha = 0.9, ks = 0.4;
    const Law law({.mu = mu,
                   .sigma = sigma,
                   .alpha = alpha,
                   .b1 = first ? b : 0,
                   .b2 = first ? 0 : b,
                   .ks = ks});
    const double k = b * b / alpha;
    const Jenkins<double> slider(
        {.k = k, .phi = std::abs(b) * std::sqrt(first ? mu * sigma : mu) / alpha});
    State s = law.rest();
    auto j = slider.rest();
    for (const double u : random_path({.mu = mu, .sigma = 1, .b1 = b, .b2 = 0}, 200, 30, 8)) {
      const auto expected = slider.step(j, u, j);
      const auto reply = law.step(s, u, s);
      const double spring = 1 + ks - k;
      EXPECT_NEAR(reply.force, expected.force + spring * u, 1e-12);
      EXPECT_NEAR(reply.tangent, expected.tangent + spring, 1e-13);
      EXPECT_NEAR(reply.dissipated, expected.dissipated, 1e-12);
      EXPECT_NEAR(law.stored(s), slider.stored(j) + 0.5 * spring * u * u, 1e-12);
    }
  }
}

// The claim that fails: with the default parameters the branch after a reversal is not the doubled
// backbone, and a minor loop stays open. Both were seen at several per cent of the gap.
TEST(TwoState, is_not_masing_unless_b_is_an_eigenvector) {
  const auto defects = [](const Params& p) {
    const Law law(p);
    double branch = 0, opening = 0;
    for (double top = 0.1; top < 8; top += 0.1) {
      State at_top = law.rest();
      law.step(law.rest(), top, at_top);
      for (double x = 0.05; x <= 2 * top; x += 0.05) {
        State s, half;
        const double f = law.step(at_top, top - x, s).force;
        const double backbone = law.step(law.rest(), x / 2, half).force;
        branch = std::max(branch, std::abs(f - (at_top.f - 2 * backbone)));
        law.step(s, top, s);
        opening = std::max(opening, std::abs(s.f - at_top.f));
      }
    }
    return std::pair{branch / (2 * law.half_gap()), opening / (2 * law.half_gap())};
  };
  const auto [branch, opening] = defects({});
  EXPECT_GT(branch, 0.05);
  EXPECT_GT(opening, 0.03);
  for (const Params& p : {Params{.b1 = 0.6, .b2 = 0}, Params{.b1 = 0, .b2 = 0.6},
                          Params{.sigma = 1, .b1 = 0.3, .b2 = 0.5}}) {
    const auto [none, closed] = defects(p);
    EXPECT_LT(none, 1e-13);
    EXPECT_LT(closed, 1e-13);
  }
}

TEST(TwoState, dual_numbers_give_the_derivatives_of_everything) {
  using Jet = Dual<6>;
  using DualLaw = TwoState<Jet>;
  unsigned seed = 500;
  for (const auto& p : parameter_sets()) {
    const std::array<double, 6> base{p.mu, p.sigma, p.alpha, p.b1, p.b2, p.ks};
    const DualLaw law(DualLaw::Params{Jet(p.mu, 0), Jet(p.sigma, 1), Jet(p.alpha, 2), Jet(p.b1, 3),
                                      Jet(p.b2, 4), Jet(p.ks, 5)});
    const auto path = random_path(p, 12, 10, ++seed);
    // Force, tangent, energy lost and stored at the rows.
    const auto run = [&](const std::array<double, 6>& q) {
      const Law plain({q[0], q[1], q[2], q[3], q[4], q[5]});
      std::vector<std::array<double, 3>> rows;
      State s = plain.rest();
      for (const double u : path) {
        const auto reply = plain.step(s, u, s);
        rows.push_back({reply.force, reply.dissipated, plain.stored(s)});
      }
      return rows;
    };
    auto s = law.rest();
    std::vector<std::array<Jet, 3>> rows;
    for (const double u : path) {
      const auto reply = law.step(s, Jet(u), s);
      rows.push_back({reply.force, reply.dissipated, law.stored(s)});
    }
    const auto values = run(base);
    for (int k = 0; k < 6; ++k) {
      const auto i = static_cast<std::size_t>(k);
      const double scale = base[i] != 0 ? std::abs(base[i]) : std::abs(p.b1) + std::abs(p.b2);
      const double h = 1e-5 * scale;
      auto up = base, down = base;
      up[i] += h;
      down[i] -= h;
      const auto high = run(up), low = run(down);
      for (std::size_t row = 0; row < path.size(); ++row)
        for (std::size_t n = 0; n < 3; ++n) {
          const double size =
              half_gap(p) * (n == 0 ? 1 : yield_displacement(p)) + std::abs(values[row][n]);
          EXPECT_NEAR(rows[row][n].a, values[row][n], 1e-13 * size);
          // Central differences: 1e-10 truncation times third derivatives up to 1/σ, 1e-11
          // rounding.
          ASSERT_NEAR(scale * rows[row][n].v[k], scale * (high[row][n] - low[row][n]) / (2 * h),
                      2e-7 * size)
              << "parameter " << k << " row " << row << " quantity " << n << " sigma " << p.sigma
              << " b1 " << p.b1 << " seed " << seed;
        }
    }
  }
}

TEST(TwoState, derivative_with_respect_to_the_displacement_is_the_tangent) {
  using Jet = Dual<1>;
  for (const auto& p : parameter_sets()) {
    const TwoState<Jet> law(
        {Jet(p.mu), Jet(p.sigma), Jet(p.alpha), Jet(p.b1), Jet(p.b2), Jet(p.ks)});
    auto s = law.rest();
    for (const double u : random_path(p, 100, 30, 9)) {
      auto trial = s;
      const auto reply = law.step(s, Jet(u, 0), trial);
      EXPECT_NEAR(reply.force.v[0], reply.tangent.a, 1e-12 * (1 + std::abs(p.ks)));
      law.step(s, Jet(u), s);
    }
    // Far on the saturated branch all work beyond the stored energy is lost.
    auto rest = law.rest();
    const double far = -1e4 * yield_displacement(p);
    EXPECT_NEAR(law.step(rest, Jet(far, 0), rest).dissipated.v[0] / -half_gap(p), 1, 1e-10);
  }
}

using testing::message_of;

TEST(TwoState, refuses_bad_numbers) {
  EXPECT_EQ(message_of([] { Law({.sigma = -1}); }), "two-state.sigma = -1 must lie in (0, inf)");
  EXPECT_EQ(message_of([] { Law({.mu = 0}); }), "two-state.mu = 0 must lie in (0, inf)");
  EXPECT_EQ(message_of([] { Law({.b1 = 0, .b2 = 0}); }),
            "two-state.b1 = 0 and two-state.b2 = 0 must not both be 0");
  EXPECT_EQ(message_of([] { Law({.b1 = 0}, {.method = Method::patched}); }),
            "two-state.method = patched needs b1 and b2 different from 0");
  using DualLaw = TwoState<Dual<1>>;
  EXPECT_EQ(message_of([] { DualLaw({}, {.method = DualLaw::Method::incremental}); }),
            "two-state.method = incremental has no derivatives; only the method exact has them");
}

// Back to where the first motion ended, slip is less than a rounding of u away.
TEST(TwoState, the_next_kink_is_ahead_after_an_exact_return) {
  const TwoState<double> law({.mu = 0.41793255549588265,
                              .sigma = 0.08201980417758625,
                              .alpha = 3.522680838657557,
                              .b1 = 0.5874969065191427,
                              .b2 = 0.03392207619801879,
                              .ks = -0.7701854142446826});
  auto state = law.rest();
  for (const double u : {0.44822012020915686, 0.115, 0.44822012020915686})
    law.step(state, u, state);
  EXPECT_GT(law.next_kink(state, 1), state.u);
}

}  // namespace two_state_test
}  // namespace microslip
