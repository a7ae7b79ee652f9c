#pragma once

/// # lampaert: LuGre-type friction on a Masing model
///
///     z' = u' (1 − sgn(Fh/s) |Fh/s|^n),   Fh = Σ_i stop_{φ_i}[k_i z]
///     s(v) = sgn(v) (fc + (fs − fc) exp(−(|v|/vs)^δ))
///     f  = Fh + σ1 z' + σ2 u'
///
/// (82), (85), (86) of the review by Mathis et al. The bristles are Jenkins elements in parallel,
/// driven by z, which follows the motion until their force Fh comes near the limit s(u'). So small
/// motions have hysteresis with memory of their reversals, and large ones the friction of Stribeck.
/// If Σ φ_i is smaller than the limit, the elements slip before the bristles do and carry Σ φ_i.
///
/// A limit that falls with speed may leave Fh above it: z then moves back against the motion until
/// Fh is down at the limit.
///
/// At constant velocity, and on a straight piece of Masing's curve, Fh obeys the Bouc–Wen equation
/// with A = K, g = h = K/s^n: a step is exact, from corner to corner, but for the way down from
/// above the limit, which is error-controlled (core/presliding.hpp).
///
/// Energy: Ψ is that of the Masing model at z. Its elements lose what they lose, the rest of the
/// bristles |Fh| |Fh/s|^n per length; as in lugre, a fast motion after a slow one may give energy
/// back through σ1.
///
/// Where a corner is reached depends on the velocity, which next_kink is not told: it answers
/// infinity.

#include <cmath>
#include <cstddef>
#include <limits>
#include <tuple>
#include <vector>

#include "microslip/core/along.hpp"
#include "microslip/core/concepts.hpp"
#include "microslip/core/masing.hpp"
#include "microslip/core/polyline_backbone.hpp"
#include "microslip/core/presliding.hpp"
#include "microslip/core/relaxation.hpp"
#include "microslip/core/sliding.hpp"

namespace microslip {

template <Number Real>
class Lampaert {
 public:
  using Scalar = Real;

  struct Params {
    Real sigma1{0.1};
    Real sigma2{0.1};
    Real fc{1};
    Real fs{1.2};
    Real vs{0.5};
    Real delta{2};
    Real n{2};
    std::vector<Real> k{Real(1), Real(1), Real(1)};
    std::vector<Real> phi{Real(0.2), Real(0.4), Real(1)};
    static constexpr auto fields = std::tuple{
        field(&Params::sigma1, "sigma1", "F T/L", non_negative, "damping of the bristles"),
        field(&Params::sigma2, "sigma2", "F T/L", non_negative, "viscous coefficient"),
        field(&Params::fc, "fc", "F", positive, "friction of fast sliding"),
        field(&Params::fs, "fs", "F", positive, "friction at the onset of sliding"),
        field(&Params::vs, "vs", "L/T", positive, "velocity of the transition"),
        field(&Params::delta, "delta", "1", positive, "sharpness of the transition"),
        field(&Params::n, "n", "1", positive, "sharpness of the way to sliding"),
        field(&Params::k, "k", "F/L", positive, "stiffness of each element"),
        field(&Params::phi, "phi", "F", positive, "slip force of each element"),
    };
  };
  using Options = NoOptions;

  struct State {
    Real u{0};
    Real f{0};
    Real z{0};
    Real friction{0};
    Real lost{0};
    int direction = 0;
    TurningPoints<Real> reversals;
    static constexpr auto fields = std::tuple{
        state_field(&State::u, "u", "L", "displacement"),
        state_field(&State::f, "f", "F", "force"),
        state_field(&State::z, "z", "L", "bend of the bristles"),
        state_field(&State::friction, "friction", "F", "force of the elements"),
        state_field(&State::lost, "lost", "F L", "loss of the backbone up to the present depth"),
        state_field(&State::direction, "direction", "1", "sign of the last motion of z"),
        state_field(&State::reversals, "reversals", "L,F,F L",
                    "reversals of z not yet wiped out: bend, force, stored energy of each"),
    };
  };

  static constexpr Info info{
      .name = "lampaert",
      .sentence = "Friction with a Masing model as its bristles: memory below, Stribeck above.",
      .equation =
          "z' = u'(1 − sgn(Fh/s)|Fh/s|ⁿ),  Fh = Σ_i stop_φi[k_i z],  f = Fh + σ1 z' + σ2 u'",
      .citation =
          "V. Lampaert, J. Swevers, F. Al-Bender, Modification of the Leuven integrated friction "
          "model structure, IEEE Transactions on Automatic Control 47 (2002) 683–687",
      .claims = {.odd = holds,
                 .rate_independent = depends("fs = fc and sigma1 = sigma2 = 0"),
                 .masing = fails,
                 .return_point_memory = fails,
                 .minor_loops_close = fails,
                 .dissipative = depends("sigma1 (max(fs,fc)^n/min(fs,fc)^n - 1) <= sigma2"),
                 .bounded = depends("sigma1 = sigma2 = 0"),
                 .planar_isotropic = not_applicable},
  };

  explicit Lampaert(const Params& params, const Options& = {})
      : backbone_(built(params)),
        sigma1_(fixed(params.sigma1)),
        sigma2_(fixed(params.sigma2)),
        curve_{fixed(params.fc), fixed(params.fs), fixed(params.vs), fixed(params.delta)},
        flow_(fixed(params.n)) {}

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
    Leg leg = follow(to, d, curve_.at(d * v).force, d * du);
    const T f = d * leg.y + (sigma1_ * leg.rate + sigma2_) * v;
    const T lost = leg.lost + (sigma1_ * leg.z + sigma2_ * du) * v;
    to.u = u;
    to.f = settled<Real>(f);
    return {to.f, Real(slope_along(f)), settled<Real>(lost) + leg.slipped, leg.status};
  }

  Real stored(const State& s) const noexcept {
    const struct {
      const Real &u, &lost;
      const TurningPoints<Real>& reversals;
    } elements_of_s{s.z, s.lost, s.reversals};
    return masing::stored(elements_of_s, s.friction);
  }
  Real next_kink(const State&, int direction) const noexcept {
    return Real(direction * std::numeric_limits<double>::infinity());
  }

 private:
  using T = Along<Real>;
  struct Leg {
    T y{0}, z{0}, rate{1}, lost{0};
    Real slipped{0};  ///< energy lost in the elements
    Status status = Status::ok;
  };

  static MasingView<Real> elements(State& s) {
    return {s.z, s.friction, s.lost, s.direction, s.reversals};
  }

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

  /// Of the elements against a motion of z from here to `corner`, the next one. In the middle,
  /// since at a corner rounding decides between two pieces.
  Real stiffness(State& s, int direction, const Real& corner) const noexcept {
    if (std::isinf(value_of(corner)))
      return backbone_.at(Real(std::numeric_limits<double>::max())).slope;
    const Real middle = 0.5 * (s.z + corner);
    if (direction * s.direction < 0)
      return backbone_.at(Real(0.5 * direction * (middle - s.z))).slope;
    return backbone_.at(masing::branch(elements(s), direction).depth(middle, direction)).slope;
  }

  /// Kept out of line: inlined into every loop it would only cost compile time.
  [[gnu::noinline]] Leg follow(State& to, double d, const T& limit, const T& x) const noexcept {
    auto view = elements(to);
    Leg leg;
    T z = fixed(to.z), left = x;
    leg.y = d * fixed(to.friction);
    for (int i = 0; i < most_pieces; ++i) {
      const int side = static_cast<int>(PreslidingFlow<T>::above(limit, leg.y) ? -d : d);
      const Real corner = masing::next_kink(backbone_, view, side);
      const T K = fixed(stiffness(to, side, corner));
      const auto piece = flow_.advance(K, limit, leg.y, left);
      leg.status = std::isnan(value_of(piece.z)) ? Status::not_converged : piece.status;
      if (leg.status != Status::ok) return leg;
      const T room = d * (fixed(corner) - z);  // as a movement along the motion
      // Sliding may end at a corner, by symmetry: it comes close and never passes.
      const double doubt = 1e-13 * (std::abs(value_of(room)) + std::abs(value_of(corner)));
      const bool passes = std::abs(value_of(piece.z)) > std::abs(value_of(room)) + doubt;
      if (!passes) {
        z += d * piece.z;
        leg.z += d * piece.z;
        leg.y = piece.y;
        leg.lost += piece.lost;
        leg.rate = flow_.rate(limit, leg.y);
        arrive(view, settled<Real>(z), leg);
        return leg;
      }
      const T length = flow_.length_for(room, K, limit, leg.y, left);
      leg.lost += flow_.advance(K, limit, leg.y, length).lost;
      leg.z += d * room;
      z = fixed(corner);
      left -= length;
      arrive(view, corner, leg);
      leg.y = d * fixed(to.friction);
    }
    leg.status = Status::not_converged;
    return leg;
  }

  void arrive(MasingView<Real>& view, const Real& z, Leg& leg) const noexcept {
    const auto reply = masing::step(backbone_, view, z, view);
    leg.slipped += reply.dissipated;
    if (reply.status != Status::ok) leg.status = reply.status;
  }

  static PolylineBackbone<Real> built(const Params& p) {
    check_fields(info.name, p);
    check_same_length(info.name, "k", p.k.size(), "phi", p.phi.size());
    return parallel_elements(p.k, p.phi);
  }

  static constexpr int most_pieces = 100000;

  PolylineBackbone<Real> backbone_;
  T sigma1_, sigma2_;
  StribeckCurve<T> curve_;  ///< |s| against speed
  PreslidingFlow<T> flow_;
};

}  // namespace microslip
