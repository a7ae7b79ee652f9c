#pragma once

/// The one function behind the Bouc–Wen equation in closed form (kernels/bouc_wen.hpp).

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "microslip/core/dual.hpp"
#include "microslip/detail/numerics/quotients.hpp"

namespace microslip::bouc_wen {

/// Where on its curve a motion is: v, and the numbers that lose digits when computed from v.
struct Point {
  double v;
  double gap;    ///< 1 − v
  double power;  ///< vⁿ
  double w;      ///< κ vⁿ < 1
  double sigma;  ///< 1 − w
  double depth;  ///< −ln σ; used only close to saturation, σ < 0.3
};

/// Φ_b(w) = ₂F₁(1, b; 1+b; w) = b ∫₀¹ t^(b−1)/(1 − w t) dt for w < 1 and one b > 0, to rounding.
/// B is double, or Dual<1> to get the derivative with respect to b.
template <Number B>
class PowerIntegral {
 public:
  explicit constexpr PowerIntegral(const B& b) : b_(b) {
    using std::exp;
    for (int j = 1; j <= fraction_terms; ++j) fraction_[index(j - 1)] = fraction_coefficient(j);
    // Close to w = 1: Φ = b w^(−b) (C − ln σ − Σ c_k σ^k), σ = 1 − w, c_k = (1−b)_k/(k! k). For large b as
    // powers of bσ.
    log_scale_ = std::max(1.0, value_of(b_));
    B rising(1);
    for (int k = 1; k <= log_terms; ++k) {
      rising *= (static_cast<double>(k) - b_) / (static_cast<double>(k) * log_scale_);
      log_[index(k - 1)] = rising / static_cast<double>(k);
    }
    // The series stays free of cancellation while b σ is of order one.
    limit_ = std::max(0.7, 1 - 2 / value_of(b_));
    const double sigma = 1 - limit_;
    const double depth = -std::log(sigma);
    const B phi = 1.0 + limit_ * fraction(limit_, sigma);
    constant_ = phi * exp(b_ * std::log(limit_)) / b_ - depth + log_sum(sigma, depth);
    prepare_tail();
  }

  /// (Φ_b(w) − 1)/w, which keeps its digits for small w.
  [[gnu::noinline]] constexpr B excess(const Point& at) const noexcept {
    using std::exp;
    if (at.w < -tail_start)
      return (b_ * (join_ * exp(-b_ * std::log(-at.w / tail_start)) + tail(-at.w)) - 1.0) / at.w;
    if (at.w <= limit_) return fraction(at.w, at.sigma);
    const B phi = b_ * exp(-b_ * std::log1p(-at.sigma)) *
                  (constant_ + at.depth - log_sum(at.sigma, at.depth));
    return (phi - 1.0) / at.w;
  }

  /// C in Φ w^b/b → C − ln(1 − w) as w → 1.
  constexpr double log_constant() const noexcept { return value_of(constant_); }

  /// For u = −w > tail_start: Φ/b = join · (tail_start/u)^b + tail(u). The first part of v Φ is
  /// constant and drops out of differences, which keeps small steps exact far out on the curve.
  [[gnu::noinline]] constexpr B tail(double u) const noexcept {
    const int count = std::min(tail_terms, 1 + static_cast<int>(digits / std::log(u)));
    B sum(0);
    for (int k = count - 1; k >= 0; --k) sum = tail_[index(k)] - sum / u;
    if (resonant_ >= 0 && resonant_ < count) {
      // (1 − e^(−cQ))/c, the term whose denominator c = b − 1 − k may vanish.
      const double q = std::log(u / tail_start);
      const double sign = resonant_ % 2 == 0 ? 1 : -1;
      sum += sign * std::pow(u, -resonant_) * q * exprel(B(-q * (b_ - (1.0 + resonant_))));
    }
    return sum / u;
  }
  constexpr double join() const noexcept { return value_of(join_); }

  static constexpr double tail_start = 3;  ///< balances the terms of the fraction and of the tail

 private:
  static constexpr int fraction_terms = 64;
  static constexpr int log_terms = 40;   // 0.3^40 < 1e-20
  static constexpr int tail_terms = 40;  // 3^-40 < 1e-19
  static constexpr double digits = 39;   // e^-39 < 1e-16

  static constexpr std::size_t index(int i) { return static_cast<std::size_t>(i); }

  /// Gauss's continued fraction Φ = 1/(1 − a₁w/(1 − a₂w/(1 − …))).
  constexpr B fraction_coefficient(int j) const noexcept {
    const double m = j / 2;
    if (j % 2 == 1) return (b_ + m) * (b_ + m) / ((b_ + 2 * m) * (b_ + 2 * m + 1.0));
    return m * m / ((b_ + 2 * m - 1.0) * (b_ + 2 * m));
  }
  /// 1 − a_j, j = 2m + 1.
  constexpr B rest_of_odd(double m) const noexcept {
    return (b_ + (2 * m * b_ + m * (3 * m + 2))) / ((b_ + 2 * m) * (b_ + 2 * m + 1.0));
  }

  /// (Φ − 1)/w. One more term gains the factor |w|/(1 + √σ)².
  constexpr B fraction(double w, double sigma) const noexcept {
    const double gain = std::abs(w) / square(1 + std::sqrt(sigma));
    const double count = gain < 1e-17 ? 1 : 2 - digits / std::log(gain);
    if (value_of(b_) > 6) return fraction_backward(w, sigma, count);
    const B first = fraction_forward(w, static_cast<int>(count));
    return first / (1.0 - w * first);
  }

  constexpr B coefficient(int j) const noexcept {
    return j <= fraction_terms ? fraction_[index(j - 1)] : fraction_coefficient(j);
  }

  /// a₁/(1 − a₂w/(1 − …)) with one division; loses digits for large b, where 1 − a₃w is small.
  constexpr B fraction_forward(double w, int count) const noexcept {
    B above(1), above_old(1), below(1), below_old(0);
    for (int j = 2; j <= count; ++j) {
      const B a = w * coefficient(j);
      const B above_new = above - a * above_old;
      const B below_new = below - a * below_old;
      above_old = above;
      below_old = below;
      above = above_new;
      below = below_new;
    }
    return fraction_[0] * below / above;
  }
  /// The same two terms at a time from the last one on, with 1 − a_j w = σ + w (1 − a_j) for odd j, so that
  /// no digits are lost where σ is of the size of 1/b. There the fraction is that of an exponential
  /// integral at x = bσ/w, whose 2m-th term gains e^(−4√(mx)) as long as m is small beside b.
  constexpr B fraction_backward(double w, double sigma, double count) const noexcept {
    const double b = value_of(b_);
    if (const double x = b * sigma / w; w > 0) {
      const double pairs = 12 + square(0.25 * digits) / x;
      if (pairs < 0.01 * b) count = std::min(count, 2 * pairs);
    }
    B even(0);  // a_{j+1} w over the rest behind it
    for (int m = static_cast<int>(0.5 * count); m >= 1; --m) {
      const B odd = sigma + w * rest_of_odd(m) - even;
      even = w * coefficient(2 * m) * (1.0 - even) / odd;
    }
    return fraction_[0] / (sigma + w * rest_of_odd(0) - even);
  }

  constexpr B log_sum(double sigma, double depth) const noexcept {
    // c_k σ^k falls like σ^k, for large b only after (bσ)^k/k! has.
    const double enough = value_of(b_) > 10 ? log_terms : 1 + digits / depth;
    const int count = static_cast<int>(std::min<double>(log_terms, enough));
    const double scaled = sigma * log_scale_;
    B sum(0);
    for (int k = count; k >= 1; --k) sum = (sum + log_[index(k - 1)]) * scaled;
    return sum;
  }

  /// Φ/b = u^(−b) ∫₀^u s^(b−1)/(1 + s) ds, split at tail_start; beyond it 1/(1 + s) = Σ (−1)^k
  /// s^(−1−k), integrated term by term. The term with b − 1 − k close to 0 stays whole.
  constexpr void prepare_tail() {
    resonant_ = static_cast<int>(std::min(std::round(value_of(b_)) - 1, 1e6));
    const double sigma = 1 + tail_start;
    join_ = (1.0 - tail_start * fraction(-tail_start, sigma)) / b_;
    double power = 1;
    for (int k = 0; k < tail_terms; ++k) {
      power /= tail_start;
      const double sign = k % 2 == 0 ? 1 : -1;
      const B term = k == resonant_ ? B(0) : 1.0 / (b_ - 1.0 - static_cast<double>(k));
      tail_[index(k)] = term;  // the alternating sign is in the Horner scheme
      join_ -= sign * power * term;
    }
  }

  B b_;
  std::array<B, fraction_terms> fraction_;
  std::array<B, log_terms> log_;
  std::array<B, tail_terms> tail_;
  double limit_ = 0;  ///< above it the logarithmic series takes over
  double log_scale_ = 1;
  B constant_{0}, join_{0};
  int resonant_ = -1;
};

}  // namespace microslip::bouc_wen
