#pragma once

/// The Bouc–Wen equation over a monotone motion, in closed form for any length.
///
/// With y = z d (d the direction, x ≥ 0 the length of the motion) every law of the family reads
///
///     y ≥ 0:          dy/dx = A − g yⁿ        g ≥ 0, the loading side
///     y < 0, p = −y:  dp/dx = −(A + h pⁿ)     h ≥ 0, the unloading side, until p = 0.
///
/// Both are dv/dX = ±(1 − κ vⁿ), so X is a difference of Q₁ with
///
///     Q_j(v) = ∫₀^v s^(j−1)/(1 − κ sⁿ) ds = (v^j/j) Φ_{j/n}(κ vⁿ),   Φ_b(w) = ₂F₁(1, b; 1+b; w),
///
/// and the energy lost, ∫ v κvⁿ dX, is a difference of Q₂ − v²/2. One function Φ therefore serves
/// the motion and its energy, for every n > 0, κ of either sign and κ = 0.
///
/// n = 1 and n = 2 have their elementary solutions. For other n short motions are power series; for
/// long ones the root is found by Newton's method from a bound on the side where it climbs
/// monotonically. Derivatives pass through neither: they follow from differentiating
/// Q₁(v₁) = Q₁(v₀) ± X, for all n alike.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <type_traits>

#include "microslip/core/dual.hpp"
#include "microslip/detail/kernels/bouc_wen_integral.hpp"
#include "microslip/detail/kernels/bouc_wen_second_power.hpp"
#include "microslip/detail/kernels/relaxation.hpp"

namespace microslip {
namespace bouc_wen {

struct NoIntegral {
  template <class T>
  explicit constexpr NoIntegral(const T&) {}
};

/// The solution of the equation for one exponent n.
template <Number Real>
class Flow {
  static constexpr bool dual = !std::is_same_v<Real, double>;

 public:
  explicit constexpr Flow(const Real& n)
      : n_(n),
        exponent_(value_of(n)),
        q1_(1 / exponent_),
        q2_(2 / exponent_),
        slopes1_(Seed(1 / exponent_, 0)),
        slopes2_(Seed(2 / exponent_, 0)) {}

  /// What a motion leads to.
  struct Leg {
    Real y;
    Real lost;  ///< ∫ y (1 − y'/A) dx ≥ 0
  };

  /// y after the length x, from y0. States with y0 beyond saturation cannot be reached; a rounding
  /// beyond it decays at the rate linearised there.
  constexpr Leg advance(const Real& A, const Real& g, const Real& h, const Real& y0,
                        const Real& x) const noexcept {
    return move<true>(A, g, h, y0, x);
  }
  /// The same without its loss, which costs more than y itself.
  constexpr Real position(const Real& A, const Real& g, const Real& h, const Real& y0,
                          const Real& x) const noexcept {
    return move<false>(A, g, h, y0, x).y;
  }

  /// Length of the motion that brings y0 < 0 to zero.
  constexpr Real crossing(const Real& A, const Real& h, const Real& y0) const noexcept {
    return whole<false>(Real(-h / A), Real(-y0)).length / A;
  }

  /// X = Q₁(v) in plain numbers, and the slope 1 − κvⁿ > 0 there, for κ of either sign.
  struct Distance {
    double X, sigma;
  };
  constexpr Distance distance(double kappa, double v) const noexcept {
    Point point = at(kappa, v);
    if (point.w > 0.5) point.depth = -std::log(point.sigma);
    return {reach(point), point.sigma};
  }
  constexpr double log_constant() const noexcept { return q1_.log_constant(); }

  /// dy/dx at y, seen in the direction of the motion.
  constexpr Real rate(const Real& A, const Real& g, const Real& h, const Real& y) const noexcept {
    const double value = value_of(y);
    if (value == 0) return A;
    if (value < 0) return A + h * to_power(Real(-y));
    const Real loading = A - g * to_power(y);
    return value_of(loading) > 0 ? loading : loading - value_of(loading);
  }

  /// vⁿ, v > 0; its derivative by n costs a logarithm only where it is asked for.
  constexpr Real to_power(const Real& v) const noexcept {
    const double value = power(value_of(v));
    if constexpr (dual) {
      Real result(value, (exponent_ * value / v.a * v.v).eval());
      if (!n_.v.isZero(0)) result.v += value * std::log(v.a) * n_.v;
      return result;
    } else {
      return value;
    }
  }

 private:
  struct Seed {  // b = j/n as a dual number whose one derivative is ∂/∂b
    double value;
    int direction;
    constexpr Seed(double v, int i) : value(v), direction(i) {}
    operator Dual<1>() const { return Dual<1>(value, direction); }
  };
  using Slopes = std::conditional_t<dual, PowerIntegral<Dual<1>>, NoIntegral>;

  struct Arc {
    Real v, length, lost;
  };
  struct Ends {
    Point from, to;
    double lost = -1;  ///< where the same numbers give it; else computed from the ends
  };

  template <bool energy>
  constexpr Leg move(const Real& A, const Real& g, const Real& h, const Real& y0,
                     const Real& x) const noexcept {
    if constexpr (!dual) {
      if (exponent_ == 2 && g * y0 * y0 < A) {
        const auto [y, lost] = second_power::move<energy>(A, g, h, y0, x);
        return {y, lost};
      }
    }
    if (!(value_of(y0) < 0)) return load<energy>(A, g, y0, x);
    const Real p0 = -y0;
    const Real kappa = -h / A;
    const Real length = A * x;
    if (stays_below_zero(value_of(kappa), value_of(p0), value_of(length))) {
      const Arc arc = unload<energy>(kappa, p0, length);
      return {-arc.v, arc.lost / A};
    }
    const Arc to_zero = whole<energy>(kappa, p0);
    Real beyond = x - to_zero.length / A;
    if (beyond < 0.0) beyond -= value_of(beyond);  // rounding; its derivatives still count
    const Leg rest = load<energy>(A, g, Real(0), beyond);
    return {rest.y, to_zero.lost / A + rest.lost};
  }

  // Loading. Far from saturation y itself is the variable, so that g → 0 is no special case; else
  // v = y/y∞ and κ = 1.
  template <bool energy>
  constexpr Leg load(const Real& A, const Real& g, const Real& y0, const Real& x) const noexcept {
    const double elastic = value_of(y0) + value_of(A) * value_of(x);  // y cannot exceed it
    if (value_of(g) / value_of(A) * power(elastic) <= 0.5) {
      const Real kappa = g / A;
      const Real length = A * x;
      const double k = value_of(kappa);
      const Ends ends = rise(k, value_of(y0), value_of(length));
      const Arc arc = assemble<energy>(ends, kappa, y0, length, 1);
      return {arc.v, arc.lost / A};
    }
    const Real limit = root(A / g);
    const Real v0 = y0 / limit;
    const Real length = A * x / limit;
    const Arc arc = value_of(v0) < 1 ? assemble<energy>(saturate(value_of(v0), value_of(length)),
                                                        Real(1), v0, length, 1)
                                     : saturated(v0, length);
    return {limit * arc.v, limit * limit / A * arc.lost};
  }

  template <bool energy>
  constexpr Arc unload(const Real& kappa, const Real& p0, const Real& length) const noexcept {
    return assemble<energy>(fall(value_of(kappa), value_of(p0), value_of(length)), kappa, p0,
                            length, -1);
  }

  constexpr Arc saturated(const Real& v0, const Real& length) const noexcept {
    using std::exp;
    const Real past = v0 - 1.0;
    const Real decay = exp(-n_ * length);
    return {1.0 + past * decay, length, length + past * (1.0 + 1.0 / n_) * (1.0 - decay)};
  }

  /// p falls at least with slope 1 and at most with its first slope; Q₁ decides between.
  constexpr bool stays_below_zero(double kappa, double p0, double length) const noexcept {
    if (length >= p0) return false;
    const Point from = at(kappa, p0);
    return length * from.sigma < 0.5 * p0 || length < reach(from);
  }

  /// From p0 to zero.
  template <bool energy>
  constexpr Arc whole(const Real& kappa, const Real& p0) const noexcept {
    const Point from = at(value_of(kappa), value_of(p0));
    double lost_on_the_way = 0;
    if constexpr (energy)
      lost_on_the_way = exponent_ == 2 ? square_lost(from, {0, 1, 0, 0, 1, 0}) : -loss(from);
    Arc arc{Real(0), Real(reach(from)), Real(lost_on_the_way)};
    if constexpr (dual) {
      arc.length.v = p0.v / from.sigma;
      arc.lost.v = -from.v * from.w / from.sigma * p0.v;
      if (!kappa.v.isZero(0) || !n_.v.isZero(0)) {
        const Slope q1 = slope(slopes1_, 1, from), q2 = slope(slopes2_, 2, from);
        arc.length.v += q1.kappa * kappa.v + q1.n * n_.v;
        arc.lost.v -= q2.kappa * kappa.v + q2.n * n_.v;
      }
    }
    return arc;
  }

  /// The numbers of a solved leg with their derivatives. From Q₁(v₁) − Q₁(v₀) = ±X:
  ///   δv₁/σ₁ = ±δX + δv₀/σ₀ − ΔQ₁,κ δκ − ΔQ₁,n δn,
  ///   δ(lost) = v₁w₁ δv₁/σ₁ − v₀w₀ δv₀/σ₀ + ΔQ₂,κ δκ + ΔQ₂,n δn.
  template <bool energy>
  constexpr Arc assemble(const Ends& ends, const Real& kappa, const Real& v0, const Real& length,
                         double sign) const noexcept {
    const Point& a = ends.from;
    const Point& b = ends.to;
    Arc arc{Real(b.v), length, Real(ends.lost)};
    if (energy && ends.lost < 0) arc.lost = Real(lost(a, b, value_of(length)));
    if constexpr (dual) {
      auto drift = (sign * length.v).eval();
      auto change = (0.0 * length.v).eval();
      if (!kappa.v.isZero(0) || !n_.v.isZero(0)) {
        const Slope a1 = slope(slopes1_, 1, a), b1 = slope(slopes1_, 1, b);
        const Slope a2 = slope(slopes2_, 2, a), b2 = slope(slopes2_, 2, b);
        drift -= (b1.n - a1.n) * n_.v;
        change += (b2.n - a2.n) * n_.v;
        if (!kappa.v.isZero(0)) {
          drift -= (b1.kappa - a1.kappa) * kappa.v;
          change += (b2.kappa - a2.kappa) * kappa.v;
        }
      }
      arc.v.v = b.sigma * drift + b.sigma / a.sigma * v0.v;
      arc.lost.v = b.v * b.w * drift + change + (moment(b) - moment(a)) / a.sigma * v0.v;
    }
    return arc;
  }

  /// v w, up to a constant, with the digits of the gap close to saturation.
  constexpr double moment(const Point& p) const noexcept {
    if (p.w <= 0.6) return p.w * p.v - 1;
    if (exponent_ == 1) return -p.gap * (2 - p.gap);
    return std::expm1((exponent_ + 1) * std::log1p(-p.gap));
  }

  struct Slope {
    double kappa, n;
  };
  /// ∂Q_j/∂κ and ∂Q_j/∂n at fixed v.
  Slope slope(const Slopes& integral, int j, const Point& p) const noexcept requires dual {
    if (p.v == 0) return {0, 0};
    const Dual<1> excess = integral.excess(p);
    const double b = j / exponent_;
    const double vj = j == 1 ? p.v : p.v * p.v;
    const double log_v = std::abs(p.gap) < 0.5 ? std::log1p(-p.gap) : std::log(p.v);
    // ln v/σ → −1/n at saturation.
    const double log_over_sigma = p.sigma < 1e-17 ? -1 / exponent_ : log_v / p.sigma;
    return {vj * p.power / exponent_ * (1 / p.sigma - excess.a),
            vj * p.w / j * b * (log_over_sigma - excess.a * log_v - b / j * excess.v[0])};
  }

  constexpr double power(double v) const noexcept {
    return exponent_ == 1 ? v : exponent_ == 2 ? v * v : std::pow(v, exponent_);
  }
  /// x^(1/n), likewise.
  constexpr Real root(const Real& x) const noexcept {
    const double a = value_of(x);
    const double value = exponent_ == 1   ? a
                         : exponent_ == 2 ? std::sqrt(a)
                                          : std::pow(a, 1 / exponent_);
    if constexpr (dual) {
      Real result(value, (value / (exponent_ * a) * x.v).eval());
      if (!n_.v.isZero(0)) result.v -= value * std::log(a) / square(exponent_) * n_.v;
      return result;
    } else {
      return value;
    }
  }
  constexpr Point at(double kappa, double v) const noexcept {
    const double vn = power(v);
    const double w = kappa * vn;
    return {v, 1 - v, vn, w, 1 - w, 0};
  }
  /// The same for κ = 1 and v close to 1, from the variable s = −ln(1 − v).
  constexpr Point at_depth(double s) const noexcept {
    const double gap = std::exp(-s);
    const double log_vn = exponent_ * std::log1p(-gap);
    const double sigma = -std::expm1(log_vn);
    const double vn = std::exp(log_vn);
    const double depth =
        s > 40 + std::log(exponent_ + 1) ? s - std::log(exponent_) : -std::log(sigma);
    return {-std::expm1(-s), gap, vn, vn, sigma, depth};
  }

  constexpr double reach(const Point& p) const noexcept {
    if (exponent_ == 1 && p.w < 0) return -p.v * std::log1p(-p.w) / p.w;
    if (exponent_ == 2 && p.w < 0) {
      const double q = std::sqrt(-p.w);
      return q < 1e-9 ? p.v : p.v * std::atan(q) / q;
    }
    return p.v * (1 + p.w * q1_.excess(p));
  }
  constexpr double loss(const Point& p) const noexcept {
    // n = 1: Q₂ = (Q₁ − v)/κ, where its digits do not cancel.
    if (exponent_ == 1 && p.w < -0.25) return p.v * ((reach(p) - p.v) / p.w - 0.5 * p.v);
    return 0.5 * p.v * p.v * p.w * q2_.excess(p);
  }

  constexpr double lost(const Point& a, const Point& b, double length) const noexcept {
    // Over a short step the trapezium is exact to 1e-13 and the difference is not.
    if (length * std::max(1.0, a.sigma) <= short_step * a.v)
      return 0.5 * length * (a.v * std::abs(a.w) + b.v * std::abs(b.w));
    if (exponent_ == 2) return std::max(0.0, square_lost(a, b));
    return std::max(0.0, loss(b) - loss(a));
  }

  /// n = 2: ∫ v w dX = ½ D (w₀ + x ℓ), D = (v₁² − v₀²)/σ₀, x = κD = 1 − σ₁/σ₀, ℓ = (−ln(1 − x) − x)/x²,
  /// in which nothing cancels; for small x, ℓ is a series in x/(2 − x).
  constexpr double square_lost(const Point& a, const Point& b) const noexcept {
    const double dv = a.v > 0.5 ? a.gap - b.gap : b.v - a.v;
    const double D = dv * (b.v + a.v) / a.sigma, x = (a.sigma - b.sigma) / a.sigma;
    double xl;
    if (x < 0.25) {
      const double r = 1 / (2 - x), y = x * r;
      xl = x * (r + 2 * y * r * r * short_series<second_power::OddReciprocals, 9>(y * y));
    } else {
      xl = ((b.depth > 0 ? b.depth - a.depth : -std::log(b.sigma / a.sigma)) - x) / x;
    }
    return 0.5 * D * (a.w + xl);
  }

  /// n = 1: v relaxes towards 1/κ, and κ ∫ v² dX is what that loses.
  constexpr Ends linear(double kappa, double v0, double change) const noexcept {
    const Point from = at(kappa, v0);
    const auto decay = relaxation::decay(kappa * change);
    return {from, at(kappa, std::max(0.0, decay.stretch(v0, change))), decay.lost(v0, change)};
  }

  /// Short motions for any n: dv/dX = 1 − w, w = κvⁿ, by power series in `change` = ±X, which need
  /// no function at all. With V_k and W_k the terms of v and w,
  ///
  ///     V_{k+1} = change (δ_{k0} − W_k)/(k+1),   k V₀ W_k = Σ_j ((n+1) j − k) V_j W_{k−j},
  ///
  /// and the loss is the integral of v w. False if they do not reach rounding.
  constexpr bool by_series(double change, Ends& ends) const noexcept {
    const Point& from = ends.from;
    // Too far when nearing v = 0, a singularity unless n is whole, or saturation, like e^(−n X).
    const double length = std::abs(change);
    if (from.w == 0 || !(length * from.sigma * (1 + exponent_) < 0.3 * from.v &&
                         length * std::abs(from.w) * exponent_ < 0.8 * from.v))
      return false;
    std::array<double, series_terms> V, slope, W;  // slope: k V_k
    V[0] = from.v;
    W[0] = from.w;
    V[1] = slope[1] = change * from.sigma;
    const double enough = 1e-17 * std::abs(V[1]), per_v = 1 / from.v;
    double dv = V[1], dw = 0, mean = from.v * from.w;
    for (std::size_t k = 1; k + 1 < series_terms; ++k) {
      // Σ_j V_j W_{k−j} and Σ_j j V_j W_{k−j} over j = 1…k, the terms known last at the end.
      double sum = 0, weighted = 0;
      for (std::size_t j = 2; j < k; ++j) {
        sum += V[j] * W[k - j];
        weighted += slope[j] * W[k - j];
      }
      if (k > 1) {
        sum += V[1] * W[k - 1];
        weighted += slope[1] * W[k - 1];
      }
      sum += V[k] * W[0];
      weighted += slope[k] * W[0];
      const double order = static_cast<double>(k);
      W[k] = ((exponent_ + 1) * weighted - order * sum) * (per_v * per_order[k]);
      slope[k + 1] = -change * W[k];
      V[k + 1] = slope[k + 1] * per_order[k + 1];
      dv += V[k + 1];
      dw += W[k];
      mean += (sum + from.v * W[k]) * per_order[k + 1];
      if (std::abs(V[k]) + std::abs(V[k + 1]) < enough) {
        ends.to = {from.v + dv, from.gap - dv,   from.power * (1 + dw / from.w),
                   from.w + dw, from.sigma - dw, 0};
        ends.lost = std::max(0.0, change * mean);
        return true;
      }
    }
    return false;
  }

  // dv/dX = 1 − κvⁿ, κ ≥ 0, as long as w ≤ 1/2.
  constexpr Ends rise(double kappa, double v0, double length) const noexcept {
    if (exponent_ == 1) return linear(kappa, v0, length);
    const Point from = at(kappa, v0);
    if (Ends ends{from, {}}; exponent_ != 2 && by_series(length, ends)) return ends;
    const double highest = v0 + length;
    double v;
    if (exponent_ == 2) {
      const double t = second_power::way(kappa, length);
      v = (v0 + t) / (1 + kappa * v0 * t);
    } else {
      v = newton(kappa, from, length, v0, highest);
    }
    return {from, at(kappa, std::clamp(v, v0, highest))};
  }

  // dp/dX = −(1 − κpⁿ), κ ≤ 0, before p = 0.
  constexpr Ends fall(double kappa, double p0, double length) const noexcept {
    if (exponent_ == 1) return linear(kappa, p0, -length);
    const Point from = at(kappa, p0);
    if (Ends ends{from, {}}; exponent_ != 2 && by_series(-length, ends)) return ends;
    double p;
    if (exponent_ == 2) {
      const double t = second_power::way(kappa, length);
      p = (p0 - t) / (1 - kappa * p0 * t);
    } else if (from.w >= -Integral::tail_start) {
      p = newton(kappa, from, -length, std::max(0.0, p0 - from.sigma * length), p0);
    } else {
      p = fall_from_afar(kappa, from, length);
    }
    return {from, at(kappa, std::clamp(p, 0.0, p0))};
  }

  /// Q₁(v) = Q₁(v₀) + change inside a bracket where 1 − κvⁿ varies at most fourfold.
  [[gnu::noinline]] constexpr double newton(double kappa, const Point& from, double change,
                                            double lo, double hi) const noexcept {
    const Point middle = at(kappa, std::clamp(from.v + 0.5 * change * from.sigma, lo, hi));
    const double guess = std::clamp(from.v + change * middle.sigma, lo, hi);
    if (std::abs(change) * (1 + exponent_) * from.sigma <= 1e-6 * from.v) return guess;
    return newton_to(kappa, reach(from) + change, guess, lo, hi);
  }
  [[gnu::noinline]] constexpr double newton_to(double kappa, double target, double guess, double lo,
                                               double hi) const noexcept {
    double v = guess;
    for (int i = 0; i < most_iterations; ++i) {
      const Point p = at(kappa, v);
      const double next = std::clamp(v + (target - reach(p)) * p.sigma, lo, hi);
      const double change = std::abs(next - v);
      v = next;
      if (change <= 1e-9 * v) break;  // Newton's error is the square of its last step
    }
    return v;
  }

  /// Beyond −w = 3, Q₁ is a constant plus a tail that is nearly linear in p^(1−n)/(1−n).
  [[gnu::noinline]] constexpr double fall_from_afar(double kappa, const Point& from,
                                                    double length) const noexcept {
    const double b = 1 / exponent_;
    const double joint = std::pow(-Integral::tail_start / kappa, b);
    const auto tail = [&](const Point& p) { return b * p.v * q1_.tail(-p.w); };
    const double target = tail(from) - length;
    if (target < tail(at(kappa, joint)))
      return newton_to(kappa, b * joint * q1_.join() + target, joint, 0, joint);
    double p = from.v;
    for (int i = 0; i < most_iterations; ++i) {
      const Point here = at(kappa, p);
      // δ is the step of p^(1−n)/(1−n), relative to p^(1−n).
      const double delta = (target - tail(here)) * here.sigma / p;
      const double growth = std::max((1 - exponent_) * delta, -0.9);
      const double change = growth == 0 ? delta : std::log1p(growth) / (1 - exponent_);
      p = std::clamp(p * std::exp(change), joint, from.v);
      if (std::abs(change) <= 1e-9) break;
    }
    return p;
  }

  // dv/dX = 1 − vⁿ, 0 ≤ v < 1.
  constexpr Ends saturate(double v0, double length) const noexcept {
    if (exponent_ == 1) return saturate_linear(v0, length);
    Point from;
    if (exponent_ == 2) {
      const double sigma = (1 - v0) * (1 + v0);
      from = {v0, 1 - v0, v0 * v0, v0 * v0, sigma, 0};
      if constexpr (dual) from.depth = -std::log(sigma);
      return {from, saturate_square(from, length)};
    }
    if (v0 > 0.5) {
      const double sigma = -std::expm1(exponent_ * std::log(v0));
      from = {v0, 1 - v0, 1 - sigma, 1 - sigma, sigma, 0};
    } else {
      from = at(1, v0);
    }
    if (Ends ends{from, {}}; by_series(length, ends)) {
      if constexpr (dual) {  // only the slopes ask for it
        ends.from.depth = -std::log(ends.from.sigma);
        ends.to.depth = -std::log(ends.to.sigma);
      }
      return ends;
    }
    from.depth = -std::log(from.sigma);
    const double s0 = -std::log1p(-v0);
    return {from, at_depth(saturation_depth(from, s0, length))};
  }

  constexpr Ends saturate_linear(double v0, double length) const noexcept {
    Point from{v0, 1 - v0, v0, v0, 1 - v0, 0};
    if constexpr (dual) from.depth = -std::log1p(-v0);  // only the slopes ask for it
    const auto decay = relaxation::decay(length);
    const double gap = from.gap * decay.keep;
    const double v = length < 0.5 ? v0 + from.gap * length * decay.ramp : 1 - gap;
    return {from, {v, gap, v, v, gap, from.depth + length}, decay.lost(v0, length)};
  }

  /// 1 − tanh X and 1 − tanh² X from e^(−2X), or from the continued fraction where they are no small
  /// differences.
  constexpr Point saturate_square(const Point& from, double length) const noexcept {
    const bool little = length < 0.4;
    const double decay = little ? 0 : std::exp(-2 * length);
    const double t = little ? second_power::way(1, length) : (1 - decay) / (1 + decay);
    const double left = little ? 1 - t : 2 * decay / (1 + decay);
    const double sum = 1 + from.v * t;
    const double gap = from.gap * left / sum;
    const double sigma = from.sigma * left * (1 + t) / (sum * sum);
    Point to{std::min(1.0, (from.v + t) / sum), gap, 0, 0, sigma, from.depth};
    to.power = to.w = to.v * to.v;
    // −ln σ, where it is asked for.
    if (dual || sigma < 0.75 * from.sigma)
      to.depth += little ? -std::log(left * (1 + t)) + 2 * std::log(sum)
                         : 2 * (length + std::log(0.5 * (1 + decay) * sum));
    return to;
  }

  /// s = −ln(1 − v) after the step. dX/ds = (1 − v)/(1 − vⁿ) runs monotonically from 1 to 1/n, and
  /// X → (s − ln n + C)/n; the bounds below lie on the side from which Newton is monotone.
  [[gnu::noinline]] constexpr double saturation_depth(const Point& from, double s0,
                                                      double length) const noexcept {
    const double target = reach(from) + length;
    const double asymptote = exponent_ * target + std::log(exponent_) - q1_.log_constant();
    double s = exponent_ > 1 ? std::max({s0 + length, target, asymptote})
                             : std::min({s0 + length, target, asymptote});
    // Over a short step the midpoint rule is nearer. A start on the other side costs nothing: from
    // there Newton's first step crosses over.
    if (length < 0.3) {
      const double gap = from.gap * std::exp(-0.5 * length * from.sigma / from.gap);
      s = s0 + length * (1 - power(1 - gap)) / gap;
    }
    for (int i = 0; i < most_iterations; ++i) {
      const Point p = at_depth(s);
      const double slope = p.gap < 1e-18 ? exponent_ : p.sigma / p.gap;
      const double change = (target - reach(p)) * slope;
      s = std::max(s + change, s0);
      if (std::abs(change) <= 1e-8 * std::min(1.0, s) || std::abs(change) <= 1e-14 * s) break;
    }
    return s;
  }

  using Integral = PowerIntegral<double>;
  static constexpr double short_step = 1e-7;
  static constexpr std::size_t series_terms = 20;
  static constexpr auto per_order = [] {
    std::array<double, series_terms> result{};
    for (std::size_t k = 1; k < series_terms; ++k) result[k] = 1 / static_cast<double>(k);
    return result;
  }();
  static constexpr int most_iterations = 100;  // a handful suffice; 100 ends a loop of rounding

  Real n_;
  double exponent_;
  Integral q1_, q2_;
  Slopes slopes1_, slopes2_;
};

}  // namespace bouc_wen
}  // namespace microslip
