#pragma once

/// # ramberg-osgood: a power law of yielding
///
///     u = (f/k) (1 + α |f/fy|^(n−1))
///
/// The virgin curve of metals and soils, given as displacement against force: elastic with k at
/// rest, and at f = fy the displacement is 1 + α times the elastic one. Cycles follow Masing's
/// rules, as in Jennings (1964).
///
/// In y = f/fy and X = k x/fy the curve is h(y) = y + α yⁿ − X = 0, which rises and is convex for
/// n ≥ 1: Newton's method from min(X, (X/α)^(1/n)), which is not below the root, falls to it without
/// a bracket. Slope and loss follow in closed form,
///
///     g' = k/(1 + n α yⁿ⁻¹),   D = ∫₀ˣ (g − s g') ds = α (n−1)/(n+1) (fy²/k) yⁿ⁺¹,
///
/// and a steady cycle of force amplitude F loses 4 α (n−1)/(n+1) (F²/k) (F/fy)ⁿ⁻¹.
///
/// Only α fy^(1−n) enters, so a fit holds α and looks for fy.

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "microslip/core/concepts.hpp"
#include "microslip/core/fit_hints.hpp"
#include "microslip/detail/kernels/masing.hpp"

namespace microslip {

/// Backbone of ramberg-osgood.
template <Number Real>
struct RambergOsgoodBackbone {
  using Scalar = Real;
  Real k, fy, alpha, n;

  constexpr BackbonePoint<Real> at(const Real& x) const noexcept {
    using std::pow;
    const Real X = k * x / fy;
    const double root = reduced_force(value_of(X));
    // At rest, where a power has no derivatives; also where yⁿ has vanished.
    if (!(root > 1e-300)) {
      const Real slope = value_of(n) > 1 ? k : k / (1.0 + alpha);
      return {slope * x, slope, Real(0)};
    }
    // The root is known; one step of Newton's method in Real brings the derivatives.
    const Real power = alpha * pow(Real(root), n);
    const Real rise = 1.0 + n * power / root;
    const Real y = root - (root + power - X) / rise;
    const Real last = alpha * pow(y, n);
    return {fy * y, k / (1.0 + n * last / y), (n - 1.0) / (n + 1.0) * (fy * fy / k) * last * y};
  }
  constexpr Real next_kink(const Real&) const noexcept {
    return Real(std::numeric_limits<double>::infinity());
  }

 private:
  constexpr double reduced_force(double X) const noexcept {
    const double a = value_of(alpha), exponent = value_of(n);
    double y = std::min(X, std::pow(X / a, 1 / exponent));
    // Each step keeps y above the root; rounding ends it.
    for (int step = 0; step < 100 && y > 0; ++step) {
      const double power = a * std::pow(y, exponent);
      const double next = y - (y + power - X) / (1 + exponent * power / y);
      if (!(next < y)) break;
      y = next;
    }
    return y;
  }
};

template <Number Real>
class RambergOsgood : public MasingLaw<RambergOsgoodBackbone<Real>> {
 public:
  struct Params {
    Real k{1};
    Real fy{1};
    Real alpha{1};
    Real n{5};

    static constexpr auto fields = std::tuple{
        field(&Params::k, "k", "F/L", positive, "stiffness at rest"),
        field(&Params::fy, "fy", "F", positive, "force of yielding"),
        field(&Params::alpha, "alpha", "1", positive,
              "displacement by yielding at the force fy, relative to the elastic one"),
        field(&Params::n, "n", "1", Interval{.lo = 1, .lo_open = false},
              "exponent: 1 is elastic, large values level off at fy"),
    };
  };
  using Options = NoOptions;

  static constexpr Info info{
      .name = "ramberg-osgood",
      .sentence = "Yielding by a power law of the force, with Masing's rules for cycles.",
      .equation = "u = (f/k)(1 + α|f/fy|^(n−1)) on the virgin curve; branches are it, doubled",
      .citation =
          "W. Ramberg, W. R. Osgood, Description of stress-strain curves by three parameters, NACA "
          "Technical Note 902 (1943); P. C. Jennings, Periodic response of a general yielding "
          "structure, Journal of the Engineering Mechanics Division 90 (EM2) (1964) 131–166",
      .claims = {.odd = holds,
                 .rate_independent = holds,
                 .masing = holds,
                 .return_point_memory = holds,
                 .minor_loops_close = holds,
                 .dissipative = holds,
                 .bounded = fails,
                 .planar_isotropic = not_applicable},
  };

  static FitHints fit_hints() {
    return {.look = {{"n", open_interval(1.5, 30)}}, .held = {{"alpha", "fy"}}};
  }

  explicit constexpr RambergOsgood(const Params& params, const Options& options = {})
      : RambergOsgood(checked_fields(info.name, params), options, were_checked) {}
  constexpr RambergOsgood(const Params& params, const Options&, WereChecked) noexcept
      : MasingLaw<RambergOsgoodBackbone<Real>>({params.k, params.fy, params.alpha, params.n}) {}
};

}  // namespace microslip
