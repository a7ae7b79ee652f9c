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
/// from it by Masing's rules (core/masing.hpp): exact, and O(1) a step, whatever the number of
/// sliders.
///
/// Energy lost on the virgin curve: D(x) = R x^(χ+3)/((χ+2)(χ+3)) up to φmax, then
/// x Fs − R φmax^(χ+3)/(χ+3) − S φmax². A steady cycle of amplitude U loses 4 D(U).

#include <cmath>
#include <limits>
#include <tuple>

#include "microslip/core/concepts.hpp"
#include "microslip/core/masing.hpp"

namespace microslip {

template <Number Real>
class Iwan4 {
 public:
  using Scalar = Real;

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
  using State = MasingState<Real>;

  static constexpr Info info{
      .name = "iwan4",
      .sentence = "A continuum of sliders with a power-law density: microslip of a bolted joint.",
      .equation = "f = ∫ρ(φ) stop_φ[u] dφ,  ρ = R φ^χ on (0, φmax) + S δ(φ − φmax)",
      .citation =
          "D. J. Segalman, A four-parameter Iwan model for lap-type joints, Journal of "
          "Applied Mechanics 72 (2005) 752–760",
      .claims = {.odd = holds,
                 .rate_independent = holds,
                 .masing = holds,
                 .return_point_memory = holds,
                 .minor_loops_close = holds,
                 .dissipative = holds,
                 .bounded = holds,
                 .planar_isotropic = not_applicable},
  };

  explicit Iwan4(const Params& params, const Options& = {}) : backbone_(checked(params)) {}

  State rest() const { return {}; }
  Response<Real> step(const State& from, const Real& u, State& to) const noexcept {
    return masing::step(backbone_, from, u, to);
  }
  Real stored(const State& state) const noexcept { return masing::stored(backbone_, state); }
  Real next_kink(const State& state, int direction) const noexcept {
    return masing::next_kink(backbone_, state, direction);
  }

  /// Displacement at which the last slider slips.
  Real slip_displacement() const noexcept { return backbone_.phi_max; }
  /// Energy lost in a steady cycle between −amplitude and amplitude, in closed form.
  Real energy_per_cycle(const Real& amplitude) const noexcept {
    return 4.0 * backbone_.dissipated(amplitude);
  }

 private:
  struct Curve {
    using Scalar = Real;
    Real Fs, KT, chi, phi_max, R, S;

    explicit Curve(const Params& p) : Fs(p.Fs), KT(p.KT), chi(p.chi) {
      using std::pow;
      const Real q = p.beta + (chi + 1.0) / (chi + 2.0);
      phi_max = Fs * (1.0 + p.beta) / (KT * q);
      R = Fs * (chi + 1.0) / (pow(phi_max, chi + 2.0) * q);
      S = Fs / phi_max * p.beta / q;
    }

    Real force(const Real& x) const noexcept {
      using std::pow;
      if (x >= phi_max) return Fs;
      return KT * x - R * pow(x, chi + 2.0) / ((chi + 1.0) * (chi + 2.0));
    }
    Real slope(const Real& x) const noexcept {
      using std::pow;
      if (x >= phi_max) return Real(0);
      return KT - R * pow(x, chi + 1.0) / (chi + 1.0);
    }
    Real dissipated(const Real& x) const noexcept {
      using std::pow;
      if (x >= phi_max)
        return x * Fs - R * pow(phi_max, chi + 3.0) / (chi + 3.0) - S * phi_max * phi_max;
      return R * pow(x, chi + 3.0) / ((chi + 2.0) * (chi + 3.0));
    }
    Real next_kink(const Real& x) const noexcept {
      return x < phi_max ? phi_max : Real(std::numeric_limits<double>::infinity());
    }
  };

  static const Params& checked(const Params& params) {
    check_fields(info.name, params);
    return params;
  }

  Curve backbone_;
};

}  // namespace microslip
