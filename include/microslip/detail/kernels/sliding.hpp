#pragma once

#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
#include <tuple>
#include <type_traits>

#include "microslip/core/dual.hpp"
#include "microslip/core/field.hpp"
#include "microslip/core/first_harmonic.hpp"
#include "microslip/core/response.hpp"
#include "microslip/detail/kernels/relaxation.hpp"

/// Friction of a sliding contact as a function of velocity alone.
namespace microslip {

/// Friction against speed, falling (or rising) from `still` at rest to `fast`:
///     g = fast + (still − fast) exp(−(speed/width)^shape)
template <Number Real>
struct StribeckCurve {
  Real fast, still, width, shape;

  struct Value {
    Real force;
    Real slope;  ///< d/d(speed); 0 at rest
  };

  constexpr Value at(const Real& speed) const noexcept {
    using std::exp, std::log;
    if constexpr (std::is_same_v<Real, double>) {
      if (still == fast) return {fast, 0};  // Coulomb's law
    }
    const Real share = speed / width;
    if (!(value_of(share) > 1e-300)) return {still, Real(0)};  // rest; 1/share may overflow
    if constexpr (std::is_same_v<Real, double>) {
      if (shape == 2) {  // without the powers
        const double y = share * share;
        if (y > 1000) return {fast, 0};
        const double excess = (still - fast) * exp(-y);
        return {fast + excess, -2 * excess * y / speed};
      }
    }
    const Real y_log = shape * log(share);
    // exp(−y) has vanished with all its derivatives, and y may overflow.
    if (value_of(y_log) > 7) return {fast, Real(0)};
    const Real y = exp(y_log);
    const Real excess = (still - fast) * exp(-y);
    return {fast + excess, -excess * shape * y / speed};
  }
};

/// The jump of the sign at rest, or a smooth step in its place that names its width.
struct SlidingOptions {
  double epsilon = 0;  ///< 0: the law itself

  static constexpr auto fields = std::tuple{
      option(&SlidingOptions::epsilon, "epsilon", non_negative,
             "velocity of a smoothed sign tanh(u'/epsilon), which no longer holds at rest; "
             "0 keeps the jump"),
  };
};

template <Number Real>
struct SlidingState {
  Real u{0};
  Real f{0};
  Real friction{0};  ///< held while the motion rests

  static constexpr auto fields = std::tuple{
      state_field(&SlidingState::u, "u", "L", "displacement"),
      state_field(&SlidingState::f, "f", "F", "force"),
      state_field(&SlidingState::friction, "friction", "F", "force without its viscous part"),
  };
};

/// The part that laws of friction against velocity share:
///     f = sgn(u') g(|u'|) + c u';   at rest the first part keeps its value.
/// An infinitely slow motion meets g(0). Nothing is stored.
template <Number Real>
class SlidingLaw {
 public:
  using Scalar = Real;
  using Options = SlidingOptions;
  using State = SlidingState<Real>;

  constexpr State rest() const { return {}; }

  constexpr Response<Real> step(const State& from, const Real& u, double dt,
                                State& to) const noexcept {
    if (dt == 0) {
      const Response<Real> unchanged{from.f, Real(0), Real(0)};
      to = from;
      return unchanged;
    }
    const Real du = u - from.u;
    const Real v = relaxation::velocity(du, dt);
    const Friction friction = sliding(from, du, v);
    to.u = u;
    to.friction = friction.force;
    to.f = friction.force + viscosity_ * v;
    return {to.f, (friction.slope + viscosity_) * relaxation::velocity_slope(dt), to.f * du};
  }
  constexpr ForceInMotion<Real> force(const State& at, const Real& v) const noexcept {
    const Friction friction = sliding(at, v, v);
    return {friction.force + viscosity_ * v, friction.slope + viscosity_};
  }
  constexpr Rigidity rigidity() const noexcept {
    const bool level = curve_.still == curve_.fast && viscosity_ == 0.0;
    return {.rigid = epsilon_ == 0 && curve_.still != 0.0, .rate_dependent = !level};
  }
  constexpr SlipForce<Real> slip(const State&, int side, const Real& /*u*/,
                                 const Real& v) const noexcept {
    const Real speed = static_cast<double>(side) * v;
    const auto g = curve_.at(speed > 0.0 ? speed : Real(0));
    return {static_cast<double>(side) * g.force + viscosity_ * v, Real(0), g.slope + viscosity_};
  }
  constexpr Real stored(const State&) const noexcept { return Real(0); }
  constexpr Real next_kink(const State&, int direction) const noexcept {
    return Real(direction * std::numeric_limits<double>::infinity());
  }
  /// Where friction does not depend on the speed. It holds its value while the motion turns, so at
  /// the tip it is what it was on the way up.
  std::optional<HarmonicForce> first_harmonic(double A, double omega) const {
    const double fc = value_of(curve_.fast);
    if (epsilon_ > 0 || value_of(curve_.still) != fc) return {};
    return HarmonicForce{0, 4 * fc / std::numbers::pi + value_of(viscosity_) * omega * A, fc};
  }

 protected:
  constexpr SlidingLaw(const StribeckCurve<Real>& curve, const Real& viscosity,
                       const Options& options)
      : curve_(curve), viscosity_(viscosity), epsilon_(options.epsilon) {}

 private:
  struct Friction {
    Real force, slope;  ///< and its derivative with respect to velocity
  };

  constexpr Friction sliding(const State& from, const Real& du, const Real& v) const noexcept {
    using std::tanh;
    if (epsilon_ > 0) {
      const Real sign = tanh(v / epsilon_);
      const double side = value_of(v) < 0 ? -1 : 1;
      const auto g = curve_.at(side * v);
      return {sign * g.force, (1.0 - sign * sign) / epsilon_ * g.force + sign * side * g.slope};
    }
    if (du == 0.0) return {from.friction, Real(0)};
    const double side = du > 0.0 ? 1 : -1;
    const auto g = curve_.at(side * v);
    return {side * g.force, g.slope};
  }

  StribeckCurve<Real> curve_;
  Real viscosity_;
  double epsilon_;
};

}  // namespace microslip
