#pragma once

/// # iwan5: a bolted joint whose sliders lose strength when they slip
///
/// The continuum of sliders of `iwan4`,
///
///     ρ(φ) = R φ^χ on (0, φmax) + S δ(φ − φmax),
///
/// with static and kinetic friction. A slider of strength φ (springs of unit stiffness, so φ is a
/// length) sticks until the stretch s of its spring reaches φ; then s drops to θφ, and the slider
/// slips at that stretch until the motion reverses, when it sticks again. R, S and φmax follow from
/// Fs, KT, χ, β as in `iwan4`: Fs = ∫φρ dφ is the static strength of all sliders together, and the
/// joint slips as a whole at θ Fs. θ = 1 is `iwan4`.
///
/// **Exact, without discretised sliders.** All sliders that stuck last at the same displacement
/// u_r, after a slip to the side σ, have the stretch s(φ) = σθφ + u − u_r (σ = 0: never slipped).
/// So the state is a list of groups, intervals of φ with one (u_r, σ) each. Moving in the direction
/// d, a group slips from its weakest slider up to the front
///
///     φ* = d (u − u_r)/(1 − dσθ),
///
/// which cuts it in two; slipping neighbours become one group. A returning motion meets several
/// fronts at once, one a group, because sliders that slipped must climb from θφ to φ again while
/// those that never slipped go on. Force and energies are sums of the moments of ρ,
/// ∫φ^j R φ^χ dφ = R φ^(χ+1+j)/(χ+1+j).
///
/// Groups are kept like a stack, the weakest on top, where motions begin and end. Below each entry its
/// sums over all stronger groups are known: their force as a function of u, and the displacements at
/// which the first front would enter one of them. So a step works on the groups above the last that
/// it changes, however many reversals lie below.
///
/// Energy: the springs store ½∫ρs². A slider that slips over a distance loses θφ times it; its drop
/// from φ to θφ loses ½(1 − θ²)φ² at once: θ(1 − θ)φ² is the work of friction on the way, and the
/// rest, ½(1 − θ)²φ², is motion that the law does not follow and counts as lost.
///
/// A reversal, however small, makes the slipping sliders stick. A minor loop closes, since every
/// slider that slipped on the way out slips again on the way back, but beyond it the sliders carry
/// more than they would have: for θ < 1 there is no return-point memory and no Masing rule. The
/// force may fall while the displacement grows; it jumps down by S (1 − θ) φmax where the last
/// slider lets go.

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <type_traits>
#include <utility>

#include "microslip/core/concepts.hpp"
#include "microslip/detail/kernels/iwan4_backbone.hpp"
#include "microslip/detail/kernels/turning_points.hpp"

namespace microslip {

template <Number Real>
class Iwan5 {
 public:
  using Scalar = Real;

  struct Params {
    Real Fs{1};
    Real KT{1};
    Real chi{-0.5};
    Real beta{0.1};
    Real theta{0.7};

    static constexpr auto fields = std::tuple{
        field(&Params::Fs, "Fs", "F", positive, "static strength of all sliders together"),
        field(&Params::KT, "KT", "F/L", positive, "tangent stiffness at rest"),
        field(&Params::chi, "chi", "1", left_open_interval(-1, 0),
              "exponent of the slider density: small cycles lose energy like amplitude^(3+chi)"),
        field(&Params::beta, "beta", "1", non_negative,
              "stiffness lost at once at full slip, relative to that lost before"),
        field(&Params::theta, "theta", "1", left_open_interval(0, 1),
              "kinetic over static friction of each slider"),
    };
  };
  using Options = NoOptions;

  /// ∫φ^j ρ dφ for j = 0, 1, 2, without the slider at φmax.
  struct Moments {
    Real zeroth, first, second;
    Moments operator-(const Moments& other) const {
      return {zeroth - other.zeroth, first - other.first, second - other.second};
    }
  };
  /// Of all groups stronger than one: their force is force + slope (u − at), and none of their sliders
  /// slips between the two displacements.
  struct Below {
    Real at{0}, force{0}, slope{0};
    double slips_up = std::numeric_limits<double>::infinity();
    double slips_down = -std::numeric_limits<double>::infinity();
    Moments top{};  ///< of all sliders up to the strongest of the one
  };

  struct State {
    Real u{0};
    Real f{0};
    int direction = 0;      ///< of the last motion; 0 while virgin
    Real lump_stuck_at{0};  ///< the slider at φmax: as in a group
    Real lump_side{0};
    /// Groups by falling strength; a state that was saved by growing strength is turned round. An
    /// entry holds, in this order, where the group stuck last, the strength of its strongest slider,
    /// and its side: 0 if it never slipped, ±1 if it did to that side and sticks, ±2 while it slips.
    TurningPoints<Real> groups;
    /// What is known below each entry; no part of the state, which follows from the groups.
    PointStack<Below, 8> below;

    static constexpr auto kept = &State::below;

    /// After the groups were written from outside.
    void forget() noexcept {
      below.clear();
      for (std::size_t i = 0, j = groups.size(); i + 1 < j; ++i) {
        if (groups[i].f > groups[--j].f) break;
        std::swap(groups[i], groups[j]);
      }
    }

    static constexpr auto fields = std::tuple{
        state_field(&State::u, "u", "L", "displacement"),
        state_field(&State::f, "f", "F", "force"),
        state_field(&State::direction, "direction", "1", "sign of the last motion"),
        state_field(&State::lump_stuck_at, "lump_stuck_at", "L",
                    "where the strongest slider stuck last"),
        state_field(&State::lump_side, "lump_side", "1", "its side, as in a group"),
        state_field(&State::groups, "groups", "L,L,1",
                    "groups of sliders: where they stuck last, largest strength, side (0 never "
                    "slipped, 1 stuck after a slip, 2 slipping, with sign)"),
    };
  };

  static constexpr Info info{
      .name = "iwan5",
      .sentence = "iwan4 with static and kinetic friction: a slider drops to θφ when it slips.",
      .equation =
          "f = ∫ρ(φ) s(φ) dφ,  ρ = R φ^χ on (0, φmax) + S δ(φ − φmax);  s′ = u′ until |s| = φ, "
          "then s = ±θφ until the motion reverses",
      .citation =
          "Mignolet et al., as described in A. T. Mathis, N. N. Balaji, R. J. Kuether, A. R. "
          "Brink, "
          "M. R. W. Brake, D. D. Quinn, A review of damping models for structures with mechanical "
          "joints, Applied Mechanics Reviews 72 (2020) 040802, doi:10.1115/1.4047707",
      .claims = {.odd = holds,
                 .rate_independent = holds,
                 .masing = depends("theta = 1"),
                 .return_point_memory = depends("theta = 1"),
                 .minor_loops_close = holds,
                 .dissipative = holds,
                 .bounded = holds,
                 .planar_isotropic = not_applicable},
  };

  explicit Iwan5(const Params& params, const Options& = {})
      : theta_(params.theta),
        density_(params.Fs, params.KT, params.chi, params.beta),
        exponent_(density_.chi + 1.0),
        zeroth_(density_.R / exponent_),
        first_(density_.R / (density_.chi + 2.0)),
        second_(density_.R / (density_.chi + 3.0)) {
    check_fields(info.name, params);
  }

  State rest() const {
    State state;
    static_cast<void>(state.groups.push({Real(0), density_.phi_max, Real(0)}));
    return state;
  }

  Response<Real> step(const State& from, const Real& u, State& to) const noexcept {
    const Response<Real> no_memory{from.f, Real(0), Real(0), Status::out_of_memory};
    if (&to != &from) {
      if (!to.groups.assign(from.groups) || !to.below.assign(from.below)) return no_memory;
      to.u = from.u;
      to.f = from.f;
      to.direction = from.direction;
      to.lump_stuck_at = from.lump_stuck_at;
      to.lump_side = from.lump_side;
    }
    if (!know_below(to)) return no_memory;
    if (u == to.u) return {to.f, carried(to).slope, Real(0)};
    const int direction = u > to.u ? 1 : -1;
    const std::size_t first = first_that_changes(to, value_of(u), direction);
    const std::size_t count = to.groups.size() - first;
    if (!to.groups.resize(first + 3 * count)) return no_memory;
    const Real lost = slip(to, first, count, u, direction);
    to.u = u;
    to.direction = direction;
    if (!know_below(to)) return no_memory;
    const Carried now = carried(to);
    to.f = now.force;
    return {to.f, now.slope, lost};
  }

  Real stored(const State& state) const noexcept {
    Real sum(0);
    Moments below = moments(Real(0));
    for (std::size_t i = state.groups.size(); i-- > 0;) {
      const Group group = seen(state.groups[i], state.u, state.u);
      const Moments here = moments(group.top);
      const Moments m = here - below;
      const Real slope = group.side * theta_;
      sum += slope * slope * m.second + 2.0 * slope * group.climb * m.first +
             group.climb * group.climb * m.zeroth;
      below = here;
    }
    const Real s = lump(state).stretch(density_.phi_max, theta_);
    return 0.5 * (sum + density_.S * s * s);
  }

  /// Where a front enters a group or leaves it, and where the slider at φmax lets go.
  Real next_kink(const State& state, int direction) const noexcept {
    const double d = direction;
    Real next(d * std::numeric_limits<double>::infinity());
    const auto consider = [&](const Group& group, const Real& strength) {
      const Real kink = lets_go_at(group, strength, d);
      // A front inside a group is where the motion is, up to rounding: no kink, and it must not hide
      // the next one.
      const double rounding = 1e-15 * (std::abs(value_of(state.u)) +
                                       std::abs(value_of(group.stuck_at)) + 2 * value_of(strength));
      if (d * (kink - state.u) > rounding && d * (kink - next) < 0.0) next = kink;
    };
    Real low(0);
    for (std::size_t i = state.groups.size(); i-- > 0;) {
      const Group group = seen(state.groups[i], state.u, state.u);
      if (!(group.slips && direction == state.direction)) {
        consider(group, low);
        consider(group, group.top);
      }
      low = group.top;
    }
    const Group last = lump(state);
    if (!(last.slips && direction == state.direction)) consider(last, density_.phi_max);
    return next;
  }

  /// Displacement at which the last slider slips first.
  Real slip_displacement() const noexcept { return density_.phi_max; }

  /// Energy lost in a steady cycle between −amplitude and amplitude: the sliders that slipped on
  /// the way to the amplitude slip in each half of it.
  Real energy_per_cycle(const Real& amplitude) const noexcept {
    const bool all = amplitude >= density_.phi_max;
    Moments m = moments(all ? density_.phi_max : amplitude);
    if (all) {
      m.first += density_.S * density_.phi_max;
      m.second += density_.S * density_.phi_max * density_.phi_max;
    }
    return 2.0 * loss(m, -1, 2.0 * amplitude);
  }

 private:
  /// A group as it looks at some displacement. A slipping group counts as stuck here and now: that
  /// is what it becomes when the motion reverses.
  struct Group {
    Real stuck_at, top;
    double side;  ///< of its last slip
    bool slips;
    Real climb;  ///< displacement since it stuck
    Real stretch(const Real& strength, const Real& theta) const {
      return side * theta * strength + climb;
    }
  };

  static Group seen(const TurningPoint<Real>& entry, const Real& here, const Real& u) noexcept {
    const double side = value_of(entry.stored);
    const bool slips = std::abs(side) > 1;
    const Real& stuck_at = slips ? here : entry.u;
    return {stuck_at, entry.f, slips ? side / 2 : side, slips, u - stuck_at};
  }
  Group lump(const State& state) const noexcept {
    return seen({state.lump_stuck_at, density_.phi_max, state.lump_side}, state.u, state.u);
  }

  /// φ^(χ+1). On dual numbers one power gives the derivatives as well.
  Real power(const Real& strength) const noexcept {
    const double base = value_of(strength);
    if (!(base > 0)) return Real(0);
    Real result(std::pow(base, value_of(exponent_)));
    if constexpr (!std::is_same_v<Real, double>)
      result.v = result.a * (exponent_.a / base * strength.v + std::log(base) * exponent_.v);
    return result;
  }
  Moments moments(const Real& strength) const noexcept {
    const Real p = power(strength), q = p * strength;
    return {zeroth_ * p, first_ * q, second_ * (q * strength)};
  }

  /// Where a slider of the group begins to slip in the direction d.
  Real lets_go_at(const Group& group, const Real& strength, double d) const noexcept {
    return group.stuck_at + d * strength * (1.0 - d * group.side * theta_);
  }

  /// The strongest slider of the group that a motion in the direction d has made slip.
  Real front(const Group& group, double d) const noexcept {
    const Real share = 1.0 - d * group.side * theta_;
    // θ = 1: after the return to where they stuck, all slip at once.
    if (share == 0.0)
      return Real(std::numeric_limits<double>::infinity() * (d * group.climb >= 0.0 ? 1 : -1));
    return d * group.climb / share;
  }

  /// What sliders with these moments lose that stuck after a slip to the side a (relative to the
  /// motion) and since moved by x: they slip after φ(1 − aθ), drop, and go on at θφ.
  Real loss(const Moments& m, double a, const Real& x) const noexcept {
    return m.second * (0.5 * (1.0 - theta_ * theta_) - theta_ * (1.0 - a * theta_)) +
           m.first * theta_ * x;
  }

  /// Sums below the entries that have none yet. False when memory is exhausted.
  bool know_below(State& state) const noexcept {
    const TurningPoints<Real>& groups = state.groups;
    for (std::size_t i = state.below.size(); i < groups.size(); ++i) {
      Below here;
      here.top = moments(groups[i].f);
      if (i > 0) {
        const Below& before = std::as_const(state.below)[i - 1];
        const Group group = seen(groups[i - 1], groups[i - 1].u, groups[i - 1].u);
        const Moments m = before.top - here.top;
        here.at = group.stuck_at;
        here.slope = before.slope;
        here.force =
            before.force + before.slope * (here.at - before.at) + group.side * theta_ * m.first;
        if (group.slips) {
          here.slips_up = -std::numeric_limits<double>::infinity();
          here.slips_down = std::numeric_limits<double>::infinity();
        } else {
          here.slope += m.zeroth;
          here.slips_up = std::min(before.slips_up, value_of(lets_go_at(group, groups[i].f, 1)));
          here.slips_down =
              std::max(before.slips_down, value_of(lets_go_at(group, groups[i].f, -1)));
        }
      }
      if (!state.below.push(here)) return false;
    }
    return true;
  }

  /// The strongest group that a motion to u may change; the weakest one counts as changing.
  std::size_t first_that_changes(const State& state, double u, int direction) const noexcept {
    std::size_t i = state.groups.size() - 1;
    // Where u is zero, limits still have the rounding of the strengths that they are made of.
    const double rounding = 2e-12 * std::abs(u) + 4e-15 * value_of(density_.phi_max);
    const auto stay = [&](const Below& below) {
      const double limit = direction > 0 ? below.slips_up : below.slips_down;
      // A change within rounding is none, and does no harm to look at.
      return direction * (limit - u) * (1 - 1e-12) > rounding;
    };
    while (i > 0 && !stay(state.below[i])) --i;
    return i;
  }

  /// Moves the fronts to u and answers the energy lost. The groups from `first` on, `count` of them,
  /// are read from the weakest on; they and those that result, at most two for one, lie in a list that
  /// is 2 `count` longer than that of the groups.
  Real slip(State& to, std::size_t first, std::size_t count, const Real& u,
            int direction) const noexcept {
    const double d = direction;
    const bool reverses = direction != to.direction;
    auto& groups = to.groups;
    const std::size_t source = first + 2 * count;
    for (std::size_t i = 0; i < count; ++i) groups[source + i] = groups[first + count - 1 - i];
    std::size_t kept = first;
    const auto keep = [&](const Group& group, const Real& top, bool slips) {
      const Real side(slips ? 2 * d : group.side);
      if (kept > first && slips && groups[kept - 1].stored == side)
        groups[kept - 1].f = top;
      else
        groups[kept++] = {slips ? u : group.stuck_at, top, side};
    };
    Real lost(0), low(0);
    Moments below = moments(low);
    for (std::size_t i = 0; i < count; ++i) {
      const Group group = seen(groups[source + i], to.u, u);
      const bool slides = group.slips && !reverses;
      Real end = slides ? group.top : front(group, d);
      const bool all = slides || end > group.top;
      if (all) end = group.top;
      const Moments& top = to.below[first + count - 1 - i].top;
      if (end > low) {
        const Moments here = all ? top : moments(end);
        lost += slides ? theta_ * d * group.climb * (here - below).first
                       : loss(here - below, d * group.side, d * group.climb);
        keep(group, end, true);
      }
      if (!(end >= group.top)) keep(group, group.top, false);
      low = group.top;
      below = top;
    }
    static_cast<void>(groups.resize(kept));
    for (std::size_t i = first, j = kept; i + 1 < j; ++i) std::swap(groups[i], groups[--j]);
    // The strength up to which the first of them goes is what it was.
    static_cast<void>(to.below.resize(first + 1));

    const Group last = seen({to.lump_stuck_at, density_.phi_max, to.lump_side}, to.u, u);
    const Real& phi = density_.phi_max;
    const Moments m{density_.S, density_.S * phi, density_.S * phi * phi};
    const bool slides = last.slips && !reverses;
    // At the kink that next_kink answers it has let go, whatever rounding makes of its front: a method
    // that stops there goes on with the force behind the jump.
    const bool slips = slides || d * (u - lets_go_at(last, phi, d)) >= 0.0;
    if (slides)
      lost += theta_ * d * last.climb * m.first;
    else if (slips)
      lost += loss(m, d * last.side, d * last.climb);
    to.lump_stuck_at = slips ? u : last.stuck_at;
    to.lump_side = Real(slips ? 2 * d : last.side);
    return lost;
  }

  struct Carried {
    Real force, slope;
  };
  Carried carried(const State& state) const noexcept {
    const double d = state.direction;
    const std::size_t weakest = state.groups.size() - 1;
    const Below& below = state.below[weakest];
    const Group top = seen(state.groups[weakest], state.u, state.u);
    const Moments& m = below.top;
    Carried sum{below.force + below.slope * (state.u - below.at) +
                    (top.side * theta_ * m.first + top.climb * m.zeroth),
                below.slope};
    if (!top.slips) sum.slope += m.zeroth;
    // Sliders at a front inside a group drop by (1 − θ)φ as it moves on.
    Real low(0);
    for (std::size_t i = weakest + 1;
         i-- > first_that_changes(state, value_of(state.u), d > 0 ? 1 : -1);) {
      const Group group = seen(state.groups[i], state.u, state.u);
      const Real at = front(group, d);
      if (!group.slips && at >= low && at < group.top)
        sum.slope -= density_.R * power(low) * (1.0 - theta_) / (1.0 - d * group.side * theta_);
      low = group.top;
    }
    const Group last = lump(state);
    sum.force += density_.S * last.stretch(density_.phi_max, theta_);
    if (!last.slips) sum.slope += density_.S;
    return sum;
  }

  Real theta_;
  Iwan4Backbone<Real> density_;
  Real exponent_, zeroth_, first_, second_;  ///< χ + 1; factors of the moments
};

}  // namespace microslip
