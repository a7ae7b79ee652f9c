#include "row_noise.hpp"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <limits>
#include <vector>

#include "microslip/detail/numerics/dense.hpp"

namespace microslip::fit {
namespace {

/// Rows that are compared, and how many rows lie between each and the one before; 0: the first of a
/// record, which follows nothing.
struct Chain {
  std::vector<Eigen::Index> row;
  std::vector<int> gap;
};

Chain chain_of(const Problem& problem) {
  Chain chain;
  Eigen::Index row = 0;
  for (std::size_t r = 0; r < problem.records().size(); ++r) {
    Eigen::Index last = -1;
    for (std::size_t i = 0; i < problem.records()[r].rows(); ++i, ++row) {
      if (!problem.compares(r, i)) continue;
      chain.row.push_back(row);
      chain.gap.push_back(last < 0 ? 0 : static_cast<int>(row - last));
      last = row;
    }
  }
  return chain;
}

/// Rows and tangent of the restricted likelihood, the residual in the last column.
class Restricted {
 public:
  Restricted(const Chain& chain, const Eigen::VectorXd& residuals, const Eigen::MatrixXd& tangent)
      : chain_(chain), all_(chain.row.size(), tangent.cols() + 1) {
    for (std::size_t i = 0; i < chain.row.size(); ++i) {
      const auto to = static_cast<Eigen::Index>(i);
      all_.row(to) << tangent.row(chain.row[i]), residuals[chain.row[i]];
    }
  }

  struct Value {
    double deviance = std::numeric_limits<double>::infinity();  ///< −2 log likelihood
    double innovation = 0;  ///< variance of what is new in a row
  };
  /// Independent residuals come from the rows by subtracting what the row before says.
  Value at(double correlation) const {
    const Eigen::Index columns = all_.cols();
    const double own = 1 - correlation * correlation;
    Eigen::MatrixXd gram = Eigen::MatrixXd::Zero(columns, columns);
    Eigen::RowVectorXd fresh(columns);
    double log_sizes = 0;
    for (Eigen::Index i = 0; i < all_.rows(); ++i) {
      const int gap = chain_.gap[static_cast<std::size_t>(i)];
      const double kept = gap == 0 ? 0 : std::pow(correlation, gap);
      const double variance = (1 - kept * kept) / own;
      fresh = all_.row(i);
      if (gap > 0) fresh -= kept * all_.row(i - 1);
      gram.selfadjointView<Eigen::Lower>().rankUpdate(fresh.transpose(), 1 / variance);
      log_sizes += std::log(variance);
    }
    gram = Eigen::MatrixXd(gram.selfadjointView<Eigen::Lower>());
    const dense::Cholesky root(gram);
    if (!root.positive()) return {};
    const Eigen::VectorXd diagonal = root.L().diagonal();
    const double freedom = static_cast<double>(all_.rows() - columns + 1);
    const double rest = diagonal[columns - 1] * diagonal[columns - 1];
    const double log_tangent = 2 * diagonal.head(columns - 1).array().log().sum();
    return {log_sizes + log_tangent + freedom * std::log(rest / freedom), rest / freedom};
  }

 private:
  const Chain& chain_;
  Eigen::MatrixXd all_;
};

/// Twice the logarithm of the likelihood must gain so much, as a number more has to in AICc.
constexpr double least_evidence = 2;

/// Of a variance that is the mean of so many independent squares: 1.96 standard errors shall be the 95 %
/// of Student's intervals.
double student_widening(double squares) {
  const boost::math::students_t student(std::max(squares, 2.0));
  const double wider = boost::math::quantile(student, 0.975) / 1.959963984540054;
  return wider * wider;
}

/// Of each row, over the range of its answer. The slope is that of the rows around it, turns among them. A
/// smoothing goes as far as the motion that it takes is as large as the noise that it leaves: twice the
/// variance.
Eigen::VectorXd from_input(const Problem& problem,
                           const std::vector<std::vector<double>>& answers) {
  constexpr std::size_t around = 5;
  Eigen::Index rows = 0;
  bool any = false;
  for (const Data& data : problem.records()) {
    rows += static_cast<Eigen::Index>(data.rows());
    any = any || data.input_noise > 0;
  }
  if (!any) return {};
  Eigen::VectorXd variance = Eigen::VectorXd::Zero(rows);
  Eigen::Index row = 0;
  for (std::size_t r = 0; r < problem.records().size(); ++r) {
    const Data& data = problem.records()[r];
    for (std::size_t i = 0; i < data.rows(); ++i, ++row) {
      double df = 0, du = 0;
      for (std::size_t j = i < around ? 1 : i - around + 1; j < std::min(i + around, data.rows());
           ++j) {
        df += std::pow(answers[r][j] - answers[r][j - 1], 2);
        du += std::pow(data.u[j] - data.u[j - 1], 2);
      }
      const double noise = data.input_noise / problem.force_range(r);
      if (du > 0) variance[row] = 2 * problem.weight(r, i) * df / du * noise * noise;
    }
  }
  return variance;
}

}  // namespace

RowNoise row_noise(const Problem& problem, const Eigen::VectorXd& residuals,
                   const Eigen::MatrixXd& tangent, double freedom,
                   const std::vector<std::vector<double>>& answers) {
  RowNoise noise;
  noise.of_input = from_input(problem, answers);
  noise.white = residuals.squaredNorm() / freedom;
  noise.variance = noise.white * student_widening(freedom);
  if (!(noise.variance > 0)) return noise;
  const Chain chain = chain_of(problem);
  const auto rows = static_cast<double>(chain.row.size());
  if (rows < static_cast<double>(tangent.cols()) + 8) return noise;
  std::vector<Eigen::Index> columns;  // a direction without any effect has none
  for (Eigen::Index k = 0; k < tangent.cols(); ++k)
    if (tangent.col(k).squaredNorm() > 0.5) columns.push_back(k);
  const Restricted likelihood(chain, residuals, tangent(Eigen::all, columns));
  // A correlation that lasts as long as the record is a drift, of which a record is one sample.
  const double most = 1 - 2 / rows;
  std::vector<double> grid{0};
  for (double left = 0.8; left > 1 - most; left *= 0.8) grid.push_back(1 - left);
  grid.push_back(most);
  std::size_t best = 0;
  std::vector<Restricted::Value> values;
  for (const double correlation : grid) values.push_back(likelihood.at(correlation));
  for (std::size_t i = 0; i < grid.size(); ++i)
    if (values[i].deviance < values[best].deviance) best = i;
  if (!(values[best].deviance < values[0].deviance)) return noise;
  double low = grid[best - 1], high = grid[std::min(best + 1, grid.size() - 1)];
  constexpr double golden = 0.6180339887498949;
  for (int i = 0; i < 20; ++i) {
    const double a = high - golden * (high - low), b = low + golden * (high - low);
    if (likelihood.at(a).deviance < likelihood.at(b).deviance)
      high = b;
    else
      low = a;
  }
  const double correlation = 0.5 * (low + high);
  const Restricted::Value found = likelihood.at(correlation);
  noise.evidence = values[0].deviance - found.deviance;
  if (noise.evidence < least_evidence) return noise;
  noise.correlation = correlation;
  const double square = correlation * correlation;
  const double squares = rows * (1 - square) / (1 + square) - static_cast<double>(columns.size());
  noise.variance = found.innovation / (1 - square) * student_widening(squares);
  return noise;
}

Eigen::MatrixXd noise_along(const Problem& problem, const RowNoise& noise,
                            const Eigen::MatrixXd& tangent) {
  Eigen::MatrixXd besides = Eigen::MatrixXd::Zero(tangent.cols(), tangent.cols());
  if (noise.of_input.size() > 0)
    besides = tangent.transpose() * noise.of_input.asDiagonal() * tangent;
  if (noise.correlation == 0) return noise.variance * tangent.transpose() * tangent + besides;
  const Chain chain = chain_of(problem);
  Eigen::MatrixXd spread = Eigen::MatrixXd::Zero(tangent.rows(), tangent.cols());
  Eigen::RowVectorXd passed = Eigen::RowVectorXd::Zero(tangent.cols());
  // What comes from the rows before, then from those behind; a row itself counts once.
  for (std::size_t i = 0; i < chain.row.size(); ++i) {
    const double kept = chain.gap[i] == 0 ? 0 : std::pow(noise.correlation, chain.gap[i]);
    passed = kept * passed + tangent.row(chain.row[i]);
    spread.row(chain.row[i]) = passed;
  }
  passed.setZero();
  for (std::size_t i = chain.row.size(); i-- > 0;) {
    spread.row(chain.row[i]) += passed;
    const double kept = chain.gap[i] == 0 ? 0 : std::pow(noise.correlation, chain.gap[i]);
    passed = kept * (passed + tangent.row(chain.row[i]));
  }
  return noise.variance * tangent.transpose() * spread + besides;
}

}  // namespace microslip::fit
