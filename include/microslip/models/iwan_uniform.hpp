#pragma once

/// # iwan-uniform: a continuum of sliders with uniformly distributed slip displacements
///
///     f = (k/u_max) ∫₀^{u_max} stop_φ[u] dφ
///
/// The limit n → ∞ of n equal springs whose sliders slip at u_max/n, 2 u_max/n, …, u_max. Backbone:
///
///     g(x) = k (x − x²/(2 u_max)) up to u_max, then k u_max/2,
///     D(x) = k x³/(6 u_max) up to u_max, then k u_max (x/2 − u_max/3).

#include <limits>
#include <tuple>

#include "microslip/core/concepts.hpp"
#include "microslip/detail/kernels/masing.hpp"

namespace microslip {

/// Backbone of iwan-uniform.
template <Number Real>
struct ParabolaBackbone {
  using Scalar = Real;
  Real k, u_max;
  constexpr BackbonePoint<Real> at(const Real& x) const noexcept {
    if (x >= u_max) return {k * u_max / 2.0, Real(0), k * u_max * (x / 2.0 - u_max / 3.0)};
    return {k * (x - x * x / (2.0 * u_max)), k * (1.0 - x / u_max), k * x * x * x / (6.0 * u_max)};
  }
  constexpr Real next_kink(const Real& x) const noexcept {
    return x < u_max ? u_max : Real(std::numeric_limits<double>::infinity());
  }
};

template <Number Real>
class IwanUniform : public MasingLaw<ParabolaBackbone<Real>> {
 public:
  struct Params {
    Real k{1};
    Real u_max{2};

    static constexpr auto fields = std::tuple{
        field(&Params::k, "k", "F/L", positive, "stiffness at rest"),
        field(&Params::u_max, "u_max", "L", positive,
              "displacement at which the last slider slips"),
    };
  };
  using Options = NoOptions;

  static constexpr Info info{
      .name = "iwan-uniform",
      .sentence = "A continuum of equal springs whose slip displacements fill an interval evenly.",
      .equation = "f = (k/u_max) ∫₀^u_max stop_φ[u] dφ",
      .citation =
          "W. D. Iwan, A distributed-element model for hysteresis and its steady-state "
          "dynamic response, Journal of Applied Mechanics 33 (1966) 893–900",
      .claims = masing_claims,
  };

  explicit constexpr IwanUniform(const Params& params, const Options& options = {})
      : IwanUniform(checked_fields(info.name, params), options, were_checked) {}
  constexpr IwanUniform(const Params& params, const Options&, WereChecked) noexcept
      : MasingLaw<ParabolaBackbone<Real>>({params.k, params.u_max}) {}
};

}  // namespace microslip
