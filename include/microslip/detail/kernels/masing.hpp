#pragma once

#include <algorithm>
#include <concepts>
#include <limits>
#include <tuple>
#include <type_traits>
#include <utility>

#include "microslip/core/dual.hpp"
#include "microslip/core/field.hpp"
#include "microslip/core/info.hpp"
#include "microslip/core/response.hpp"
#include "microslip/detail/kernels/turning_points.hpp"

/// Masing's rules: any parallel-series system of sliders, discrete or continuous, under any
/// history, from its backbone g alone.
///
///   virgin:                        f = sgn(u) g(|u|)
///   after the reversal (u_r, f_r): f = f_r + 2 d g(X),  X = |u − u_r|/2,  d = direction
///   passing the previous reversal of the same direction closes a minor loop: forget two;
///   a single reversal is forgotten when |u| reaches |u_1| again.
///
/// Energy. With D(x) = ∫₀ˣ (g − s g') ds, what the sliders lose on the virgin curve, a branch loses
/// 2 D(X), the virgin curve stores ½(x g − D), and a branch stores Ψ_r + ½ (f + f_r)(u − u_r): what
/// is not lost is shared out as if the branch were straight.
namespace microslip {

/// What a backbone answers at one depth x ≥ 0.
template <class Real>
struct BackbonePoint {
  Real force;       ///< g(x)
  Real slope;       ///< g'(x), from the right
  Real dissipated;  ///< D(x)
};

/// An odd curve, given for x ≥ 0; concave if no energy is to be created. A backbone whose loss is
/// an integral without closed form may offer `at(x, x0, D(x0))` too, and integrates from x0 only.
template <class B>
concept Backbone = requires(const B& g, const typename B::Scalar& x) {
  { g.at(x) }
  noexcept->std::same_as<BackbonePoint<typename B::Scalar>>;
  { g.next_kink(x) }
  noexcept->std::same_as<typename B::Scalar>;  ///< first kink > x, or ∞
};

template <class Real, class Reversals = TurningPoints<Real>>
struct MasingState {
  Real u{0};
  Real f{0};
  Real lost{0};       ///< D at the depth reached on the present branch
  int direction = 0;  ///< of the last motion; 0 while virgin
  Reversals reversals;

  static constexpr auto fields = std::tuple{
      state_field(&MasingState::u, "u", "L", "displacement"),
      state_field(&MasingState::f, "f", "F", "force"),
      state_field(&MasingState::lost, "lost", "F L", "loss of the backbone up to the present depth",
                  Parity::even),
      state_field(&MasingState::direction, "direction", "1", "sign of the last motion"),
      state_field(&MasingState::reversals, "reversals", "L,F,F L",
                  "reversals not yet wiped out: displacement, force, stored energy of each"),
  };
};

/// The same memory inside the state of a law whose u and f are something else.
template <class Real>
struct MasingView {
  Real& u;
  Real& f;
  Real& lost;
  int& direction;
  TurningPoints<Real>& reversals;
};

/// The functions below take MasingState or MasingView.
namespace masing {

template <class S>
using ScalarOf = std::remove_cvref_t<decltype(std::declval<const S&>().u)>;

/// The curve a motion in one direction follows until it meets `closing`.
template <class Real>
struct Branch {
  Real origin, force;  ///< where it began; zero for the virgin curve
  double doubling;     ///< 2 after a reversal, 1 on the virgin curve
  Real closing;        ///< where an older branch takes over, or ±∞

  constexpr Real depth(const Real& u, int direction) const {
    return static_cast<double>(direction) * (u - origin) / doubling;
  }
};

template <class S>
constexpr Branch<ScalarOf<S>> branch(const S& s, int direction) {
  using Real = ScalarOf<S>;
  const std::size_t n = s.reversals.size();
  if (n == 0)
    return {Real(0), Real(0), 1, Real(direction * std::numeric_limits<double>::infinity())};
  const auto& r = s.reversals.back();
  return {r.u, r.f, 2, n == 1 ? -r.u : s.reversals[n - 2].u};
}

/// `force` is the share of the parallel system, where s.f holds more than that.
template <class Real, class S>
constexpr Real stored(const S& s, const Real& force) noexcept {
  if (s.reversals.empty()) return 0.5 * (s.u * force - s.lost);
  const auto& r = s.reversals.back();
  return r.stored + 0.5 * (force + r.f) * (s.u - r.u);
}

/// The backbone at depth x, from where its loss is known to be `lost` at depth x0.
template <Backbone B, class Real>
constexpr BackbonePoint<Real> onwards(const B& backbone, const Real& x,
                                      [[maybe_unused]] const Real& x0,
                                      [[maybe_unused]] const Real& lost) noexcept {
  if constexpr (requires { backbone.at(x, x0, lost); })
    return backbone.at(x, x0, lost);
  else
    return backbone.at(x);
}

template <Backbone B, class S, class Real>
constexpr Response<Real> step(const B& backbone, const S& from, const Real& u, S& to) noexcept {
  const int direction = u > from.u ? 1 : u < from.u ? -1 : from.direction;
  const double d = direction;
  const bool reversed = direction * from.direction < 0;
  if (&to != &from) {
    if (!to.reversals.assign(from.reversals))
      return {from.f, Real(0), Real(0), Status::out_of_memory};
    to.u = from.u;
    to.f = from.f;
    to.lost = from.lost;
    to.direction = from.direction;
  }
  if (u == to.u) {
    const Real x = branch(to, direction).depth(to.u, direction);
    return {to.f, onwards(backbone, x, x, to.lost).slope, Real(0)};
  }
  if (reversed) {
    if (!to.reversals.push({to.u, to.f, stored(to, to.f)}))
      return {to.f, Real(0), Real(0), Status::out_of_memory};
    to.lost = Real(0);
  }
  to.direction = direction;

  Real dissipated(0);
  auto on = branch(to, direction);
  Real depth = on.depth(to.u, direction);
  while (d * (u - on.closing) >= 0) {  // an older branch takes over
    const Real corner = on.closing;
    const Real closed =
        onwards(backbone, on.depth(corner, direction), depth, to.lost).dissipated - to.lost;
    dissipated += on.doubling * closed;
    to.reversals.drop(std::min<std::size_t>(2, to.reversals.size()));
    on = branch(to, direction);
    depth = on.depth(corner, direction);
    to.lost = backbone.at(depth).dissipated;
  }
  const BackbonePoint<Real> end = onwards(backbone, on.depth(u, direction), depth, to.lost);
  dissipated += on.doubling * (end.dissipated - to.lost);
  to.u = u;
  to.f = on.force + on.doubling * d * end.force;
  to.lost = end.dissipated;
  return {to.f, end.slope, dissipated};
}

template <Backbone B, class S>
constexpr ScalarOf<S> next_kink(const B& backbone, const S& s, int direction) noexcept {
  using Real = ScalarOf<S>;
  auto on = branch(s, direction);
  if (direction * s.direction < 0)  // a reversal starts a branch that closes at the last one
    on = {s.u, s.f, 2, s.reversals.empty() ? -s.u : s.reversals.back().u};
  const double d = direction;
  const auto place = [&](const Real& depth) { return on.origin + d * on.doubling * depth; };
  Real depth = backbone.next_kink(on.depth(s.u, direction));
  // A kink that rounds to the present displacement counts as passed.
  while (!(d * (place(depth) - s.u) > 0.0)) depth = backbone.next_kink(depth);
  const Real kink = place(depth);
  return direction > 0 ? std::min(kink, on.closing) : std::max(kink, on.closing);
}

/// Back along the present branch, as if the motion since had not been. Not before its beginning.
template <Backbone B, class S, class Real>
constexpr Response<Real> retrace(const B& backbone, S& s, const Real& u) noexcept {
  const auto on = branch(s, s.direction);
  const BackbonePoint<Real> end = backbone.at(on.depth(u, s.direction));
  const Real given_back = on.doubling * (end.dissipated - s.lost);
  s.u = u;
  s.f = on.force + on.doubling * s.direction * end.force;
  s.lost = end.dissipated;
  return {s.f, end.slope, given_back};
}

/// The last kink on the way here along the present branch, or its beginning.
template <Backbone B, class S>
constexpr ScalarOf<S> last_kink(const B& backbone, const S& s) noexcept {
  using Real = ScalarOf<S>;
  const auto on = branch(s, s.direction);
  const double d = s.direction;
  const auto place = [&](const Real& depth) { return on.origin + d * on.doubling * depth; };
  Real depth = backbone.last_kink(on.depth(s.u, s.direction));
  // As in next_kink.
  while (value_of(depth) > 0 && !(d * (s.u - place(depth)) > 0.0))
    depth = backbone.last_kink(depth);
  return place(depth);
}

}  // namespace masing

/// The part of a law that all backbones share. A law derives from it and brings its parameters, its
/// introduction and its curve.
template <Backbone B, class Memory = MasingState<typename B::Scalar>>
class MasingLaw {
 public:
  using Scalar = typename B::Scalar;
  using State = Memory;

  constexpr State rest() const { return {}; }
  constexpr Response<Scalar> step(const State& from, const Scalar& u, State& to) const noexcept {
    return masing::step(backbone_, from, u, to);
  }
  constexpr Scalar stored(const State& state) const noexcept {
    return masing::stored(state, state.f);
  }
  constexpr Scalar next_kink(const State& state, int direction) const noexcept {
    return masing::next_kink(backbone_, state, direction);
  }
  constexpr const B& backbone() const noexcept { return backbone_; }

  /// Energy lost in a steady cycle between −amplitude and amplitude, in closed form.
  constexpr Scalar energy_per_cycle(const Scalar& amplitude) const noexcept {
    return 4.0 * backbone_.at(amplitude).dissipated;
  }

 protected:
  explicit constexpr MasingLaw(B backbone) : backbone_(std::move(backbone)) {}

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
