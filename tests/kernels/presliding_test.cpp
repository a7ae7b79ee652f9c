#include "microslip/detail/kernels/presliding.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <boost/math/quadrature/gauss_kronrod.hpp>
#include <cmath>
#include <cstddef>
#include <utility>

namespace microslip {
namespace {

// dη/dξ = 1 − η^n with η = y/S, ξ = K x/S: ξ is an integral over ln η.
struct Way {
  double length, lost;
};

Way way_down(double n, double from, double to) {
  using Rule = boost::math::quadrature::gauss_kronrod<double, 31>;
  const double top = std::log(from), bottom = std::log(to);
  Way way{0, 0};
  const int pieces = 400;  // the integrand changes by orders of magnitude
  for (int i = 0; i < pieces; ++i) {
    const double a = bottom + (top - bottom) * i / pieces;
    const double b = bottom + (top - bottom) * (i + 1) / pieces;
    way.length +=
        Rule::integrate([n](double s) { return std::exp(s) / std::expm1(n * s); }, a, b, 0);
    way.lost +=
        Rule::integrate([n](double s) { return std::exp(2 * s) / -std::expm1(-n * s); }, a, b, 0);
  }
  return way;
}

// Starts close to the limit and far above it, η^n from 1.1 to e^600; lengths from a small part of
// the way to all of it.
TEST(Presliding, comes_down_by_the_integral_of_its_equation) {
  const double K = 2.5, S = 0.4;
  for (const double n : {0.3, 1.0, 1.7, 2.0, 21.0, 300.0})
    for (const double power : {0.1, 3.0, 5.9, 6.1, 20.0, 100.0, 600.0}) {
      const double top = std::exp(power / n);
      if (top > 1e12) continue;  // the last of the way is lost in the rounding of its length
      const PreslidingFlow<double> flow(n);
      for (const double part : {0.999, 0.9, 0.5, 0.1, 0.01}) {  // of the power that is left
        const double eta = std::exp(part * power / n);
        const Way way = way_down(n, top, eta);
        const auto leg = flow.advance(K, S, S * top, way.length * S / K);
        ASSERT_EQ(leg.status, Status::ok);
        const double steepness = std::max(1.0, n * way.length);  // of η^n against the length
        EXPECT_NEAR(leg.y / (S * eta), 1, 2e-13 * steepness)
            << "n = " << n << ", from " << power << ", part " << part;
        EXPECT_NEAR(leg.z, S * (eta - top) / K, 1e-12 * S * top / K);
        EXPECT_NEAR(leg.lost, S * S / K * way.lost, 1e-11 * S * S / K * way.lost)
            << "n = " << n << ", from " << power << ", part " << part;
      }
    }
}

// Against differences of the values.
TEST(Presliding, has_derivatives_far_above_the_limit) {
  using Real = Dual<5>;
  for (const double n : {0.8, 1.0, 3.0, 40.0})
    for (const double power : {8.0, 60.0})
      for (const double part : {0.95, 0.3, 0.01}) {
        const double top = std::exp(power / n);
        if (top > 1e12) continue;  // the last of the way is lost in the rounding of its length
        const double x = way_down(n, top, std::exp(part * power / n)).length;
        const std::array<double, 5> at{n, 1.0, 1.0, top, x};  // n, K, S, y0, x
        const auto value = [](const std::array<double, 5>& p) {
          return PreslidingFlow<double>(p[0]).advance(p[1], p[2], p[3], p[4]);
        };
        const auto leg =
            PreslidingFlow<Real>(Real(at[0], 0))
                .advance(Real(at[1], 1), Real(at[2], 2), Real(at[3], 3), Real(at[4], 4));
        for (std::size_t i = 0; i < 5; ++i) {
          const double h = 1e-5 * at[i] / std::max(1.0, i < 4 ? power : 1.0);
          auto more = at, less = at;
          more[i] += h;
          less[i] -= h;
          const auto [high, low] = std::pair{value(more), value(less)};
          const auto close = [&](double exact, double up, double down, double size) {
            EXPECT_NEAR(exact, (up - down) / (2 * h), 1e-6 * std::abs(exact) + 1e-10 * size / h)
                << "n = " << n << ", from " << power << ", part " << part << ", number " << i;
          };
          const int index = static_cast<int>(i);
          close(leg.y.v[index], high.y, low.y, value_of(leg.y));
          close(leg.z.v[index], high.z, low.z, top);
          close(leg.lost.v[index], high.lost, low.lost, value_of(leg.lost));
        }
      }
}

}  // namespace
}  // namespace microslip
