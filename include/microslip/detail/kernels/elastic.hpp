#pragma once

#include <tuple>
#include <utility>

#include "microslip/core/field.hpp"
#include "microslip/core/fit_hints.hpp"
#include "microslip/core/response.hpp"

namespace microslip {

/// Force and slope of an elastic curve at one displacement.
template <class Real>
struct ElasticPoint {
  Real force, slope;
};

/// What all elastic laws share: the force is a curve f(u), so that the history does not matter and
/// nothing is lost. `Curve` answers
///   at(u, side)        force, and the slope on that side of a corner (+1 or −1)
///   energy(u)          ∫ f du
///   next_kink(u, d)    the next corner strictly ahead in the direction d, ±∞ if there is none
/// The last direction is kept only for the tangent of a step of length zero at a corner.
template <class Curve>
class ElasticLaw {
 public:
  using Scalar = typename Curve::Scalar;

  struct State {
    Scalar u{0};
    Scalar f{0};
    int direction = 0;  ///< of the last motion; 0 at rest, which counts as upwards

    static constexpr auto fields = std::tuple{
        state_field(&State::u, "u", "L", "displacement"),
        state_field(&State::f, "f", "F", "force"),
        state_field(&State::direction, "direction", "1", "sign of the last motion"),
    };
  };

  static FitHints fit_hints() { return {.left_out = "elastic: it has no loop"}; }

  explicit constexpr ElasticLaw(Curve curve) : curve_(std::move(curve)) {}

  constexpr State rest() const { return {Scalar(0), curve_.at(Scalar(0), 1).force, 0}; }

  constexpr Response<Scalar> step(const State& from, const Scalar& u, State& to) const noexcept {
    const int direction = u > from.u ? 1 : u < from.u ? -1 : from.direction;
    const ElasticPoint<Scalar> point = curve_.at(u, direction < 0 ? -1 : 1);
    to.u = u;
    to.f = point.force;
    to.direction = direction;
    return {point.force, point.slope, Scalar(0)};
  }

  constexpr Scalar stored(const State& state) const noexcept { return curve_.energy(state.u); }
  constexpr Scalar next_kink(const State& state, int direction) const noexcept {
    return curve_.next_kink(state.u, direction);
  }

 private:
  Curve curve_;
};

}  // namespace microslip
