#pragma once

/// # prager: a spring and a slider in parallel
///
///     f = k u + φ sgn(u')
///
/// The force jumps by 2φ at a reversal. Where the motion stands still the friction part may have
/// any value between −φ and φ; this law keeps its last one, and zero while virgin.

#include <limits>
#include <numbers>
#include <optional>
#include <tuple>

#include "microslip/core/concepts.hpp"
#include "microslip/core/first_harmonic.hpp"

namespace microslip {

template <Number Real>
class Prager {
 public:
  using Scalar = Real;

  struct Params {
    Real k{1};
    Real phi{0.5};

    static constexpr auto fields = std::tuple{
        field(&Params::k, "k", "F/L", non_negative, "stiffness of the spring"),
        field(&Params::phi, "phi", "F", positive, "friction force of the slider"),
    };
  };
  using Options = NoOptions;

  struct State {
    Real u{0};
    Real f{0};

    static constexpr auto fields = std::tuple{
        state_field(&State::u, "u", "L", "displacement"),
        state_field(&State::f, "f", "F", "force"),
    };
  };

  static constexpr Info info{
      .name = "prager",
      .sentence = "A spring beside a Coulomb slider: rigid until it slips, then hardening.",
      .equation = "f = k u + φ sgn(u')",
      .citation =
          "A. Visintin, Mathematical models of hysteresis, in The Science of Hysteresis, "
          "vol. 1, Elsevier (2006) 1–123",
      .claims = {.odd = holds,
                 .rate_independent = holds,
                 .masing = holds,
                 .return_point_memory = holds,
                 .minor_loops_close = holds,
                 .dissipative = holds,
                 .bounded = depends("k = 0"),
                 .planar_isotropic = not_applicable},
  };

  explicit constexpr Prager(const Params& params, const Options& options = {})
      : Prager(checked_fields(info.name, params), options, were_checked) {}
  constexpr Prager(const Params& params, const Options&, WereChecked) noexcept
      : k_(params.k), phi_(params.phi) {}

  constexpr State rest() const { return {}; }

  constexpr Response<Real> step(const State& from, const Real& u, State& to) const noexcept {
    const Real moved = u - from.u;
    const Real force = u == from.u ? from.f : u > from.u ? k_ * u + phi_ : k_ * u - phi_;
    to.u = u;
    to.f = force;
    return {force, k_, moved < 0.0 ? -phi_ * moved : phi_ * moved};
  }

  constexpr Rigidity rigidity() const noexcept { return {.rigid = true}; }
  constexpr SlipForce<Real> slip(const State&, int side, const Real& u,
                                 const Real& /*v*/) const noexcept {
    return {k_ * u + static_cast<double>(side) * phi_, k_, Real(0)};
  }

  constexpr Real stored(const State& state) const noexcept { return 0.5 * k_ * state.u * state.u; }

  constexpr Real next_kink(const State&, int direction) const noexcept {
    return Real(direction * std::numeric_limits<double>::infinity());
  }
  std::optional<HarmonicForce> first_harmonic(double A, double /*omega*/) const {
    const double k = value_of(k_), phi = value_of(phi_);
    return HarmonicForce{k * A, 4 * phi / std::numbers::pi, k * A + phi};
  }

 private:
  Real k_, phi_;
};

}  // namespace microslip
