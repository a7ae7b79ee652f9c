#pragma once

/// # iwan4: Segalman's four-parameter Iwan model of a bolted joint
///
/// A continuum of Jenkins elements in parallel. The density of elements that slip at the
/// displacement φ is
///
///     ρ(φ) = R φ^χ on (0, φmax),  plus  S δ(φ − φmax),
///
/// so that the energy lost in small cycles grows like amplitude^(3+χ), and all elements slip
/// together at φmax. With q = β + (χ+1)/(χ+2):
///
///     φmax = Fs (1+β)/(KT q),   R = Fs (χ+1)/(φmax^(χ+2) q),   S = (Fs/φmax) β/q.
///
/// Check: the tangent at rest is ∫ρ dφ = KT, the slip force is ∫φρ dφ = Fs.
///
/// The backbone is g(x) = KT x − R x^(χ+2)/((χ+1)(χ+2)) up to φmax, then Fs. Any history follows
/// from it by Masing's rules (kernels/masing.hpp): exact, and O(1) a step, whatever the number of
/// sliders.
///
/// Energy lost on the virgin curve: D(x) = R x^(χ+3)/((χ+2)(χ+3)) up to φmax, then
/// x Fs − R φmax^(χ+3)/(χ+3) − S φmax². A steady cycle of amplitude U loses 4 D(U).

#include <boost/math/special_functions/beta.hpp>
#include <cmath>
#include <numbers>
#include <optional>
#include <tuple>

#include "microslip/core/concepts.hpp"
#include "microslip/core/first_harmonic.hpp"
#include "microslip/kernels/iwan4_backbone.hpp"
#include "microslip/kernels/masing.hpp"

namespace microslip {

template <Number Real>
class Iwan4 : public MasingLaw<Iwan4Backbone<Real>> {
 public:
  struct Params {
    Real Fs{1};
    Real KT{1};
    Real chi{-0.5};
    Real beta{0.1};

    static constexpr auto fields = std::tuple{
        field(&Params::Fs, "Fs", "F", positive, "force at which the whole joint slips"),
        field(&Params::KT, "KT", "F/L", positive, "tangent stiffness at rest"),
        field(&Params::chi, "chi", "1", left_open_interval(-1, 0),
              "exponent of the slider density: small cycles lose energy like amplitude^(3+chi)"),
        field(&Params::beta, "beta", "1", non_negative,
              "stiffness lost at once at full slip, relative to that lost before"),
    };
  };
  using Options = NoOptions;

  static constexpr Info info{
      .name = "iwan4",
      .sentence = "A continuum of sliders with a power-law density: microslip of a bolted joint.",
      .equation = "f = ∫ρ(φ) stop_φ[u] dφ,  ρ = R φ^χ on (0, φmax) + S δ(φ − φmax)",
      .citation =
          "D. J. Segalman, A four-parameter Iwan model for lap-type joints, Journal of "
          "Applied Mechanics 72 (2005) 752–760",
      .claims = masing_claims,
  };

  explicit Iwan4(const Params& params, const Options& = {})
      : MasingLaw<Iwan4Backbone<Real>>({params.Fs, params.KT, params.chi, params.beta}) {
    check_fields(info.name, params);
  }

  /// With m = φmax/A the part that has not slipped gives incomplete beta functions.
  std::optional<HarmonicForce> first_harmonic(double A, double /*omega*/) const {
    constexpr double pi = std::numbers::pi;
    const Iwan4Backbone<Real>& g = this->backbone();
    const double Fs = value_of(g.Fs), KT = value_of(g.KT), chi = value_of(g.chi);
    const double phi_max = value_of(g.phi_max), R = value_of(g.R), S = value_of(g.S);
    if (A <= phi_max) {
      const double power = R * std::pow(A, chi + 2);
      const double gammas = std::exp(std::lgamma(chi + 2.5) - std::lgamma(chi + 3)) / std::sqrt(pi);
      return HarmonicForce{KT * A - 4 * power * gammas / ((chi + 1) * (chi + 3)),
                           4 * power / (pi * (chi + 2) * (chi + 3)),
                           KT * A - power / ((chi + 1) * (chi + 2))};
    }
    const double m = phi_max / A, p = chi + 2;
    const auto I = [m](double power) {
      return boost::math::beta(power + 0.5, 0.5, m);  // lower incomplete, not normalised
    };
    const double b1 = -4 / pi *
                      (KT * A * (I(1) - 2 * I(2)) -
                       R * std::pow(A, p) / ((chi + 1) * (chi + 2)) * (I(p) - 2 * I(p + 1)) -
                       2 * Fs * std::sqrt(m * (1 - m)));
    const double a1 = 4 / (pi * A) *
                      (A * Fs - R * std::pow(phi_max, chi + 3) / (chi + 3) - S * phi_max * phi_max);
    return HarmonicForce{b1, a1, Fs};
  }

  /// Displacement at which the last slider slips.
  Real slip_displacement() const noexcept { return this->backbone().phi_max; }
};

}  // namespace microslip
