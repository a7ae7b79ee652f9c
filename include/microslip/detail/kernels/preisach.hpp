#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <limits>
#include <tuple>
#include <type_traits>
#include <utility>

#include "microslip/core/dual.hpp"
#include "microslip/core/field.hpp"
#include "microslip/core/response.hpp"
#include "microslip/detail/kernels/turning_points.hpp"

/// Preisach's operator beside a spring, by areas in the plane of switching places.
///
/// A relay (a, b) falls by 2 where u rises through a and comes back where u falls through b ≤ a; at
/// rest those with a + b > 0 are up, the others down. A motion upwards to a passes the relays of a
/// strip of the plane: along b from the last reversal to a, or from −a to a on the virgin curve. So
///
///     f = f₀ + k (u − u₀) − 2 d ∬ μ,   what is lost = ∬ μ (a − b),
///     work = f₀ (u − u₀) + ½ k (u − u₀)² − 2 ∬ μ |u − s|,
///
/// over the strip between u₀ and u, d the direction and s the place at which a relay switches. Passing the
/// reversal before the last one closes a minor loop; a single reversal is forgotten where |u|
/// reaches it again.
namespace microslip {

/// Sums over a line or a strip of relays.
template <class Real>
struct PreisachLine {
  Real count{0};  ///< ∫ μ
  Real width{0};  ///< ∫ μ (a − b)
};
template <class Real>
struct PreisachStrip {
  Real count{0};  ///< ∬ μ
  Real ahead{0};  ///< ∬ μ |end − s|
  Real width{0};  ///< ∬ μ (a − b)
};

/// In the coordinates of a motion: it switches relays at s, and they switch back at r ≤ s. Moving up
/// these are a and b, moving down −b and −a. The line at s begins at a fixed r, or at −s.
template <class D, class Real>
concept PreisachDensity = requires(const D& density, int d, const Real& s, bool virgin) {
  { density.count(d, s, s, virgin) } -> std::same_as<Real>;  ///< ∫ μ dr along the line at s
  { density.strip(d, s, s, s, virgin) } -> std::same_as<PreisachStrip<Real>>;
  { density.next_break(d, s, virgin) } -> std::same_as<Real>;
};

template <class Real>
struct PreisachState {
  Real u{0};
  Real f{0};
  Real energy{0};
  int direction = 0;  ///< of the last motion; 0 while virgin
  TurningPoints<Real> reversals;

  static constexpr auto fields = std::tuple{
      state_field(&PreisachState::u, "u", "L", "displacement"),
      state_field(&PreisachState::f, "f", "F", "force"),
      state_field(&PreisachState::energy, "energy", "F L", "stored energy", Parity::even),
      state_field(&PreisachState::direction, "direction", "1", "sign of the last motion"),
      state_field(&PreisachState::reversals, "reversals", "L,F,F L",
                  "reversals not yet wiped out: displacement, force, stored energy of each"),
  };
};

/// The part that laws with different densities share.
template <Number Real, PreisachDensity<Real> Density>
class PreisachLaw {
 public:
  using Scalar = Real;
  using State = PreisachState<Real>;

  State rest() const { return {}; }
  Real stored(const State& state) const noexcept { return state.energy; }

  Response<Real> step(const State& from, const Real& u, State& to) const noexcept {
    const int direction = u > from.u ? 1 : u < from.u ? -1 : from.direction;
    const bool reversed = direction * from.direction < 0;
    if (&to != &from) {
      if (!to.reversals.assign(from.reversals))
        return {from.f, Real(0), Real(0), Status::out_of_memory};
      to.u = from.u;
      to.f = from.f;
      to.energy = from.energy;
      to.direction = from.direction;
    }
    if (u == to.u) return {to.f, tangent(branch(to, direction), to.u), Real(0)};
    if (reversed && !to.reversals.push({to.u, to.f, to.energy}))
      return {to.f, Real(0), Real(0), Status::out_of_memory};
    to.direction = direction;

    Real lost(0);
    Branch on = branch(to, direction);
    while (static_cast<double>(direction) * (u - on.closing) >=
           0.0) {  // an older branch takes over
      lost += advance(on, on.closing, to);
      const std::size_t n = to.reversals.size();
      if (n > 1) {  // where that one was left is known, and errors of sums end here
        to.f = to.reversals[n - 2].f;
        to.energy = to.reversals[n - 2].stored;
      }
      to.reversals.drop(std::min<std::size_t>(2, n));
      on = branch(to, direction);
    }
    lost += advance(on, u, to);
    Response<Real> reply{to.f, tangent(on, u), lost};
    if (!std::isfinite(value_of(reply.force))) reply.status = Status::undefined;
    return reply;
  }

  Real next_kink(const State& state, int direction) const noexcept {
    Branch on = branch(state, direction);
    if (direction * state.direction < 0)  // a reversal starts a branch that closes at the last one
      on = {direction, false, state.u,
            state.reversals.empty() ? -state.u : state.reversals.back().u};
    const double d = direction;
    const Real kink = d * density_.next_break(direction, d * state.u, on.virgin);
    return direction > 0 ? std::min(kink, on.closing) : std::max(kink, on.closing);
  }

 protected:
  PreisachLaw(const Real& k, Density density) : k_(k), density_(std::move(density)) {}
  const Density& density() const noexcept { return density_; }

 private:
  struct Branch {
    int direction;
    bool virgin;
    Real origin;   ///< the last reversal
    Real closing;  ///< where an older branch takes over, or ±∞
  };

  static Branch branch(const State& s, int direction) noexcept {
    const std::size_t n = s.reversals.size();
    if (n == 0)
      return {direction, true, Real(0), Real(direction * std::numeric_limits<double>::infinity())};
    const auto& last = s.reversals.back();
    return {direction, false, last.u, n == 1 ? Real(-last.u) : s.reversals[n - 2].u};
  }

  Real tangent(const Branch& on, const Real& u) const noexcept {
    if (on.direction == 0) return k_;  // nothing has moved yet
    const double d = on.direction;
    return k_ - 2.0 * density_.count(on.direction, d * u, d * on.origin, on.virgin);
  }

  /// Moves along one branch; what is lost on the way.
  Real advance(const Branch& on, const Real& u, State& to) const noexcept {
    const double d = on.direction;
    const Real start = d * to.u, end = d * u, way = end - start;
    if (!(way > 0.0)) return Real(0);
    const auto sum = density_.strip(on.direction, start, end, d * on.origin, on.virgin);
    to.energy += d * to.f * way + 0.5 * k_ * way * way - 2.0 * sum.ahead - sum.width;
    to.f += d * (k_ * way - 2.0 * sum.count);
    to.u = u;
    return sum.width;
  }

  Real k_;
  Density density_;
};

}  // namespace microslip
