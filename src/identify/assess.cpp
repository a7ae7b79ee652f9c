#include <algorithm>
#include <cmath>

#include "identify/problem.hpp"
#include "microslip/detail/numerics/dense.hpp"

namespace microslip::identify {
namespace {

using Index = Eigen::Index;
using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

/// Σ_j ρ^|i−j| row_j of J, for all i.
Matrix correlated(const Matrix& J, double rho) {
  Matrix forward = J, backward = J;
  for (Index i = 1; i < J.rows(); ++i) forward.row(i) += rho * forward.row(i - 1);
  for (Index i = J.rows() - 1; i-- > 0;) backward.row(i) += rho * backward.row(i + 1);
  return forward + backward - J;
}

/// H = Σ JᵀJ/σ² and what the differences vary in its place, Σ Jᵀ R J/σ², R being their correlation.
void information(const Problem& problem, const Differences& at, Matrix& H, Matrix& V) {
  const Index n = at.J.cols();
  H.setZero(n, n);
  V.setZero(n, n);
  for (const Block& block : problem.blocks()) {
    if (problem.data()[block.datum].holdout) continue;
    Matrix J(static_cast<Index>(block.rows.size()), n);
    for (std::size_t i = 0; i < block.rows.size(); ++i)
      J.row(static_cast<Index>(i)) = at.J.row(block.rows[i]) / block.sigma;
    H += J.transpose() * J;
    V += J.transpose() * (block.correlation > 0 ? correlated(J, block.correlation) : J);
  }
}

}  // namespace

void assess(const Problem& problem, const std::vector<Unknown>& unknowns, const Vector& z,
            Result& result) {
  const Index np = problem.parameters();
  result.errors.assign(static_cast<std::size_t>(np), std::nullopt);
  result.correlation = Matrix::Constant(np, np, std::numeric_limits<double>::quiet_NaN());
  const Differences at = problem.differences(z, true);
  if (!at.ok) return;
  Matrix H, V;
  information(problem, at, H, V);
  // In units of each unknown, so that no size is lost beside another.
  Vector unit(H.rows());
  for (Index i = 0; i < H.rows(); ++i) unit[i] = H(i, i) > 0 ? 1 / std::sqrt(H(i, i)) : 1;
  const Matrix scaled = unit.asDiagonal() * H * unit.asDiagonal();
  const dense::SymmetricModes modes(scaled);
  Vector inverse(H.rows());
  for (Index i = 0; i < H.rows(); ++i) inverse[i] = 1 / std::max(modes.values[i], 1e-15);
  const Matrix bread = unit.asDiagonal() * modes.vectors * inverse.asDiagonal() *
                       modes.vectors.transpose() * unit.asDiagonal();
  Matrix whole = bread * V * bread;
  // What nothing that was measured depends on has no noise in its place either, and is not known all the same.
  for (Index k = 0; k < H.rows(); ++k)
    if (modes.values[k] <= 1e-15) {
      const Vector unseen = unit.asDiagonal() * modes.vectors.col(k);
      whole += inverse[k] * unseen * unseen.transpose();
    }
  const Matrix covariance = whole.topLeftCorner(np, np);
  for (const Block& block : problem.blocks()) {
    double sum = 0;
    for (const Index row : block.rows) sum += at.J.row(row).dot(whole * at.J.row(row).transpose());
    result.deviations.push_back(std::sqrt(sum / static_cast<double>(block.rows.size())));
  }
  // Of a linear unknown, its own size is what counts as a change by a factor e.
  Vector factor(np);
  for (Index i = 0; i < np; ++i)
    factor[i] =
        unknowns[static_cast<std::size_t>(i)].logarithmic ? 1 : std::max(std::abs(z[i]), 1e-3);
  const Matrix relative =
      factor.cwiseInverse().asDiagonal() * covariance * factor.cwiseInverse().asDiagonal();
  const dense::SymmetricModes directions(0.5 * (relative + relative.transpose()));
  std::vector<bool> open(static_cast<std::size_t>(np), false);
  for (Index k = 0; k < np; ++k) {
    const double deviation = std::sqrt(std::max(directions.values[k], 0.0));
    fit::Combination combination;
    combination.sensitivity = deviation > 0 ? 1 / deviation : 0;
    combination.determined = deviation < 1;
    std::vector<Index> order(static_cast<std::size_t>(np));
    for (Index i = 0; i < np; ++i) order[static_cast<std::size_t>(i)] = i;
    const auto weight = [&](Index i) { return std::abs(directions.vectors(i, k)); };
    std::sort(order.begin(), order.end(), [&](Index a, Index b) { return weight(a) > weight(b); });
    const double largest = weight(order.front());
    for (const Index i : order) {
      if (weight(i) < 0.1 * largest) break;
      combination.parts.emplace_back(unknowns[static_cast<std::size_t>(i)].name,
                                     directions.vectors(i, k));
      if (!combination.determined) open[static_cast<std::size_t>(i)] = true;
    }
    result.combinations.push_back(std::move(combination));
  }
  const Matrix slope = problem.slopes(z);
  const Matrix of_values = slope * covariance * slope.transpose();
  for (Index i = 0; i < np; ++i) {
    const auto k = static_cast<std::size_t>(i);
    if (relative(i, i) >= 1) open[k] = true;
    if (!open[k]) result.errors[k] = std::sqrt(of_values(i, i));
  }
  for (Index i = 0; i < np; ++i)
    for (Index j = 0; j < np; ++j)
      if (result.errors[static_cast<std::size_t>(i)] && result.errors[static_cast<std::size_t>(j)])
        result.correlation(i, j) = of_values(i, j) / std::sqrt(of_values(i, i) * of_values(j, j));
}

}  // namespace microslip::identify
