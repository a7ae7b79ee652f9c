#include "dynamics/continuation/continuation.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <optional>

#include "microslip/detail/numerics/dense.hpp"
#include "microslip/detail/numerics/sparse.hpp"

namespace microslip::dynamics {
namespace {

constexpr Eigen::Index most_dense = 100;

Eigen::VectorXd parameter_row(Eigen::Index size) { return Eigen::VectorXd::Unit(size + 1, size); }

/// Newton's method with the extra equation lastᵀ(y − target) = 0. Only the first step may come from
/// far away, so damping is by the residual of the equations.
/// The Jacobian of the last evaluation is left behind, which at convergence belongs to y.
NewtonResult newton(Equations& equations, Eigen::VectorXd& y, const Eigen::VectorXd& last,
                    NewtonOptions options, WideJacobian& jacobian) {
  NewtonResult result;
  Eigen::VectorXd residual;
  Eigen::VectorXd step;
  const double plane = last.dot(y);
  if (!equations.evaluate(y, residual, &jacobian)) return result;
  result.residual = equations.relative(y, residual);
  const double asked = options.tolerance;
  double part = 1;
  for (; result.iterations < options.most_iterations; ++result.iterations) {
    options.tolerance = std::max(asked, equations.rounding(y));
    if (result.residual <= options.tolerance) {
      result.converged = true;
      return result;
    }
    Eigen::VectorXd rhs(residual.size() + 1);
    rhs << -residual, plane - last.dot(y);
    if (!jacobian.solve(last, rhs, step)) return result;
    Eigen::VectorXd trial;
    Eigen::VectorXd trial_residual;
    double trial_size = 0;
    for (part = 1; part > 1e-3; part /= 2) {
      trial = y + part * step;
      if (equations.evaluate(trial, trial_residual, &jacobian)) {
        trial_size = equations.relative(trial, trial_residual);
        if (trial_size < result.residual || trial_size <= options.tolerance) break;
      }
    }
    if (part <= 1e-3) {
      // Rounding level above the tolerance: good enough only if it is near.
      result.converged =
          result.residual <= 100 * options.tolerance && equations.evaluate(y, residual, &jacobian);
      return result;
    }
    y = trial;
    residual = trial_residual;
    result.residual = trial_size;
  }
  return result;
}

double parameter_of(const Eigen::VectorXd& y) { return y[y.size() - 1]; }

Eigen::VectorXd chord_point(const CurvePoint& a, const CurvePoint& b, double part) {
  return a.y + part * (b.y - a.y);
}

/// `sign` is that of the determinant of [J; tangent].
bool tangent_from(const WideJacobian& jacobian, const Eigen::VectorXd& scales,
                  Eigen::VectorXd& tangent, int* sign = nullptr) {
  const Eigen::Index n = jacobian.rows();
  // With the former tangent as last row this is regular at turning points too.
  const Eigen::VectorXd last = tangent.size() == n + 1
                                   ? Eigen::VectorXd(tangent.cwiseQuotient(scales.cwiseAbs2()))
                                   : parameter_row(n);
  if (!jacobian.solve(last, Eigen::VectorXd::Unit(n + 1, n), tangent, sign)) return false;
  tangent /= tangent.cwiseQuotient(scales).norm();
  return tangent.allFinite();
}

/// Where the equations have a kink, the curve may turn back by more than a right angle, and nothing
/// lies straight on. The first point behind such a corner: along the tangent that the equations
/// have beyond the kink, but backwards.
bool turn_from(Equations& equations, const CurvePoint& here, const Eigen::VectorXd& scales,
               const ContinuationOptions& options, CurvePoint& next) {
  const auto cosine = [&](const Eigen::VectorXd& a, const Eigen::VectorXd& b) {
    return a.cwiseQuotient(scales).dot(b.cwiseQuotient(scales));
  };
  WideJacobian jacobian;
  Eigen::VectorXd residual;
  for (double way = 10 * options.smallest_step; way <= 1e-3; way *= 10) {
    if (!equations.evaluate(here.y + way * here.tangent, residual, &jacobian)) continue;
    Eigen::VectorXd beyond = here.tangent;
    if (!tangent_from(jacobian, scales, beyond)) continue;
    const double bend = 1 - cosine(beyond, here.tangent);
    if (bend < 1e-4) continue;
    const Eigen::VectorXd last = beyond.cwiseQuotient(scales.cwiseAbs2());
    next = {here.y - way * beyond, -beyond, 0};
    const NewtonResult result = newton(equations, next.y, last, options.newton, jacobian);
    next.iterations = result.iterations;
    if (!result.converged || !tangent_from(jacobian, scales, next.tangent)) continue;
    // Behind the corner, not on the way that led to it.
    if (1 + cosine(next.tangent, beyond) < 0.1 * bend) return true;
  }
  return false;
}

/// The first point of the curve beyond a gap, straight on from `here`.
bool leap_from(Equations& equations, const CurvePoint& here, const Eigen::VectorXd& scales,
               const ContinuationOptions& options, CurvePoint& next) {
  const Eigen::VectorXd last = here.tangent.cwiseQuotient(scales.cwiseAbs2());
  WideJacobian jacobian;
  for (double way = 100 * options.smallest_step; way <= 0.3; way *= 2) {
    next = {here.y + way * here.tangent, here.tangent, 0};
    NewtonResult result = newton(equations, next.y, last, options.newton, jacobian);
    if (!result.converged) {
      // With the parameter held the way to the other side is longer.
      next.y = here.y + way * here.tangent;
      result = newton(equations, next.y, parameter_row(jacobian.rows()), options.newton, jacobian);
    }
    next.iterations = result.iterations;
    if (result.converged && tangent_from(jacobian, scales, next.tangent)) return true;
  }
  return false;
}

}  // namespace

double Equations::relative(const Eigen::VectorXd& y, const Eigen::VectorXd& residual) const {
  return residual.lpNorm<Eigen::Infinity>() / residual_scale(y);
}

void WideJacobian::reset(Eigen::Index rows, bool filled) {
  rows_ = rows;
  structured_ = nullptr;
  dense_used_ = filled || rows <= most_dense;
  entries_.clear();
  if (dense_used_) dense_.setZero(rows + 1, rows + 1);
}

void WideJacobian::replace_column(Eigen::Index column, const Eigen::VectorXd& values) {
  if (structured_) {
    structured_->replace_column(column, values);
    return;
  }
  if (dense_used_) {
    dense_.col(column).head(values.size()) = values;
    return;
  }
  std::erase_if(entries_, [&](const auto& entry) { return entry.col() == column; });
  for (Eigen::Index i = 0; i < values.size(); ++i)
    if (values[i] != 0) entries_.emplace_back(i, column, values[i]);
}

void WideJacobian::scale_columns(const Eigen::VectorXd& units) {
  if (structured_)
    structured_->scale_columns(units);
  else if (dense_used_)
    dense_ *= units.asDiagonal();
  for (Eigen::Triplet<double>& entry : entries_)
    entry = {entry.row(), entry.col(), entry.value() * units[entry.col()]};
}

Eigen::VectorXd WideJacobian::times(const Eigen::VectorXd& z) const {
  if (structured_) return structured_->times(z);
  if (dense_used_) return dense_.topRows(rows_) * z;
  Eigen::VectorXd product = Eigen::VectorXd::Zero(rows_);
  for (const Eigen::Triplet<double>& entry : entries_)
    product[entry.row()] += entry.value() * z[entry.col()];
  return product;
}

bool WideJacobian::solve(const Eigen::VectorXd& last, const Eigen::VectorXd& rhs,
                         Eigen::VectorXd& z, int* sign) const {
  if (structured_) return structured_->solve(last, rhs, z);
  if (dense_used_) {
    Eigen::MatrixXd square = dense_;
    square.row(rows_) = last.transpose();
    const dense::Lu factors(square);
    z = factors.solve(rhs);
    if (sign) *sign = factors.sign_of_determinant();
  } else {
    auto entries = entries_;
    for (Eigen::Index i = 0; i < last.size(); ++i)
      if (last[i] != 0) entries.emplace_back(rows_, i, last[i]);
    Eigen::SparseMatrix<double> square(rows_ + 1, rows_ + 1);
    square.setFromTriplets(entries.begin(), entries.end());
    const sparse::Lu factors(square);
    if (!factors.found()) return false;
    z = factors.solve(rhs);
    if (sign) *sign = factors.sign_of_determinant();
  }
  return z.allFinite();
}

Eigen::MatrixXd WideJacobian::dense() const {
  if (dense_used_) return dense_.topRows(rows_);
  Eigen::SparseMatrix<double> matrix(rows_, rows_ + 1);
  matrix.setFromTriplets(entries_.begin(), entries_.end());
  return matrix;
}

NewtonResult solve_at(Equations& equations, Eigen::VectorXd& y, const NewtonOptions& options) {
  WideJacobian jacobian;
  return newton(equations, y, parameter_row(equations.size()), options, jacobian);
}

bool curve_tangent(Equations& equations, const Eigen::VectorXd& y, const Eigen::VectorXd& scales,
                   Eigen::VectorXd& tangent) {
  WideJacobian jacobian;
  Eigen::VectorXd residual;
  return equations.evaluate(y, residual, &jacobian) && tangent_from(jacobian, scales, tangent);
}

Curve follow(Equations& equations, const Eigen::VectorXd& guess,
             const ContinuationOptions& options) {
  const Eigen::Index n = equations.size();
  const double range = options.to - options.from;
  const double direction = range > 0 ? 1 : -1;
  Curve curve;
  CurvePoint here{guess, {}, 0};
  const bool resumed = options.direction.size() == n + 1;
  if (!resumed) here.y[n] = options.from;
  const NewtonResult first = solve_at(equations, here.y, options.newton);
  here.iterations = first.iterations;
  curve.largest_residual = first.residual;
  Eigen::VectorXd units = equations.units();
  if (units.size() != n) units = Eigen::VectorXd::Ones(n);
  const auto size_of = [&](const Eigen::VectorXd& y) {
    return y.head(n).cwiseQuotient(units).norm();
  };
  double size = std::max(options.scale, size_of(here.y));
  const auto rescale = [&] {
    curve.scales.resize(n + 1);
    curve.scales << (size > 0 ? size : 1) * units, std::abs(range);
  };
  rescale();
  if (!first.converged || !curve_tangent(equations, here.y, curve.scales, here.tangent)) {
    curve.end = CurveEnd::stuck;
    return curve;
  }
  const double ahead = resumed ? here.tangent.cwiseQuotient(curve.scales)
                                     .dot(options.direction.cwiseQuotient(curve.scales))
                               : direction * here.tangent[n];
  if (ahead < 0) here.tangent = -here.tangent;
  curve.points.push_back(here);
  const auto done = [&](const Eigen::VectorXd& y) {
    return std::clamp((parameter_of(y) - options.from) / range, 0.0, 1.0);
  };
  if (options.on_point && !options.on_point(here, done(here.y))) {
    curve.end = CurveEnd::stopped;
    return curve;
  }

  double step = options.first_step;
  constexpr double least_between = 1e-4;  // turns at kinks and leaps; less is no curve
  double since = 1;                       // arc length from the last of them
  WideJacobian jacobian;
  int orientation = 0;  // sign of det [J; tangent], which corners of the curve do not change
  Eigen::VectorXd same = here.tangent;
  Eigen::VectorXd residual;
  if (equations.evaluate(here.y, residual, &jacobian))
    tangent_from(jacobian, curve.scales, same, &orientation);
  // Points and their tangents are kept, here and in the results: some 4 GB at most.
  constexpr Eigen::Index most_numbers = 100'000'000, least_points = 200;
  const auto most_points = std::min<std::size_t>(
      static_cast<std::size_t>(options.most_points),
      static_cast<std::size_t>(std::max(least_points, most_numbers / (n + 1))));
  while (true) {
    if (curve.points.size() >= most_points) {
      curve.end = CurveEnd::too_long;
      return curve;
    }
    if (step < options.smallest_step) {
      CurvePoint beyond;
      const bool lost = since < least_between;
      since = 0;
      if (!lost && options.leap && turn_from(equations, here, curve.scales, options, beyond)) {
        here = beyond;
        curve.points.push_back(here);
        step = options.first_step;
        orientation = 0;
        continue;
      }
      if (lost || !options.leap || !leap_from(equations, here, curve.scales, options, beyond) ||
          direction * (parameter_of(beyond.y) - options.to) >= 0 ||
          direction * (parameter_of(beyond.y) - options.from) < 0) {
        curve.end = CurveEnd::stuck;
        return curve;
      }
      curve.leaps.push_back(curve.points.size());
      here = beyond;
      curve.points.push_back(here);
      step = options.first_step;
      orientation = 0;
      continue;
    }
    CurvePoint next{here.y + step * here.tangent, here.tangent, 0};
    const Eigen::VectorXd last = here.tangent.cwiseQuotient(curve.scales.cwiseAbs2());
    const NewtonResult result = newton(equations, next.y, last, options.newton, jacobian);
    next.iterations = result.iterations;
    int sign = 0;
    if (!result.converged || !tangent_from(jacobian, curve.scales, next.tangent, &sign)) {
      step /= 2;
      continue;
    }
    const double cosine =
        here.tangent.cwiseQuotient(curve.scales).dot(next.tangent.cwiseQuotient(curve.scales));
    // A curve that bends by more than about 25 degrees between points is not seen well.
    if (cosine < 0.9 && step > 100 * options.smallest_step) {
      step /= 2;
      continue;
    }
    // Smooth curves go straight on, past branching points too; at a corner the determinant tells.
    if (cosine < 0.9 && sign * orientation < 0)
      next.tangent = -next.tangent;
    else
      orientation = sign;
    const double parameter = parameter_of(next.y);
    if (direction * (parameter - options.to) >= 0 || direction * (parameter - options.from) < 0) {
      const bool back = direction * (parameter - options.from) < 0;
      const double edge = back ? options.from : options.to;
      const double from = parameter_of(here.y);
      next.y = chord_point(here, next, (edge - from) / (parameter - from));
      next.y[n] = edge;
      if (!solve_at(equations, next.y, options.newton).converged) {
        step /= 2;
        continue;
      }
      Eigen::VectorXd tangent = here.tangent;
      if (curve_tangent(equations, next.y, curve.scales, tangent)) next.tangent = tangent;
      curve.points.push_back(next);
      curve.end = back ? CurveEnd::turned_back : CurveEnd::reached;
      if (options.on_point) options.on_point(next, 1);
      return curve;
    }
    curve.largest_residual = std::max(curve.largest_residual, result.residual);
    since += step;
    here = next;
    curve.points.push_back(here);
    if (options.on_point && !options.on_point(here, done(here.y))) {
      curve.end = CurveEnd::stopped;
      return curve;
    }
    const double larger = size_of(here.y);
    if (options.scale <= 0 && larger > size) {
      size = larger;
      rescale();
      here.tangent /= here.tangent.cwiseQuotient(curve.scales).norm();
    }
    const double growth = std::clamp(4.0 / std::max(1, result.iterations), 0.5, 1.6);
    step = std::min(step * growth, options.largest_step);
  }
}

bool point_between(Equations& equations, const Curve& curve, const CurvePoint& a,
                   const CurvePoint& b, double part, const NewtonOptions& options,
                   CurvePoint& out) {
  const Eigen::VectorXd chord = b.y - a.y;
  out = {a.y + part * chord, chord, 0};
  WideJacobian jacobian;
  const NewtonResult result =
      newton(equations, out.y, chord.cwiseQuotient(curve.scales.cwiseAbs2()), options, jacobian);
  out.iterations = result.iterations;
  return result.converged && tangent_from(jacobian, curve.scales, out.tangent);
}

std::vector<CurvePoint> maxima(Equations& equations, const Curve& curve, const Slope& slope,
                               const NewtonOptions& options) {
  std::vector<CurvePoint> found;
  for (std::size_t i = 1; i < curve.points.size(); ++i) {
    const CurvePoint& a = curve.points[i - 1];
    const CurvePoint& b = curve.points[i];
    double low = slope(a.y, a.tangent);
    double high = slope(b.y, b.tangent);
    if (!(low > 0 && high <= 0)) continue;
    // Regula falsi with halved ends (Illinois), on the derivative along the curve.
    double from = 0;
    double to = 1;
    CurvePoint best = b;
    for (int iteration = 0; iteration < 60 && to - from > 1e-13; ++iteration) {
      const double part = (from * high - to * low) / (high - low);
      CurvePoint point;
      if (!point_between(equations, curve, a, b, part, options, point)) break;
      best = point;
      const double here = slope(point.y, point.tangent);
      if (here == 0 || std::abs(part - (here > 0 ? from : to)) < 1e-13) break;
      if (here > 0) {
        from = part;
        low = here;
        high /= 2;
      } else {
        to = part;
        high = here;
        low /= 2;
      }
    }
    found.push_back(best);
  }
  return found;
}

std::vector<CurvePoint> points_at(Equations& equations, const Curve& curve, double parameter,
                                  const NewtonOptions& options) {
  std::vector<CurvePoint> found;
  for (std::size_t i = 0; i < curve.points.size(); ++i) {
    const CurvePoint& b = curve.points[i];
    if (parameter_of(b.y) == parameter) {
      found.push_back(b);
      continue;
    }
    if (i == 0) continue;
    const CurvePoint& a = curve.points[i - 1];
    const double from = parameter_of(a.y);
    const double to = parameter_of(b.y);
    if ((from - parameter) * (to - parameter) >= 0) continue;
    CurvePoint point = b;
    point.y = chord_point(a, b, (parameter - from) / (to - from));
    point.y[point.y.size() - 1] = parameter;
    const NewtonResult result = solve_at(equations, point.y, options);
    point.iterations = result.iterations;
    if (result.converged && curve_tangent(equations, point.y, curve.scales, point.tangent))
      found.push_back(point);
  }
  return found;
}

}  // namespace microslip::dynamics
