#pragma once

/// Friction whose bristles are Jenkins elements in parallel: what `lampaert` and `leuven` share.
///
///     f = Fh + σ1 z' + σ2 u',   Fh = Σ_i stop_{φ_i}[k_i z]
///     dz/dx = 1 − sgn(y) |y/L|^n,   x the length of the motion, y a force along it, L its limit
///     S(v) = fc + (fs − fc) exp(−(|v|/vs)^δ)
///
/// They differ in where y and L count from, and in what z does when a limit that fell with speed
/// leaves y above L, so that z moves against the motion:
///
///     elements   y = Fh d, L = S;          a reversal of z, which the elements remember
///     branch     y = (Fh − Fb) d, L = S − Fb d, Fb = Fh where u last reversed (0 while virgin);
///                z goes back along the branch on which it came
///
/// At constant velocity, and on a straight piece of Masing's curve, y/L obeys the Bouc–Wen equation
/// with A = g = h = K/L: a step is exact, from corner to corner, but for the last of the way down
/// from above the limit, which is error-controlled (kernels/presliding.hpp).
///
/// A branch that begins above the limit (d Fb > S: a slow reversal, then a fast one) has no law:
/// the status is `undefined`, and the state stays as it was.
///
/// Energy: Ψ is that of the Masing model at z.
///
/// Where a corner is reached depends on the velocity, which next_kink is not told: it answers
/// infinity.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string_view>
#include <tuple>
#include <vector>

#include "microslip/core/field.hpp"
#include "microslip/core/response.hpp"
#include "microslip/detail/kernels/bristles.hpp"
#include "microslip/detail/kernels/masing.hpp"
#include "microslip/detail/kernels/polyline_backbone.hpp"
#include "microslip/detail/kernels/presliding.hpp"
#include "microslip/detail/kernels/relaxation.hpp"
#include "microslip/detail/kernels/sliding.hpp"
#include "microslip/detail/numerics/with_tangent.hpp"

namespace microslip {

/// Where the force that slides the bristles counts from.
enum class SlidesFrom { elements, branch };

template <Number Real, SlidesFrom origin>
struct MasingFrictionParams {
  Real sigma1{0.1};
  Real sigma2{0.1};
  Real fc{1};
  Real fs{origin == SlidesFrom::branch ? 1 : 1.2};  ///< with fs = fc no motion is undefined
  Real vs{0.5};
  Real delta{2};
  Real n{2};
  std::vector<Real> k{Real(1), Real(1), Real(1)};
  std::vector<Real> phi{Real(0.2), Real(0.4), Real(1)};
  static constexpr auto fields = std::tuple{
      bristle_rows::sigma1<MasingFrictionParams>(),
      bristle_rows::sigma2<MasingFrictionParams>(),
      field(&MasingFrictionParams::fc, "fc", "F", positive, "friction of fast sliding"),
      field(&MasingFrictionParams::fs, "fs", "F", positive, "friction at the onset of sliding"),
      bristle_rows::vs<MasingFrictionParams>(),
      field(&MasingFrictionParams::delta, "delta", "1", positive, "sharpness of the transition"),
      field(&MasingFrictionParams::n, "n", "1", positive, "sharpness of the way to sliding"),
      field(&MasingFrictionParams::k, "k", "F/L", positive, "stiffness of each element"),
      field(&MasingFrictionParams::phi, "phi", "F", positive, "slip force of each element"),
  };
};

template <Number Real>
struct MasingFrictionState {
  Real u{0};
  Real f{0};
  Real z{0};
  Real friction{0};
  Real lost{0};
  int direction = 0;
  TurningPoints<Real> reversals;
  static constexpr auto fields = std::tuple{
      state_field(&MasingFrictionState::u, "u", "L", "displacement"),
      state_field(&MasingFrictionState::f, "f", "F", "force"),
      state_field(&MasingFrictionState::z, "z", "L", "bend of the bristles"),
      state_field(&MasingFrictionState::friction, "friction", "F", "force of the elements"),
      state_field(&MasingFrictionState::lost, "lost", "F L",
                  "loss of the backbone up to the present depth", Parity::even),
      state_field(&MasingFrictionState::direction, "direction", "1",
                  "sign of the last motion of z"),
      state_field(&MasingFrictionState::reversals, "reversals", "L,F,F L",
                  "reversals of z not yet wiped out: bend, force, stored energy of each"),
  };
};

template <Number Real, SlidesFrom origin>
class MasingFrictionLaw {
 public:
  using Scalar = Real;
  using Params = MasingFrictionParams<Real, origin>;
  using Options = NoOptions;
  using State = MasingFrictionState<Real>;

  State rest() const { return {}; }

  Response<Real> step(const State& from, const Real& u, double dt, State& to) const noexcept {
    const double v_slope = relaxation::velocity_slope(dt);
    if (&to != &from && !copy(from, to)) return {from.f, Real(0), Real(0), Status::out_of_memory};
    if (dt == 0 || u == to.u) {
      if (dt != 0) to.f = to.friction;
      const Real corner = masing::next_kink(backbone_, elements(to), 1);
      const T slope = fixed(stiffness(to, 1, corner)) + (sigma1_ + sigma2_) * v_slope;
      return {to.f, settled<Real>(slope), Real(0)};
    }
    const T du = moving(u) - fixed(to.u);
    const double d = du > 0.0 ? 1 : -1;
    const T v = relaxation::velocity(du, dt);
    const Leg leg = follow(to, d, curve_.at(d * v).force, d * du);
    if (leg.status == Status::undefined) return {to.f, Real(0), Real(0), leg.status};
    const T f = leg.force + (sigma1_ * leg.rate + sigma2_) * v;
    const T lost = leg.lost + (sigma1_ * leg.z + sigma2_ * du) * v;
    to.u = u;
    to.f = settled<Real>(f);
    return {to.f, Real(slope_along(f)), settled<Real>(lost) + leg.slipped, leg.status};
  }

  constexpr ForceInMotion<Real> force(const State& at, const Real& v) const noexcept {
    if (v == 0.0) return {at.friction, settled<Real>(sigma1_ + sigma2_)};
    const double d = v > 0.0 ? 1 : -1;
    const T speed = moving(v);
    const T from = fixed(base(at, static_cast<int>(d)));
    const T S = curve_.at(d * speed).force, limit = S - from;
    const T y = d * fixed(at.friction) - from;
    T rate(0);
    if (!begins_at_limit(S, limit))
      rate = flow_.rate(limit, y);
    else if (!stays_at_limit(S, limit, y))
      return {at.f, Real(0), Status::undefined};
    const T f = fixed(at.friction) + (sigma1_ * rate + sigma2_) * speed;
    return {settled<Real>(f), Real(slope_along(f))};
  }

  Real stored(const State& s) const noexcept { return masing::stored(seen(s), s.friction); }
  Real next_kink(const State&, int direction) const noexcept {
    return Real(direction * std::numeric_limits<double>::infinity());
  }

 protected:
  MasingFrictionLaw(std::string_view name, const Params& params)
      : backbone_(built(name, params)),
        sigma1_(fixed(params.sigma1)),
        sigma2_(fixed(params.sigma2)),
        curve_{fixed(params.fc), fixed(params.fs), fixed(params.vs), fixed(params.delta)},
        flow_(fixed(params.n)) {}

 private:
  using T = WithTangent<Real>;
  struct Leg {
    T force{0}, z{0}, rate{1}, lost{0};
    Real slipped{0};  ///< energy lost in the elements
    Status status = Status::ok;
  };

  static MasingView<Real> elements(State& s) {
    return {s.z, s.friction, s.lost, s.direction, s.reversals};
  }
  struct Seen {
    const Real &u, &f, &lost;
    const int& direction;
    const TurningPoints<Real>& reversals;
  };
  static Seen seen(const State& s) { return {s.z, s.friction, s.lost, s.direction, s.reversals}; }

  static bool copy(const State& from, State& to) noexcept {
    if (!to.reversals.assign(from.reversals)) return false;
    to.u = from.u;
    to.f = from.f;
    to.z = from.z;
    to.friction = from.friction;
    to.lost = from.lost;
    to.direction = from.direction;
    return true;
  }

  /// A branch may begin at the limit or above, where it stays or has no law.
  static bool begins_at_limit(const T& S, const T& limit) noexcept {
    return value_of(limit) <= 1e-12 * value_of(S);
  }
  static bool stays_at_limit(const T& S, const T& limit, const T& y) noexcept {
    return std::abs(value_of(y) - value_of(limit)) <= 1e-12 * value_of(S);
  }

  /// d Fb.
  Real base(const State& s, int direction) const noexcept {
    if constexpr (origin == SlidesFrom::elements) return Real(0);
    const double d = direction;
    return d *
           (direction * s.direction < 0 ? s.friction : masing::branch(seen(s), direction).force);
  }

  /// Of the elements on the way of z from here to `corner`. In the middle, since at a corner
  /// rounding decides between two pieces.
  Real stiffness(State& s, int direction, const Real& corner) const noexcept {
    if (std::isinf(value_of(corner)))
      return backbone_.at(Real(std::numeric_limits<double>::max())).slope;
    const Real middle = 0.5 * (s.z + corner);
    if (direction * s.direction < 0)
      return backbone_.at(Real(0.5 * direction * (middle - s.z))).slope;
    return backbone_.at(masing::branch(elements(s), direction).depth(middle, direction)).slope;
  }

  /// Force of the elements on the present branch, all slipping.
  Real plateau(State& s, int direction) const noexcept {
    const auto on = masing::branch(elements(s), direction);
    return on.force +
           on.doubling * direction * backbone_.at(Real(std::numeric_limits<double>::max())).force;
  }

  /// A place of z closer than this to the corner that closes a loop is that corner, for a law whose
  /// limit counts from the branch. Sliding at the speed of an earlier time ends where that did, at
  /// this corner; it comes close and never passes, and nothing but rounding, of du/dt above all,
  /// would decide whether the loop is closed. In parts of the branch, however much of it is left;
  /// 0 for other corners.
  double closing_length(State& s, int side, const Real& corner) const noexcept {
    if constexpr (origin == SlidesFrom::elements) return 0;
    const bool turns = side * s.direction < 0;
    const auto on = masing::branch(elements(s), side);
    const double start = value_of(turns ? s.z : on.origin);
    const Real closing = !turns ? on.closing : s.reversals.empty() ? -s.z : s.reversals.back().u;
    if (corner != closing || std::isinf(value_of(corner))) return 0;
    return 1e-12 * (std::abs(value_of(corner)) + std::abs(start));
  }

  /// Kept out of line: inlined into every loop it would only cost compile time.
  [[gnu::noinline]] Leg follow(State& to, double d, const T& S, const T& x) const noexcept {
    const int direction = static_cast<int>(d);
    auto view = elements(to);
    Leg leg;
    T z = fixed(to.z), left = x;
    for (int i = 0; i < most_pieces; ++i) {
      const T from = fixed(base(to, direction));
      const T limit = S - from;
      T y = d * fixed(to.friction) - from;
      if (begins_at_limit(S, limit)) {
        if (!stays_at_limit(S, limit, y)) {
          leg.status = Status::undefined;
          return leg;
        }
        leg.force = d * S;
        leg.rate = T(0);
        leg.lost += S * left;
        return leg;
      }
      const bool back = PreslidingFlow<T>::above(limit, y);
      const bool retraces = back && origin == SlidesFrom::branch;
      const int side = back && !retraces ? -direction : direction;
      const Real corner =
          retraces ? masing::last_kink(backbone_, view) : masing::next_kink(backbone_, view, side);
      const T K = fixed(stiffness(to, side, corner));
      // Without stiffness z runs far, and its rounding at the last corner would stay in the rate.
      if (value_of(K) == 0) y = d * fixed(plateau(to, side)) - from;
      const auto piece = flow_.advance(K, limit, y, left);
      leg.status = std::isnan(value_of(piece.z)) ? Status::not_converged : piece.status;
      if (leg.status != Status::ok) return leg;
      const T room = d * (fixed(corner) - z);  // as a movement along the motion
      const double closes = retraces ? 0 : closing_length(to, side, corner);
      // Sliding may end at a corner, by symmetry: it comes close and never passes.
      const double doubt = 1e-13 * (std::abs(value_of(room)) + std::abs(value_of(corner)));
      const bool passes =
          std::abs(value_of(piece.z)) > std::abs(value_of(room)) + std::max(doubt, closes);
      if (!passes) {
        z += d * piece.z;
        leg.z += d * piece.z;
        if (std::abs(value_of(z) - value_of(corner)) <= closes) z += value_of(corner) - value_of(z);
        leg.force = d * (piece.y + from);
        leg.lost += piece.lost + from * (left - piece.z);
        leg.rate = flow_.rate(limit, piece.y);
        // At the limit rounding moves z either way; a reversal would begin another branch.
        const bool trembles =
            origin == SlidesFrom::branch && to.direction == direction && value_of(piece.z) < 0;
        arrive(view, settled<Real>(z), retraces || trembles, leg);
        return leg;
      }
      const T length = flow_.length_for(room, K, limit, y, left);
      leg.lost += flow_.advance(K, limit, y, length).lost + from * (length - room);
      leg.z += d * room;
      z = fixed(corner);
      left -= length;
      arrive(view, corner, retraces, leg);
    }
    leg.status = Status::not_converged;
    return leg;
  }

  void arrive(MasingView<Real>& view, const Real& z, bool retraces, Leg& leg) const noexcept {
    // At the limit z stays, its derivatives do not: a step of nothing would not see them.
    const bool stays = z == view.u;
    const auto reply = retraces || stays ? masing::retrace(backbone_, view, z)
                                         : masing::step(backbone_, view, z, view);
    leg.slipped += reply.dissipated;
    if (reply.status != Status::ok) leg.status = reply.status;
  }

  static PolylineBackbone<Real> built(std::string_view name, const Params& p) {
    check_fields(name, p);
    check_same_length(name, "k", p.k.size(), "phi", p.phi.size());
    return parallel_elements(p.k, p.phi);
  }

  static constexpr int most_pieces = 100000;

  PolylineBackbone<Real> backbone_;
  T sigma1_, sigma2_;
  StribeckCurve<T> curve_;  ///< S against speed
  PreslidingFlow<T> flow_;
};

}  // namespace microslip
