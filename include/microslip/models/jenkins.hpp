#pragma once

/// # jenkins: a spring and a slider in series
///
/// This is the simplest law, written as the tutorial: read it from top to bottom to learn how a law
/// describes itself and what it must answer.
///
///     f ← clamp(f + k Δu, −φ, φ)
///
/// The element sticks and stretches like a spring of stiffness k until its force reaches the limit
/// φ, then slips at that force; a reversal makes it stick again at once. It is the Prandtl element
/// of plasticity and the stop operator of hysteresis theory, and the brick of every Masing and Iwan
/// system.
///
/// The step is exact for any size, because over a monotone motion the force rises along one line
/// and then stays on another. Energy: the spring stores f²/(2k); a slip over a distance s loses φ
/// s.

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <string_view>
#include <tuple>

#include "microslip/core/concepts.hpp"
#include "microslip/core/first_harmonic.hpp"
#include "microslip/detail/numerics/constants.hpp"

namespace microslip {

template <Number Real>
class Jenkins {
 public:
  using Scalar = Real;

  // 1. The numbers a person sets. The initialiser is the default; the table gives each number its
  //    name, unit, bounds and a sentence. A row without one of them does not compile.
  struct Params {
    Real k{1};
    Real phi{1};

    static constexpr auto fields = std::tuple{
        field(&Params::k, "k", "F/L", positive, "stiffness while the slider sticks"),
        field(&Params::phi, "phi", "F", positive, "force at which the slider slips"),
    };
  };

  // 2. Numerical knobs, never fitted. This law needs none: its step is a closed form.
  using Options = NoOptions;

  // 3. What the law remembers, and nothing else. A copy of it is a snapshot.
  struct State {
    Real u{0};
    Real f{0};

    static constexpr auto fields = std::tuple{
        state_field(&State::u, "u", "L", "displacement"),
        state_field(&State::f, "f", "F", "force"),
    };
  };

  // 4. How the law introduces itself. Every claim is tested, those that fail too.
  static constexpr Info info{
      .name = "jenkins",
      .sentence = "A spring and a Coulomb slider in series: elastic until it slips.",
      .equation = "f ← clamp(f + k Δu, −φ, φ)",
      .citation =
          "G. M. Jenkins, Analysis of the stress-strain relationships in reactor grade "
          "graphite, British Journal of Applied Physics 13 (1962) 30–32",
      .claims = {.odd = holds,
                 .rate_independent = holds,
                 .masing = holds,
                 .return_point_memory = holds,
                 .minor_loops_close = holds,
                 .dissipative = holds,
                 .bounded = holds,
                 .planar_isotropic = not_applicable},
  };

  // 5. Building checks the numbers; afterwards nothing throws.
  explicit constexpr Jenkins(const Params& params, const Options& options = {})
      : Jenkins(checked_fields(info.name, params), options, were_checked) {}
  constexpr Jenkins(const Params& params, const Options&, WereChecked) noexcept
      : k_(params.k), phi_(params.phi) {}

  constexpr State rest() const { return {}; }

  // 6. The step: read `from`, write `to`, remember nothing. They may be the same object.
  constexpr Response<Real> step(const State& from, const Real& u, State& to) const noexcept {
    if (u == from.u) {
      const Response<Real> unchanged{from.f, tangent(from.f), Real(0)};
      to = from;
      return unchanged;
    }
    const Real elastic = from.f + k_ * (u - from.u);
    const Real force = elastic > phi_ ? phi_ : elastic < -phi_ ? -phi_ : elastic;
    // The part of the motion that the spring did not take is slip.
    const Real dissipated = force * (elastic - force) / k_;
    to.u = u;
    to.f = force;
    return {force, tangent(force), dissipated};
  }

  /// The parameters that a load multiplies, and the step while it does: the limit is linear, so what the
  /// spring exceeds it by grows linearly from the onset of slip to the end of the step.
  static constexpr std::array<std::string_view, 1> friction_limits{"phi"};
  constexpr Response<Real> step_loaded(const State& from, const Real& u,
                                       const LimitFactors<Real>& factors,
                                       State& to) const noexcept {
    const Real start = phi_ * factors.from, limit = phi_ * factors.to;
    const Real pull = k_ * (u - from.u), elastic = from.f + pull;
    to.u = u;
    if (elastic <= limit && elastic >= -limit) {
      to.f = elastic;
      return {elastic, k_, Real(0)};
    }
    const double side = elastic > limit ? 1 : -1;
    const Real excess = side * elastic - limit, rate = side * pull - (limit - start);
    Real slipping = excess / rate;
    if (!(value_of(slipping) < 1)) slipping = Real(1);
    to.f = side * limit;
    return {to.f, Real(0), excess / k_ * (limit - 0.5 * slipping * (limit - start))};
  }

  /// Recoverable energy.
  constexpr Real stored(const State& state) const noexcept {
    return state.f * state.f / (2.0 * k_);
  }

  /// Where a motion in this direction stops being smooth: at the onset of slip. Always ahead: an
  /// onset that rounds to the present displacement counts as passed.
  constexpr Real next_kink(const State& state, int direction) const noexcept {
    const double d = direction;
    const Real onset = state.u + d * (phi_ - d * state.f) / k_;
    return d * (onset - state.u) > 0.0 ? onset : Real(d * std::numeric_limits<double>::infinity());
  }

  // 7. Optional: what the law knows in closed form. Here the first harmonic of its steady loop
  //    between −A and A, on which it sticks from a tip over the distance 2δ, δ = φ/k.
  std::optional<HarmonicForce> first_harmonic(double A, double /*omega*/) const {
    const double k = value_of(k_), phi = value_of(phi_), delta = phi / k;
    if (A <= delta) return HarmonicForce{k * A, 0, k * A};
    // θ = acos(1 − 2δ/A), in a form that keeps its digits when δ ≪ A or δ → A.
    const double theta = 2 * std::asin(std::sqrt(delta / A));
    return HarmonicForce{k * A / pi * (theta - 0.5 * std::sin(2 * theta)),
                         4 * phi * (A - delta) / (pi * A), phi};
  }

 private:
  constexpr Real tangent(const Real& force) const noexcept {
    using std::abs;
    return abs(force) < phi_ ? k_ : Real(0);
  }

  Real k_, phi_;
};

}  // namespace microslip
