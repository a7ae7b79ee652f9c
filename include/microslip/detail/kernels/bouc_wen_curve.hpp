#pragma once

/// The Bouc–Wen curve dv/dX = 1 − κvⁿ through v(0) = 0, at many points of one motion.
///
/// kernels/bouc_wen.hpp goes from any state over any length, which takes the inverse of a function. A
/// motion that does not turn stays on one curve, given by where it passes zero; there v follows
/// from X by series whose coefficients belong to n alone:
///
///     v = X Σ c_k wᵏ,     w = κXⁿ,                 around zero, for either sign of κ;
///     v = Σ b_k τᵏ,       τ = (e^C/n) e^(−nX),     towards saturation, κ = 1;
///     v = Σ m_k (X − X_m)ᵏ                         between them, for n > 2,
///
/// with C as in bouc_wen_integral.hpp. What they do not reach is left to the caller: some of the
/// bend for n > 10, and steep unloading (κ < 0 far from zero).

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace microslip::bouc_wen {

/// A motion that does not turn, by the place where it passes z = 0 or would have passed it.
struct Way {
  int direction = 0;
  double slope = 0;                   ///< dz/du at zero
  double unloading = 0, loading = 0;  ///< κ before zero and after it
  double rate = 0;                    ///< dz/du at the start; 0: unknown
  double zero = 0;                    ///< displacement
  double limit = 0;                   ///< of |z|
};

class Curve {
 public:
  /// Of the same exponent as the flow, which knows C.
  template <class Flow>
  Curve(double n, const Flow& flow)
      : n_(n),
        whole_(n == std::floor(n) && n <= most_factors ? static_cast<int>(n) : 0),
        start_(std::exp(flow.log_constant()) / n) {
    // (1 + nk) c_k = −p_(k−1) with Σ p_k wᵏ = (Σ c_k wᵏ)ⁿ.
    zero_.value[0] = zero_.power[0] = 1;
    for (std::size_t k = 1; k < terms; ++k) {
      zero_.value[k] = -zero_.power[k - 1] / (1 + n * static_cast<double>(k));
      zero_.power[k] = zero_.next_power(n, k) + n * zero_.value[k];
    }
    // v = Σ b_k τᵏ, b_0 = 1, b_1 = −1 and n k b_k = h_k with Σ h_k τᵏ = vⁿ: b_k stands on both
    // sides.
    far_.value[0] = far_.power[0] = 1;
    far_.value[1] = -1;
    far_.power[1] = -n;
    for (std::size_t k = 2; k < terms; ++k) {
      const double known = far_.next_power(n, k);
      far_.value[k] = known / (n * static_cast<double>(k - 1));
      far_.power[k] = known + n * far_.value[k];
    }
    zero_.find_reach();
    far_.find_reach();
    join(0.999 * std::pow(zero_.reach, 1 / n), std::log(start_ / far_.reach) / n);
  }

  struct Point {
    double v, sigma;  ///< sigma: 1 − κvⁿ, the slope
  };

  /// z and dz/du at a displacement on the way. False beyond the reach of the series.
  bool follow(const Way& way, double u, Point& z) const noexcept {
    const double X = way.slope * way.direction * (u - way.zero);
    if (X < 0) {
      if (!from_zero(way.unloading, -X, z)) return false;
      z.v = -z.v;
    } else if (!from_zero(way.loading, X, z)) {
      if (!to_saturation(X / way.limit, z)) return false;
      z.v *= way.limit;
    }
    z.v *= way.direction;
    z.sigma *= way.slope;
    return true;
  }
  double root(double x) const noexcept {
    return n_ == 1 ? x : n_ == 2 ? std::sqrt(x) : std::pow(x, 1 / n_);
  }

 private:
  double power(double x) const noexcept {
    if (whole_ == 0) return std::pow(x, n_);
    double product = x;
    for (int i = 1; i < whole_; ++i) product *= x;
    return product;
  }

  /// X ≥ 0.
  bool from_zero(double kappa, double X, Point& point) const noexcept {
    if (n_ == 1) {
      const double w = kappa * X;
      const double change = -std::expm1(-w);
      point = {std::abs(w) < 1e-12 ? X : change / kappa, 1 - change};
      return true;
    }
    const double w = kappa * power(X);
    if (!(std::abs(w) <= zero_.reach)) return false;
    double v, power;
    zero_.sum(w, v, power);
    point = {X * v, 1 - w * power};
    return true;
  }
  /// The same for κ = 1, further on.
  bool to_saturation(double X, Point& point) const noexcept {
    const double tau = start_ * std::exp(-n_ * X);
    double v, power;
    if (tau <= far_.reach) {
      far_.sum_but_one(tau, v, power);
      point = {1 + tau * v, -tau * power};
      return true;
    }
    if (!(std::abs(X - middle_at_) <= middle_.reach)) return false;
    middle_.sum(X - middle_at_, v, power);
    point = {v, 1 - power};
    return true;
  }

  static constexpr std::array<std::size_t, 4> counts{6, 11, 19, 32};  ///< of terms
  static constexpr std::size_t terms = counts.back();

  /// A series of v and the one of its n-th power.
  struct Series {
    std::array<double, terms> value{}, power{};
    double reach = 0;
    std::array<double, counts.size()> reaches{};  ///< with so many terms

    /// The k-th term of the power, times value_0, but for n value_k p_0: k value_0 p_k = Σ_j ((n+1)
    /// j − k) value_j p_(k−j).
    double next_power(double n, std::size_t k) const {
      double sum = 0;
      for (std::size_t j = 1; j < k; ++j)
        sum +=
            ((n + 1) * static_cast<double>(j) - static_cast<double>(k)) * value[j] * power[k - j];
      return sum / static_cast<double>(k);
    }
    void find_reach() {
      for (std::size_t i = counts.size(); i-- > 0;) {
        reaches[i] = reach_of(counts[i]);
        if (i + 1 < counts.size()) reaches[i] = std::min(reaches[i], reaches[i + 1]);
      }
      reach = reaches.back();
    }
    std::size_t count_for(double x) const noexcept {
      std::size_t i = 0;
      while (i + 1 < counts.size() && !(x <= reaches[i])) ++i;
      return counts[i];
    }
    /// As far as the terms left out are below rounding, and at most to 2: beyond it the terms of
    /// the entire functions (n = 1) cancel each other.
    double reach_of(std::size_t count) const {
      double result = 2;
      for (std::size_t k = count - 3; k < count; ++k) {
        const double term = std::max(std::abs(value[k]), std::abs(power[k]));
        if (!std::isfinite(term)) return 0;
        if (term > 0)
          result = std::min(result, std::pow(rounding / term, 1 / static_cast<double>(k)));
      }
      return result;
    }
    void sum(double x, double& v, double& p) const noexcept {
      v = p = 0;
      for (std::size_t k = count_for(std::abs(x)); k-- > 0;) {
        v = v * x + value[k];
        p = p * x + power[k];
      }
    }
    /// Without the first terms, divided by x.
    void sum_but_one(double x, double& v, double& p) const noexcept {
      v = p = 0;
      for (std::size_t k = count_for(x); k-- > 1;) {
        v = v * x + value[k];
        p = p * x + power[k];
      }
    }
    static constexpr double rounding = 1e-16;
  };

  /// The series in the middle of a gap between the two others; its start is found from the near
  /// end.
  void join(double near, double far) {
    if (!(far > near)) return;
    Point point{};
    if (!from_zero(1, near, point)) return;
    const double half = 0.5 * (far - near);
    expand(point);
    if (!(half <= middle_.reach)) {
      middle_.reach = 0;
      return;
    }
    double v, power;
    middle_.sum(half, v, power);
    expand({v, 1 - power});
    middle_at_ = near + half;
  }
  /// dv/dX = 1 − vⁿ around a point.
  void expand(const Point& point) {
    middle_.value[0] = point.v;
    middle_.power[0] = 1 - point.sigma;
    for (std::size_t k = 1; k < terms; ++k) {
      middle_.value[k] = ((k == 1 ? 1 : 0) - middle_.power[k - 1]) / static_cast<double>(k);
      middle_.power[k] =
          (middle_.next_power(n_, k) + n_ * middle_.value[k] * middle_.power[0]) / point.v;
    }
    middle_.find_reach();
  }

  static constexpr int most_factors = 8;

  double n_;
  int whole_;  ///< n if it is a small whole number, else 0
  double start_;
  Series zero_, far_, middle_;
  double middle_at_ = 0;
};

/// For laws on plain numbers, which go step by step.
struct NoCurve {
  template <class Flow>
  constexpr NoCurve(double, const Flow&) {}
};

}  // namespace microslip::bouc_wen
