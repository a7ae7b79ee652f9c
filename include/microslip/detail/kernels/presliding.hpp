#pragma once

/// How far bristles follow a sliding body. With y the force of the bristles in the direction of the
/// motion, S its limit and K their stiffness, they give way by
///
///     dz/dx = 1 − sgn(y) |y/S|^n,   dy/dx = K dz/dx,
///
/// x ≥ 0 the length of the motion. Up to S, y/S follows the Bouc–Wen equation with A = g = h = K/S
/// and its closed form. Above S, where a limit that fell with speed leaves a force, y comes down to
/// S: far above by a series (`fall`), close to S with error control. On a polyline of stiffness (a
/// Masing model driven by z) a step goes from corner to corner.

#include <algorithm>
#include <array>
#include <cmath>

#include "microslip/core/dual.hpp"
#include "microslip/core/response.hpp"
#include "microslip/detail/kernels/bouc_wen.hpp"
#include "microslip/detail/numerics/bracket.hpp"
#include "microslip/detail/numerics/extrapolation.hpp"
#include "microslip/detail/numerics/quotients.hpp"

namespace microslip {

template <Number Real>
class PreslidingFlow {
 public:
  explicit constexpr PreslidingFlow(const Real& n) : n_(n), flow_(n) {}

  struct Leg {
    Real y;
    Real z;     ///< how far the bristles moved; negative when they spring back
    Real lost;  ///< ∫ y (1 − dz/dx) dx
    Status status = Status::ok;
  };

  /// dz/dx.
  constexpr Real rate(const Real& S, const Real& y) const noexcept {
    using std::pow;
    const Real share = y / S;
    if (value_of(share) == 0) return Real(1);
    const bool against = value_of(share) < 0;
    const Real part = pow(against ? Real(-share) : share, n_);
    return against ? 1.0 + part : 1.0 - part;
  }

  /// The limit is approached and never left again, so whatever rounding says counts as below it.
  static constexpr bool above(const Real& S, const Real& y) noexcept {
    return value_of(y) > value_of(S) * (1 + 1e-12);
  }

  [[gnu::noinline]] constexpr Leg advance(const Real& K, const Real& S, const Real& y0,
                                          const Real& x) const noexcept {
    if (value_of(K) == 0) {
      const Real z = rate(S, y0) * x;
      return {y0, z, y0 * (x - z)};
    }
    if (above(S, y0)) return descend(K, S, y0, x);
    return settle(K, S, y0, x);
  }

  /// The part of the motion x after which the bristles have moved by z, which they do.
  constexpr Real length_for(const Real& z, const Real& K, const Real& S, const Real& y0,
                            const Real& x) const noexcept {
    const double sense = value_of(z) < 0 ? -1 : 1;
    const double most = value_of(x);
    const double guess = std::clamp(value_of(z) / value_of(rate(S, y0)), 0.0, most);
    return zero_of(std::isnan(guess) ? most : guess, most, 1e-9, [&](double at) {
      const Leg leg = advance(K, S, y0, Real(at));
      return Residual{sense * (leg.z - z), sense * rate(S, leg.y)};
    });
  }

 private:
  struct Residual {
    Real value, slope;
  };

  /// Where a growing function of a number in [0, high] is zero: Newton's method in a bracket, until
  /// a change is `enough` of the number. The next error is the square of this one, and the change
  /// carries the derivatives.
  template <class Function>
  static constexpr Real zero_of(double at, double high, double enough,
                                const Function& residual) noexcept {
    Bracket bracket{0, high};
    Real change(0);
    for (int i = 0; i < 100; ++i) {
      const Residual here = residual(at);
      change = here.value / here.slope;
      if (std::abs(value_of(change)) <= enough * at) return at - change;
      at = bracket.next(at, value_of(here.value), value_of(change));
      if (bracket.above - bracket.below <= 1e-15 * bracket.above) break;
    }
    // Next to the limit the change is rounding, but its derivatives are not.
    return std::isfinite(value_of(change)) ? at - (change - value_of(change)) : Real(at);
  }

  /// In units of S, whose n-th power may be too large or too small for a number.
  constexpr Leg settle(const Real& K, const Real& S, const Real& y0, const Real& x) const noexcept {
    const Real A = K / S;
    const auto leg = flow_.advance(A, A, A, y0 / S, x);
    const Real y = S * leg.y;
    return {y, (y - y0) / K, S * leg.lost};
  }

  struct Fall {
    Real y, lost;
    Real left;  ///< of the motion, close to the limit
    bool ends;  ///< the motion, far above the limit
  };

  /// Far above the limit, down to (y/S)^n = e^far. With η = y/S, which falls from η0 to η0 e^−D,
  ///
  ///     K x/S = ∫ dη/(η^n − 1),   lost = S²/K ∫ η^(n+1)/(η^n − 1) dη,
  ///
  /// and 1/(η^n − 1) = Σ η^−kn, k = 1, 2, …, is integrated term by term.
  constexpr Fall fall(const Real& K, const Real& S, const Real& y0, const Real& x) const noexcept {
    using std::exp, std::log;
    const Real top = log(y0 / S);
    if (value_of(n_) * value_of(top) <= far || !(value_of(x) > 0)) return {y0, Real(0), x, false};
    const Real way = K / S * x;
    const Real most = top - far / n_;
    const Real whole = powers_integral(0, 1, far / n_, most);
    const bool arrives = value_of(whole) < value_of(way);
    const Real drop = arrives ? most : drop_for(way, top, value_of(most));
    return {y0 * exp(-drop), S * (S / K) * powers_integral(1, 0, top - drop, drop),
            x - whole * S / K, !arrives};
  }

  /// Σ_k ∫ η^(m − kn) dη from k = first, over η from e^bottom to e^(bottom + D).
  constexpr Real powers_integral(double m, int first, const Real& bottom,
                                 const Real& D) const noexcept {
    using std::exp;
    Real sum(0);
    for (int k = first; k <= most_powers; ++k) {
      const Real power = (m + 1) - static_cast<double>(k) * n_;
      sum += exp(power * bottom) * exprel(Real(power * D));
    }
    return D * sum;
  }

  /// D after the way K x/S, from the answer of the first power alone.
  constexpr Real drop_for(const Real& way, const Real& top, double most) const noexcept {
    using std::exp;
    const double m = value_of(n_) - 1;
    const double log_t = std::log(value_of(way)) + m * value_of(top);  // t = way η0^m
    const double guess = log_t > 30 && m > 0 ? (log_t + std::log(m)) / m
                                             : std::exp(log_t) * log1prel(m * std::exp(log_t));
    return zero_of(guess > 0 && guess < most ? guess : 0.5 * most, most, 1e-12, [&](double at) {
      const Real bottom = top - at;
      return Residual{powers_integral(0, 1, bottom, Real(at)) - way,
                      1.0 / (exp(m * bottom) - exp(-bottom))};
    });
  }

  constexpr Leg descend(const Real& K, const Real& S, const Real& y0,
                        const Real& x) const noexcept {
    using Y = std::array<Real, 2>;  // y, lost
    const auto slopes = [&](const Y& y) {
      const Real r = rate(S, y[0]);
      return Y{K * r, y[0] * (1.0 - r)};
    };
    const Fall start = fall(K, S, y0, x);
    if (start.ends) return {start.y, (start.y - y0) / K, start.lost};
    Y y{start.y, start.lost};
    Real left = start.left;
    const double pace = std::abs(value_of(K) * value_of(rate(S, y[0]))) * value_of(n_);
    double h = std::min(value_of(left), 0.3 * value_of(y[0]) / pace);
    for (int i = 0; i < most_steps; ++i) {
      // Closer than 1e-7 the linearised decay of the closed form is exact to 1e-14, and it dies out
      // where an error of each step would stay.
      if (value_of(n_) * (value_of(y[0]) - value_of(S)) < 1e-7 * value_of(S)) {
        const Leg rest = settle(K, S, y[0], left);
        return {rest.y, (rest.y - y0) / K, y[1] + rest.lost};
      }
      const bool last = h >= value_of(left);
      const Real length = last ? left : Real(h);
      const double size = value_of(y[0]);
      const std::array<double, 2> scale{
          size, std::max(value_of(y[1]), size * std::max(size / value_of(K), value_of(x)))};
      const auto trial = extrapolation::step(y, length, slopes, scale, tolerance);
      const double taken = value_of(length);
      const double next = extrapolation::next_length(taken, trial.error, tolerance);
      if (!(trial.error <= 10 * tolerance)) {
        h = std::min(next, taken / 2);
        continue;
      }
      y = trial.y;
      h = next;
      if (last) return {y[0], (y[0] - y0) / K, y[1]};
      left -= length;
    }
    return {y[0], (y[0] - y0) / K, y[1], Status::not_converged};
  }

  static constexpr double tolerance = 1e-14;
  static constexpr int most_steps = 10000;
  static constexpr double far = 6;       ///< n ln(y/S)
  static constexpr int most_powers = 7;  ///< e^(−6·7) of the first is less than rounding

  Real n_;
  bouc_wen::Flow<Real> flow_;
};

}  // namespace microslip
