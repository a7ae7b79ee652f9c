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
/// In x = A^{−1/2}s the ellipse is the unit circle. Inside, x moves along β = A^{−1/2}b. On the
/// circle the flow ends in the saturated point d c, with c = (b1√a1, b2√a2)/R, R = √(bᵀA b) and
/// d = ±1 the direction of the motion. With ψ the angle from d c to x, w = ln tan(|ψ|/2) and
/// ς = sgn ψ (which never changes while d does not), and writing
///
///     t = tanh w = −cos ψ,  g = ς sech w = sin ψ,  E = a1 a2 |b|²/R²,
///     C = (a2 − a1)(c1² − c2²),  S = 2 (a2 − a1) c1 c2,
///
/// the flow over a motion |Δu| has the first integral
///
///     H(w) = E w − C t − S g = H(w₀) − R |Δu|,   H' = a1 x2² + a2 x1² ∈ [min a, max a],
///
/// which is one scalar equation for a step of any size. Read-outs:
///
///     bᵀs = R c·x = −d R t,   d(bᵀs)/du = R² sech²w/H',
///     ∫ sᵀ(b du − ds) = E [ln cosh w]₀¹ − ½ S (ψ₀ − ψ₁).

#include <algorithm>
#include <cmath>
#include <concepts>
#include <limits>
#include <tuple>

#include "microslip/core/dual.hpp"
#include "microslip/core/field.hpp"

namespace microslip {

/// Where the point is. While it slips, w is the coordinate of record and x follows from it.
template <Number Real>
struct EllipsePoint {
  Real x1{0};
  Real x2{0};
  Real w{0};
  int slipping = 0;  ///< direction of the motion that slips; 0 inside the ellipse
  int side = 1;      ///< ς

  static constexpr auto fields = std::tuple{
      state_field(&EllipsePoint::x1, "x1", "1", "first component of s, relative to its half axis"),
      state_field(&EllipsePoint::x2, "x2", "1", "second component of s, relative to its half axis"),
      state_field(&EllipsePoint::w, "w", "1",
                  "ln tan of half the angle to saturation, while slipping"),
      state_field(&EllipsePoint::slipping, "slipping", "1",
                  "sign of the motion that slips, 0 if none"),
      state_field(&EllipsePoint::side, "side", "1", "side from which saturation is approached, ±1"),
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
  EllipseFlow(const Real& a1, const Real& a2, const Real& b1, const Real& b2)
      : a1_(a1), a2_(a2), bb_(b1 * b1 + b2 * b2) {
    using std::sqrt;
    const Real root1 = sqrt(a1);
    const Real root2 = sqrt(a2);
    beta1_ = b1 / root1;
    beta2_ = b2 / root2;
    beta_beta_ = beta1_ * beta1_ + beta2_ * beta2_;
    R_ = sqrt(a1 * b1 * b1 + a2 * b2 * b2);
    RR_ = R_ * R_;
    c1_ = b1 * root1 / R_;
    c2_ = b2 * root2 / R_;
    E_ = a1 * a2 * bb_ / RR_;
    C_ = (a2 - a1) * (c1_ * c1_ - c2_ * c2_);
    S_ = 2.0 * (a2 - a1) * c1_ * c2_;
    per_a_min_ = 1 / std::min(value_of(a1), value_of(a2));
    per_a_max_ = 1 / std::max(value_of(a1), value_of(a2));
    accepted_ = 1e-17 * per_a_max_ * per_a_max_;
    accepted_short_ = 1e-12 * per_a_max_;
    per_E_ = 1 / value_of(E_);
  }

  /// √(bᵀA b): the largest |bᵀs|.
  const Real& largest_pull() const noexcept { return R_; }
  Real pull(const Point& p) const noexcept { return R_ * (c1_ * p.x1 + c2_ * p.x2); }
  /// |s|²
  Real square_norm(const Point& p) const noexcept { return a1_ * p.x1 * p.x1 + a2_ * p.x2 * p.x2; }

  /// d(bᵀs)/du in the direction of the last motion.
  Real slope(const Point& p) const noexcept {
    if (p.slipping == 0) return bb_;
    const Real g = c1_ * p.x2 - c2_ * p.x1;
    return RR_ * g * g / (a1_ * p.x2 * p.x2 + a2_ * p.x1 * p.x1);
  }

  /// How far a motion in this direction goes before the point slips; ∞ if it slips already.
  Real distance_to_slip(const Point& p, int direction) const noexcept {
    using std::sqrt;
    if (p.slipping == direction) return Real(std::numeric_limits<double>::infinity());
    const Real B = static_cast<double>(direction) * (p.x1 * beta1_ + p.x2 * beta2_);
    if (p.slipping != 0) return B < 0.0 ? -2.0 * B / beta_beta_ : Real(0);
    Real outside = p.x1 * p.x1 + p.x2 * p.x2 - 1.0;
    if (outside > 0.0) outside -= value_of(outside);  // rounding; its derivatives still count
    const Real under_root = B * B - beta_beta_ * outside;
    if (!(under_root > 0.0)) return Real(0);
    const Real root = sqrt(under_root);
    return B > 0.0 ? -outside / (B + root) : (root - B) / beta_beta_;
  }

  /// Declares that p lies on the ellipse and slips under a motion in this direction.
  void start_slip(Point& p, int direction) const noexcept {
    using std::abs;
    using std::log;
    const double d = direction;
    const Real cos_psi = d * (p.x1 * c1_ + p.x2 * c2_);
    const Real sin_psi = d * (p.x2 * c1_ - p.x1 * c2_);
    p.slipping = direction;
    p.side = sin_psi < 0.0 ? -1 : 1;
    const Real across = abs(sin_psi);
    if (cos_psi > 0.0 && across < 2.0 * saturated_tangent)
      p.w = Real(saturated);
    else
      p.w = cos_psi > 0.0 ? log(across / (1.0 + cos_psi)) : log((1.0 - cos_psi) / across);
  }

  /// A monotone motion of any size but zero. `from` and `to` may be the same object.
  /// A motion that ends at u_from ± distance_to_slip, rounded, ends slipping.
  Move move(const Point& from, const Real& u_from, const Real& u_to, Point& to) const noexcept {
    using std::abs;
    const int direction = u_to > u_from ? 1 : -1;
    const double d = direction;
    const Real length = abs(u_to - u_from);
    if (from.slipping == direction) return slip(from, length, to);

    // Well inside the ellipse at the end of a straight line is inside it all the way.
    const Real x1 = from.x1 + d * beta1_ * length;
    const Real x2 = from.x2 + d * beta2_ * length;
    if (x1 * x1 + x2 * x2 < 1 - 1e-8) return stick(x1, x2, to);
    const Real free = distance_to_slip(from, direction);
    if (d * (u_to - (u_from + d * free)) < 0.0) return stick(x1, x2, to);

    Point p = from;
    p.x1 += d * beta1_ * free;
    p.x2 += d * beta2_ * free;
    start_slip(p, direction);
    Real rest = length - free;
    if (rest < 0.0) rest -= value_of(rest);  // rounding; its derivatives still count
    return slip(p, rest, to);
  }

 private:
  /// Below this w the saturated point is reached to rounding: sech w < 1e-17. Nothing comes back
  /// from there on the same leg, so w is held (and its derivatives, which act times sech w, with
  /// it).
  static constexpr double saturated = -40;
  static constexpr double saturated_tangent = 4.248354255291589e-18;  // e^saturated

  /// w with the tanh and the signed sech that belong to it.
  template <class T>
  struct Angle {
    T w, t, g;
  };

  static Angle<double> angle(double w, int side) noexcept {
    const double e = std::exp(-std::abs(w));
    const double r = 1 / (1 + e * e);
    return {w, std::copysign((1 - e * e) * r, w), side * 2 * e * r};
  }
  /// The same after a small change of w, to h⁴.
  template <class T, class Change>
  static Angle<T> nearby(const Angle<double>& at, const Change& h) noexcept {
    const double tt = at.t * at.t;
    const double gg = at.g * at.g;
    return {at.w + h, at.t + gg * h * (1.0 - h * (at.t + h * (1. / 3 - tt))),
            at.g * (1.0 - h * (at.t + h * (0.5 - tt - h * at.t * (5. / 6 - tt))))};
  }

  Move stick(const Real& x1, const Real& x2, Point& to) const noexcept {
    to = {x1, x2, Real(0), 0, 1};
    return {pull(to), bb_, Real(0)};
  }

  /// Along the circle over `length`.
  Move slip(const Point& from, const Real& length, Point& to) const noexcept {
    const int side = from.side;
    const double d = from.slipping;
    const Real dc1 = d * c1_, dc2 = d * c2_;
    const Real drop = R_ * length;
    Angle<Real> end{Real(saturated), Real(-1), Real(0)};
    Real lost = drop;
    Real unit(1);
    if (from.w > saturated) {
      const Angle<Real> begin{from.w, -dc1 * from.x1 - dc2 * from.x2,
                              dc1 * from.x2 - dc2 * from.x1};
      const Angle<Real> reached = follow(begin, drop, side);
      lost = lost_between(begin, reached, drop);
      if (reached.w > saturated) end = reached;
      // x is (t, g) turned by rounded numbers; without bringing its length back to one, a million
      // tiny steps would add up the excess.
      unit = 1.5 - 0.5 * (begin.t * begin.t + begin.g * begin.g);
    }
    const Real e1 = unit * dc1, e2 = unit * dc2;
    to.slipping = from.slipping;
    to.side = side;
    to.w = end.w;
    to.x1 = -e1 * end.t - e2 * end.g;
    to.x2 = e1 * end.g - e2 * end.t;
    const Real H_slope = a1_ * to.x2 * to.x2 + a2_ * to.x1 * to.x1;
    return {-d * R_ * end.t, RR_ * end.g * end.g / H_slope, lost};
  }

  /// Solves H(end) = H(begin) − drop.
  Angle<Real> follow(const Angle<Real>& begin, const Real& drop, int side) const noexcept {
    const Angle<double> start{value_of(begin.w), value_of(begin.t), value_of(begin.g)};
    Angle<double> root = start;
    if (!solve_short(root, value_of(drop))) root = solve(start, value_of(drop), side);
    if constexpr (std::same_as<Real, double>) {
      return root;
    } else {
      // One Newton step in Real carries the derivatives; its value is the rounding of the root.
      const Real residual =
          E_ * (root.w - begin.w) - C_ * (root.t - begin.t) - S_ * (root.g - begin.g) + drop;
      const Real change = -residual * slope_of(root).per_first;
      return nearby<Real>(root, change - value_of(change));
    }
  }

  /// Short motions without an exponential. With y = tanh((w − w₀)/2),
  ///
  ///     t = t₀ + 2 y g₀²/D,  g = g₀ (1 − y²)/D,  D = 1 + 2 t₀ y + y²,
  ///
  /// and H(w) − H(w₀) + drop = 0 times D/2 is nearly a polynomial, in which nothing cancels however
  /// short the motion is:
  ///
  ///     P(y) = (E atanh y + drop/2) D − y g₀ (C g₀ − S t₀ − S y) = 0.
  ///
  /// Reverted series, then third-order iteration. The slopes of P come from its Taylor polynomial,
  /// which is ready before P itself. False if the motion is not short enough.
  bool solve_short(Angle<double>& at, double drop) const noexcept {
    const double E = value_of(E_), S = value_of(S_), t = at.t, g = at.g;
    const double tE = t * E;
    const double K = value_of(C_) * g - S * t;
    const double p0 = 0.5 * drop, p1 = (E - g * K) + t * drop, p2 = (2 * tE + g * S) + p0;
    if (!(p0 < longest * p1)) return false;
    const double per_p1 = 1 / p1;
    const double z = -p0 * per_p1;
    const double s = p2 * per_p1, u = (4. / 3) * E * per_p1, v = (2. / 3) * tE * per_p1;
    const double ss = s * s, zz = z * z;
    double y = (z - zz * s) + zz * (z * (2 * ss - u) + zz * (5 * s * (u - ss) - v));
    for (int iteration = 0; iteration < 3; ++iteration) {
      const double q = y * y, qq = q * q, q4 = qq * qq;
      const double P = (E * y * atanh_over(q) + p0) * ((1 + q) + 2 * t * y) - g * y * (K - S * y);
      const double P1 =
          ((p1 + 2 * p2 * y) + q * (4 * E + (8. / 3) * tE * y)) +
          (qq * (((8. / 3) * E + (12. / 5) * tE * y) + q * ((12. / 5) * E + (16. / 7) * tE * y)) +
           q4 * ((16. / 7) * E));
      const double P2 = (p2 + 4 * E * y) + q * (4 * tE + (16. / 3) * E * y);
      const double per_P1 = 1 / P1;
      const double n = P * per_P1;
      y -= n + (n * n) * (P2 * per_P1);
      if (!(y > -longest && y <= 0)) return false;
      if (n * n * per_P1 < accepted_short_) {
        const double after = y * y;
        const double per_D = 1 / ((1 + after) + 2 * t * y);
        at.w += 2 * y * atanh_over(after);
        at.t += 2 * g * g * y * per_D;
        at.g = (g - g * after) * per_D;
        return true;
      }
    }
    return false;
  }
  static constexpr double longest = 1. / 16;
  /// atanh(y)/y for |y| ≤ 1/16, from q = y².
  static double atanh_over(double q) noexcept {
    const double qq = q * q;
    return ((1 + q * (1. / 3)) + qq * (1. / 5 + q * (1. / 7))) +
           (qq * qq) * ((1. / 9 + q * (1. / 11)) + qq * (1. / 13));
  }

  /// 1/H', H''/2H', H'''/6H'
  struct Slopes {
    double per_first, second, third;
  };
  Slopes slope_of(const Angle<double>& at) const noexcept {
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
  Angle<double> solve(const Angle<double>& begin, double drop, int side) const noexcept {
    const double E = value_of(E_), C = value_of(C_), S = value_of(S_);
    const double target = E * begin.w - C * begin.t - S * begin.g - drop;
    double lo = begin.w - drop * per_a_min_;
    double hi = begin.w - drop * per_a_max_;
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
      double w = at.w + h;
      if (iteration == 0 && n > 0.5) w = std::clamp((target - C) * per_E_, lo, hi);
      if (halve || !(w > lo && w < hi)) w = 0.5 * (lo + hi);
      at = angle(w, side);
      const double before = std::abs(residual);
      residual = E * at.w - C * at.t - S * at.g - target;
      (residual > 0 ? hi : lo) = w;
      halve = !halve && iteration > 0 && std::abs(residual) > 0.5 * before;
    }
    return at;
  }

  /// E [ln cosh w]₀¹ − ½ S (ψ₀ − ψ₁), with ln cosh w = 2 max(w, 0) − w − ln(1 + |t|) and E w taken
  /// from the first integral. So a far negative w does not enter: near saturation neither its
  /// rounding nor its derivatives, which may be as large as 1/sech w, spoil the answer.
  Real lost_between(const Angle<Real>& begin, const Angle<Real>& end,
                    const Real& drop) const noexcept {
    using std::abs;
    using std::log;
    Real lost = drop - C_ * (end.t - begin.t) - S_ * (end.g - begin.g + 0.5 * turned(begin, end)) +
                E_ * log((1.0 + abs(begin.t)) / (1.0 + abs(end.t)));
    if (begin.w > 0.0) lost -= 2.0 * E_ * (end.w > 0.0 ? begin.w - end.w : begin.w);
    return lost > 0.0 ? lost : Real(0);  // a difference of rounded numbers
  }

  /// ψ₀ − ψ₁
  static Real turned(const Angle<Real>& begin, const Angle<Real>& end) noexcept {
    using std::abs;
    using std::atan2;
    const Real sine = begin.t * end.g - end.t * begin.g;
    const Real cosine = begin.t * end.t + begin.g * end.g;
    // Short motions: asin by its series, to 1e-16 below this angle.
    if (abs(sine) < 0.03 && cosine > 0.0) {
      const Real q = sine * sine;
      return sine * (1.0 + q * (1. / 6 + q * (3. / 40 + q * (15. / 336))));
    }
    return atan2(sine, cosine);
  }

  Real a1_, a2_, bb_;
  Real beta1_, beta2_, beta_beta_;
  Real R_, RR_, c1_, c2_, E_, C_, S_;
  double per_a_min_, per_a_max_, per_E_;
  double accepted_, accepted_short_;  ///< corrections that leave nothing but rounding
};

}  // namespace microslip
