#include "microslip/models/convolution.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <limits>
#include <numbers>
#include <utility>
#include <vector>

#include "microslip/detail/numerics/constants.hpp"
#include "microslip/models/generalized_maxwell.hpp"
#include "microslip/models/viscous.hpp"

namespace microslip {
namespace convolution_test {

using Law = Convolution<double>;
using Kernel = Law::Kernel;

const std::vector<std::pair<double, double>> moves{{0.5, 0.7}, {-0.3, 0.4}, {-0.3, 1.1},
                                                   {1.2, 0.9}, {1.0, 2.0},  {0.1, 0.3}};

TEST(Convolution, of_exponentials_is_generalized_maxwell) {
  Law::Params p;
  p.k = {0.3, 0.2};
  p.tau = {0.3, 3};
  const Law law(p);
  GeneralizedMaxwell<double>::Params q;
  q.k0 = 0;
  q.k = p.k;
  q.tau = p.tau;
  const GeneralizedMaxwell<double> maxwell(q);
  auto state = law.rest();
  auto expected = maxwell.rest();
  for (const auto& [u, dt] : moves) {
    const auto a = law.step(state, u, dt, state), b = maxwell.step(expected, u, dt, expected);
    EXPECT_EQ(a.force, b.force);
    EXPECT_EQ(a.dissipated, b.dissipated);
  }
}

TEST(Convolution, with_dirac_is_viscous) {
  const Law law({.c = 0.7}, {.kernel = Kernel::dirac});
  const Viscous<double> viscous({.c = 0.7});
  auto state = law.rest();
  auto expected = viscous.rest();
  for (const auto& [u, dt] : moves)
    EXPECT_EQ(law.step(state, u, dt, state).force, viscous.step(expected, u, dt, expected).force);
}

double kernel_at(const Law::Params& p, Kernel kernel, double t) {
  return kernel == Kernel::gaussian
             ? 2 * p.c / (p.tau[0] * std::sqrt(pi)) * std::exp(-t * t / (p.tau[0] * p.tau[0]))
             : p.c * std::pow(t, -p.a) / std::tgamma(1 - p.a);
}

/// f by a midpoint rule over each piece of the past; the substitution now − s = r² tames t^(−a).
double force_at(const Law::Params& p, Kernel kernel, double now) {
  constexpr int n = 50000;
  double sum = 0, t = 0, u = 0;
  for (const auto& [next, dt] : moves) {
    if (t >= now) break;
    const double velocity = (next - u) / dt;
    const double from = std::sqrt(std::max(0.0, now - t - dt)), to = std::sqrt(now - t);
    const double h = (to - from) / n;
    for (int i = 0; i < n; ++i) {
      const double r = from + (i + 0.5) * h;
      sum += kernel_at(p, kernel, r * r) * velocity * 2 * r * h;
    }
    t += dt;
    u = next;
  }
  return sum;
}

TEST(Convolution, remembers_by_its_kernel) {
  Law::Params p;
  p.c = 0.7;
  p.a = 0.3;
  p.tau = {0.8};
  for (const Kernel kernel : {Kernel::gaussian, Kernel::fractional}) {
    const Law law(p, {.kernel = kernel});
    auto state = law.rest();
    double now = 0;
    for (const auto& [u, dt] : moves) {
      now += dt;
      // Next to r = 0 the integrand goes like r^0.4: an error of h^1.4, about 1e-6.
      EXPECT_NEAR(law.step(state, u, dt, state).force, force_at(p, kernel, now), 2e-6);
    }
  }
}

// Power law: a ramp of velocity v gives c v t^(1−a)/Γ(2−a), and the work is its integral.
TEST(Convolution, fractional_ramp) {
  Law::Params p;
  p.c = 2;
  p.a = 0.4;
  const Law law(p, {.kernel = Kernel::fractional});
  auto state = law.rest();
  const auto reply = law.step(state, 3.0 * 0.5, 0.5, state);
  EXPECT_NEAR(reply.force, 2 * 3 * std::pow(0.5, 0.6) / std::tgamma(1.6), 1e-14);
  EXPECT_NEAR(reply.dissipated, 2 * 9 * std::pow(0.5, 1.6) / std::tgamma(2.6), 1e-14);
}

// However the same motion is cut; rows of one velocity are one piece.
TEST(Convolution, does_not_depend_on_the_sampling) {
  Law::Params p;
  for (const Kernel kernel : {Kernel::gaussian, Kernel::fractional}) {
    const Law law(p, {.kernel = kernel});
    auto whole = law.rest(), fine = law.rest();
    double lost = 0, lost_fine = 0;
    for (const auto& [u, dt] : moves) {
      const double start = whole.u;
      lost += law.step(whole, u, dt, whole).dissipated;
      for (int i = 1; i <= 7; ++i)
        lost_fine +=
            law.step(fine, i == 7 ? u : start + (u - start) * i / 7, dt / 7, fine).dissipated;
      EXPECT_NEAR(fine.f, whole.f, 1e-11);
      EXPECT_NEAR(lost_fine, lost, 1e-11);
    }
    EXPECT_EQ(whole.past.size(), moves.size());
    EXPECT_LE(fine.past.size(), 2 * moves.size());
  }
}

// A sine loses π c ω^a sin(πa/2) U² per steady cycle: the loss factor of c (iω)^a.
TEST(Convolution, fractional_loop_has_the_known_area) {
  Law::Params p;
  p.c = 0.5;
  p.a = 0.6;
  const Law law(p, {.kernel = Kernel::fractional});
  auto state = law.rest();
  const int rows = 200;
  double lost = 0;
  for (int i = 1; i <= 8 * rows; ++i) {
    const double energy =
        law.step(state, std::sin(2 * pi * i / rows), 2 * pi / rows, state).dissipated;
    if (i > 7 * rows) lost += energy;
  }
  // The start fades like t^(−a), and rows are chords of the sine: 1e-3 here.
  EXPECT_NEAR(lost / (pi * 0.5 * std::sin(pi * 0.3)), 1, 2e-3);
}

TEST(Convolution, memory_is_capped) {
  Law::Params p;
  p.tau = {0.1};
  const Law law(p, {.kernel = Kernel::gaussian, .memory = 64}),
      free(p, {.kernel = Kernel::gaussian});
  auto state = law.rest(), all = free.rest();
  for (int i = 1; i <= 1000; ++i) {
    const double u = std::sin(0.1 * i);
    // 48 pieces are 4.8 time units, 48 widths: what is dropped is forgotten anyway.
    EXPECT_NEAR(law.step(state, u, 0.1, state).force, free.step(all, u, 0.1, all).force, 1e-14);
  }
  EXPECT_LE(state.past.size(), 64u);
  EXPECT_GT(all.past.size(), 900u);
}

TEST(Convolution, a_gaussian_has_one_width) {
  Law::Params p;
  p.k = {1, 1};
  p.tau = {1, 2};
  EXPECT_THROW(Law(p, {.kernel = Kernel::gaussian}), Error);
}

TEST(Convolution, dynamic_stiffness_is_the_force_of_many_periods) {
  // u = cos ωt: the force is Re K cos ωt − Im K sin ωt once the start is forgotten. The fractional
  // kernel forgets with t^(−1−a): 1e-3 after ten periods. Pieces of constant velocity have the tone of a
  // cosine less (2π/steps)²/12, 1.5e-4 of it.
  const double omega = 1.3;
  const int steps = 150, periods = 10;
  for (const auto kernel : {Law::Kernel::exponentials, Law::Kernel::dirac, Law::Kernel::gaussian,
                            Law::Kernel::fractional}) {
    const Law law({.c = 0.8, .a = 0.4, .k = {2.0}, .tau = {0.7}}, {.kernel = kernel});
    auto state = law.rest();
    law.step(state, 1, std::numeric_limits<double>::infinity(), state);
    std::complex<double> found = 0;
    for (int i = 1; i <= periods * steps; ++i) {
      const double angle = 2 * std::numbers::pi * i / steps, h = angle / (i * omega);
      const double before = angle - 2 * std::numbers::pi / steps;
      const double force = law.step(state, std::cos(angle), h, state).force;
      // A piece of constant velocity has the force of its middle for the kernel without memory.
      const double at = kernel == Law::Kernel::dirac ? 0.5 * (angle + before) : angle;
      if (i > (periods - 1) * steps)
        found += 2.0 / steps * force * std::complex(std::cos(at), -std::sin(at));
    }
    const std::complex<double> expected = law.dynamic_stiffness(omega);
    EXPECT_LT(std::abs(found - expected), 2e-3 * std::abs(expected)) << static_cast<int>(kernel);
  }
}

TEST(Convolution, dawson_has_its_printed_values) {
  // Abramowitz and Stegun, Table 7.5.
  EXPECT_NEAR(dawson(0.5), 0.4244363835, 1e-10);
  EXPECT_NEAR(dawson(1), 0.5380795069, 1e-10);
  EXPECT_NEAR(dawson(2), 0.3013403889, 1e-10);
  // dD/dx = 1 − 2xD on both sides of where the series takes over.
  for (const double x : {0.01, 1.0, 4.0, 6.9, 7.1, 30.0})
    EXPECT_NEAR((dawson(x + 1e-4) - dawson(x - 1e-4)) / 2e-4, 1 - 2 * x * dawson(x), 1e-7) << x;
  EXPECT_NEAR(dawson(7 - 1e-9) / dawson(7 + 1e-9), 1, 1e-9);
  EXPECT_EQ(dawson(-1.5), -dawson(1.5));
}

}  // namespace convolution_test
}  // namespace microslip
