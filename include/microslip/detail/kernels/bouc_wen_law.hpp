#pragma once

#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <string_view>
#include <tuple>
#include <type_traits>

#include "microslip/core/field.hpp"
#include "microslip/core/response.hpp"
#include "microslip/detail/kernels/bouc_wen.hpp"
#include "microslip/detail/kernels/bouc_wen_curve.hpp"

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
  static constexpr bool dual = !std::is_same_v<Real, double>;

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

  constexpr State rest() const { return {}; }

  constexpr Response<Real> step(const State& from, const Real& u, State& to) const noexcept {
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

  /// Many steps at once, for the derivatives by the motion alone and without losses: the same
  /// numbers to rounding. False, and nothing done, if the parameters carry derivatives.
  ///
  /// From δy/y' = δy₀/y₀' + δx along a motion that does not turn,
  ///     δz = (dz/du) (δu − δu₀ + δz₀/(dz/du)₀).
  bool run(std::span<const Real> u, State& at, std::span<Real> f) const noexcept requires dual {
    if (!constant_) return false;
    bouc_wen::Way way;
    bouc_wen::Curve::Point z;
    auto offset = at.u.v;
    for (std::size_t i = 0; i < u.size(); ++i) {
      const int direction = (u[i].a > at.u.a) - (u[i].a < at.u.a);
      if (direction != 0 && direction != way.direction) {
        way = way_from(at, direction);
        if (way.rate > 0) offset = at.z.v / way.rate - at.u.v;
      }
      if (direction != 0 && way.rate > 0) {
        if (!curve_.follow(way, u[i].a, z)) z = stepped(at, u[i].a, direction);
        at.u = u[i];
        at.z = Real(z.v, z.sigma * (u[i].v + offset));
        at.f = Real(c_.spring.a * u[i].a + c_.hysteretic.a * z.v,
                    c_.spring.a * u[i].v + c_.hysteretic.a * at.z.v);
        at.direction = direction;
      } else {
        step(at, u[i], at);
      }
      f[i] = at.f;
    }
    return true;
  }

  constexpr Real stored(const State& state) const noexcept {
    return 0.5 * (c_.spring * square(state.u) + c_.hysteretic * square(state.z) / c_.A);
  }

  /// The crossing of z = 0, where the coefficient of |z|ⁿ jumps.
  constexpr Real next_kink(const State& state, int direction) const noexcept {
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
  explicit constexpr BoucWenLaw(const Coefficients& coefficients)
      : c_(coefficients), flow_(coefficients.n), curve_(value_of(coefficients.n), flow_) {
    if constexpr (dual)
      for (const Real* c : {&c_.A, &c_.loading_down, &c_.loading_up, &c_.unloading, &c_.spring,
                            &c_.hysteretic, &c_.n})
        constant_ = constant_ && c->v.isZero(0);
  }

 private:
  bouc_wen::Way way_from(const State& from, int direction) const noexcept requires dual {
    bouc_wen::Way way{direction, c_.A.a, -c_.unloading.a / c_.A.a, loading(direction).a / c_.A.a};
    const double y = direction * from.z.a;
    const auto start = flow_.distance(y < 0 ? way.unloading : way.loading, std::abs(y));
    // Close to saturation a state hardly tells where on the curve it is.
    if (start.sigma > 1e-4) {
      way.rate = way.slope * start.sigma;
      way.zero = from.u.a - std::copysign(start.X, from.z.a) / way.slope;
      way.limit = curve_.root(1 / way.loading);
    }
    return way;
  }
  /// Where the series do not reach.
  bouc_wen::Curve::Point stepped(const State& from, double u,
                                 int direction) const noexcept requires dual {
    const Real y = flow_.position(c_.A, loading(direction), c_.unloading,
                                  Real(direction * from.z.a), Real(direction * (u - from.u.a)));
    return {direction * y.a, flow_.rate(c_.A, loading(direction), c_.unloading, Real(y.a)).a};
  }
  constexpr const Real& loading(int direction) const noexcept {
    return direction < 0 ? c_.loading_down : c_.loading_up;
  }
  constexpr Real tangent(const Real& z, int direction) const noexcept {
    const Real y = static_cast<double>(direction) * z;
    return c_.spring + c_.hysteretic * flow_.rate(c_.A, loading(direction), c_.unloading, y);
  }

  Coefficients c_;
  bouc_wen::Flow<Real> flow_;
  [[no_unique_address]] std::conditional_t<dual, bouc_wen::Curve, bouc_wen::NoCurve> curve_;
  bool constant_ = true;  ///< no parameter carries derivatives
};

}  // namespace microslip
