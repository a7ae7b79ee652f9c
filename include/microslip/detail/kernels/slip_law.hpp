#pragma once

#include <limits>
#include <tuple>
#include <utility>

#include "microslip/core/field.hpp"
#include "microslip/core/response.hpp"

namespace microslip {

/// A point that slips inside its elastic domain, with displacement and force. `Point` brings its
/// own `fields`.
template <Number Real, class Point>
struct SlipState : Point {
  Real u{0};
  Real f{0};

  static constexpr auto fields =
      std::tuple_cat(std::tuple{state_field(&SlipState::u, "u", "L", "displacement"),
                                state_field(&SlipState::f, "f", "F", "force")},
                     Point::fields);
};

/// The part that laws with slip states q share, s = b u − α q held inside an ellipse or ellipsoid
/// by `Flow`:
///
///     f = k∞ u + bᵀs/α,   Ψ = ½ k∞ u² + |s|²/(2α),   dissipation ∫ sᵀdq.
template <Number Real, class Flow>
class SlipLaw {
 public:
  using Scalar = Real;
  using State = SlipState<Real, typename Flow::Point>;

  constexpr State rest() const {
    State state;
    if constexpr (requires { flow_.rest(); })
      static_cast<typename Flow::Point&>(state) = flow_.rest();
    return state;
  }

  constexpr Response<Real> step(const State& from, const Real& u, State& to) const noexcept {
    if (u == from.u) return stay(from, to);
    const auto move = flow_.move(from, from.u, u, to);
    to.u = u;
    to.f = last_slope_ * u + per_alpha_ * move.pull;
    Response<Real> reply{to.f, to.slipping ? last_slope_ + per_alpha_ * move.slope : first_slope_,
                         per_alpha_ * move.lost};
    if constexpr (requires { move.status; }) reply.status = move.status;
    return reply;
  }

  constexpr Real stored(const State& state) const noexcept {
    return 0.5 * (last_slope_ * state.u * state.u + per_alpha_ * flow_.square_norm(state));
  }

  /// Where slip starts. A start that rounds to the present displacement counts as passed.
  constexpr Real next_kink(const State& state, int direction) const noexcept {
    const Real kink =
        state.u + static_cast<double>(direction) * flow_.distance_to_slip(state, direction);
    return kink == state.u ? Real(direction * std::numeric_limits<double>::infinity()) : kink;
  }

  /// k∞
  constexpr const Real& saturated_slope() const noexcept { return last_slope_; }
  /// Half the distance between the saturated branches.
  constexpr Real half_gap() const noexcept { return per_alpha_ * flow_.largest_pull(); }

 protected:
  constexpr SlipLaw(Flow flow, const Real& first_slope, const Real& last_slope, const Real& alpha)
      : flow_(std::move(flow)),
        first_slope_(first_slope),
        last_slope_(last_slope),
        per_alpha_(1.0 / alpha) {}

  constexpr Response<Real> stay(const State& from, State& to) const noexcept {
    const Real tangent =
        from.slipping ? last_slope_ + per_alpha_ * flow_.slope(from) : first_slope_;
    const Response<Real> unchanged{from.f, tangent, Real(0)};
    to = from;
    return unchanged;
  }

  Flow flow_;
  Real first_slope_, last_slope_, per_alpha_;
};

}  // namespace microslip
