#pragma once

#include <concepts>
#include <limits>
#include <tuple>
#include <utility>

#include "microslip/core/dual.hpp"
#include "microslip/core/field.hpp"
#include "microslip/core/info.hpp"
#include "microslip/core/response.hpp"
#include "microslip/core/turning_points.hpp"

/// Masing's rules: any parallel-series system of sliders, discrete or continuous, under any
/// history, from its backbone g alone.
///
///   virgin:                        f = sgn(u) g(|u|)
///   after the reversal (u_r, f_r): f = f_r + 2 d g(X),  X = |u − u_r|/2,  d = direction
///   passing the previous reversal of the same direction closes a minor loop: forget two;
///   a single reversal is forgotten when |u| reaches |u_1| again.
///
/// Energy. With D(x) = ∫₀ˣ (g − s g') ds, what the sliders lose on the virgin curve, a branch loses
/// 2 D(X), the virgin curve stores ½(x g − D), and a branch stores Ψ_r + 2X (d f_r + g(X)).
namespace microslip {

/// An odd, concave curve, given for x ≥ 0.
template <class B>
concept Backbone = requires(const B& g, const typename B::Scalar& x) {
  { g.force(x) }
  noexcept->std::same_as<typename B::Scalar>;  ///< g(x)
  { g.slope(x) }
  noexcept->std::same_as<typename B::Scalar>;  ///< g'(x), from the right
  { g.dissipated(x) }
  noexcept->std::same_as<typename B::Scalar>;  ///< D(x)
  { g.next_kink(x) }
  noexcept->std::same_as<typename B::Scalar>;  ///< first kink > x, or ∞
};

template <class Real>
struct MasingState {
  Real u{0};
  Real f{0};
  int direction = 0;  ///< of the last motion; 0 while virgin
  TurningPoints<Real> reversals;

  static constexpr auto fields = std::tuple{
      state_field(&MasingState::u, "u", "L", "displacement"),
      state_field(&MasingState::f, "f", "F", "force"),
      state_field(&MasingState::direction, "direction", "1", "sign of the last motion"),
      state_field(&MasingState::reversals, "reversals", "L,F,F L",
                  "reversals not yet wiped out: displacement, force, stored energy of each"),
  };
};

namespace masing {

/// The curve a motion in one direction follows until it meets `closing`.
template <class Real>
struct Branch {
  Real origin, force, stored;  ///< where it began; zero for the virgin curve
  double doubling;             ///< 2 after a reversal, 1 on the virgin curve
  Real closing;                ///< where an older branch takes over, or ±∞

  Real depth(const Real& u, int direction) const {
    return static_cast<double>(direction) * (u - origin) / doubling;
  }
};

template <class Real>
Branch<Real> branch(const MasingState<Real>& s, int direction) {
  const std::size_t n = s.reversals.size();
  if (n == 0)
    return {Real(0), Real(0), Real(0), 1,
            Real(direction * std::numeric_limits<double>::infinity())};
  const auto& r = s.reversals.back();
  return {r.u, r.f, r.stored, 2, n == 1 ? -r.u : s.reversals[n - 2].u};
}

template <Backbone B, class Real>
Real stored(const B& backbone, const MasingState<Real>& s) noexcept {
  const auto on = branch(s, s.direction);
  const Real x = on.depth(s.u, s.direction);
  const Real g = backbone.force(x);
  if (s.reversals.empty()) return 0.5 * (x * g - backbone.dissipated(x));
  return on.stored + 2.0 * x * (static_cast<double>(s.direction) * on.force + g);
}

template <Backbone B, class Real>
Response<Real> step(const B& backbone, const MasingState<Real>& from, const Real& u,
                    MasingState<Real>& to) noexcept {
  const int direction = u > from.u ? 1 : u < from.u ? -1 : from.direction;
  const double d = direction;
  const bool reversed = direction * from.direction < 0;
  if (&to != &from) {
    if (!to.reversals.assign(from.reversals))
      return {from.f, Real(0), Real(0), Status::out_of_memory};
    to.u = from.u;
    to.f = from.f;
    to.direction = from.direction;
  }
  if (u == to.u) {
    const Real x = branch(to, direction).depth(to.u, direction);
    return {to.f, backbone.slope(x), Real(0)};
  }
  if (reversed && !to.reversals.push({to.u, to.f, stored(backbone, to)}))
    return {to.f, Real(0), Real(0), Status::out_of_memory};
  to.direction = direction;

  Real dissipated(0);
  Real reached = to.u;
  auto on = branch(to, direction);
  const auto follow = [&](const Real& target) {
    dissipated += on.doubling * (backbone.dissipated(on.depth(target, direction)) -
                                 backbone.dissipated(on.depth(reached, direction)));
    reached = target;
  };
  while (d * (u - on.closing) >= 0) {  // an older branch takes over
    follow(on.closing);
    to.reversals.drop(std::min<std::size_t>(2, to.reversals.size()));
    on = branch(to, direction);
  }
  follow(u);

  const Real x = on.depth(u, direction);
  to.u = u;
  to.f = on.force + on.doubling * d * backbone.force(x);
  return {to.f, backbone.slope(x), dissipated};
}

template <Backbone B, class Real>
Real next_kink(const B& backbone, const MasingState<Real>& s, int direction) noexcept {
  auto on = branch(s, direction);
  if (direction * s.direction < 0)  // a reversal starts a branch that closes at the last one
    on = {s.u, s.f, Real(0), 2, s.reversals.empty() ? -s.u : s.reversals.back().u};
  const double d = direction;
  const auto place = [&](const Real& depth) { return on.origin + d * on.doubling * depth; };
  Real depth = backbone.next_kink(on.depth(s.u, direction));
  // A kink that rounds to the present displacement counts as passed.
  while (!(d * (place(depth) - s.u) > 0.0)) depth = backbone.next_kink(depth);
  const Real kink = place(depth);
  return direction > 0 ? std::min(kink, on.closing) : std::max(kink, on.closing);
}

}  // namespace masing

/// The part of a law that all backbones share. A law derives from it and brings its parameters, its
/// introduction and its curve.
template <Backbone B>
class MasingLaw {
 public:
  using Scalar = typename B::Scalar;
  using State = MasingState<Scalar>;

  State rest() const { return {}; }
  Response<Scalar> step(const State& from, const Scalar& u, State& to) const noexcept {
    return masing::step(backbone_, from, u, to);
  }
  Scalar stored(const State& state) const noexcept { return masing::stored(backbone_, state); }
  Scalar next_kink(const State& state, int direction) const noexcept {
    return masing::next_kink(backbone_, state, direction);
  }
  const B& backbone() const noexcept { return backbone_; }

  /// Energy lost in a steady cycle between −amplitude and amplitude, in closed form.
  Scalar energy_per_cycle(const Scalar& amplitude) const noexcept {
    return 4.0 * backbone_.dissipated(amplitude);
  }

 protected:
  explicit MasingLaw(B backbone) : backbone_(std::move(backbone)) {}

 private:
  B backbone_;
};

/// What Masing's rules imply for any backbone that levels off.
inline constexpr Claims masing_claims{.odd = holds,
                                      .rate_independent = holds,
                                      .masing = holds,
                                      .return_point_memory = holds,
                                      .minor_loops_close = holds,
                                      .dissipative = holds,
                                      .bounded = holds,
                                      .planar_isotropic = not_applicable};

}  // namespace microslip
