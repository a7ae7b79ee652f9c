#include "microslip/models/bouc_wen.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <boost/math/quadrature/tanh_sinh.hpp>
#include <cmath>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "microslip/core/error.hpp"
#include "microslip/detail/numerics/constants.hpp"

namespace microslip {
namespace bouc_wen_test {

using Law = BoucWen<double>;
using Params = Law::Params;
using Sensitive = Dual<7>;  // A, beta, gamma, n, k, a and one quantity of the motion

/// z and ∫ z du by an adaptive Dormand–Prince method straight on the printed equation.
class Integrated {
 public:
  explicit Integrated(const Params& params) : p_(params) {}
  double z() const { return y_[0]; }
  double work() const { return y_[1]; }

  void move(double du) {
    const double length = std::abs(du), d = du > 0 ? 1 : -1;
    double t = 0, h = std::min(length, 1e-3);
    while (t < length) {
      h = std::min(h, length - t);
      if (const double error = attempt(d, h); error <= 1 || h < 1e-9) {
        t += h;
        y_ = next_;
        h *= grow(error);
      } else {
        h *= grow(error);
      }
    }
  }

 private:
  using Pair = std::array<double, 2>;
  static double grow(double error) {
    return std::clamp(0.9 * std::pow(error + 1e-30, -0.2), 0.2, 3.0);
  }
  Pair rate(double d, const Pair& y) const {
    const double power = std::pow(std::abs(y[0]), p_.n);
    const double sign = y[0] >= 0 ? 1 : -1;
    return {p_.A * d - p_.beta * power * sign - p_.gamma * d * power, y[0] * d};
  }
  double attempt(double d, double h) {
    static constexpr double a[7][6] = {
        {},
        {1. / 5},
        {3. / 40, 9. / 40},
        {44. / 45, -56. / 15, 32. / 9},
        {19372. / 6561, -25360. / 2187, 64448. / 6561, -212. / 729},
        {9017. / 3168, -355. / 33, 46732. / 5247, 49. / 176, -5103. / 18656},
        {35. / 384, 0, 500. / 1113, 125. / 192, -2187. / 6784, 11. / 84}};
    static constexpr double e[7] = {71. / 57600,      0,         -71. / 16695, 71. / 1920,
                                    -17253. / 339200, 22. / 525, -1. / 40};
    std::array<Pair, 7> k;
    for (std::size_t i = 0; i < 7; ++i) {
      next_ = y_;
      for (std::size_t j = 0; j < i; ++j)
        for (std::size_t c = 0; c < 2; ++c) next_[c] += h * a[i][j] * k[j][c];
      k[i] = rate(d, next_);
    }
    double worst = 0;
    for (std::size_t c = 0; c < 2; ++c) {
      double error = 0;
      for (std::size_t i = 0; i < 7; ++i) error += e[i] * k[i][c];
      worst = std::max(worst, std::abs(h * error) / 1e-14);
    }
    return worst;
  }

  Params p_;
  Pair y_{0, 0}, next_{0, 0};
};

TEST(BoucWen, is_a_law_for_numbers_and_duals) {
  static_assert(RateIndependentLaw<Law>);
  static_assert(RateIndependentLaw<BoucWen<Sensitive>>);
}

TEST(BoucWen, follows_the_exponential_for_n_equal_one) {
  // z = (A/g)(1 − e^(−g u)), g = β + γ; then unloading with slope A + h|z|, h = β − γ.
  const Law law({.A = 2, .beta = 0.7, .gamma = 0.3, .n = 1, .k = 3, .a = 0.25});
  auto state = law.rest();
  const auto loaded = law.step(state, 0.8, state);
  const double z = 2 * (1 - std::exp(-0.8));
  EXPECT_NEAR(state.z, z, 4e-16);
  EXPECT_NEAR(loaded.force, 0.25 * 3 * 0.8 + 0.75 * 3 * z, 4e-15);
  EXPECT_NEAR(loaded.tangent, 0.25 * 3 + 0.75 * 3 * (2 - z), 4e-15);
  // Lost: (1−a)k ∫ z² g/A du with z as above.
  const double q = std::exp(-0.8);
  EXPECT_NEAR(loaded.dissipated, 2.25 * 2 * (0.8 - 2 * (1 - q) + (1 - q * q) / 2), 4e-15);

  const double to_zero = std::log1p(0.4 * z / 2) / 0.4;
  EXPECT_NEAR(law.next_kink(state, -1), 0.8 - to_zero, 4e-16);
  EXPECT_EQ(law.next_kink(state, 1), infinity);
  law.step(state, 0.8 - to_zero - 0.5, state);
  EXPECT_NEAR(state.z, -2 * (1 - std::exp(-0.5)), 1e-15);
  EXPECT_EQ(law.next_kink(state, -1), -infinity);
}

TEST(BoucWen, follows_tanh_and_tan_for_n_equal_two) {
  const double A = 1.5, g = 1.2, h = 0.4;  // β = 0.8, γ = 0.4
  const Law law({.A = A, .beta = 0.8, .gamma = 0.4, .n = 2, .k = 1, .a = 0});
  auto state = law.rest();
  const auto loaded = law.step(state, -0.9, state);
  const double rate = std::sqrt(A * g);
  const double z = std::sqrt(A / g) * std::tanh(rate * 0.9);
  EXPECT_NEAR(state.z, -z, 4e-16);
  // ∫ z du = ln cosh(rate u)/g; the stored part is z²/(2A).
  EXPECT_NEAR(loaded.dissipated, std::log(std::cosh(rate * 0.9)) / g - z * z / (2 * A), 4e-16);

  const double back = std::sqrt(A * h);
  const double phase = std::atan(z * std::sqrt(h / A));
  EXPECT_NEAR(law.next_kink(state, 1), -0.9 + phase / back, 4e-16);
  law.step(state, -0.9 + 0.3, state);
  EXPECT_NEAR(state.z, -std::sqrt(A / h) * std::tan(phase - back * 0.3), 4e-16);
}

TEST(BoucWen, agrees_with_an_independent_integration) {
  // The Dormand–Prince run keeps 1e-14 a step, about 1e-12 in all; below n = 1 its order drops at
  // z = 0, where the equation is not smooth.
  struct Case {
    double n, tolerance;
  };
  for (const auto [n, tolerance] :
       {Case{0.7, 1e-9}, Case{1, 1e-11}, Case{1.5, 1e-11}, Case{2, 1e-11}, Case{3.3, 1e-11}}) {
    for (const double gamma : {-0.6, -0.3, 0.0, 0.25, 0.6}) {
      const Params params{.A = 1.3, .beta = 0.6, .gamma = gamma, .n = n, .k = 1, .a = 0};
      const Law law(params);
      Integrated reference(params);
      auto state = law.rest();
      double lost = 0;
      for (const double u : {1.5, 0.9, 1.0, -2.0, -1.7, 3.0, 2.95}) {
        reference.move(u - state.u);
        lost += law.step(state, u, state).dissipated;
        EXPECT_NEAR(state.z, reference.z(), tolerance) << "n " << n << " gamma " << gamma;
        EXPECT_NEAR(lost + law.stored(state), reference.work(), 3 * tolerance)
            << "n " << n << " gamma " << gamma;
      }
    }
  }
}

/// The length of the motion from 0 to y and ∫ y dx over it, by quadrature of dx = dy/(A − g yⁿ).
std::array<double, 2> measured(double A, double g, double n, double y) {
  boost::math::quadrature::tanh_sinh<double> rule;
  return {rule.integrate([&](double s) { return 1 / (A - g * std::pow(s, n)); }, 0., y, 1e-14),
          rule.integrate([&](double s) { return s / (A - g * std::pow(s, n)); }, 0., y, 1e-14)};
}

TEST(BoucWen, agrees_with_quadrature_for_any_exponent) {
  for (const double n : {0.05, 0.3, 0.5, 0.99, 1.01, 1.5, 1.99, 2.01, 4.0, 7.3, 20.0, 50.0}) {
    const double A = 1.4, g = 0.9, h = 0.5;  // β = 0.7, γ = 0.2
    const Law law({.A = A, .beta = 0.7, .gamma = 0.2, .n = n, .k = 1, .a = 0});
    const double limit = std::pow(A / g, 1 / n);
    for (const double part : {1e-4, 0.1, 0.5, 0.8, 0.9, 0.99}) {
      const double y = part * limit;
      const auto [length, area] = measured(A, g, n, y);
      auto state = law.rest();
      const auto up = law.step(state, length, state);
      EXPECT_NEAR(state.z / y, 1, 1e-12) << "n " << n << " part " << part;
      EXPECT_NEAR((up.dissipated + law.stored(state)) / area, 1, 1e-12) << "n " << n;
      const auto [back, back_area] = measured(A, -h, n, state.z);
      EXPECT_NEAR((length - law.next_kink(state, -1)) / back, 1, 1e-12) << "n " << n;
      const double stored = law.stored(state);
      const auto down = law.step(state, law.next_kink(state, -1), state);
      EXPECT_NEAR(state.z / y, 0, 1e-12);
      EXPECT_NEAR((stored - down.dissipated) / back_area, 1, 1e-12) << "n " << n;
    }
  }
}

TEST(BoucWen, unloads_from_far_out_when_only_unloading_is_nonlinear) {
  // γ = −β: loading is linear without limit, unloading falls at A + 2β zⁿ. From z = 1e6 a step of
  // half the way in p^(1−n) is exact although dz/du is of order zⁿ.
  for (const double n : {0.6, 1.0, 1.4, 2.0, 3.0, 5.0}) {
    const Law law({.A = 1, .beta = 0.5, .gamma = -0.5, .n = n, .k = 1, .a = 0});
    auto state = law.rest();
    law.step(state, 1e6, state);
    EXPECT_EQ(state.z, 1e6);
    boost::math::quadrature::tanh_sinh<double> rule;
    for (const double fraction : {0.999, 0.5, 1e-3, 1e-7}) {
      const double target = 1e6 * fraction;
      // In ln p the integrand is smooth over the decades.
      const double length =
          rule.integrate([&](double q) { return std::exp(q) / (1 + std::exp(n * q)); },
                         std::log(target), std::log(1e6), 1e-14);
      auto there = law.rest();
      there.z = 1e6;  // at u = 0, so that the length of the step keeps its digits
      law.step(there, -length, there);
      // Between n = 1 and n = 2 differences of Q lose about (n−1) log10 z digits.
      EXPECT_NEAR(there.z / target, 1, 1e-9) << "n " << n << " fraction " << fraction;
    }
  }
}

TEST(BoucWen, saturates_for_any_exponent_and_stays_there) {
  for (const double n : {0.3, 1.0, 1.7, 2.0, 12.0}) {
    const Law law({.A = 2, .beta = 3, .gamma = 1, .n = n, .k = 1, .a = 0});
    const double limit = std::pow(0.5, 1 / n);
    auto state = law.rest();
    const auto far = law.step(state, 1e6, state);
    EXPECT_NEAR(state.z, limit, 4e-16) << n;
    EXPECT_NEAR(far.tangent, 0, 1e-14);
    // Work less what is stored; the knee takes a length of order one.
    EXPECT_NEAR(far.dissipated / (limit * 1e6), 1, 1e-5);
    const auto on = law.step(state, 2e6, state);
    EXPECT_NEAR(state.z, limit, 4e-16);
    EXPECT_NEAR(on.dissipated / (limit * 1e6), 1, 1e-14);
  }
}

TEST(BoucWen, huge_steps_keep_the_energy_of_the_knee) {
  // Saturating in one step or in many must lose the same.
  for (const double n : {0.3, 1.0, 1.7, 2.0, 12.0}) {
    const Law law({.A = 1, .beta = 0.5, .gamma = 0.2, .n = n, .k = 1, .a = 0.1});
    auto whole = law.rest(), cut = law.rest();
    const double at_once = law.step(whole, 400, whole).dissipated;
    double bit_by_bit = 0;
    for (int i = 1; i <= 4000; ++i) bit_by_bit += law.step(cut, 0.1 * i, cut).dissipated;
    EXPECT_NEAR(bit_by_bit / at_once, 1, 1e-12) << n;
  }
}

TEST(BoucWen, tiny_steps_are_safe) {
  for (const double n : {0.3, 1.0, 1.7, 2.0, 12.0}) {
    const Law law({.A = 2, .beta = 0.5, .gamma = 0.2, .n = n, .k = 1, .a = 0});
    auto state = law.rest();
    const auto tiny = law.step(state, 1e-300, state);
    EXPECT_NEAR(state.z / 2e-300, 1, 1e-15);
    EXPECT_GE(tiny.dissipated, 0);
    law.step(state, 0.7, state);
    const double z = state.z;
    for (const double sign : {1.0, -1.0}) {
      auto moved = state;
      moved.u = 0;  // 0.7 + 1e-300 is 0.7
      const auto response = law.step(moved, sign * 1e-300, moved);
      EXPECT_NEAR(moved.z, z, 1e-15);
      EXPECT_GE(response.dissipated, 0);
      EXPECT_LT(response.dissipated, 1e-299);
    }
  }
}

TEST(BoucWen, exponents_next_to_one_and_two_join_smoothly) {
  // The elementary solutions and the general one meet: the difference is of order 1e-9 · ∂z/∂n.
  for (const double n : {1.0, 2.0}) {
    const auto z_at = [&](double exponent, std::vector<double>* losses) {
      const Law law({.A = 1.1, .beta = 0.6, .gamma = -0.2, .n = exponent, .k = 1, .a = 0});
      auto state = law.rest();
      std::vector<double> z;
      for (const double u : {0.3, 2.5, 2.2, -4.0, 10.0}) {
        losses->push_back(law.step(state, u, state).dissipated);
        z.push_back(state.z);
      }
      return z;
    };
    std::vector<double> lost, lost_below, lost_above;
    const auto z = z_at(n, &lost), below = z_at(n - 1e-9, &lost_below),
               above = z_at(n + 1e-9, &lost_above);
    for (std::size_t i = 0; i < z.size(); ++i) {
      EXPECT_NEAR(below[i], z[i], 1e-8);
      EXPECT_NEAR(0.5 * (below[i] + above[i]), z[i], 2e-14) << "n " << n << " row " << i;
      EXPECT_NEAR(0.5 * (lost_below[i] + lost_above[i]), lost[i], 1e-13) << "n " << n;
    }
  }
}

TEST(BoucWen, vanishing_coefficients_are_their_limits) {
  for (const double n : {0.5, 1.0, 1.5, 2.0, 3.0}) {
    const Law linear({.A = 1.5, .beta = 0, .gamma = 0, .n = n, .k = 1, .a = 0});
    const Law nearly({.A = 1.5, .beta = 1e-30, .gamma = 0, .n = n, .k = 1, .a = 0});
    auto a = linear.rest(), b = nearly.rest();
    for (const double u : {2.0, -1.0, 0.5}) {
      EXPECT_EQ(linear.step(a, u, a).dissipated, 0);
      EXPECT_GE(nearly.step(b, u, b).dissipated, 0);
      EXPECT_NEAR(a.z, 1.5 * u, 1e-15);
      EXPECT_NEAR(b.z, a.z, 1e-15);
    }
  }
}

TEST(BoucWen, cutting_a_step_changes_nothing) {
  std::mt19937 random(20240611);
  std::uniform_real_distribution<double> unit(0, 1);
  for (const double n : {0.4, 1.0, 1.7, 2.0, 6.0}) {
    const Law law({.A = 1, .beta = 0.8, .gamma = -0.3, .n = n, .k = 2, .a = 0.2});
    auto whole = law.rest(), cut = law.rest();
    double lost_whole = 0, lost_cut = 0;
    for (int leg = 0; leg < 40; ++leg) {
      const double u = 6 * unit(random) - 3;
      lost_whole += law.step(whole, u, whole).dissipated;
      const double start = cut.u;
      const int pieces = 1 + static_cast<int>(50 * unit(random));
      for (int i = 1; i < pieces; ++i)
        lost_cut += law.step(cut, start + (u - start) * i / pieces, cut).dissipated;
      lost_cut += law.step(cut, u, cut).dissipated;
      EXPECT_NEAR(cut.f, whole.f, 1e-13) << n;
      EXPECT_NEAR(lost_cut, lost_whole, 1e-13 * lost_whole) << n;
    }
  }
}

TEST(BoucWen, a_zero_step_answers_with_the_committed_force_and_last_direction) {
  const Law law({.A = 1, .beta = 0.9, .gamma = 0.3, .n = 1.5, .k = 1, .a = 0.1});
  auto state = law.rest();
  EXPECT_DOUBLE_EQ(law.step(state, 0.0, state).tangent, 1);
  const auto up = law.step(state, 0.6, state);
  const auto again = law.step(state, 0.6, state);
  EXPECT_EQ(again.force, up.force);
  EXPECT_EQ(again.tangent, up.tangent);
  EXPECT_EQ(again.dissipated, 0);
  const auto down = law.step(state, 0.5, state);
  EXPECT_GT(down.tangent, 1);  // β > γ: unloading is stiffer than the elastic slope
  EXPECT_EQ(law.step(state, 0.5, state).tangent, down.tangent);
}

// Derivatives ----------------------------------------------------------------------------------

constexpr std::array path = {0.4, 1.9, 1.7, -2.2, 6.0, 5.7};

/// The last answer of the path for parameters (A, β, γ, n, k, a) and a shift of the last row.
template <class Real>
Response<Real> run(const std::array<Real, 7>& q) {
  const BoucWen<Real> law({q[0], q[1], q[2], q[3], q[4], q[5]});
  auto state = law.rest();
  Real lost(0);
  Response<Real> last{};
  for (std::size_t i = 0; i < path.size(); ++i) {
    const Real u = i + 1 < path.size() ? Real(path[i]) : path[i] + q[6];
    last = law.step(state, u, state);
    lost += last.dissipated;
  }
  last.dissipated = lost;
  return last;
}

double difference(const std::array<double, 7>& q, std::size_t i, double Response<double>::*member) {
  // Richardson on central differences: error of order h⁴ = 2e-15 times the fifth derivative
  // (large where beta + gamma is small), and rounding 1e-14/h = 5e-11.
  const auto slope = [&](double h) {
    auto up = q, down = q;
    up[i] += h;
    down[i] -= h;
    return (run(up).*member - run(down).*member) / (2 * h);
  };
  return (4 * slope(2e-4) - slope(4e-4)) / 3;
}

TEST(BoucWen, dual_numbers_agree_with_differences_in_every_parameter) {
  for (const double n : {0.6, 1.0, 1.7, 2.0, 5.0}) {
    for (const double gamma : {-0.5, 0.1, 0.45}) {
      const std::array<double, 7> q{1.2, 0.55, gamma, n, 2.5, 0.15, 0};
      std::array<Sensitive, 7> seeded;
      for (std::size_t i = 0; i < 7; ++i) seeded[i] = Sensitive(q[i], static_cast<int>(i));
      const auto exact = run(seeded);
      EXPECT_DOUBLE_EQ(exact.force.a, run(q).force);
      for (std::size_t i = 0; i < 7; ++i) {
        const auto at = static_cast<Eigen::Index>(i);
        SCOPED_TRACE("n " + std::to_string(n) + " gamma " + std::to_string(gamma) + " quantity " +
                     std::to_string(i));
        for (const auto& [dual, member] :
             {std::pair{exact.force, &Response<double>::force},
              std::pair{exact.dissipated, &Response<double>::dissipated},
              std::pair{exact.tangent, &Response<double>::tangent}}) {
          const double scale = std::max(1.0, std::abs(dual.v[at]));
          EXPECT_NEAR(dual.v[at], difference(q, i, member), 1e-9 * scale);
        }
      }
      EXPECT_NEAR(exact.force.v[6], exact.tangent.a, 1e-13);
    }
  }
}

TEST(BoucWen, derivatives_survive_saturation) {
  // Fully slipped, f = (A/(β+γ))^(1/n) and D = f u − const; a further step starts from z at its
  // limit, where 1 − g zⁿ/A is zero.
  for (const double n : {0.6, 1.0, 1.7, 2.0, 5.0}) {
    const double A = 1.2, g = 0.8;
    const BoucWen<Sensitive> law({.A = Sensitive(A, 0),
                                  .beta = Sensitive(0.5, 1),
                                  .gamma = Sensitive(0.3, 2),
                                  .n = Sensitive(n, 3),
                                  .k = Sensitive(1, 4),
                                  .a = Sensitive(0)});
    auto state = law.rest();
    const double limit = std::pow(A / g, 1 / n);
    for (const double u : {1e3, 2e3}) {
      const auto response = law.step(state, Sensitive(u), state);
      EXPECT_NEAR(response.force.v[0], limit / (n * A), 1e-12) << n;
      EXPECT_NEAR(response.force.v[1], -limit / (n * g), 1e-12) << n;
      EXPECT_NEAR(response.force.v[2], -limit / (n * g), 1e-12) << n;
      EXPECT_NEAR(response.force.v[3], -limit * std::log(A / g) / (n * n), 1e-12) << n;
      EXPECT_NEAR(response.force.v[4], limit, 1e-12) << n;
      if (u > 1e3) {
        EXPECT_NEAR(response.dissipated.v[0], 1e3 * limit / (n * A), 1e-9);
        EXPECT_NEAR(response.dissipated.v[3], -1e3 * limit * std::log(A / g) / (n * n), 1e-9);
      }
    }
  }
}

TEST(BoucWen, carries_the_derivative_of_the_initial_state) {
  for (const double n : {1.0, 1.7, 2.0}) {
    const Params params{.A = 1, .beta = 0.7, .gamma = 0.2, .n = n, .k = 1, .a = 0};
    const BoucWen<Dual<1>> law(
        {Dual<1>(1), Dual<1>(0.7), Dual<1>(0.2), Dual<1>(n), Dual<1>(1), Dual<1>(0)});
    for (const double z0 : {-0.6, -0.05, 0.3}) {
      BoucWen<Dual<1>>::State state;
      state.z = Dual<1>(z0, 0);
      const auto exact = law.step(state, Dual<1>(0.2), state);
      const auto shifted = [&](double h) {
        Law::State start;
        start.z = z0 + h;
        return Law(params).step(start, 0.2, start);
      };
      const auto up = shifted(1e-5), down = shifted(-1e-5);
      EXPECT_NEAR(exact.force.v[0], (up.force - down.force) / 2e-5, 1e-9);
      EXPECT_NEAR(exact.dissipated.v[0], (up.dissipated - down.dissipated) / 2e-5, 1e-9);
    }
  }
}

TEST(BoucWen, carries_the_derivative_of_a_saturated_initial_state) {
  // Linearised at the limit Z, a disturbance of z decays like e^(−nAx/Z), and the loss (g/A)∫zⁿ⁺¹dx
  // changes by (1 + 1/n)(Z/A)(1 − e^(−nAx/Z)).
  for (const double n : {1.0, 1.7, 2.0}) {
    const BoucWen<Dual<1>> law(
        {Dual<1>(1.5), Dual<1>(0.7), Dual<1>(0.2), Dual<1>(n), Dual<1>(1), Dual<1>(0)});
    const double limit = std::pow(1.5 / 0.9, 1 / n);
    const double decay = std::exp(-n * 1.5 * 0.4 / limit);
    for (const double z0 : {limit * (1 - 1e-15), limit, limit * (1 + 1e-15)}) {
      BoucWen<Dual<1>>::State state;
      state.z = Dual<1>(z0, 0);
      const auto response = law.step(state, Dual<1>(0.4), state);
      EXPECT_NEAR(response.force.v[0], decay, 1e-13);
      EXPECT_NEAR(response.dissipated.v[0], (1 + 1 / n) * limit / 1.5 * (1 - decay), 1e-13);
    }
  }
}

TEST(BoucWen, next_kink_carries_derivatives) {
  using D = Dual<1>;
  const auto kink = [](auto n) {
    using Real = decltype(n);
    const BoucWen<Real> law({Real(1), Real(0.7), Real(0.2), n, Real(1), Real(0)});
    auto state = law.rest();
    law.step(state, Real(0.9), state);
    return law.next_kink(state, -1);
  };
  for (const double n : {1.0, 1.7, 2.0})
    EXPECT_NEAR(kink(D(n, 0)).v[0], (kink(n + 1e-5) - kink(n - 1e-5)) / 2e-5, 1e-9);
}

// Bad input ------------------------------------------------------------------------------------

std::string refusal(const Params& params) {
  try {
    Law law(params);
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

TEST(BoucWen, refuses_bad_parameters_in_one_sentence) {
  EXPECT_EQ(refusal({.A = 0}), "bouc-wen.A = 0 must lie in (0, inf)");
  EXPECT_EQ(refusal({.n = -1}), "bouc-wen.n = -1 must lie in (0, inf)");
  EXPECT_EQ(refusal({.k = 0}), "bouc-wen.k = 0 must lie in (0, inf)");
  EXPECT_EQ(refusal({.a = 1.5}), "bouc-wen.a = 1.5 must lie in [0, 1]");
  EXPECT_EQ(refusal({.beta = 0.5, .gamma = -0.75}),
            "bouc-wen.gamma = -0.75 must lie in [-0.5, 0.5]");
  EXPECT_EQ(refusal({.beta = 0.5, .gamma = 0.75}), "bouc-wen.gamma = 0.75 must lie in [-0.5, 0.5]");
  EXPECT_NE(refusal({.n = std::nan("")}), "accepted");
  EXPECT_EQ(refusal({.beta = 0.5, .gamma = -0.5}), "accepted");
}

}  // namespace bouc_wen_test
}  // namespace microslip
