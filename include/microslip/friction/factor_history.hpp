#pragma once

/// A factor on all friction limits as a function of time, as straight pieces.
///
/// Rows (t, factor) are straight pieces already: the factor is linear between them, and constant before the
/// first and after the last. A formula of t is replaced by chords whose distance from it is at most
/// `tolerance` times the largest value nearby: an interval is halved until points inside it say so. Kinks are
/// closed in on in this way, and a jump becomes a piece as short as numbers allow, which is passed at
/// practically constant load. A pulse that is narrower than an eighth of a row of the input, and that no
/// point happens to touch, is not seen.

#include <string>
#include <vector>

#include "microslip/detail/numerics/expression.hpp"
#include "microslip/friction/solver.hpp"

namespace microslip::friction {

class FactorHistory {
 public:
  /// The constant 1.
  FactorHistory() = default;
  /// Throws Error unless it is a formula of one variable.
  FactorHistory(Expression factor_of_t, double tolerance);
  /// Throws Error unless t increases and the factors are finite and not negative.
  FactorHistory(std::vector<double> t, std::vector<double> factor);

  bool constant() const noexcept { return kind_ == Kind::one; }
  double at(double t) const;

  struct Piece {
    double part;    ///< of the way from the first time to the second, where the piece ends
    double factor;  ///< there
  };
  /// The pieces of an interval of time, the last of which ends at part = 1. Throws Error if a formula
  /// varies too fast.
  std::vector<Piece> pieces(double from, double to) const;

 private:
  enum class Kind { one, rows, formula };
  Kind kind_ = Kind::one;
  std::vector<double> t_, factor_;
  Expression formula_;
  double tolerance_ = 0;
};

/// Takes a solver from the load `f0` at the time t0 to `f1` at t1; the load is linear in time. A factor that is
/// negative or not a number ends it with status `undefined`, and `trouble` says where.
Step advance_in_time(Solver& solver, const FactorHistory& factor, double f0, double t0, double f1,
                     double t1, std::string& trouble);

}  // namespace microslip::friction
