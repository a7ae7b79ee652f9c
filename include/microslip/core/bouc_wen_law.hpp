#pragma once

#include <limits>
#include <string_view>
#include <tuple>

#include "microslip/core/bouc_wen.hpp"
#include "microslip/core/field.hpp"
#include "microslip/core/response.hpp"

namespace microslip {

/// What the hysteretic variable z measures.
enum class Hysteretic { length, force, number };

/// The part that the laws with one Bouc–Wen equation share:
///
///     f = spring · u + hysteretic · z,   dz/du = A − g |z|ⁿ loading, A + h |z|ⁿ unloading,
///
/// g may differ between upward and downward motion. Energy: Ψ = ½ spring u² + ½ hysteretic z²/A.
/// A law derives from it and brings its parameters and its introduction.
template <Number Real, Hysteretic measure>
class BoucWenLaw {
 public:
  using Scalar = Real;
  using Options = NoOptions;

  struct State {
    Real u{0};
    Real f{0};
    Real z{0};
    int direction = 0;  ///< of the last motion; 0 at rest

    static constexpr std::string_view unit_of_z = measure == Hysteretic::length  ? "L"
                                                  : measure == Hysteretic::force ? "F"
                                                                                 : "1";
    static constexpr std::string_view meaning_of_z =
        measure == Hysteretic::length  ? "hysteretic displacement"
        : measure == Hysteretic::force ? "hysteretic force"
                                       : "hysteretic variable";
    static constexpr auto fields = std::tuple{
        state_field(&State::u, "u", "L", "displacement"),
        state_field(&State::f, "f", "F", "force"),
        state_field(&State::z, "z", unit_of_z, meaning_of_z),
        state_field(&State::direction, "direction", "1", "sign of the last motion"),
    };
  };

  State rest() const { return {}; }

  Response<Real> step(const State& from, const Real& u, State& to) const noexcept {
    if (u == from.u) {
      const Response<Real> unchanged{from.f, tangent(from.z, from.direction), Real(0)};
      to = from;
      return unchanged;
    }
    const int direction = u > from.u ? 1 : -1;
    const double d = direction;
    const auto leg =
        flow_.advance(c_.A, loading(direction), c_.unloading, d * from.z, d * (u - from.u));
    to.u = u;
    to.z = d * leg.y;
    to.f = c_.spring * u + c_.hysteretic * to.z;
    to.direction = direction;
    return {to.f, tangent(to.z, direction), c_.hysteretic * leg.lost};
  }

  Real stored(const State& state) const noexcept {
    return 0.5 * (c_.spring * square(state.u) + c_.hysteretic * square(state.z) / c_.A);
  }

  /// The crossing of z = 0, where the coefficient of |z|ⁿ jumps.
  Real next_kink(const State& state, int direction) const noexcept {
    const double d = direction;
    const Real y = d * state.z;
    if (y < 0.0) {
      const Real kink = state.u + d * flow_.crossing(c_.A, c_.unloading, y);
      if (kink != state.u) return kink;
    }
    return Real(d * std::numeric_limits<double>::infinity());
  }

 protected:
  struct Coefficients {
    Real A;
    Real loading_down, loading_up;
    Real unloading;
    Real spring, hysteretic;
    Real n;
  };
  explicit BoucWenLaw(const Coefficients& coefficients) : c_(coefficients), flow_(coefficients.n) {}

 private:
  const Real& loading(int direction) const noexcept {
    return direction < 0 ? c_.loading_down : c_.loading_up;
  }
  Real tangent(const Real& z, int direction) const noexcept {
    const Real y = static_cast<double>(direction) * z;
    return c_.spring + c_.hysteretic * flow_.rate(c_.A, loading(direction), c_.unloading, y);
  }

  Coefficients c_;
  bouc_wen::Flow<Real> flow_;
};

}  // namespace microslip
