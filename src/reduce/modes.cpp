#include "microslip/reduce/modes.hpp"

#include <Eigen/QR>
#include <Eigen/SVD>
#include <cmath>
#include <string>

#include "microslip/core/error.hpp"
#include "microslip/core/field.hpp"
#include "microslip/detail/numerics/canonical_form.hpp"
#include "microslip/detail/numerics/dense.hpp"
#include "microslip/friction/solver.hpp"

namespace microslip::reduce {
namespace {

/// Σ x xᵀ, a block of columns at a time.
class Gram {
 public:
  explicit Gram(Index n) : sum_(Eigen::MatrixXd::Zero(n, n)), block_(n, 64) {}
  void add(const Eigen::VectorXd& x) {
    block_.col(filled_++) = x;
    if (filled_ == block_.cols()) flush();
  }
  /// Falling singular values and their vectors.
  std::pair<Eigen::VectorXd, Eigen::MatrixXd> modes() {
    flush();
    const EigenPairs pairs = symmetric_eigen_pairs(sum_);
    return {pairs.values.reverse().cwiseMax(0).cwiseSqrt(), pairs.vectors.rowwise().reverse()};
  }

 private:
  void flush() {
    sum_.selfadjointView<Eigen::Lower>().rankUpdate(block_.leftCols(filled_));
    filled_ = 0;
  }
  Eigen::MatrixXd sum_, block_;
  Index filled_ = 0;
};

/// For each row: the row of the last reversal if the row is just after it, otherwise −1.
std::vector<std::ptrdiff_t> rows_after_reversals(const std::vector<double>& loads, double window) {
  std::vector<std::ptrdiff_t> since(loads.size(), -1);
  std::size_t begin = 0;
  while (begin + 1 < loads.size()) {
    std::size_t end = begin + 1;
    const bool rising = loads[end] > loads[begin];
    while (end + 1 < loads.size() && (loads[end + 1] > loads[end]) == rising) ++end;
    const double reach = window * std::abs(loads[end] - loads[begin]);
    for (std::size_t row = begin + 1; begin > 0 && row <= end; ++row)
      if (std::abs(loads[row] - loads[begin]) <= reach)
        since[row] = static_cast<std::ptrdiff_t>(begin);
    begin = end;
  }
  return since;
}

void collect(const friction::System& system, const std::vector<double>& loads, double window,
             Gram& all, Gram& reversals) {
  const auto since = rows_after_reversals(loads, window);
  Eigen::VectorXd at_reversal, before = Eigen::VectorXd::Zero(system.size());
  std::ptrdiff_t reversal = -1;
  friction::Wanted wanted;
  wanted.each_row = [&](std::size_t row, const friction::Vector& x) {
    all.add(x);
    if (since[row] >= 0) {
      if (since[row] != reversal) {
        reversal = since[row];
        at_reversal = before;
      }
      reversals.add(x - at_reversal);
    }
    before = x;
  };
  const friction::Result result = friction::run(system, loads, {}, wanted);
  if (result.status != Status::ok)
    throw Error("the full system fails in row " + std::to_string(result.xi.size() + 1) + ": " +
                (result.trouble.empty() ? std::string(explain(result.status)) : result.trouble));
}

/// Adds the leading vectors to the basis, each made orthogonal to what is there.
void append(const Eigen::MatrixXd& vectors, const Eigen::VectorXd& values, Index wanted,
            const char* what, Eigen::MatrixXd& basis) {
  for (Index i = 0, taken = 0; taken < wanted; ++i) {
    if (i == vectors.cols() || !(values[i] > 1e-7 * values[0]))
      throw Error("the loads move the sliders in only " + std::to_string(taken) +
                  " independent ways" + what + "; " + std::to_string(wanted) +
                  " modes were asked for");
    Eigen::VectorXd v = vectors.col(i);
    for (int pass = 0; pass < 2; ++pass) v -= basis * (basis.transpose() * v);
    if (v.norm() < 1e-6) continue;  // nothing new
    basis.conservativeResize(Eigen::NoChange, basis.cols() + 1);
    basis.rightCols(1) = v.normalized();
    ++taken;
  }
}

}  // namespace

MotionRecord::MotionRecord(const friction::System& system,
                           std::span<const std::vector<double>> loads, double window)
    : b_(system.b()) {
  check_value("reduce", "window", window, left_open_interval(0, 1));
  Gram all(system.size()), reversals(system.size());
  for (const auto& history : loads) collect(system, history, window, all, reversals);
  std::tie(values_, vectors_) = all.modes();
  std::tie(reversal_values_, reversal_vectors_) = reversals.modes();
}

SliderModes MotionRecord::modes(Index main, Index after_reversals) const {
  if (main < 1 || after_reversals < 0) throw Error("reduce: at least one mode is needed");
  if (main + after_reversals > b_.size())
    throw Error("reduce: " + std::to_string(main + after_reversals) +
                " modes are more than the system has sliders, " + std::to_string(b_.size()));
  SliderModes modes{Eigen::MatrixXd(b_.size(), 0), values_, reversal_values_};
  append(vectors_, values_, main, "", modes.basis);
  append(reversal_vectors_, reversal_values_, after_reversals, " just after reversals",
         modes.basis);
  for (Index i = 0; i < modes.basis.cols(); ++i)
    if (b_.dot(modes.basis.col(i)) < 0) modes.basis.col(i) *= -1;
  return modes;
}

SliderModes proper_orthogonal_modes(const friction::System& system,
                                    std::span<const std::vector<double>> loads,
                                    const ModeOptions& options) {
  return MotionRecord(system, loads, options.window).modes(options.main, options.after_reversals);
}

Eigen::MatrixXd analytic_modes(Index sliders, Index m, double alpha) {
  check_value("reduce", "alpha", alpha, positive);
  if (m < 1 || m > sliders)
    throw Error("reduce: " + std::to_string(m) + " modes must lie between 1 and the number of " +
                "sliders, " + std::to_string(sliders));
  Eigen::MatrixXd phi(sliders, m);
  for (Index j = 0; j < sliders; ++j) {
    const double x = sliders > 1 ? static_cast<double>(j) * static_cast<double>(sliders) /
                                       static_cast<double>(sliders - 1)
                                 : 0;
    const double y = x * std::sqrt(x);
    for (Index r = 0; r < m; ++r)
      phi(j, r) = std::exp(-alpha * y) * std::pow(y, static_cast<double>(r));
  }
  // The span from columns of equal size, then the turn inside it that singular vectors ask for:
  // the columns as they are differ by many powers of ten.
  const Eigen::VectorXd size = phi.colwise().norm();
  const dense::ThinQr qr(phi * size.cwiseInverse().asDiagonal());
  Eigen::MatrixXd basis = qr.Q * dense::Svd(qr.R * size.asDiagonal()).U;
  for (Index i = 0; i < m; ++i)
    if (basis.col(i).sum() < 0) basis.col(i) *= -1;
  return basis;
}

}  // namespace microslip::reduce
