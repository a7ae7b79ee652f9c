#pragma once

/// # iwan-power: Segalman's Iwan model by the numbers of its density
///
///     ρ(φ) = R φ^χ on (0, φmax),  plus  S δ(φ − φmax).
///
/// The law `iwan4` with (R, S, φmax) in place of (Fs, KT, β):
///
///     Fs = R φmax^(χ+2)/(χ+2) + S φmax,   β = S (χ+1)/(R φmax^(χ+1)),
///     KT = Fs (1+β)/(φmax (β + (χ+1)/(χ+2))) = R φmax^(χ+1)/(χ+1) + S.
///
/// The way back stands in models/iwan4.hpp. R carries a unit with the exponent χ: F/L^(2+χ).

#include <cmath>
#include <optional>
#include <tuple>

#include "microslip/core/concepts.hpp"
#include "microslip/core/first_harmonic.hpp"
#include "microslip/core/fit_hints.hpp"
#include "microslip/detail/kernels/iwan4_backbone.hpp"
#include "microslip/detail/kernels/masing.hpp"

namespace microslip {

template <Number Real>
class IwanPower : public MasingLaw<Iwan4Backbone<Real>> {
 public:
  struct Params {
    Real R{0.5};
    Real S{0.1};
    Real phi_max{1};
    Real chi{-0.5};

    static constexpr auto fields = std::tuple{
        field(&Params::R, "R", "F L^-chi/L^2", positive, "factor of the slider density R phi^chi"),
        field(&Params::S, "S", "F/L", non_negative,
              "stiffness of the sliders that slip at phi_max"),
        field(&Params::phi_max, "phi_max", "L", positive,
              "displacement at which the last slider slips"),
        field(&Params::chi, "chi", "1", left_open_interval(-1, 0),
              "exponent of the slider density: small cycles lose energy like amplitude^(3+chi)"),
    };
  };
  using Options = NoOptions;

  static constexpr Info info{
      .name = "iwan-power",
      .sentence = "The law iwan4, given by the factor, the end and the peak of its slider density.",
      .equation = "f = ∫ρ(φ) stop_φ[u] dφ,  ρ = R φ^χ on (0, φmax) + S δ(φ − φmax)",
      .citation =
          "D. J. Segalman, A four-parameter Iwan model for lap-type joints, Journal of "
          "Applied Mechanics 72 (2005) 752–760",
      .claims = masing_claims,
  };

  static FitHints fit_hints() { return {.left_out = "it is iwan4 with other parameters"}; }

  explicit constexpr IwanPower(const Params& params, const Options& options = {})
      : IwanPower(checked_fields(info.name, params), options, were_checked) {}
  constexpr IwanPower(const Params& params, const Options&, WereChecked) noexcept
      : MasingLaw<Iwan4Backbone<Real>>(converted(params)) {}

  std::optional<HarmonicForce> first_harmonic(double A, double /*omega*/) const {
    return iwan4_first_harmonic(this->backbone(), A);
  }

 private:
  static constexpr Iwan4Backbone<Real> converted(const Params& p) {
    using std::pow;
    const Real spread = p.R * pow(p.phi_max, p.chi + 1.0) / (p.chi + 1.0);  // ∫Rφ^χ
    const Real Fs = spread * p.phi_max * (p.chi + 1.0) / (p.chi + 2.0) + p.S * p.phi_max;
    return {Fs, spread + p.S, p.chi, p.S / spread};
  }
};

}  // namespace microslip
