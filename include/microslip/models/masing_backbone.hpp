#pragma once

/// # masing-backbone: any backbone with Masing's rules
///
///     virgin: f = sgn(u) g(|u|);   after a reversal: f = f_r + 2 d g(|u − u_r|/2)
///
/// g is a formula in u, used for u ≥ 0 and continued as an odd function: tanh(u), u/(1+u),
/// 1 - exp(-u) … It must start at the origin. Where it is concave the law is a parallel system of
/// sliders with the density −g''; where it is not, the same rules hold but energy may be created.
/// Kinks of the formula itself (min, max, abs) are not told by next_kink.
///
/// Energy: what the virgin curve loses, D(x) = ∫₀ˣ (g − s g') ds = 2∫₀ˣ g ds − x g, has no closed
/// form for a formula. Each step adds the integral over its own increment, by quadrature with error
/// control (numerics/integral.hpp); only where a minor loop closes does it start from 0.

#include <cmath>
#include <limits>
#include <tuple>

#include "microslip/core/concepts.hpp"
#include "microslip/detail/kernels/masing.hpp"
#include "microslip/detail/numerics/integral.hpp"

namespace microslip {

/// Backbone given by a formula.
template <Number Real>
struct FormulaBackbone {
  using Scalar = Real;
  Expression g;

  BackbonePoint<Real> at(const Real& x) const noexcept { return at(x, Real(0), Real(0)); }
  BackbonePoint<Real> at(const Real& x, const Real& x0, const Real& lost) const noexcept {
    const Point end = point(x);
    if (x == x0) return {end.g, end.slope, lost};
    const Point start = point(x0);
    Real area(integral(value_of(x0), value_of(x)));
    if constexpr (!std::is_same_v<Real, double>)  // dG/dx = g
      area += end.g.a * (x - x.a) - start.g.a * (x0 - x0.a);
    return {end.g, end.slope, lost + 2.0 * area - (x * end.g - x0 * start.g)};
  }
  Real next_kink(const Real&) const noexcept {
    return Real(std::numeric_limits<double>::infinity());
  }

 private:
  struct Point {
    Real g, slope;
  };
  /// The formula has no parameters, so derivatives enter through x alone: g and g' of a dual number
  /// follow from g, g', g'' of the plain one, and the formula is compiled for few kinds of numbers.
  Point point(const Real& x) const noexcept {
    if constexpr (std::is_same_v<Real, double>) {
      const auto y = with_slope(x);
      return {y.a, y.v[0]};
    } else {
      using Once = Dual<1>;
      const auto y = g(ceres::Jet<Once, 1>(Once(x.a, 0), 0));
      const Real dx = x - x.a;
      return {y.a.a + y.a.v[0] * dx, y.v[0].a + y.v[0].v[0] * dx};
    }
  }
  Dual<1> with_slope(double x) const noexcept { return g(Dual<1>(x, 0)); }

  /// ∫g = h g₀ + ∫(to − s) g' ds, h = to − from: slopes keep their digits where the formula loses
  /// them, as 1 - exp(-u) does for small u. A long way is cut into pieces that grow fourfold, so
  /// that no rule steps over the knee at its beginning: at the end of the first the slope has
  /// changed by at most half.
  double integral(double from, double to) const noexcept {
    const auto start = with_slope(from);
    const double way = to - from;
    if (!std::isfinite(start.v[0]))  // sqrt(u) at 0
      return way * unit_integral<double>([&](double s) { return g(from + s * way); });
    const auto slope = [&](double x) { return with_slope(x).v[0]; };
    // Far out on a curve that has come to its limit the slopes are nothing beside the rest.
    double sum = 0, at = from;
    const auto nothing = [&] { return 1e-17 * (std::abs(way * start.a) + std::abs(sum)); };
    const auto turns = [&](double length) {
      const double change = std::abs(slope(from + length) - start.v[0]);
      return change > 0.5 * std::abs(start.v[0]) && change * way * way > nothing();
    };
    double piece = way;
    for (int i = 0; i < 60 && turns(piece); ++i) piece /= 4;
    const auto add = [&](double length) {
      // In x = y⁴ powers like u^1.5 at the origin are smooth enough for the rule.
      const double y0 = std::sqrt(std::sqrt(at));
      const double range = std::sqrt(std::sqrt(at + length)) - y0;
      sum += range * unit_integral<double>(
                         [&](double s) {
                           const double y = y0 + s * range, x = y * y * y * y;
                           return (to - x) * slope(x) * 4 * y * y * y;
                         },
                         nothing() / range);
    };
    for (; at + 2 * piece < to; at += piece, piece *= 4) add(piece);
    add(to - at);
    return way * start.a + sum;
  }
};

template <Number Real>
class MasingBackbone : public MasingLaw<FormulaBackbone<Real>> {
 public:
  using State = MasingState<Real>;

  struct Params {
    Expression g = Expression::parse("tanh(u)", {"u"});

    static constexpr auto fields = std::tuple{
        field(&Params::g, "g", "F", Variables{"u"}, "virgin curve for u ≥ 0, with g(0) = 0"),
    };
  };
  using Options = NoOptions;

  static constexpr Info info{
      .name = "masing-backbone",
      .sentence = "Any virgin curve, given as a formula, continued by Masing's rules.",
      .equation = "virgin: f = sgn(u) g(|u|);  after a reversal: f = f_r + 2 d g(|u − u_r|/2)",
      .citation =
          "D. J. Segalman, M. J. Starr, Relationships among certain joint constitutive "
          "models, Sandia National Laboratories SAND2004-4321 (2004)",
      .claims = {.odd = holds,
                 .rate_independent = holds,
                 .masing = holds,
                 .return_point_memory = holds,
                 .minor_loops_close = holds,
                 .dissipative = depends("g is concave"),
                 .bounded = depends("g is bounded"),
                 .planar_isotropic = not_applicable},
  };

  explicit MasingBackbone(const Params& params, const Options& = {})
      : MasingLaw<FormulaBackbone<Real>>({params.g}) {
    check_fields(info.name, params);
    const double start = params.g(0.0);
    if (start != 0)
      throw Error("masing-backbone.g = " + params.g.text() + " must be 0 at u = 0; it is " +
                  number_text(start));
  }

  /// A formula may have no value somewhere: log(1-u) beyond 1.
  Response<Real> step(const State& from, const Real& u, State& to) const noexcept {
    Response<Real> reply = MasingLaw<FormulaBackbone<Real>>::step(from, u, to);
    if (reply.status == Status::ok && !std::isfinite(value_of(reply.force)))
      reply.status = Status::undefined;
    return reply;
  }
};

}  // namespace microslip
