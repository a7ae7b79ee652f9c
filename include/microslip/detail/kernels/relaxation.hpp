#pragma once

#include <array>
#include <cmath>
#include <complex>
#include <cstddef>
#include <limits>
#include <tuple>
#include <utility>
#include <vector>

#include "microslip/core/dual.hpp"
#include "microslip/core/field.hpp"
#include "microslip/core/info.hpp"
#include "microslip/core/response.hpp"
#include "microslip/detail/numerics/quotients.hpp"

/// A stretch that grows with a motion and is forgotten on the way:
///
///     de/ds = Δu − x e,   0 ≤ s ≤ 1,   over one step of constant velocity.
///
/// It is the spring of a Maxwell branch, where x = Δt/τ (forgotten with time), and the bristle of
/// LuGre, where x = |Δu|/g (forgotten with distance). In both
///
///     e ← e exp(−x) + Δu φ(x),   φ(x) = (1 − exp(−x))/x,
///
/// exact for any x, and a spring of stiffness k loses what the forgotten part held,
///
///     k x ∫₀¹ e² ds = k (A e² + 2 B e Δu + C Δu²),
///     A = (1 − exp(−2x))/2,  B = (1 − exp(−x)) φ/2,  C = (1 − φ − B)/x,
///
/// a positive form: no rounding makes a step gain energy.
namespace microslip {
namespace relaxation {

/// The numbers of one step for one x ≥ 0; x = ∞ is a motion so slow that all is forgotten.
template <Number Real>
struct Decay {
  Real keep;                 ///< exp(−x)
  Real ramp;                 ///< φ(x)
  Real held, cross, gained;  ///< A, B, C

  constexpr Real stretch(const Real& before, const Real& du) const noexcept {
    return before * keep + du * ramp;
  }
  /// Per stiffness.
  constexpr Real lost(const Real& before, const Real& du) const noexcept {
    return held * square(before) + 2.0 * cross * before * du + gained * square(du);
  }
};

/// Coefficients for small x, where 1 − φ − B is a difference of order x²:
/// φ = Σ (−x)^n/(n+1)!,  C = x Σ (2^(n+2) − 2) (−x)^n/((n+3) (n+2)!).
struct Series {
  std::array<double, 19> ramp{}, gained{};
  constexpr Series() {
    double factorial = 1, power = 4;  // (n+1)!, 2^(n+2)
    for (std::size_t i = 0; i < ramp.size(); ++i) {
      const double n = static_cast<double>(i), sign = i % 2 == 0 ? 1 : -1;
      factorial *= n + 1;
      ramp[i] = sign / factorial;
      gained[i] = sign * (power - 2) / ((n + 3) * (n + 2) * factorial);
      power *= 2;
    }
  }
};

struct RampTable {
  static constexpr auto value = Series().ramp;
};
struct GainedTable {
  static constexpr auto value = Series().gained;
};

/// The decay of a short step, from so many terms.
template <std::size_t terms, Number Real>
constexpr Decay<Real> short_decay(const Real& x) noexcept {
  const Real ramp = short_series<RampTable, terms>(x);
  const Real gone = x * ramp;
  const Real keep = 1.0 - gone;
  return {keep, ramp, 0.5 * gone * (1.0 + keep), 0.5 * gone * ramp,
          x * short_series<GainedTable, terms>(x)};
}

template <Number Real>
constexpr Decay<Real> decay(const Real& x) noexcept {
  using std::exp;
  const double size = value_of(x);
  if (size == std::numeric_limits<double>::infinity())
    return {Real(0), Real(0), Real(0.5), Real(0), Real(0)};
  if (size > 0.7) {
    const Real keep = exp(-x);
    const Real gone = 1.0 - keep;
    const Real ramp = gone / x;
    const Real cross = 0.5 * gone * ramp;
    return {keep, ramp, 0.5 * gone * (1.0 + keep), cross, (1.0 - ramp - cross) / x};
  }
  // The first term left out is below 1e-16 of the sum: (2x)^n/(n+2)!.
  return size > 0.2 ? short_decay<19>(x) : size > 0.03 ? short_decay<12>(x) : short_decay<8>(x);
}

/// Numbers of steps and laws are finite, but dt may be ∞, and ∞ × 0 is no derivative.
template <Number Real>
constexpr Real ratio(double dt, const Real& tau) noexcept {
  return std::isinf(dt) ? Real(dt) : dt / tau;
}

/// K(ω) of a Maxwell branch per stiffness: iωτ/(1 + iωτ).
inline std::complex<double> dynamic_stiffness(double omega, double tau) noexcept {
  const double x = omega * tau;
  // 1/(1 + 1/x²), also where x² overflows.
  return x == 0 ? std::complex<double>(0) : 1.0 / std::complex<double>(1, -1 / x);
}

/// u' of a step; an infinitely slow one has none, nor has a step without time.
template <Number Real>
constexpr Real velocity(const Real& du, double dt) noexcept {
  return dt > 0 ? du / dt : Real(0);
}
/// ∂u'/∂u.
constexpr double velocity_slope(double dt) noexcept { return dt > 0 ? 1 / dt : 0; }

}  // namespace relaxation

/// A spring, a dashpot and Maxwell branches, all in parallel.
template <Number Real>
struct RelaxationSpectrum {
  Real spring{0}, dashpot{0};
  std::vector<Real> k, tau;  ///< stiffness and relaxation time of each branch
};

template <Number Real>
struct RelaxationState {
  Real u{0};
  Real f{0};
  std::vector<Real> stretch;  ///< of each branch's spring

  static constexpr auto fields = std::tuple{
      state_field(&RelaxationState::u, "u", "L", "displacement"),
      state_field(&RelaxationState::f, "f", "F", "force"),
      state_field(&RelaxationState::stretch, "stretch", "L",
                  "elongation of the spring of each Maxwell branch"),
  };
};

/// The part that laws with a relaxation spectrum share. Its energy is that of the springs.
template <Number Real>
class RelaxationLaw {
 public:
  using Scalar = Real;
  using State = RelaxationState<Real>;

  constexpr State rest() const {
    State state;
    state.stretch.assign(spectrum_.k.size(), Real(0));
    return state;
  }

  constexpr Response<Real> step(const State& from, const Real& u, double dt,
                                State& to) const noexcept {
    const Real du = u - from.u;
    const Real viscous = spectrum_.dashpot * relaxation::velocity(du, dt);
    // A step without time keeps the force of the dashpot, which no state tells.
    const Real committed = from.f;
    Response<Real> reply{spectrum_.spring * u + viscous,
                         spectrum_.spring + spectrum_.dashpot * relaxation::velocity_slope(dt),
                         viscous * du};
    to.stretch.resize(from.stretch.size());
    for (std::size_t i = 0; i < spectrum_.k.size(); ++i) {
      const Real& k = spectrum_.k[i];
      const auto decay = relaxation::decay(relaxation::ratio(dt, spectrum_.tau[i]));
      const Real before = from.stretch[i];
      to.stretch[i] = decay.stretch(before, du);
      reply.force += k * to.stretch[i];
      reply.tangent += k * decay.ramp;
      reply.dissipated += k * decay.lost(before, du);
    }
    if (dt == 0) reply.force = committed;
    to.u = u;
    to.f = reply.force;
    return reply;
  }

  constexpr ForceInMotion<Real> force(const State& at, const Real& v) const noexcept {
    Real sum = spectrum_.spring * at.u + spectrum_.dashpot * v;
    for (std::size_t i = 0; i < spectrum_.k.size(); ++i) sum += spectrum_.k[i] * at.stretch[i];
    return {sum, spectrum_.dashpot};
  }

  constexpr Real stored(const State& state) const noexcept {
    Real twice = spectrum_.spring * square(state.u);
    for (std::size_t i = 0; i < spectrum_.k.size(); ++i)
      twice += spectrum_.k[i] * square(state.stretch[i]);
    return 0.5 * twice;
  }

  constexpr Real next_kink(const State&, int direction) const noexcept {
    return Real(direction * std::numeric_limits<double>::infinity());
  }
  std::complex<double> dynamic_stiffness(double omega) const {
    std::complex<double> sum(value_of(spectrum_.spring), omega * value_of(spectrum_.dashpot));
    for (std::size_t i = 0; i < spectrum_.k.size(); ++i)
      sum += value_of(spectrum_.k[i]) *
             relaxation::dynamic_stiffness(omega, value_of(spectrum_.tau[i]));
    return sum;
  }

  constexpr const RelaxationSpectrum<Real>& spectrum() const noexcept { return spectrum_; }

 protected:
  explicit constexpr RelaxationLaw(RelaxationSpectrum<Real> spectrum)
      : spectrum_(std::move(spectrum)) {}

 private:
  RelaxationSpectrum<Real> spectrum_;
};

/// What linearity and time imply; the claims about loops are for laws without time.
inline constexpr Claims relaxation_claims{.odd = holds,
                                          .rate_independent = fails,
                                          .masing = not_applicable,
                                          .return_point_memory = not_applicable,
                                          .minor_loops_close = not_applicable,
                                          .dissipative = holds,
                                          .bounded = fails,
                                          .planar_isotropic = not_applicable};

}  // namespace microslip
