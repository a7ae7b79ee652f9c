#pragma once

/// Bouc–Wen with pinching and degradation along a motion: what baber_noori.hpp integrates.
///
/// As the motion sees it, with y = z d (d the direction), x ≥ 0 its length and e = ∫ z du,
///
///     dy/dx = (h/η) (1 − ν g yⁿ)      y ≥ 0
///     dy/dx = (h/η) (1 + ν l |y|ⁿ)    y < 0
///     de/dx = y
///     h = 1 − ζ1 exp(−((y − q zu)/ζ2)²),   zu = (ν g)^(−1/n).
///
/// Explicit extrapolated midpoint rules (numerics/extrapolation.hpp), with error control; where y has
/// come to its limit and follows it the equation is stiff, and an implicit rule takes over
/// (numerics/collocation.hpp), which crosses any distance in a few steps. Next to y = 0, where |y|ⁿ
/// is not smooth, the variable is a power of the distance from there; the crossing is found with y as
/// the variable. Error control does not see a Gaussian that lies between its points: steps end before it.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>

#include "microslip/core/dual.hpp"
#include "microslip/core/response.hpp"
#include "microslip/detail/numerics/collocation.hpp"
#include "microslip/detail/numerics/extrapolation.hpp"

namespace microslip {

template <class Real>
struct SlipLockNumbers {
  Real loading, unloading, n;  ///< β + γ, β − γ
  Real delta_nu, delta_eta;    ///< strength and stiffness lost
  Real zeta_s, q, p, psi, delta_psi, lambda;
};

template <Number Real>
class SlipLockFlow {
 public:
  using Numbers = SlipLockNumbers<Real>;

  struct Place {
    Real y, e;
    Status status = Status::ok;
  };
  struct Crossing {
    Real x, e;
    Status status = Status::ok;
  };

  explicit constexpr SlipLockFlow(const Numbers& numbers)
      : c_(numbers), plain_{value_of(c_.loading),   value_of(c_.unloading), value_of(c_.n),
                            value_of(c_.delta_nu),  value_of(c_.delta_eta), value_of(c_.zeta_s),
                            value_of(c_.q),         value_of(c_.p),         value_of(c_.psi),
                            value_of(c_.delta_psi), value_of(c_.lambda)} {}

  /// dy/dx.
  constexpr Real rate(const Real& y, const Real& e) const noexcept { return slope(c_, y, e); }

  /// 1 + δη e.
  constexpr Real softening(const Real& e) const noexcept { return 1.0 + c_.delta_eta * e; }

  /// After the length x, across y = 0 if need be.
  [[gnu::noinline]] constexpr Place advance(Place at, Real x) const noexcept {
    if (value_of(at.y) < 0 && !(value_of(x) < shortest_crossing(at))) {
      const Crossing zero = crossing(at);
      if (zero.status != Status::ok) return {at.y, at.e, zero.status};
      if (zero.x < x) {
        at = {Real(0), zero.e};
        x -= zero.x;
      }
    }
    return move(at, x);
  }

  /// The length that brings y < 0 to zero.
  [[gnu::noinline]] constexpr Crossing crossing(const Place& at) const noexcept {
    // By s, from 1 to 0, with y = y₀ s^m: (x, e, s). Less than its first slope it never has.
    using Point = std::array<Real, 3>;
    const double m = graded_power();
    const auto rates = [&](const Point& p) {
      const Real y = at.y * power_of(p[2], m);
      const Real per_s = -at.y * (m * power_of(p[2], m - 1)) / slope(c_, y, p[1], false);
      return Point{per_s, y * per_s, Real(-1)};
    };
    const double size = -value_of(at.y), way = size / value_of(rate(at.y, at.e));
    Point p{Real(0), at.e, Real(1)};
    const std::array<double, 3> scale{floored(way), floored(value_of(at.e) + size * way), 1};
    const auto longest = [&] { return 2 * bump_width(value_of(p[1])) / (size * m); };
    double h = std::min(1.0, longest());
    for (int i = 0; i < most_steps; ++i) {
      const bool last = !(h < value_of(p[2]));
      const Real length = last ? p[2] : Real(h);
      const auto trial = extrapolation::step(p, length, rates, scale, tolerance);
      const double taken = value_of(length);
      const double next = extrapolation::next_length(taken, trial.error, tolerance);
      if (!(trial.error <= 10 * tolerance)) {
        h = std::min(next, taken / 2);
        continue;
      }
      p = trial.y;
      if (last) return {p[0], p[1]};
      h = std::min(next, longest());
    }
    return {p[0], p[1], Status::not_converged};
  }

 private:
  using Y = std::array<Real, 2>;
  struct Trial {
    Y y;
    double error;
  };
  static constexpr int nodes = 10;
  using Rule = Collocation<nodes>;

  template <class T, class P>
  static constexpr T slope(const SlipLockNumbers<P>& c, const T& y, const T& e) noexcept {
    return slope(c, y, e, !(y < 0.0));
  }
  /// On one side of y = 0. A trial step that is far too long may leave the loading side; the other
  /// equation would pull it nowhere, and its errors would cancel: there is no number there.
  template <class T, class P>
  static constexpr T slope(const SlipLockNumbers<P>& c, const T& y, const T& e,
                           bool loading) noexcept {
    using std::exp, std::pow;
    const T nu = 1.0 + c.delta_nu * e, eta = 1.0 + c.delta_eta * e;
    T bend(1);
    if (loading && y != 0.0) bend -= nu * c.loading * pow(y, c.n);
    if (loading && y < 0.0) bend = T(std::numeric_limits<double>::quiet_NaN());
    if (!loading && y < 0.0) bend += nu * c.unloading * pow(T(-y), c.n);
    const T lock = -c.zeta_s * (exp(-c.p * e) - 1.0);
    if (lock == 0.0 || (c.q > 0.0 && !(c.loading > 0.0))) return bend / eta;
    T from = y;
    if (c.q > 0.0) from -= c.q * pow(T(nu * c.loading), -1.0 / c.n);
    const T share = from / ((c.psi + c.delta_psi * e) * (c.lambda + lock));
    return (1.0 - lock * exp(-share * share)) * bend / eta;
  }

  /// No shorter way leads from y < 0 to zero: h ≤ 1, η ≥ 1, and the rest falls on the way.
  constexpr double shortest_crossing(const Place& at) const noexcept {
    const double p = -value_of(at.y), nu = 1 + plain_.delta_nu * value_of(at.e);
    return p / (1 + nu * plain_.unloading * std::pow(p, plain_.n));
  }

  /// Width of the Gaussian in y, which no step may pass over unseen. It has one at e = 0 already, where it is still flat.
  constexpr double bump_width(double e) const noexcept {
    if (!(plain_.zeta_s > 0 && plain_.p > 0)) return std::numeric_limits<double>::infinity();
    const double lock = -plain_.zeta_s * std::expm1(-plain_.p * e);
    return (plain_.psi + plain_.delta_psi * e) * (plain_.lambda + lock);
  }

  /// The longest step that does not pass over it: y moves at `rate`, and its middle q zu, which falls with
  /// the strength as e grows, may come to meet y, far faster than y moves itself.
  constexpr double watchful(double y, double e, double rate) const noexcept {
    const double width = bump_width(e);
    const double middle = plain_.q > 0 ? plain_.q * limit(e) : 0;
    if (!(width + middle < std::numeric_limits<double>::infinity())) return HUGE_VAL;
    const double fall = middle * plain_.delta_nu / (plain_.n * (1 + plain_.delta_nu * e));
    const double speed = rate + fall * std::abs(y);  // |y| itself grows at `rate` at most
    const auto time_for = [&](double way) {
      return 2 * way / (speed + std::sqrt(speed * speed + 4 * fall * rate * way));
    };
    const double gap = std::abs(y - middle);
    constexpr double edge = 6;  // widths, where it is rounding
    const double there = time_for(std::max(2 * width, gap - edge * width));
    const double wider = bump_width(e + (std::abs(y) + rate * there) * there);
    return time_for(std::max(2 * width, gap - edge * wider));
  }

  /// The power of s that makes |y|ⁿ smooth at zero, with lengths like s^m.
  constexpr double graded_power() const noexcept { return std::fmod(plain_.n, 1) == 0 ? 1 : 6; }
  static constexpr Real power_of(const Real& s, double m) noexcept {
    Real result(1);
    for (int i = 0; i < static_cast<int>(m); ++i) result *= s;
    return result;
  }
  static constexpr double floored(double scale) noexcept { return std::max(scale, 1e-290); }

  /// From y = 0 to the length X.
  constexpr Place leave_zero(const Real& e, const Real& X) const noexcept {
    using Point = std::array<Real, 3>;  // y, e, s
    const double m = graded_power();
    const auto rates = [&](const Point& p) {
      const Real way = X * (m * power_of(p[2], m - 1));
      return Point{way * slope(c_, p[0], p[1], true), way * p[0], Real(1)};
    };
    const double size = value_of(X) / value_of(softening(e));
    Point p{Real(0), e, Real(0)};
    const std::array<double, 3> scale{floored(size), floored(value_of(e) + size * value_of(X)), 1};
    double h = 1, left = 1;
    for (int i = 0; i < most_steps; ++i) {
      const double taken = std::min(h, left);
      const auto trial = extrapolation::step(p, Real(taken), rates, scale, tolerance);
      const double next = extrapolation::next_length(taken, trial.error, tolerance);
      if (!(trial.error <= 10 * tolerance)) {
        h = std::min(next, taken / 2);
        continue;
      }
      p = trial.y;
      if (taken == left) return {p[0], p[1]};
      left -= taken;
      h = next;
    }
    return {p[0], p[1], Status::not_converged};
  }

  constexpr Place move(Place from, const Real& x) const noexcept {
    if (!(value_of(x) > 0)) return from;
    Real left = x;
    if (value_of(from.y) == 0 && graded_power() > 1) {
      const double e = value_of(from.e);
      const double near = 0.5 * value_of(softening(from.e)) * std::min(limit(e), bump_width(e));
      const Real X = near < value_of(x) ? Real(near) : x;
      from = leave_zero(from.e, X);
      if (from.status != Status::ok || !(near < value_of(x))) return from;
      left -= X;
    }
    Y s{from.y, from.e};
    const double whole = value_of(x);
    double h = value_of(left);
    for (int i = 0; i < most_steps; ++i) {
      const double y = value_of(s[0]), e = value_of(s[1]);
      const double rate = std::abs(slope(plain_, y, e));
      h = std::min(h, watchful(y, e, rate));
      const bool last = !(h < value_of(left));
      const Real length = last ? left : Real(h);
      const double taken = value_of(length);
      // Of a spring that has just begun to stretch: what it will be.
      const double size = std::min(std::abs(y) + rate * whole, std::max(std::abs(y), limit(e)));
      const std::array<double, 2> scale{floored(size), floored(std::abs(e) + size * whole)};
      const bool stiff = -taken * by_y(y, e) > 3;
      const Trial trial = stiff ? implicit(s, length, scale) : explicit_step(s, length, scale);
      const double next = stiff ? implicit_next(taken, trial.error)
                                : extrapolation::next_length(taken, trial.error, tolerance);
      if (!(trial.error <= 10 * tolerance)) {
        h = std::min(next, taken / 2);
        continue;
      }
      s = trial.y;
      if (last) return {s[0], s[1]};
      left -= length;
      h = next;
    }
    return {s[0], s[1], Status::not_converged};
  }

  /// zu, where y ends.
  constexpr double limit(double e) const noexcept {
    const double g = (1 + plain_.delta_nu * e) * plain_.loading;
    return g > 0 ? std::pow(g, -1 / plain_.n) : std::numeric_limits<double>::infinity();
  }
  constexpr double by_y(double y, double e) const noexcept {
    return y > 0 ? slope(plain_, Dual<1>(y, 0), Dual<1>(e)).v[0] : 0;
  }

  constexpr Trial explicit_step(const Y& start, const Real& h,
                                const std::array<double, 2>& scale) const noexcept {
    const bool loading = !(start[0] < 0.0);
    const auto rates = [this, loading](const Y& s) {
      return Y{slope(c_, s[0], s[1], loading), s[0]};
    };
    const auto step = extrapolation::step(start, h, rates, scale, tolerance);
    return {step.y, step.error};
  }
  /// By collocation, y at the nodes as unknowns. Newton's method in plain numbers; its last step
  /// carries the derivatives.
  [[gnu::noinline]] Trial implicit(const Y& start, const Real& h,
                                   const std::array<double, 2>& scale) const noexcept {
    constexpr double failed = HUGE_VAL;
    const auto& rule = Rule::rule();
    const double length = value_of(h), y0 = value_of(start[0]), e0 = value_of(start[1]);
    using Column = Eigen::Matrix<double, nodes, 1>;
    Column y = Column::Constant(y0), rate;
    Eigen::PartialPivLU<typename Rule::Square> jacobian;
    double change = failed;
    for (int i = 0;; ++i) {
      const Column e = Column::Constant(e0) + length * (rule.integral * y);
      typename Rule::Square by_y = length * rule.integral;
      Column by_e;
      for (int j = 0; j < nodes; ++j) {
        const Dual<2> f = slope(plain_, Dual<2>(y[j], 0), Dual<2>(e[j], 1));
        rate[j] = f.a;
        by_e[j] = f.v[1];
        by_y.col(j) *= -f.v[0];
      }
      by_y -= square(length) * (rule.integral * by_e.asDiagonal() * rule.integral);
      by_y.diagonal().array() += 1;
      jacobian.compute(by_y);
      const bool settled = change <= 1e-9 * scale[0];
      const Column off = y - Column::Constant(y0) - length * (rule.integral * rate);
      const Column step = jacobian.solve(off);
      change = step.cwiseAbs().maxCoeff();
      if (!std::isfinite(change) || i > most_iterations) return {start, failed};
      if (settled) break;  // the step to come is the last: the square of the one before
      y -= step;
      if (!(y.minCoeff() > 0)) return {start, failed};  // not on the way along the limit
    }
    const double error = defect(y, y0, e0, length, rate) / scale[0];

    std::array<Real, nodes> at, f;
    for (int j = 0; j < nodes; ++j) {
      Real e = start[1];
      for (int k = 0; k < nodes; ++k) e += h * (rule.integral(j, k) * y[k]);
      f[index(j)] = slope(c_, Real(y[j]), e);
    }
    std::array<Real, nodes> off;
    for (int j = 0; j < nodes; ++j) {
      off[index(j)] = y[j] - start[0];
      for (int k = 0; k < nodes; ++k) off[index(j)] -= h * (rule.integral(j, k) * f[index(k)]);
    }
    const typename Rule::Square inverse = jacobian.inverse();
    for (int j = 0; j < nodes; ++j) {
      at[index(j)] = Real(y[j]);
      for (int k = 0; k < nodes; ++k) at[index(j)] -= inverse(j, k) * off[index(k)];
    }
    Real e = start[1];
    for (int k = 0; k < nodes; ++k) e += h * (rule.integral(nodes - 1, k) * at[index(k)]);
    return {{at.back(), e}, error};
  }

  /// What the collocated solution is off between its nodes: the equation relaxes it.
  double defect(const Eigen::Matrix<double, nodes, 1>& y, double y0, double e0, double h,
                const Eigen::Matrix<double, nodes, 1>& rate) const noexcept {
    const auto& rule = Rule::rule();
    const auto rise = (y.array() - y0).matrix().eval();
    const auto energy = (h * (rule.integral * y)).eval();
    double worst = 0;
    for (int c = 0; c < Rule::checks; ++c) {
      const double here = y0 + rule.value.row(c).dot(rise);
      const double e = e0 + rule.value.row(c).dot(energy);
      const Dual<1> f = slope(plain_, Dual<1>(here, 0), Dual<1>(e));
      const double off = h * std::abs(f.a - rule.slope.row(c).dot(rate));
      worst = std::max(worst, off / (1 + h * std::abs(f.v[0])));
    }
    return std::isfinite(worst) ? worst : HUGE_VAL;
  }

  static constexpr double implicit_next(double h, double error) noexcept {
    const double factor = 0.9 * std::pow(tolerance / std::max(error, 1e-300), 1.0 / nodes);
    return h * std::clamp(factor, 0.2, 4.0);
  }
  static constexpr std::size_t index(int i) noexcept { return static_cast<std::size_t>(i); }

  static constexpr int most_iterations = 12;
  static constexpr double tolerance = 1e-14;
  static constexpr int most_steps = 20000;

  Numbers c_;
  SlipLockNumbers<double> plain_;
};

}  // namespace microslip
