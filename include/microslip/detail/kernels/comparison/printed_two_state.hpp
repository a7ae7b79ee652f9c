#pragma once

/// # The two-state law as its papers integrate it
///
/// Three methods of S. Biswas, *Low-dimensional descriptions of high-dimensional frictional
/// hysteresis*, PhD thesis, Indian Institute of Technology Kanpur (2018), kept for comparison with
/// the exact flow of kernels/ellipse_flow.hpp. Slip of the state q goes along the unit vector η that
/// minimises
///
///     y = √(ηᵀAη) + ηᵀc,   c = α q − b u   (c = −s in the exact flow),
///
/// and happens when y ≤ 0.
///
/// - `incremental` (eqs 3.20–3.24): one explicit map a row with the η of the row before; η from a
///   4×4 eigenproblem (App. C). First order.
/// - `ode` (eqs 3.25–3.26, M = 1): q' = η (ηᵀb u'/α − M y |u'|) where y ≤ 0 and the bracket is
///   positive. Error-controlled Dormand–Prince steps, capped so that the start of slip is not
///   stepped over.
/// - `patched` (eqs 5.2–5.4): the map of `incremental` with an explicit formula for η.
///
/// All are written in s, so that their state is the state of the exact flow.

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "microslip/core/response.hpp"

namespace microslip {

class PrintedTwoState {
 public:
  using Vector = Vec2<double>;

  /// The unit vector η with its y.
  struct Slip {
    Vector direction;
    double y;
  };
  struct Move {
    Vector s;
    Vector slip_rate;  ///< dq/du at the end, in the direction of the motion; zero without slip
    Status status = Status::ok;
  };

  /// A = diag(a).
  PrintedTwoState(const Vector& a, double alpha, const Vector& b)
      : a_(a), b_(b), alpha_(alpha), mu_root_(std::sqrt(a.maxCoeff())) {
    soft_ = a[0] <= a[1] ? 0 : 1;
    const Vector saturated = saturated_c();
    const double size = saturated.norm();
    Vector sum = (1 + patch * size + size * size) * b_.normalized() + size * saturated;
    sum[soft_] += sign(saturated[soft_]);
    Q_ = sum.cwiseQuotient(saturated);  // (5.3)
  }

  /// η from the real eigenvectors of [[A, c cᵀ], [A, A]] (App. C.2, where the loop over all four
  /// eigenvalues is right). A candidate orthogonal to c counts with sign +, which the printed
  /// sign(0) = 0 would turn into a zero vector. c must not be zero.
  Slip by_eigenproblem(const Vector& c) const;

  /// η from (5.4), normalised. The formula is not homogeneous, so c is first scaled to max a = 1,
  /// the case for which it is derived. It needs b1 ≠ 0 and b2 ≠ 0.
  Slip by_patching(const Vector& c) const {
    const Vector scaled = c / mu_root_;
    Vector eta = Q_.cwiseProduct(scaled) - scaled.norm() * scaled;
    eta[soft_] -= sign(scaled[soft_]);
    eta.normalize();
    return {eta, distance(eta, c)};
  }

  /// (3.20)–(3.23) over du.
  Move incremental(const Vector& s, double du) const {
    if (s.isZero(0)) return {s + b_ * du, Vector::Zero()};  // no slip direction at c = 0
    return map(s, du, by_eigenproblem(-s));
  }
  Move patched(const Vector& s, double du) const {
    if (s.isZero(0)) return {s + b_ * du, Vector::Zero()};
    return map(s, du, by_patching(-s));
  }

  /// (3.25)–(3.26) over du; `tolerance` bounds the error of one inner step relative to the size of
  /// the yield ellipse.
  Move ode(const Vector& s, double du, double tolerance) const {
    const double d = du > 0 ? 1 : -1;
    const double length = std::abs(du);
    // A tenth of the elastic range: a longer step could miss the start of slip.
    const double cap = 0.1 / b_.cwiseQuotient(a_.cwiseSqrt()).norm();
    const double smallest = 1e-13 * cap;  // across a kink the error shrinks no faster than h
    Vector now = s;
    double done = 0;
    double h = std::min(cap, length);
    for (int step = 0; done < length; ++step) {
      if (step == most_steps) return {now, Vector::Zero(), Status::not_converged};
      h = std::min(h, length - done);
      const auto [next, error] = dormand_prince(now, d, h);
      const double ratio = error / (tolerance * mu_root_);
      if (ratio <= 1 || h <= smallest) {
        now = next;
        done = h == length - done ? length : done + h;
      }
      h = std::min(cap, h * std::clamp(0.9 * std::pow(ratio, -0.2), 0.2, 5.0));
    }
    return {now, d * slip_speed(now, d)};
  }

  const Vector& b() const { return b_; }
  /// s from x = A^{−1/2}s, and back.
  Vector s_at(double x1, double x2) const { return Vector(x1, x2).cwiseProduct(a_.cwiseSqrt()); }
  Vector x_at(const Vector& s) const { return s.cwiseQuotient(a_.cwiseSqrt()); }

 private:
  static constexpr double patch = 10;        ///< β0 of (5.2), the thesis's choice
  static constexpr double stabiliser = 1;    ///< M of (3.25), the thesis's choice
  static constexpr int most_steps = 100000;  ///< some seconds; a longer row is refused

  static double sign(double x) { return x < 0 ? -1 : 1; }
  double distance(const Vector& eta, const Vector& c) const {
    return std::sqrt(eta.cwiseAbs2().dot(a_)) + eta.dot(c);
  }
  /// c_s of (4.12), scaled to max a = 1.
  Vector saturated_c() const {
    const Vector Ab = a_.cwiseProduct(b_);
    return -Ab / (std::sqrt(b_.dot(Ab)) * mu_root_);
  }

  Move map(const Vector& s, double du, const Slip& slip) const {
    const double y_trial = slip.y - slip.direction.dot(b_) * du;
    const Vector trial = s + b_ * du;
    if (y_trial >= 0) return {trial, Vector::Zero()};
    return {trial + y_trial * slip.direction, slip.direction * slip.direction.dot(b_) / alpha_};
  }

  /// dq/d|u|
  Vector slip_speed(const Vector& s, double d) const {
    if (s.isZero(0)) return Vector::Zero();
    const Slip slip = by_eigenproblem(-s);
    if (slip.y > 0) return Vector::Zero();
    const double speed = d * slip.direction.dot(b_) / alpha_ - stabiliser * slip.y;
    return speed > 0 ? Vector(speed * slip.direction) : Vector::Zero();
  }

  struct Estimate {
    Vector s;
    double error;
  };
  /// J. R. Dormand, P. J. Prince, J. Comp. Appl. Math. 6 (1980) 19–26: order 5 with an embedded 4.
  Estimate dormand_prince(const Vector& s, double d, double h) const {
    static constexpr double a[7][6] = {
        {},
        {1. / 5},
        {3. / 40, 9. / 40},
        {44. / 45, -56. / 15, 32. / 9},
        {19372. / 6561, -25360. / 2187, 64448. / 6561, -212. / 729},
        {9017. / 3168, -355. / 33, 46732. / 5247, 49. / 176, -5103. / 18656},
        {35. / 384, 0, 500. / 1113, 125. / 192, -2187. / 6784, 11. / 84},
    };
    static constexpr double e[7] = {71. / 57600,      0,         -71. / 16695, 71. / 1920,
                                    -17253. / 339200, 22. / 525, -1. / 40};
    std::array<Vector, 7> k;
    Vector at = s;
    Vector error = Vector::Zero();
    for (std::size_t i = 0; i < 7; ++i) {
      at = s;
      for (std::size_t j = 0; j < i; ++j) at += h * a[i][j] * k[j];
      k[i] = d * b_ - alpha_ * slip_speed(at, d);
      error += h * e[i] * k[i];
    }
    return {at, error.norm()};  // the last stage is the step itself
  }

  Vector a_, b_, Q_;
  double alpha_, mu_root_;
  int soft_;  ///< the axis of the smaller a, x1 of (5.2)
};

}  // namespace microslip
