#include "microslip/models/bouc_kernel.hpp"

#include <gtest/gtest.h>

#include <boost/math/quadrature/gauss_kronrod.hpp>
#include <cmath>
#include <string>
#include <vector>

#include "microslip/core/error.hpp"
#include "microslip/models/bouc.hpp"

namespace microslip {
namespace bouc_kernel_test {

using Law = BoucKernel<double>;
constexpr double path[] = {0.4, 1.7, 1.1, 1.2, -2.3, 0.1, 30.0, 29.0};

/// The printed double integral: z = ∫ G(V(t) − V(s)) φ(u(s)) u'(s) ds, leg by leg.
template <class G, class Phi>
double printed(const G& kernel, const Phi& phi, std::size_t rows) {
  using Rule = boost::math::quadrature::gauss_kronrod<double, 61>;
  double length = 0, from = 0, z = 0;
  for (std::size_t i = 0; i < rows; ++i) {
    length += std::abs(path[i] - from);
    from = path[i];
  }
  double before = 0;
  from = 0;
  for (std::size_t i = 0; i < rows; ++i) {
    const double d = path[i] > from ? 1 : -1, way = std::abs(path[i] - from);
    const double start = from, passed = before;
    z += d *
         Rule::integrate([&](double x) { return kernel(length - passed - x) * phi(start + d * x); },
                         0.0, way, 15, 1e-13);
    before += way;
    from = path[i];
  }
  return z;
}

TEST(BoucKernel, with_one_exponential_is_bouc) {
  const Law law({.A = {2}, .alpha = {3}, .k = 0.4});
  const Bouc<double> bouc({.A = 2, .alpha = 3, .k = 0.4});
  auto one = law.rest();
  auto other = bouc.rest();
  for (const double u : path) {
    const auto f = law.step(one, u, one);
    const auto g = bouc.step(other, u, other);
    EXPECT_NEAR(f.force, g.force, 1e-13) << u;
    EXPECT_NEAR(f.tangent, g.tangent, 1e-12) << u;
    EXPECT_NEAR(f.dissipated, g.dissipated, 1e-12 * (1 + g.dissipated)) << u;
  }
}

TEST(BoucKernel, is_the_printed_integral) {
  const std::vector<double> A{1, 0.7}, alpha{0.5, 3};
  const Law law(
      {.A = A, .alpha = alpha, .phi = Expression::parse("1+0.5*sin(2*u)", {"u"}), .k = 0});
  const auto kernel = [&](double v) {
    return A[0] * std::exp(-alpha[0] * v) + A[1] * std::exp(-alpha[1] * v);
  };
  const auto phi = [](double u) { return 1 + 0.5 * std::sin(2 * u); };
  auto state = law.rest();
  for (std::size_t i = 0; i < std::size(path); ++i)
    EXPECT_NEAR(law.step(state, path[i], state).force, printed(kernel, phi, i + 1), 1e-11) << i;
}

TEST(BoucKernel, comes_near_a_kernel_that_is_no_exponential) {
  // 1/(1+v)² = ∫₀^∞ s e^−s e^−sv ds is completely monotone; the integral in steps of ln s is a sum
  // of exponentials that converges fast.
  std::vector<double> A, alpha;
  const double h = 0.25;
  for (double y = -12; y < 4.5; y += h) {
    const double s = std::exp(y);
    A.push_back(h * s * s * std::exp(-s));
    alpha.push_back(s);
  }
  const Law law({.A = A, .alpha = alpha, .k = 0});
  const auto kernel = [](double v) { return 1 / ((1 + v) * (1 + v)); };
  auto state = law.rest();
  for (std::size_t i = 0; i < std::size(path); ++i)
    EXPECT_NEAR(law.step(state, path[i], state).force,
                printed(
                    kernel, [](double) { return 1.0; }, i + 1),
                1e-6)
        << i;
}

TEST(BoucKernel, refuses_lists_of_different_length_and_a_weight_without_value) {
  EXPECT_THROW(Law({.A = {1, 2}, .alpha = {1}}), Error);
  EXPECT_THROW(Law({.phi = Expression::parse("1/u", {"u"})}), Error);
}

}  // namespace bouc_kernel_test
}  // namespace microslip
