#pragma once

/// # The flow on the yield ellipsoid
///
/// kernels/ellipse_flow.hpp in any number of dimensions m:
///
///     ds = b du − λ A⁻¹s,   λ ≥ 0,   sᵀA⁻¹s ≤ 1,   λ (sᵀA⁻¹s − 1) = 0.
///
/// In x = A^{−1/2}s the ellipsoid is the unit sphere. Inside, x moves along β = A^{−1/2}b; with
/// D = A⁻¹ and d = ±1 the direction of the motion, it slips on the sphere by
///
///     dx/d|u| = d β − (p/q) D x,   p = d β·x,   q = xᵀD x.
///
/// There is no first integral beyond m = 2, but with the parameter τ, d|u| = q dτ, the flow is
/// quadratic,
///
///     dx/dτ = q d β − p D x,
///
/// so its Taylor series follows term by term from sums of products. Lengths are counted in ℓ ≈
/// 1/|β| and D in 1/κ, κ ≈ max a, both powers of two, so that the terms are of the order of 1 in
/// any units: with β̂ = ℓβ, D̂ = κD and dτ = κℓ dτ̂ the flow is the same, d|u| = ℓ q̂ dτ̂. A step takes
/// as many terms as it needs for rounding, and as many steps as the series needs to converge: the
/// answer is exact to rounding for any motion. All read-outs come from the same series:
///
///     |u| = ∫ q dτ,   bᵀs = g·x with g = A^{1/2}b,   ∫ sᵀ(b d|u| − ds) = ∫ p dτ ≥ 0.
///
/// So energy is balanced to rounding and never created. The motion ends in the saturated point
/// x = d g/|g|, which it approaches like exp(−R|u|/a_i), R = |g|; where it is reached to rounding
/// the rest of the motion costs nothing. The number of steps towards it grows like max a/min a.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "microslip/core/field.hpp"
#include "microslip/core/response.hpp"
#include "microslip/detail/numerics/bracket.hpp"
#include "microslip/detail/numerics/scratch.hpp"

namespace microslip {

/// Where the point is.
template <Number Real>
struct EllipsoidPoint {
  std::vector<Real> x;
  int slipping = 0;  ///< direction of the motion that slips; 0 inside the ellipsoid

  static constexpr auto fields = std::tuple{
      state_field(&EllipsoidPoint::x, "x", "1", "components of s, relative to their half axes"),
      state_field(&EllipsoidPoint::slipping, "slipping", "1",
                  "sign of the motion that slips, 0 if none"),
  };
};

/// What a motion answers.
template <Number Real>
struct EllipsoidMove {
  Real pull;   ///< bᵀs at its end
  Real slope;  ///< d(bᵀs)/du at its end, in the direction of the motion
  Real lost;   ///< ∫ sᵀ(b du − ds) ≥ 0
  Status status = Status::ok;
};

template <Number Real>
class EllipsoidFlow {
 public:
  using Point = EllipsoidPoint<Real>;
  using Move = EllipsoidMove<Real>;
  using Numbers = std::vector<Real>;

  /// A = diag(a), a > 0; b not zero.
  EllipsoidFlow(const Numbers& a, const Numbers& b) : a_(a), beta_(b) {
    using std::sqrt;
    for (std::size_t i = 0; i < a.size(); ++i) beta_[i] = b[i] / sqrt(a[i]);
    prepare();
  }
  /// In coordinates x of one's own, in which the ellipsoid is the unit sphere, D⁻¹ = diag(a) +
  /// coupling and β are given. The coupling is symmetric, its values are 0: it carries derivatives.
  EllipsoidFlow(Numbers a, Matrix<Real> coupling, Numbers beta)
      : a_(std::move(a)), beta_(std::move(beta)), coupling_(std::move(coupling)) {
    prepare();
  }

  std::size_t size() const noexcept { return a_.size(); }
  /// |b|²
  const Real& square_b() const noexcept { return bb_; }
  /// √(bᵀA b): the largest |bᵀs|.
  const Real& largest_pull() const noexcept { return R_; }
  Real pull(const Point& p) const noexcept { return dot(g_, p.x); }
  /// |s|²
  Real square_norm(const Point& p) const noexcept { return square_distance(p, Real(0)); }
  /// |s − b u|²
  Real square_distance(const Point& p, const Real& u) const noexcept {
    Real sum(0);
    for (std::size_t i = 0; i < size(); ++i) {
      const Real z = p.x[i] - beta_[i] * u;
      sum += a_[i] * z * z;
      if (coupling_.size() > 0)
        for (std::size_t j = 0; j < size(); ++j)
          sum += z * coupling_(at(i), at(j)) * (p.x[j] - beta_[j] * u);
    }
    return sum;
  }
  Point rest() const { return {Numbers(size(), Real(0)), 0}; }

  /// d(bᵀs)/du in the direction of the last motion.
  Real slope(const Point& p) const noexcept {
    if (p.slipping == 0) return bb_;
    Real q(0);
    for (std::size_t i = 0; i < size(); ++i) q += p.x[i] * times_D(p.x.data(), i);
    return bb_ - square(dot(beta_, p.x)) / q;
  }

  /// How far a motion in this direction goes before the point slips; ∞ if it slips already.
  Real distance_to_slip(const Point& p, int direction) const noexcept {
    using std::sqrt;
    if (p.slipping == direction) return Real(std::numeric_limits<double>::infinity());
    const Real B = static_cast<double>(direction) * dot(beta_, p.x);
    if (p.slipping != 0) return B < 0.0 ? -2.0 * B / beta_beta_ : Real(0);
    Real outside = dot(p.x, p.x) - 1.0;
    if (outside > 0.0) outside -= value_of(outside);  // rounding; its derivatives still count
    const Real under_root = B * B - beta_beta_ * outside;
    if (!(under_root > 0.0)) return Real(0);
    const Real root = sqrt(under_root);
    return B > 0.0 ? -outside / (B + root) : (root - B) / beta_beta_;
  }

  /// A monotone motion of any size but zero. `from` and `to` may be the same object.
  /// A motion that ends at u_from ± distance_to_slip, rounded, ends slipping.
  Move move(const Point& from, const Real& u_from, const Real& u_to, Point& to) const noexcept {
    using std::abs;
    const int direction = u_to > u_from ? 1 : -1;
    const double d = direction;
    Real length = abs(u_to - u_from);
    const int slipping = from.slipping;
    to.x.resize(size());
    if (slipping != direction) {
      const Real free = distance_to_slip(from, direction);
      const bool sticks = d * (u_to - (u_from + d * free)) < 0.0;
      const Real path = d * (sticks ? length : free);
      for (std::size_t i = 0; i < size(); ++i) to.x[i] = from.x[i] + beta_[i] * path;
      to.slipping = sticks ? 0 : direction;
      if (sticks) return {pull(to), bb_, Real(0)};
      length -= free;
      if (length < 0.0) length -= value_of(length);  // rounding; its derivatives still count
    } else {
      std::copy(from.x.begin(), from.x.end(), to.x.begin());
      to.slipping = direction;
    }
    Move move{Real(0), Real(0), Real(0)};
    move.status = slip(to.x, d, length, move.lost);
    move.pull = pull(to);
    move.slope = slope(to);
    return move;
  }

 private:
  static constexpr std::size_t order = 20;   ///< most terms of a series
  static constexpr double least = 1e-17;     ///< a term that does not count beside |x| = 1
  static constexpr double reached = 1e-13;   ///< from the saturated point: below, only rounding
  static constexpr int most_steps = 200000;  ///< about a second
  static constexpr std::size_t inline_numbers = 1024;  ///< no allocation up to m = 23

  /// The series of one step: x and D x by order and component, p and q by order.
  struct Series {
    std::size_t m;
    Real *x, *Dx, *p, *q;
    std::size_t terms = 0;  ///< highest order of x that is known
  };

  void prepare() {
    using std::sqrt;
    g_ = beta_;
    D_ = a_;
    for (Real& rate : D_) rate = 1.0 / rate;
    for (std::size_t i = 0; i < size(); ++i) {
      g_[i] = a_[i] * beta_[i];
      if (coupling_.size() > 0)
        for (std::size_t j = 0; j < size(); ++j) g_[i] += coupling_(at(i), at(j)) * beta_[j];
      longest_a_ = std::max(longest_a_, value_of(a_[i]));
    }
    beta_beta_ = dot(beta_, beta_);
    bb_ = dot(beta_, g_);
    R_ = sqrt(dot(g_, g_));
    saturated_ = g_;
    for (Real& c : saturated_) c /= R_;
    unit_a_ = power_of_two_near(longest_a_);
    unit_length_ = 1 / power_of_two_near(std::sqrt(value_of(beta_beta_)));
    scaled_beta_ = beta_;
    for (Real& c : scaled_beta_) c *= unit_length_;
  }
  static double power_of_two_near(double x) noexcept {
    return x > 0 ? std::exp2(std::round(std::log2(x))) : 1;
  }

  static Eigen::Index at(std::size_t i) noexcept { return static_cast<Eigen::Index>(i); }
  static Real dot(const Numbers& v, const Numbers& w) noexcept {
    Real sum(0);
    for (std::size_t i = 0; i < v.size(); ++i) sum += v[i] * w[i];
    return sum;
  }
  /// (D x)_i; the inverse of diag(a) + coupling is exact to the first order, which is all there is.
  Real times_D(const Real* x, std::size_t i) const noexcept {
    if (coupling_.size() == 0) return D_[i] * x[i];
    Real sum = x[i];
    for (std::size_t j = 0; j < size(); ++j) sum -= coupling_(at(i), at(j)) * x[j] * D_[j];
    return D_[i] * sum;
  }

  bool is_saturated(const Numbers& x, double d) const noexcept {
    for (std::size_t i = 0; i < size(); ++i)
      if (!(std::abs(value_of(x[i]) - d * value_of(saturated_[i])) < reached)) return false;
    return true;
  }

  /// On the sphere over `length`; adds what is lost.
  Status slip(Numbers& x, double d, Real length, Real& lost) const noexcept {
    const std::size_t m = size();
    Scratch<Real, inline_numbers> scratch((order + 1) * (2 * m + 2));
    if (!scratch.data()) return Status::out_of_memory;
    Series s{m, scratch.data(), scratch.data() + (order + 1) * m,
             scratch.data() + 2 * (order + 1) * m,
             scratch.data() + 2 * (order + 1) * m + order + 1};
    length *= 1 / unit_length_;
    for (int step = 0; step < most_steps; ++step) {
      if (is_saturated(x, d)) {
        for (std::size_t i = 0; i < m; ++i) x[i] = d * saturated_[i];
        lost += R_ * length * unit_length_;
        return Status::ok;
      }
      std::copy(x.begin(), x.end(), s.x);
      const double longest = expand(s, d, value_of(length));
      const bool last = way(s, longest) >= value_of(length);
      const Real tau = last ? parameter_at(s, length, longest) : Real(longest);
      lost += unit_a_ * integral(s.p, s.terms, tau);
      if (!last) length -= integral(s.q, s.terms, tau);
      evaluate(s, tau, x);
      if (last) return Status::ok;
    }
    return Status::not_converged;
  }

  /// Fills the series until it carries the motion, or is full. Answers the τ up to which it holds.
  double expand(Series& s, double d, double wanted) const noexcept {
    const std::size_t m = s.m;
    const auto row = [m](Real* table, std::size_t k) { return table + k * m; };
    for (std::size_t k = 0;; ++k) {
      Real p(0);
      for (std::size_t i = 0; i < m; ++i) {
        row(s.Dx, k)[i] = unit_a_ * times_D(row(s.x, k), i);
        p += scaled_beta_[i] * row(s.x, k)[i];
      }
      s.p[k] = d * p;
      Real q(0);  // Σ_j x_j·D x_{k−j}, each pair once
      for (std::size_t j = 0; 2 * j <= k; ++j) {
        Real sum(0);
        for (std::size_t i = 0; i < m; ++i) sum += row(s.x, j)[i] * row(s.Dx, k - j)[i];
        q += 2 * j == k ? sum : 2.0 * sum;
      }
      s.q[k] = q;
      s.terms = k;
      if (k == 4 || k == 8 || k == 12 || k == 16 || k == order) {
        const double longest = convergent(s, wanted);
        if (k == order || way(s, longest) >= wanted) return longest;
      }
      const double per = 1.0 / static_cast<double>(k + 1);
      for (std::size_t i = 0; i < m; ++i) {
        Real sum = d * q * scaled_beta_[i];
        for (std::size_t j = 0; j <= k; ++j) sum -= s.p[j] * row(s.Dx, k - j)[i];
        row(s.x, k + 1)[i] = per * sum;
      }
    }
  }

  /// τ at which the last two terms do not count; not beyond what the motion can need.
  double convergent(const Series& s, double wanted) const noexcept {
    double tau = wanted * (longest_a_ / unit_a_);
    for (const std::size_t k : {s.terms, s.terms - 1}) {
      double size = 0;
      for (std::size_t i = 0; i < s.m; ++i)
        size = std::max(size, std::abs(value_of(s.x[k * s.m + i])));
      if (size > 0) tau = std::min(tau, std::pow(least / size, 1.0 / static_cast<double>(k)));
    }
    return tau;
  }

  /// ∫ q dτ in plain numbers.
  static double way(const Series& s, double tau) noexcept {
    double sum = 0;
    for (std::size_t k = s.terms + 1; k-- > 0;)
      sum = tau * (value_of(s.q[k]) / static_cast<double>(k + 1) + sum);
    return sum;
  }
  static double speed(const Series& s, double tau) noexcept {
    double sum = 0;
    for (std::size_t k = s.terms + 1; k-- > 0;) sum = tau * sum + value_of(s.q[k]);
    return sum;
  }
  static Real integral(const Real* terms, std::size_t last, const Real& tau) noexcept {
    Real sum(0);
    for (std::size_t k = last + 1; k-- > 0;)
      sum = tau * (terms[k] / static_cast<double>(k + 1) + sum);
    return sum;
  }

  /// The τ of a given way: found in plain numbers; one Newton step in Real carries the derivatives.
  static Real parameter_at(const Series& s, const Real& length, double longest) noexcept {
    const double wanted = value_of(length);
    Bracket bracket{0, longest};
    double tau = std::min(wanted / value_of(s.q[0]), longest);
    for (int iteration = 0; iteration < 60; ++iteration) {
      const double excess = way(s, tau) - wanted;
      const double change = excess / speed(s, tau);
      if (std::abs(change) <= 4e-16 * tau) {
        tau -= change;
        break;
      }
      tau = bracket.next(tau, excess, change);
    }
    if constexpr (std::is_same_v<Real, double>) {
      return tau;
    } else {
      const Real excess = integral(s.q, s.terms, Real(tau)) - length;
      return tau - (excess - value_of(excess)) / speed(s, tau);
    }
  }

  /// x(τ), brought back to the sphere from rounding.
  static void evaluate(const Series& s, const Real& tau, Numbers& x) noexcept {
    Real square_length(0);
    for (std::size_t i = 0; i < s.m; ++i) {
      Real sum(0);
      for (std::size_t k = s.terms + 1; k-- > 0;) sum = tau * sum + s.x[k * s.m + i];
      x[i] = sum;
      square_length += sum * sum;
    }
    const Real unit = 1.5 - 0.5 * square_length;
    for (Real& component : x) component *= unit;
  }

  Numbers a_, D_, beta_, g_, saturated_, scaled_beta_;
  Matrix<Real> coupling_;
  Real beta_beta_{0}, bb_{0}, R_{0};
  double longest_a_ = 0;
  double unit_a_ = 1, unit_length_ = 1;  ///< κ and ℓ
};

}  // namespace microslip
