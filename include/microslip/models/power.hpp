#pragma once

/// # power: a spring that hardens with a power of its displacement
///
///     f = k sgn(u) |u|ⁿ
///
/// n = 3 is the cubic spring of Duffing's equation (a linear spring beside it: `linear+power`),
/// n = 3/2 Hertz' contact of two spheres, n = 1 the linear spring. The law is elastic: it stores
/// k |u|ⁿ⁺¹/(n + 1) and loses nothing.
///
/// The curve is smooth at the origin only where n is an odd whole number; otherwise the origin is a
/// kink (a jump in some derivative). Exponents below 1, whose slope at the origin is infinite, are
/// refused.

#include <cmath>
#include <limits>
#include <tuple>

#include "microslip/core/concepts.hpp"
#include "microslip/detail/kernels/elastic.hpp"

namespace microslip {

template <Number Real>
struct PowerCurve {
  using Scalar = Real;
  Real k, n;

  constexpr ElasticPoint<Real> at(const Real& u, int /*side*/) const noexcept {
    using std::pow;
    if (u == 0.0) {  // log 0 in the derivatives with respect to n
      const Real slope = n == 1.0 ? k : Real(0);
      return {slope * u, slope};
    }
    const Real size = u < 0.0 ? Real(-u) : u;
    const Real secant = k * pow(size, n - 1.0);
    return {secant * u, n * secant};
  }
  constexpr Real energy(const Real& u) const noexcept { return at(u, 1).force * u / (n + 1.0); }
  constexpr Real next_kink(const Real& u, int direction) const noexcept {
    const bool smooth = std::fmod(value_of(n), 2.0) == 1;
    const double d = direction;
    return !smooth && d * u < 0.0 ? Real(0) : Real(d * std::numeric_limits<double>::infinity());
  }
};

template <Number Real>
class Power : public ElasticLaw<PowerCurve<Real>> {
 public:
  struct Params {
    Real k{1};
    Real n{3};

    static constexpr auto fields = std::tuple{
        field(&Params::k, "k", "F/L^n", positive, "force at displacement 1"),
        field(&Params::n, "n", "1",
              Interval{1, std::numeric_limits<double>::infinity(), false, true},
              "exponent; 3 is the cubic spring, 1 the linear one"),
    };
  };
  using Options = NoOptions;

  static constexpr Info info{
      .name = "power",
      .sentence =
          "An elastic spring that hardens with a power of its displacement; n = 3 is cubic.",
      .equation = "f = k sgn(u) |u|ⁿ",
      .citation =
          "G. Duffing, Erzwungene Schwingungen bei veränderlicher Eigenfrequenz, Vieweg (1918); "
          "H. Hertz, Über die Berührung fester elastischer Körper, Journal für die reine und "
          "angewandte Mathematik 92 (1882) 156–171",
      .claims = {.odd = holds,
                 .rate_independent = holds,
                 .masing = depends("n = 1"),
                 .return_point_memory = holds,
                 .minor_loops_close = holds,
                 .dissipative = holds,
                 .bounded = fails,
                 .planar_isotropic = not_applicable},
  };

  explicit constexpr Power(const Params& params, const Options& options = {})
      : Power(checked_fields(info.name, params), options, were_checked) {}
  constexpr Power(const Params& params, const Options&, WereChecked) noexcept
      : ElasticLaw<PowerCurve<Real>>({params.k, params.n}) {}
};

}  // namespace microslip
