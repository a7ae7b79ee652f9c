#include "microslip/models/m_state.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <boost/numeric/odeint.hpp>
#include <cmath>
#include <random>
#include <vector>

#include "microslip/models/jenkins.hpp"
#include "microslip/models/two_state.hpp"

namespace microslip {
namespace m_state_test {

using Law = MState<double>;
using Params = Law::Params;
using Vector = std::vector<double>;

Params graded(std::size_t m, double ratio) {
  Params p;
  p.a.clear();
  p.b.clear();
  for (std::size_t i = 0; i < m; ++i) {
    const double rank = m > 1 ? static_cast<double>(i) / static_cast<double>(m - 1) : 0;
    p.a.push_back(std::pow(ratio, -rank));
    p.b.push_back((i % 2 ? -0.5 : 0.5) * (1 + 0.3 * std::sin(3. * static_cast<double>(i))));
  }
  return p;
}

double yield_displacement(const Params& p) {
  double sum = 0;
  for (std::size_t i = 0; i < p.a.size(); ++i) sum += p.b[i] * p.b[i] / p.a[i];
  return 1 / std::sqrt(sum);
}

/// Random turning points, steps from 0.01 to 30 yield displacements.
Vector random_path(const Params& p, int rows, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> sign(-1, 1), exponent(-2, 1.5);
  Vector path;
  double u = 0;
  for (int i = 0; i < rows; ++i) {
    const double size = std::pow(10., exponent(random)) * yield_displacement(p);
    path.push_back(u += std::copysign(size, sign(random) - 0.1 * u / yield_displacement(p)));
  }
  return path;
}

/// The plasticity problem by other means: bisection for the start of slip, then an error-controlled
/// Runge–Kutta of order 8 in s.
class Reference {
 public:
  explicit Reference(const Params& p) : p_(p), s_(p.a.size(), 0.) {}

  double step(double u) {
    const double d = u > u_ ? 1 : -1;
    const double length = std::abs(u - u_);
    const double free = slip_after(d, length);
    for (std::size_t i = 0; i < s_.size(); ++i) s_[i] += p_.b[i] * d * free;
    if (free < length) slip(d, length - free);
    u_ = u;
    double force = (1 + p_.ks) * u;
    for (std::size_t i = 0; i < s_.size(); ++i) force -= p_.b[i] * (p_.b[i] * u - s_[i]) / p_.alpha;
    return force;
  }

 private:
  double excess(double d, double x) const {
    double sum = -1;
    for (std::size_t i = 0; i < s_.size(); ++i)
      sum += std::pow(s_[i] + p_.b[i] * d * x, 2) / p_.a[i];
    return sum;
  }
  double slip_after(double d, double length) const {
    double outward = 0, bb = 0;
    for (std::size_t i = 0; i < s_.size(); ++i) {
      outward += s_[i] * p_.b[i] * d / p_.a[i];
      bb += p_.b[i] * p_.b[i] / p_.a[i];
    }
    if (outward > 0 && excess(d, 0) > -1e-11) return 0;
    double inside = std::max(0., -outward / bb), outside = length;
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
      for (std::size_t i = 0; i < s.size(); ++i) {
        push += s[i] / p_.a[i] * p_.b[i] * d;
        normal += s[i] * s[i] / (p_.a[i] * p_.a[i]);
      }
      for (std::size_t i = 0; i < s.size(); ++i)
        ds[i] = p_.b[i] * d - push / normal * s[i] / p_.a[i];
    };
    const double size = std::sqrt(*std::min_element(p_.a.begin(), p_.a.end()));
    odeint::integrate_adaptive(
        odeint::make_controlled<odeint::runge_kutta_fehlberg78<Vector>>(1e-14 * size, 1e-13), rate,
        s_, 0., length, std::min(length, 0.01 * yield_displacement(p_)));
  }

  Params p_;
  Vector s_;
  double u_ = 0;
};

TEST(MState, agrees_with_an_independent_integration) {
  for (const std::size_t m : {1, 2, 3, 6, 12})
    for (const double ratio : {4., 300.}) {
      const Params p = graded(m, ratio);
      const Law law(p);
      auto s = law.rest();
      Reference reference(p);
      for (const double u : random_path(p, 40, static_cast<unsigned>(m)))
        ASSERT_NEAR(law.step(s, u, s).force, reference.step(u), 1e-10 * law.half_gap())
            << m << " states, ratio " << ratio;
    }
}

TEST(MState, with_two_states_is_the_two_state_law) {
  const Params p{.a = {0.3, 2}, .alpha = 1.7, .b = {0.6, -0.9}, .ks = 0.2};
  const Law law(p);
  const TwoState<double> two(
      {.mu = 2, .sigma = 0.15, .alpha = 1.7, .b1 = 0.6, .b2 = -0.9, .ks = 0.2});
  auto s = law.rest();
  auto t = two.rest();
  for (const double u : random_path(p, 500, 5)) {
    const auto reply = law.step(s, u, s);
    const auto expected = two.step(t, u, t);
    ASSERT_NEAR(reply.force, expected.force, 1e-12);
    ASSERT_NEAR(reply.tangent, expected.tangent, 1e-11);
    ASSERT_NEAR(reply.dissipated, expected.dissipated, 1e-12);
    ASSERT_NEAR(law.stored(s), two.stored(t), 1e-12);
  }
}

TEST(MState, with_one_state_is_jenkins_and_a_spring) {
  const Params p{.a = {0.3}, .alpha = 1.7, .b = {0.6}, .ks = 0.2};
  const Law law(p);
  const double k = 0.36 / 1.7;
  const Jenkins<double> jenkins({.k = k, .phi = 0.6 * std::sqrt(0.3) / 1.7});
  auto s = law.rest();
  auto j = jenkins.rest();
  for (const double u : random_path(p, 100, 6))
    ASSERT_NEAR(law.step(s, u, s).force, jenkins.step(j, u, j).force + (1.2 - k) * u, 1e-13);
}

// Thesis, eqs 4.12–4.15, in m dimensions.
TEST(MState, saturates_on_the_line_of_slope_and_gap) {
  for (const std::size_t m : {1, 3, 8, 30}) {  // 30 needs more room than a step has on the stack
    const Params p = graded(m, 50);
    const Law law(p);
    double bb = 0, bAb = 0;
    for (std::size_t i = 0; i < m; ++i) {
      bb += p.b[i] * p.b[i];
      bAb += p.b[i] * p.b[i] * p.a[i];
    }
    auto s = law.rest();
    const auto reply = law.step(s, -1e5, s);
    EXPECT_EQ(reply.status, Status::ok);
    EXPECT_NEAR(reply.force, (1 - bb) * -1e5 - std::sqrt(bAb), 1e-10);
    EXPECT_NEAR(reply.tangent, 1 - bb, 1e-13);
  }
}

TEST(MState, does_not_depend_on_the_cutting_of_the_path) {
  const Params p = graded(6, 300);
  const Law law(p);
  std::mt19937 random(9);
  auto whole = law.rest();
  auto cut = law.rest();
  double lost_whole = 0, lost_cut = 0, before = 0;
  for (const double u : random_path(p, 100, 8)) {
    lost_whole += law.step(whole, u, whole).dissipated;
    const int pieces = 1 + static_cast<int>(random() % 50);
    for (int i = 1; i <= pieces; ++i)
      lost_cut +=
          law.step(cut, i == pieces ? u : before + (u - before) * i / pieces, cut).dissipated;
    before = u;
    ASSERT_NEAR(cut.f, whole.f, 1e-12 * law.half_gap());
    ASSERT_NEAR(lost_cut, lost_whole, 1e-12 * lost_whole);
  }
}

TEST(MState, scaling_of_parameters_and_order_of_states_change_nothing) {
  const Params p = graded(4, 20);
  Params q = p;
  for (double& a : q.a) a *= 9;
  for (double& b : q.b) b *= -3;
  q.alpha *= 9;
  std::reverse(q.a.begin(), q.a.end());
  std::reverse(q.b.begin(), q.b.end());
  const Law law(p), other(q);
  auto s = law.rest();
  auto t = other.rest();
  for (const double u : random_path(p, 200, 4))
    ASSERT_NEAR(law.step(s, u, s).force, other.step(t, u, t).force, 1e-12);
}

TEST(MState, any_units_of_force_and_length_will_do) {
  // Twenty terms of a series in 1/a: with forces of 1e12 they were lost, with 1e-12 they
  // overflowed.
  const Params base = graded(3, 20);
  const Vector path = random_path(base, 30, 7);
  for (const auto& [F, L] : {std::pair{1e12, 1.0}, {1e-12, 1.0}, {1.0, 1e12}, {1e12, 1e-12}}) {
    Params one = base, other = base;
    one.ks = other.ks = -1;  // without the slope of 1 F/L, which has a unit of its own
    for (double& a : other.a) a *= F * F;
    for (double& b : other.b) b *= F / L;
    other.alpha *= F / L;
    const Law small(one), large(other);
    auto from = small.rest(), to = large.rest();
    for (const double u : path) {
      const auto expected = small.step(from, u, from), found = large.step(to, L * u, to);
      ASSERT_EQ(found.status, Status::ok) << F << " " << L;
      EXPECT_NEAR(found.force / F, expected.force, 1e-11 * std::max(1.0, std::abs(u)));
      EXPECT_NEAR(found.dissipated / (F * L), expected.dissipated,
                  1e-11 * std::max(1.0, std::abs(u)));
    }
  }
}

TEST(MState, refuses_lists_that_do_not_go_together) {
  const auto message = [](const Params& p) -> std::string {
    try {
      Law{p};
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(message({.a = {1, 2}, .b = {1, 2, 3}}),
            "m-state.a has 2 elements and m-state.b has 3; they must have the same number");
  EXPECT_EQ(message({.a = {1, 2}, .b = {0, 0}}),
            "m-state.b = 0 must have an element different from 0");
}

}  // namespace m_state_test
}  // namespace microslip
