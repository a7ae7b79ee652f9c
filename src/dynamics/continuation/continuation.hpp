#pragma once

/// Curves of solutions of F(y) = 0 with one equation less than unknowns; the last unknown is the
/// parameter of the curve. Followed by arc length, so that turning points are nothing special.

#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <functional>
#include <vector>

#include "microslip/dynamics/continuation/curve_end.hpp"

namespace microslip::dynamics {

/// A system of equations that keeps its matrix in a form of its own and solves it by itself. Only
/// entries beyond its own rows and columns (borders) are added one by one.
class StructuredSystem {
 public:
  virtual ~StructuredSystem() = default;
  virtual void add(Eigen::Index row, Eigen::Index column, double value) = 0;
  virtual void replace_column(Eigen::Index column, const Eigen::VectorXd& values) = 0;
  /// Unknowns in other units; entries of rows that are added later know of them.
  virtual void scale_columns(const Eigen::VectorXd& units) = 0;
  /// Of the system without its border rows.
  virtual Eigen::VectorXd times(const Eigen::VectorXd& z) const = 0;
  /// Solves [J; last] z = rhs with this last row. False if there is no solution.
  virtual bool solve(const Eigen::VectorXd& last, const Eigen::VectorXd& rhs,
                     Eigen::VectorXd& z) = 0;
};

/// A Jacobian with one column more than rows: dense when small, sparse when large, or structured.
class WideJacobian {
 public:
  /// A matrix without zeros stays dense when it is large.
  void reset(Eigen::Index rows, bool filled = false);
  /// Instead of entries; only those of the borders are added.
  void structure(StructuredSystem* system) { structured_ = system; }
  bool structured() const { return structured_ != nullptr; }
  void add(Eigen::Index row, Eigen::Index column, double value) {
    if (structured_)
      structured_->add(row, column, value);
    else if (dense_used_)
      dense_(row, column) += value;
    else
      entries_.emplace_back(row, column, value);
  }
  void replace_column(Eigen::Index column, const Eigen::VectorXd& values);
  /// Unknowns in other units. Rows of a structured system are added afterwards.
  void scale_columns(const Eigen::VectorXd& units);
  Eigen::VectorXd times(const Eigen::VectorXd& z) const;
  Eigen::Index rows() const { return rows_; }

  /// Solves [J; last] z = rhs. False if the matrix is singular. `sign` is that of its determinant.
  bool solve(const Eigen::VectorXd& last, const Eigen::VectorXd& rhs, Eigen::VectorXd& z,
             int* sign = nullptr) const;
  Eigen::MatrixXd dense() const;

 private:
  Eigen::Index rows_ = 0;
  StructuredSystem* structured_ = nullptr;
  bool dense_used_ = true;
  Eigen::MatrixXd dense_;  ///< one row more, for `last`
  std::vector<Eigen::Triplet<double>> entries_;
};

class Equations {
 public:
  virtual ~Equations() = default;
  virtual Eigen::Index size() const = 0;
  /// False if they cannot be evaluated there.
  virtual bool evaluate(const Eigen::VectorXd& y, Eigen::VectorXd& residual,
                        WideJacobian* jacobian) = 0;
  /// Scale of the residual at y.
  virtual double residual_scale(const Eigen::VectorXd& y) const = 0;
  /// The largest entry of the residual, relative to that scale.
  virtual double relative(const Eigen::VectorXd& y, const Eigen::VectorXd& residual) const;
  /// What rounding of the terms leaves of that.
  virtual double rounding(const Eigen::VectorXd&) const { return 0; }
  /// Scales of the unknowns without the parameter; empty if they are all alike.
  virtual Eigen::VectorXd units() const { return {}; }
};

struct NewtonOptions {
  double tolerance = 1e-11;  ///< of the residual, relative to its scale; rounding is near 1e-14
  int most_iterations = 25;
};

struct NewtonResult {
  bool converged = false;
  int iterations = 0;
  double residual = 0;  ///< relative to its scale
};

/// Newton's method with the parameter held, halving steps that make the residual grow.
NewtonResult solve_at(Equations& equations, Eigen::VectorXd& y, const NewtonOptions& options = {});

/// The direction of the curve at y, of unit length when unknowns are measured by `scales`.
bool curve_tangent(Equations& equations, const Eigen::VectorXd& y, const Eigen::VectorXd& scales,
                   Eigen::VectorXd& tangent);

struct CurvePoint {
  Eigen::VectorXd y, tangent;
  int iterations = 0;
};

struct ContinuationOptions {
  double from = 0, to = 1;   ///< of the parameter; the curve ends where it leaves this range
  double first_step = 0.01;  ///< of arc length, in units of the range
  double largest_step = 0.05;
  double smallest_step = 1e-7;
  int most_points = 5000;
  /// Where no step is small enough, look whether the curve turns back at a kink of the equations,
  /// or for the curve further on: laws that lose force at once leave a gap in it.
  bool leap = false;
  NewtonOptions newton{};
  /// Go on from the guess, which lies on the curve, in this direction.
  Eigen::VectorXd direction{};
  /// Typical size of the unknowns without the parameter; 0: from the curve so far.
  double scale = 0;
  /// Called after every point with the part of the way done; false stops the curve, which is kept.
  std::function<bool(const CurvePoint&, double)> on_point{};
};

struct Curve {
  std::vector<CurvePoint> points;
  std::vector<std::size_t> leaps{};  ///< points behind a gap
  CurveEnd end = CurveEnd::reached;
  Eigen::VectorXd scales;
  double largest_residual = 0;  ///< relative, over all points
};

/// Follows the curve from a first guess at parameter `from`.
Curve follow(Equations& equations, const Eigen::VectorXd& guess,
             const ContinuationOptions& options);

/// A point of the curve between two neighbours, `part` of the way from a to b.
bool point_between(Equations& equations, const Curve& curve, const CurvePoint& a,
                   const CurvePoint& b, double part, const NewtonOptions& newton, CurvePoint& out);

/// Where a quantity of y is largest between neighbours: `slope` is its derivative along a tangent.
using Slope = std::function<double(const Eigen::VectorXd& y, const Eigen::VectorXd& tangent)>;
std::vector<CurvePoint> maxima(Equations& equations, const Curve& curve, const Slope& slope,
                               const NewtonOptions& newton = {});

/// Points of the curve with this value of the parameter, in their order.
std::vector<CurvePoint> points_at(Equations& equations, const Curve& curve, double parameter,
                                  const NewtonOptions& newton = {});

}  // namespace microslip::dynamics
