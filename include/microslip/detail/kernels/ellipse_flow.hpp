#pragma once

/// # The exact flow on the yield ellipse
///
/// A point s of the plane is dragged by u and held inside an ellipse, A = diag(a1, a2):
///
///     ds = b du − λ A⁻¹s,   λ ≥ 0,   sᵀA⁻¹s ≤ 1,   λ (sᵀA⁻¹s − 1) = 0.
///
/// This is perfect plasticity with the outward normal as slip direction. Every law with two slip
/// states is this flow plus a linear read-out, so all of them share it.
///
/// In A^{−1/2}s the ellipse is the unit circle. On it the flow ends in the saturated point d c,
/// with c = (b1√a1, b2√a2)/R, R = √(bᵀA b) and d = ±1 the direction of the motion. The state is
/// kept in the axes (along, across) c, so that bᵀs = R along; inside the circle it moves along β,
/// which is A^{−1/2}b in these axes. With ψ the angle from d c to the point (its sign never
/// changes while d does not), w = ln tan(|ψ|/2), and writing
///
///     t = tanh w = −cos ψ = −d along,  g = ± sech w = sin ψ = d across,
///     E = a1 a2 |b|²/R²,  C = (a2 − a1)(c1² − c2²),  S = 2 (a2 − a1) c1 c2,
///
/// the flow over a motion |Δu| has the first integral
///
///     H(w) = E w − C t − S g = H(w₀) − R |Δu|,   H' = E − C g² + S t g ∈ [min a, max a],
///
/// which is one scalar equation for a step of any size. Read-outs:
///
///     bᵀs = −d R t,   d(bᵀs)/du = R² sech²w/H',
///     ∫ sᵀ(b du − ds) = E [ln cosh w]₀¹ − ½ S (ψ₀ − ψ₁).
///
/// Near saturation t and g keep w to rounding, because g is small and never a difference.

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <limits>
#include <tuple>

#include "microslip/core/dual.hpp"
#include "microslip/core/field.hpp"
#include "microslip/detail/numerics/bracket.hpp"

namespace microslip {

/// Where the point is.
template <Number Real>
struct EllipsePoint {
  Real along{0};
  Real across{0};
  int slipping = 0;  ///< direction of the motion that slips; 0 inside the ellipse

  static constexpr auto fields = std::tuple{
      state_field(&EllipsePoint::along, "along", "1",
                  "part of the saturated force that is carried, -1 to 1"),
      state_field(&EllipsePoint::across, "across", "1",
                  "the other coordinate in the unit circle that the elastic domain becomes"),
      state_field(&EllipsePoint::slipping, "slipping", "1",
                  "sign of the motion that slips, 0 if none"),
  };
};

/// What a motion answers.
template <Number Real>
struct EllipseMove {
  Real pull;   ///< bᵀs at its end
  Real slope;  ///< d(bᵀs)/du at its end, in the direction of the motion
  Real lost;   ///< ∫ sᵀ(b du − ds) ≥ 0
};

template <Number Real>
class EllipseFlow {
 public:
  using Point = EllipsePoint<Real>;
  using Move = EllipseMove<Real>;

  /// a1, a2 > 0; b not zero.
  constexpr EllipseFlow(const Real& a1, const Real& a2, const Real& b1, const Real& b2)
      : a1_(a1), a2_(a2), bb_(b1 * b1 + b2 * b2) {
    using std::sqrt;
    const Real root1 = sqrt(a1);
    const Real root2 = sqrt(a2);
    R_ = sqrt(a1 * b1 * b1 + a2 * b2 * b2);
    RR_ = R_ * R_;
    c1_ = b1 * root1 / R_;
    c2_ = b2 * root2 / R_;
    beta_along_ = bb_ / R_;
    beta_across_ = c1_ * b2 / root2 - c2_ * b1 / root1;
    beta_beta_ = beta_along_ * beta_along_ + beta_across_ * beta_across_;
    E_ = a1 * a2 * bb_ / RR_;
    C_ = (a2 - a1) * (c1_ * c1_ - c2_ * c2_);
    S_ = 2.0 * (a2 - a1) * c1_ * c2_;
    per_a_min_ = 1 / std::min(value_of(a1), value_of(a2));
    per_a_max_ = 1 / std::max(value_of(a1), value_of(a2));
    accepted_ = 1e-17 * per_a_max_ * per_a_max_;
    accepted_short_ = 1e-17 * per_a_max_;
    per_E_ = 1 / value_of(E_);
  }

  /// √(bᵀA b): the largest |bᵀs|.
  constexpr const Real& largest_pull() const noexcept { return R_; }
  constexpr Real pull(const Point& p) const noexcept { return R_ * p.along; }
  /// |s|²
  constexpr Real square_norm(const Point& p) const noexcept {
    const auto [x1, x2] = on_axes(p);
    return a1_ * x1 * x1 + a2_ * x2 * x2;
  }
  /// A^{−1/2}s on the axes of the ellipse, and back.
  constexpr std::array<Real, 2> on_axes(const Point& p) const noexcept {
    return {c1_ * p.along - c2_ * p.across, c2_ * p.along + c1_ * p.across};
  }
  constexpr void place(Point& p, const Real& x1, const Real& x2) const noexcept {
    p.along = c1_ * x1 + c2_ * x2;
    p.across = c1_ * x2 - c2_ * x1;
  }

  /// d(bᵀs)/du in the direction of the last motion.
  constexpr Real slope(const Point& p) const noexcept {
    return p.slipping == 0 ? bb_ : slipping_slope(p);
  }

  /// How far a motion in this direction goes before the point slips; ∞ if it slips already.
  constexpr Real distance_to_slip(const Point& p, int direction) const noexcept {
    using std::sqrt;
    if (p.slipping == direction) return Real(std::numeric_limits<double>::infinity());
    const Real B =
        static_cast<double>(direction) * (p.along * beta_along_ + p.across * beta_across_);
    if (p.slipping != 0) return B < 0.0 ? -2.0 * B / beta_beta_ : Real(0);
    Real outside = p.along * p.along + p.across * p.across - 1.0;
    if (outside > 0.0) outside -= value_of(outside);  // rounding; its derivatives still count
    const Real under_root = B * B - beta_beta_ * outside;
    if (!(under_root > 0.0)) return Real(0);
    const Real root = sqrt(under_root);
    return B > 0.0 ? -outside / (B + root) : (root - B) / beta_beta_;
  }

  /// A monotone motion of any size but zero. `from` and `to` may be the same object.
  /// A motion that ends at u_from ± distance_to_slip, rounded, ends slipping.
  constexpr Move move(const Point& from, const Real& u_from, const Real& u_to,
                      Point& to) const noexcept {
    using std::abs;
    const int direction = u_to > u_from ? 1 : -1;
    const double d = direction;
    const Real motion = u_to - u_from;
    if (from.slipping == direction) return slip(from, motion, to);

    // Well inside the ellipse at the end of a straight line is inside it all the way.
    const Real along = from.along + beta_along_ * motion;
    const Real across = from.across + beta_across_ * motion;
    if (along * along + across * across < 1 - 1e-8) return stick(along, across, to);
    const Real free = distance_to_slip(from, direction);
    if (d * (u_to - (u_from + d * free)) < 0.0) return stick(along, across, to);

    Point p = from;
    p.along += d * beta_along_ * free;
    p.across += d * beta_across_ * free;
    p.slipping = direction;
    Real rest = motion - d * free;
    if (d * rest < 0.0) rest -= value_of(rest);  // rounding; its derivatives still count
    return slip(p, rest, to);
  }

 private:
  /// sech w below which the saturated point is reached to rounding. Nothing comes back from there
  /// on the same leg, so the point is held (with its derivatives, which act times sech w). On the other side
  /// of the circle sech w is as small where a flat ellipse is left, and counts.
  static constexpr double saturated = 1e-17;

  /// The point while it slips: tanh w and the signed sech w.
  template <class T>
  struct Angle {
    T t, g;

    /// 1 − t, without cancellation.
    constexpr T below() const { return t > 0.0 ? T(g * g / (1.0 + t)) : T(1.0 - t); }
    constexpr T w() const {
      using std::abs;
      using std::log;
      return t > 0.0 ? log((1.0 + t) / abs(g)) : log(abs(g) / (1.0 - t));
    }
  };

  static constexpr Angle<double> angle(double w, double side) noexcept {
    const double e = std::exp(-std::abs(w));
    const double r = 1 / (1 + e * e);
    return {std::copysign((1 - e * e) * r, w), std::copysign(2 * e * r, side)};
  }
  /// The same after a small change of w, to h⁴.
  template <class T, class Change>
  static constexpr Angle<T> nearby(const Angle<double>& at, const Change& h) noexcept {
    const double tt = at.t * at.t;
    const double gg = at.g * at.g;
    return {at.t + gg * h * (1.0 - h * (at.t + h * (1. / 3 - tt))),
            at.g * (1.0 - h * (at.t + h * (0.5 - tt - h * at.t * (5. / 6 - tt))))};
  }

  /// R² sech²w/H', with H' as a sum of positive numbers.
  constexpr Real slipping_slope(const Point& p) const noexcept {
    const auto [x1, x2] = on_axes(p);
    return RR_ * p.across * p.across / (a1_ * x2 * x2 + a2_ * x1 * x1);
  }

  constexpr Move stick(const Real& along, const Real& across, Point& to) const noexcept {
    to = {along, across, 0};
    return {pull(to), bb_, Real(0)};
  }

  /// Along the circle. Inlined by order: a call would pass point and answer through memory, a fifth
  /// of the time of a step.
  [[gnu::always_inline]] constexpr Move slip(const Point& from, const Real& motion,
                                             Point& to) const noexcept {
    using std::abs;
    const double d = from.slipping;
    const Real drop = R_ * abs(motion);
    if (d * from.along > 0.0 && !(abs(from.across) > saturated)) {
      to = {Real(d), Real(0), from.slipping};
      return {pull(to), Real(0), drop};
    }
    if constexpr (std::same_as<Real, double>) {
      Angle<double> at{-from.along, from.across};
      if (double lost; solve_short(at, R_ * motion, lost)) {
        to = {-at.t, at.g, from.slipping};
        return {pull(to), slipping_slope(to), lost};
      }
    }
    const Angle<Real> begin{-d * from.along, d * from.across};
    const Angle<Real> end = follow(begin, drop);
    const Real lost = lost_between(begin, end, drop);
    to = {-d * end.t, d * end.g, from.slipping};
    return {pull(to), slipping_slope(to), lost};
  }

  /// Solves H(end) = H(begin) − drop.
  constexpr Angle<Real> follow(const Angle<Real>& begin, const Real& drop) const noexcept {
    const Angle<double> start{value_of(begin.t), value_of(begin.g)};
    Angle<double> root = start;
    // With plain numbers, short motions have been dealt with.
    if (double lost; std::same_as<Real, double> || !solve_short(root, value_of(drop), lost))
      root = solve(start, value_of(drop));
    if (root.t < 0 && std::abs(root.g) <= saturated) return {Real(-1), Real(0)};
    if constexpr (std::same_as<Real, double>) {
      return root;
    } else {
      // One Newton step in Real carries the derivatives; its value is the rounding of the root.
      const Real residual =
          E_ * (root.w() - begin.w()) - C_ * (root.t - begin.t) - S_ * (root.g - begin.g) + drop;
      const Real change = -residual * slope_of(root).per_first;
      return nearby<Real>(root, change - value_of(change));
    }
  }

  /// Short motions without an exponential: `at` is moved and `lost` is set. The reverted Taylor
  /// series of H gives w − w₀ = 2x nearly. With
  ///
  ///     t = t₀ + g₀² sinh 2x/Q,  g = g₀/Q,  Q = |ζ|²,  ζ = cosh x + (t₀ + i g₀) sinh x,
  ///
  /// half of H(w) − H(w₀) + drop = 0 times Q is
  ///
  ///     P(x) = (E x + drop/2) Q − g₀ sinh x ((C g₀ − S t₀) cosh x − S sinh x),
  ///
  /// in which nothing cancels however short the motion is; one third-order step takes it to
  /// rounding. What is lost is 2 Re((E − ½ i S) ln ζ). A drop below zero is the motion down with t
  /// and g of the motion up. Arranged for a short chain of operations.
  ///
  /// Returns false where the step does not converge to rounding.
  constexpr bool solve_short(Angle<double>& at, double drop, double& lost) const noexcept {
    const double E = value_of(E_), C = value_of(C_), S = value_of(S_), t = at.t, g = at.g;
    const double tt = t * t, gg = g * g, gt = g * t, gS = g * S, Cg = C * g, gK = g * (Cg - S * t);
    // H', H''/2, H'''/6, H''''/24
    const double H1 = E - gK;
    const double H2 = gS * (0.5 * (gg - tt)) + Cg * gt;
    const double H3 =
        Cg * g * ((1. / 3) * gg - (2. / 3) * tt) + gS * t * ((1. / 6) * tt - (5. / 6) * gg);
    const double H4 = Cg * gt * ((1. / 3) * tt - (2. / 3) * gg) +
                      gS * (tt * (0.75 * gg - (1. / 24) * tt) - (5. / 24) * (gg * gg));
    const double half_drop = 0.5 * drop;
    const double per_H1 = 1 / H1, newton = -half_drop * per_H1, r = newton * per_H1;
    const double A2 = -2 * H2, A3 = 8 * H2 * H2 - 4 * (H1 * H3);
    const double A4 = 40 * H2 * (H1 * H3 - H2 * H2) - 8 * (H1 * H1 * H4);
    double x = newton * ((1 + r * A2) + r * r * (A3 + r * A4));
    for (int iteration = 0; iteration < 4 && std::abs(x) < 0.2; ++iteration) {
      // sinh x and cosh x but for a common factor: the continued fraction of tanh x.
      const double q = x * x, qq = q * q;
      const double poly = (1 + q * (17325. / 135135)) + qq * (378. / 135135 + q * (1. / 135135));
      const double ch = (1 + q * (62370. / 135135)) + qq * (3150. / 135135 + q * (28. / 135135));
      const double sh = x * poly, re = ch + t * x * poly, im = g * x * poly;
      const double ss = sh * sh, cc = ch * ch, c = cc + ss, s = 2 * (sh * ch);
      const double Q = re * re + im * im, Q1 = s + t * c, F = E * x + half_drop;
      const double P = F * Q - sh * (ch * gK - sh * gS);
      const double P1 = (E * Q + 2 * F * Q1) - (c * gK - s * gS);
      const double P2 = 2 * (E * Q1 + F * Q) - (s * gK - c * gS);  // half of it
      const double n = P / P1, B = P2 / P1, per_Q = 1 / Q;
      if (!(std::abs(n) * (n * n) < accepted_short_ * P1)) {
        x -= n * (1 + n * B);
        continue;
      }
      // At x, brought back to length one: a million tiny steps would add up the rounding.
      const double length = 1.5 - 0.5 * (tt + gg);
      const double T = t + gg * s * per_Q, G = g * (cc - ss) * per_Q;
      // And on by −n (1 + B n).
      const double T1 = -2 * G * G, G1 = 2 * G * T;
      at = {length * T + n * (T1 + n * (T1 * (B + 2 * T))),
            length * G + n * (G1 + n * (G1 * B + 2 * G * (2 * T * T - 1)))};
      const double per = 1 / (ch * re), a = sh * (sh + t * ch) * per, b = im * ch * per;
      const double at_x = 2 * E * (a * atanh_over(a * a)) + S * (b * atanh_over(-b * b));
      lost = std::max(
          0.0, at_x - n * ((2 * E * T + S * G) * (1 + n * B) - n * (2 * E * G * G - S * T * G)));
      return true;
    }
    return false;
  }

  /// atanh(y)/y from q = y² ≤ 1/16, and atan(y)/y from q = −y²: the Taylor series to rounding.
  template <class T>
  static constexpr T atanh_over(const T& q) noexcept {
    using std::abs;
    const T qq = q * q, q4 = qq * qq;
    T sum = ((1.0 + q * (1. / 3)) + qq * (1. / 5 + q * (1. / 7))) +
            q4 * ((1. / 9 + q * (1. / 11)) + qq * (1. / 13));
    if (abs(q) > 1. / 256)
      sum += q4 * (q * qq) *
             (((1. / 15 + q * (1. / 17)) + qq * (1. / 19 + q * (1. / 21))) +
              q4 * ((1. / 23 + q * (1. / 25)) + qq * (1. / 27)));
    return sum;
  }

  /// 1/H', H''/2H', H'''/6H'
  struct Slopes {
    double per_first, second, third;
  };
  constexpr Slopes slope_of(const Angle<double>& at) const noexcept {
    const double a1 = value_of(a1_), a2 = value_of(a2_), c1 = value_of(c1_), c2 = value_of(c2_);
    const double x1 = -c1 * at.t - c2 * at.g;
    const double x2 = -c2 * at.t + c1 * at.g;
    const double per_first = 1 / (a1 * x2 * x2 + a2 * x1 * x1);
    const double scale = (a1 - a2) * at.g * per_first;
    return {per_first, scale * x1 * x2,
            scale * ((x1 - x2) * (x1 + x2) * at.g - x1 * x2 * at.t) * (1. / 3)};
  }

  /// Fourth-order iteration (the reverted Taylor series of H), kept inside the bracket that the
  /// bounds of H' give; an asymptotic start for long motions.
  [[gnu::noinline]] constexpr Angle<double> solve(const Angle<double>& begin,
                                                  double drop) const noexcept {
    const double E = value_of(E_), C = value_of(C_), S = value_of(S_);
    double w = begin.w();
    const double target = E * w - C * begin.t - S * begin.g - drop;
    // Below `least` the point is saturated. A flat ellipse alone would leave so wide a bracket that no
    // number of halvings comes to the root.
    constexpr double least = -45;  // sech w = 6e-20
    const double lo = std::max(w - drop * per_a_min_, least);
    const double hi = w - drop * per_a_max_;
    if (!(hi > lo)) return angle(lo, begin.g);
    Bracket bracket{lo, hi};
    Angle<double> at = begin;
    double residual = drop;
    bool halve = false;  // where the last step gained too little
    for (int iteration = 0; iteration < 200; ++iteration) {
      const Slopes H = slope_of(at);
      const double n = residual * H.per_first;
      // Far from the root the terms of the series may cancel, and h = 0 would be no root.
      const bool near = std::abs(n * H.second) < 0.25 && std::abs(n * n * H.third) < 0.25;
      const double h =
          near ? -n * (1 + n * (H.second + n * (2 * H.second * H.second - H.third))) : -n;
      // The next term of the series is of the order n⁴ (a_max/H')^{3/2}.
      const double next = n * n * H.per_first;
      if (next * next < accepted_) return nearby<double>(at, h);
      w += h;
      if (iteration == 0 && n > 0.5) w = std::clamp((target - C) * per_E_, lo, hi);
      if (halve || !bracket.holds(w)) w = bracket.middle();
      at = angle(w, begin.g);
      const double before = std::abs(residual);
      residual = E * w - C * at.t - S * at.g - target;
      bracket.narrow(w, residual);
      halve = !halve && iteration > 0 && std::abs(residual) > 0.5 * before;
    }
    return at;
  }

  /// E [ln cosh w]₀¹ − ½ S (ψ₀ − ψ₁), with ln cosh w = −w − ln(1 − t) and E w taken from the first
  /// integral. So a far negative w does not enter: near saturation neither its rounding nor its
  /// derivatives, which may be as large as 1/sech w, spoil the answer.
  constexpr Real lost_between(const Angle<Real>& begin, const Angle<Real>& end,
                              const Real& drop) const noexcept {
    const Real lost = drop - C_ * (end.t - begin.t) -
                      S_ * (end.g - begin.g + half_turn(begin, end)) + E_ * gain(begin, end);
    return lost > 0.0 ? lost : Real(0);  // a difference of rounded numbers
  }

  /// ln((1 − t₀)/(1 − t₁))
  static constexpr Real gain(const Angle<Real>& begin, const Angle<Real>& end) noexcept {
    using std::log;
    const Real before = begin.below(), after = end.below();
    const Real y = (end.t - begin.t) / (before + after);
    const Real q = y * y;
    return q < 1. / 16 ? Real(2.0 * y * atanh_over(q)) : Real(log(before / after));
  }

  /// ½(ψ₀ − ψ₁)
  static constexpr Real half_turn(const Angle<Real>& begin, const Angle<Real>& end) noexcept {
    using std::atan2;
    const Real sine = begin.t * end.g - end.t * begin.g;
    const Real cosine = begin.t * end.t + begin.g * end.g;
    const Real y = sine / (1.0 + cosine);
    const Real q = y * y;
    return q < 1. / 16 ? Real(y * atanh_over<Real>(-q)) : Real(0.5 * atan2(sine, cosine));
  }

  Real a1_, a2_, bb_;
  Real beta_along_, beta_across_, beta_beta_;
  Real R_, RR_, c1_, c2_, E_, C_, S_;
  double per_a_min_, per_a_max_, per_E_;
  /// Corrections that leave nothing but rounding.
  double accepted_, accepted_short_;
};

}  // namespace microslip
