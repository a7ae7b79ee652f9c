#include "microslip/detail/numerics/signal.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "microslip/core/dual.hpp"
#include "microslip/core/error.hpp"
#include "microslip/core/text.hpp"

namespace microslip {

namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr double most_rows = 1e8;  // 1.6 GB of memory

/// Per step. A kink or a jump leaves one piece unresolved, a cusp some ten.
constexpr int most_unresolved = 1024;

/// Where an interval is cut; irrational, so that cuts do not fall in step with a periodic signal.
constexpr double cut = 0.38196601125010515;

struct Point {
  double t, u, slope, curvature;
};

struct Candidate {
  Point point;
  bool jump;  // kept even where it is no extremum
};

bool falls(const Point& p) { return p.slope < 0; }

double size_of(const Point& a, const Point& b) { return std::max(std::abs(a.u), std::abs(b.u)); }

double unexplained(const Point& a, const Point& b) {
  return std::abs(b.u - a.u - (b.t - a.t) * (a.slope + b.slope) / 2);
}

/// The cubic through slope and curvature at both ends, as control points of its Bernstein form:
/// the slope stays within their range and has at most as many zeros as they have sign changes.
struct SlopeHull {
  SlopeHull(const Point& a, const Point& b)
      : control{a.slope, a.slope + (b.t - a.t) * a.curvature / 3,
                b.slope - (b.t - a.t) * b.curvature / 3, b.slope} {}

  double largest() const {
    double result = 0;
    for (const double x : control) result = std::max(result, std::abs(x));
    return result;
  }

  /// True if the slope has no zero, or exactly one and different signs at the ends. Beside a dip
  /// towards zero the control points lie deeper than the cubic, which covers its error.
  bool decides() const {
    int changes = 0;
    for (int i = 1; i < 4; ++i) changes += (control[i] < 0) != (control[i - 1] < 0) ? 1 : 0;
    return changes <= 1;
  }

  double control[4];
};

/// True if the quintic through value, slope and curvature at a and b passes through m; `rounding`
/// is how far the values may be off.
bool predicts(const Point& a, const Point& b, const Point& m, double rounding) {
  const double h = b.t - a.t, s = (m.t - a.t) / h;
  const double slope = h * a.slope, half_curvature = h * h * a.curvature / 2;
  const double r0 = b.u - a.u - slope - half_curvature;
  const double r1 = h * b.slope - slope - 2 * half_curvature;
  const double r2 = h * h * (b.curvature - a.curvature) / 2;
  const double c3 = 10 * r0 - 4 * r1 + r2, c4 = -15 * r0 + 7 * r1 - 2 * r2,
               c5 = 6 * r0 - 3 * r1 + r2;
  const double u = a.u + s * (slope + s * (half_curvature + s * (c3 + s * (c4 + s * c5))));
  const double du = slope + s * (2 * half_curvature + s * (3 * c3 + s * (4 * c4 + s * 5 * c5)));
  const double motion = std::max(
      {std::abs(slope), h * std::abs(b.slope), h * std::abs(m.slope), std::abs(b.u - a.u)});
  const double tolerance = 1e-6 * motion + rounding;
  // Written so that an infinite or undefined slope predicts nothing.
  return std::abs(u - m.u) <= tolerance && std::abs(du - h * m.slope) <= tolerance;
}

class Sampler {
 public:
  Sampler(const Expression& signal, double length_of_step) : u_of_t(signal), step(length_of_step) {}

  Point at(double t) const {
    using Nested = ceres::Jet<Dual<1>, 1>;
    Nested time(Dual<1>(t, 0));
    time.v[0] = Dual<1>(1.0);
    const Nested result = u_of_t(time);
    // The value in plain numbers, so that a row does not depend on how the derivatives are formed.
    const Point point{t, u_of_t(t), result.v[0].a, result.v[0].v[0]};
    if (!std::isfinite(point.u)) {
      throw Error("signal '" + u_of_t.text() + "' is not finite at t = " + number_text(t));
    }
    return point;
  }

  void add_row(const Point& p) {
    if (static_cast<double>(rows.size()) >= most_rows) {
      throw Error("signal '" + u_of_t.text() + "' has more than 1e8 rows and turning points");
    }
    if (!rows.u.empty()) travelled += std::abs(p.u - rows.u.back());
    rows.t.push_back(p.t);
    rows.u.push_back(p.u);
  }

  /// The rows after a up to and including b.
  void add_interval(const Point& a, const Point& b) {
    candidates.clear();
    unresolved = 0;
    end_of_interval = b.t;
    search(a, b);
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      const Point& p = candidates[i].point;
      const double next = i + 1 < candidates.size() ? candidates[i + 1].point.u : b.u;
      if (candidates[i].jump || is_extremum(rows.u.back(), p.u, next)) add_row(p);
    }
    add_row(b);
  }

  SampledSignal rows;

 private:
  static bool is_extremum(double before, double u, double after) {
    const double rounding =
        4 * epsilon * std::max({std::abs(before), std::abs(u), std::abs(after)});
    return (u > before + rounding && u > after + rounding) ||
           (u < before - rounding && u < after - rounding);
  }

  void add_candidate(const Point& p, bool jump) {
    if (p.t <= rows.t.back() || p.t >= end_of_interval) return;  // is a row already
    if (candidates.empty() || p.t > candidates.back().point.t) {
      candidates.push_back({p, jump});
    } else if (p.t == candidates.back().point.t) {
      candidates.back().jump |= jump;
    }
  }

  /// Cuts [a, b] until each piece has a slope without zero or with one simple zero.
  void search(const Point& a, const Point& b) {
    const double h = b.t - a.t;
    const Point m = at(a.t + cut * h);
    const SlopeHull hull(a, b);
    // The phase ωt of an oscillation is rounded to eps ωt, which moves u by eps times the way it
    // has gone so far; between two beats that is more than eps u.
    const bool smooth = predicts(a, b, m, 64 * epsilon * (size_of(a, b) + travelled));
    const double motion = std::max({h * hull.largest(), std::abs(b.u - a.u), std::abs(m.u - a.u)});
    const bool still = motion <= 8 * epsilon * size_of(a, b);
    // Zeros of a smooth slope are isolated, so only few pieces become very small; one that stays
    // unpredictable is a kink or a jump, or the signal is too fast.
    const double smallest = step * (smooth ? 0x1p-40 : 0x1p-14);
    const bool decided = still || (smooth && hull.decides());
    // A whole step is always cut once, for a second look at what seems plain.
    if (h > 0.7 * step || (!decided && h > smallest)) {
      search(a, m);
      search(m, b);
    } else if (still || smooth || !find_jump(a, b)) {
      find_turn(a, b);
    }
  }

  /// False when the interval has come down to neighbouring doubles (near t = 0: to 1e-18 steps).
  bool halve(const Point& lo, const Point& hi, double& middle) const {
    middle = lo.t + (hi.t - lo.t) / 2;
    return middle > lo.t && middle < hi.t && hi.t - lo.t > 0x1p-60 * step;
  }

  void find_turn(const Point& a, const Point& b) {
    if (falls(a) == falls(b)) return;
    Point lo = a, hi = b;
    for (double middle; halve(lo, hi, middle);) {
      const Point m = at(middle);
      (falls(m) == falls(a) ? lo : hi) = m;
    }
    const bool lo_is_further = falls(a) ? lo.u < hi.u : lo.u > hi.u;
    const bool lo_is_flatter = lo.u == hi.u && std::abs(lo.slope) < std::abs(hi.slope);
    add_candidate(lo_is_further || lo_is_flatter ? lo : hi, false);
  }

  /// Follows the change of u that the slopes do not explain; at a jump it does not shrink with
  /// the interval.
  bool find_jump(const Point& a, const Point& b) {
    if (++unresolved > most_unresolved) {
      throw Error("signal '" + u_of_t.text() +
                  "' varies too fast after t = " + number_text(rows.t.back()) +
                  " for step = " + number_text(step) + ", a smaller step is needed");
    }
    Point lo = a, hi = b;
    for (double middle; halve(lo, hi, middle);) {
      const Point m = at(middle);
      (unexplained(lo, m) > unexplained(m, hi) ? hi : lo) = m;
    }
    const double height = std::abs(hi.u - lo.u);
    const double motion = std::max(std::abs(b.u - a.u), (b.t - a.t) * std::abs(a.slope));
    if (!(height > 1e-3 * motion && height > 64 * epsilon * size_of(lo, hi))) {
      return false;
    }
    add_candidate(lo, true);
    add_candidate(hi, true);
    return true;
  }

  const Expression& u_of_t;
  double step;
  double end_of_interval = 0;
  double travelled = 0;  // by u, from row to row
  std::vector<Candidate> candidates;
  int unresolved = 0;
};

void check_positive(const char* name, double value) {
  if (value > 0 && std::isfinite(value)) return;
  throw Error(std::string(name) + " = " + number_text(value) + " must be positive and finite");
}

/// Times of the uniform rows.
struct Grid {
  Grid(double end, double length) : until(end), step(length) {
    check_positive("until", until);
    check_positive("step", step);
    const double steps = until / step, whole = std::round(steps);
    if (!(steps < most_rows)) {
      throw Error("step = " + number_text(step) + " gives more than 1e8 rows up to until = " +
                  number_text(until) + ", a larger step is needed");
    }
    // Decimal steps are rounded, so a whole number of them is met to rounding only.
    constexpr double rounding = 1e-7;  // 1e8 steps of relative error eps, with a margin
    const bool fits = whole >= 1 && std::abs(steps - whole) <= rounding;
    intervals = static_cast<std::size_t>(fits ? whole : std::ceil(steps));
    const double inverse = std::round(1 / step);
    if (std::abs(step * inverse - 1) <= epsilon) per_unit = inverse;
  }

  /// With step = 1/n, i/n is the decimal a person expects: 0.3, not 3·0.1.
  double operator[](std::size_t i) const {
    if (i == intervals) return until;
    return per_unit > 0 ? static_cast<double>(i) / per_unit : static_cast<double>(i) * step;
  }

  double until, step;
  double per_unit = 0;
  std::size_t intervals = 0;
};

}  // namespace

SampledSignal sample_signal(const Expression& u_of_t, double until, double step) {
  if (u_of_t.variables().size() > 1) {
    throw Error("signal '" + u_of_t.text() + "' has " + std::to_string(u_of_t.variables().size()) +
                " variables, only the time is allowed");
  }
  const Grid grid(until, step);
  Sampler sampler(u_of_t, step);
  sampler.rows.t.reserve(grid.intervals + 1);
  sampler.rows.u.reserve(grid.intervals + 1);
  Point last = sampler.at(0);
  sampler.add_row(last);
  for (std::size_t i = 1; i <= grid.intervals; ++i) {
    const Point next = sampler.at(grid[i]);
    sampler.add_interval(last, next);
    last = next;
  }
  return std::move(sampler.rows);
}

}  // namespace microslip
