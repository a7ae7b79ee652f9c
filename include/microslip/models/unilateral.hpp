#pragma once

/// # unilateral: a spring that only pushes
///
///     f = k max(u − gap, 0)
///
/// A stop at distance gap on the side of positive u. A negative gap is a preload: at u = 0 the
/// spring already pushes with −k gap, and contact is lost at u = gap < 0. The law is elastic: it
/// stores f²/(2k) and loses nothing.
///
/// A preloaded joint pushes its structure away from x = 0; analyses find the equilibrium.

#include <limits>
#include <tuple>

#include "microslip/core/concepts.hpp"
#include "microslip/detail/kernels/elastic.hpp"

namespace microslip {

template <Number Real>
struct UnilateralCurve {
  using Scalar = Real;
  Real k, gap;

  constexpr ElasticPoint<Real> at(const Real& u, int side) const noexcept {
    const Real pressed = u - gap;
    if (pressed > 0.0 || (pressed == 0.0 && side > 0)) return {k * pressed, k};
    return {Real(0), Real(0)};
  }
  constexpr Real energy(const Real& u) const noexcept { return 0.5 / k * square(at(u, 1).force); }
  constexpr Real next_kink(const Real& u, int direction) const noexcept {
    const double d = direction;
    return d * (gap - u) > 0.0 ? gap : Real(d * std::numeric_limits<double>::infinity());
  }
};

template <Number Real>
class Unilateral : public ElasticLaw<UnilateralCurve<Real>> {
 public:
  struct Params {
    Real k{1};
    Real gap{0};

    static constexpr auto fields = std::tuple{
        field(&Params::k, "k", "F/L", positive, "stiffness in contact"),
        field(&Params::gap, "gap", "L", any_number,
              "way until contact; negative: preload of −k gap at u = 0"),
    };
  };
  using Options = NoOptions;

  static constexpr Info info{
      .name = "unilateral",
      .sentence = "An elastic spring that only pushes: contact beyond a gap, or with a preload.",
      .equation = "f = k max(u − gap, 0)",
      .citation =
          "S. W. Shaw, P. J. Holmes, A periodically forced piecewise linear oscillator, Journal of "
          "Sound and Vibration 90 (1983) 129–155",
      .claims = {.odd = fails,
                 .rate_independent = holds,
                 .masing = fails,
                 .return_point_memory = holds,
                 .minor_loops_close = holds,
                 .dissipative = holds,
                 .bounded = fails,
                 .planar_isotropic = not_applicable},
  };

  explicit constexpr Unilateral(const Params& params, const Options& options = {})
      : Unilateral(checked_fields(info.name, params), options, were_checked) {}
  constexpr Unilateral(const Params& params, const Options&, WereChecked) noexcept
      : ElasticLaw<UnilateralCurve<Real>>({params.k, params.gap}) {}
};

}  // namespace microslip
