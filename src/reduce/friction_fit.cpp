#include "microslip/reduce/friction_fit.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <string>

#include "microslip/core/error.hpp"
#include "microslip/core/text.hpp"
#include "microslip/detail/numerics/canonical_form.hpp"
#include "microslip/detail/numerics/dense.hpp"

namespace microslip::reduce {
namespace {

/// Normal numbers, the same on every machine: SplitMix64 and Box–Muller.
class Normal {
 public:
  explicit Normal(std::uint64_t seed) : state_(seed) {}
  double operator()() {
    if (spare_) {
      spare_ = false;
      return second_;
    }
    const double radius = std::sqrt(-2 * std::log(uniform()));
    const double angle = 2 * std::numbers::pi * uniform();
    second_ = radius * std::sin(angle);
    spare_ = true;
    return radius * std::cos(angle);
  }

 private:
  double uniform() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return (static_cast<double>((z ^ (z >> 31)) >> 11) + 0.5) * 0x1p-53;
  }
  std::uint64_t state_;
  double second_ = 0;
  bool spare_ = false;
};

/// Calls visit(directions as columns, G of each) block by block.
using Visit = std::function<void(const Eigen::MatrixXd&, const Eigen::RowVectorXd&)>;
void for_directions(const Eigen::MatrixXd& generators, const FitOptions& options, bool angles,
                    const Visit& visit) {
  const Index m = generators.rows();
  const auto total = static_cast<Index>(options.directions);
  Normal normal(options.seed);
  Eigen::MatrixXd eta;
  for (Index done = 0; done < total;) {
    const Index block = std::min<Index>(1024, total - done);
    eta.resize(m, block);
    for (Index k = 0; k < block; ++k)
      if (angles && m == 2) {
        const double angle =
            std::numbers::pi * (static_cast<double>(done + k) + 0.5) / static_cast<double>(total);
        eta.col(k) << std::cos(angle), std::sin(angle);
      } else {
        for (Index i = 0; i < m; ++i) eta(i, k) = normal();
      }
    visit(eta, (generators.transpose() * eta).cwiseAbs().colwise().sum());
    done += block;
  }
}

Index pairs(Index m) { return m * (m + 1) / 2; }

/// ηᵀAη is linear in the elements of A: their coefficients, a column for each η.
Eigen::MatrixXd quadratic_terms(const Eigen::MatrixXd& eta) {
  Eigen::MatrixXd terms(pairs(eta.rows()), eta.cols());
  for (Index i = 0, row = 0; i < eta.rows(); ++i)
    for (Index j = i; j < eta.rows(); ++j, ++row)
      terms.row(row) = (i == j ? 1.0 : 2.0) * eta.row(i).cwiseProduct(eta.row(j));
  return terms;
}

Eigen::MatrixXd symmetric(const Eigen::VectorXd& elements, Index m) {
  Eigen::MatrixXd A(m, m);
  for (Index i = 0, row = 0; i < m; ++i)
    for (Index j = i; j < m; ++j, ++row) A(i, j) = A(j, i) = elements[row];
  return A;
}

/// Normal equations, collected block by block.
class LeastSquares {
 public:
  explicit LeastSquares(Index n)
      : matrix_(Eigen::MatrixXd::Zero(n, n)), right_(Eigen::VectorXd::Zero(n)) {}
  /// Equations as columns.
  void add(const Eigen::MatrixXd& terms, const Eigen::RowVectorXd& values) {
    matrix_.selfadjointView<Eigen::Lower>().rankUpdate(terms);
    right_ += terms * values.transpose();
  }
  Eigen::VectorXd solve() const { return dense::Ldlt(symmetric()).solve(right_); }
  /// With no negative unknown: those that would be are left out, one after the other.
  Eigen::VectorXd solve_non_negative() const {
    const Index n = right_.size();
    std::vector<Index> in;
    for (Index i = 0; i < n; ++i) in.push_back(i);
    const Eigen::MatrixXd full = symmetric();
    while (!in.empty()) {
      const Eigen::VectorXd some = dense::Ldlt(full(in, in)).solve(right_(in));
      Index worst = 0;
      if (some.minCoeff(&worst) >= 0) {
        Eigen::VectorXd all = Eigen::VectorXd::Zero(n);
        all(in) = some;
        return all;
      }
      in.erase(in.begin() + worst);
    }
    return Eigen::VectorXd::Zero(n);
  }

 private:
  Eigen::MatrixXd symmetric() const { return matrix_.selfadjointView<Eigen::Lower>(); }

  Eigen::MatrixXd matrix_;  ///< its lower triangle
  Eigen::VectorXd right_;
};

struct DirectionMisfit {
  double squares = 0, all = 0;
  void add(const Eigen::RowVectorXd& model, const Eigen::RowVectorXd& G) {
    squares += (model - G).squaredNorm();
    all += G.squaredNorm();
  }
  double relative_squares() const { return squares / all; }
};

void check(const Eigen::MatrixXd& generators, const FitOptions& options) {
  if (generators.size() == 0) throw Error("reduce: there are no generators");
  if (options.directions < 100)
    throw Error("reduce.directions = " + std::to_string(options.directions) +
                " must be at least 100");
}

}  // namespace

double friction_along(const Eigen::MatrixXd& generators, const Eigen::VectorXd& eta) {
  return (generators.transpose() * eta).cwiseAbs().sum();
}

Eigen::MatrixXd friction_moments(const Eigen::MatrixXd& generators) {
  const Index m = generators.rows(), n = generators.cols();
  const Eigen::VectorXd size = generators.colwise().norm();
  const double rounding = 1e-300 + 1e-15 * size.maxCoeff();
  double mean = 0;
  Eigen::MatrixXd alike = Eigen::MatrixXd::Zero(n, n);
  Eigen::VectorXd own = Eigen::VectorXd::Zero(n);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j) {
      if (size[i] <= rounding || size[j] <= rounding) continue;  // moves nothing
      const double rho =
          std::clamp(generators.col(i).dot(generators.col(j)) / (size[i] * size[j]), -1.0, 1.0);
      const double across = std::sqrt((1 - rho) * (1 + rho));
      alike(i, j) = std::asin(rho);
      own[i] += across * size[j] / size[i];
      mean += size[i] * size[j] * (across + rho * alike(i, j));
    }
  alike.diagonal() += own;
  return 2 / std::numbers::pi *
         (mean * Eigen::MatrixXd::Identity(m, m) + 2 * generators * alike * generators.transpose());
}

namespace {

Eigen::MatrixXd ellipsoid_by_directions(const Eigen::MatrixXd& generators,
                                        const FitOptions& options) {
  const Index m = generators.rows();
  LeastSquares equations(pairs(m));
  for_directions(generators, options, true, [&](const auto& eta, const auto& G) {
    const Eigen::RowVectorXd per_G2 = G.array().square().inverse();
    equations.add(quadratic_terms(eta) * per_G2.asDiagonal(), Eigen::RowVectorXd::Ones(eta.cols()));
  });
  return symmetric(equations.solve(), m);
}

/// The normal equations are E[(ηᵀAη) ηηᵀ] = 2A + tr(A) I = T.
Eigen::MatrixXd ellipsoid_by_moments(const Eigen::MatrixXd& generators) {
  const Eigen::MatrixXd T = friction_moments(generators);
  const auto m = static_cast<double>(T.rows());
  return 0.5 * (T - T.trace() / (m + 2) * Eigen::MatrixXd::Identity(T.rows(), T.rows()));
}

}  // namespace

EllipsoidFit fit_ellipsoid(const Eigen::MatrixXd& generators, const FitOptions& options) {
  check(generators, options);
  EllipsoidFit fit{options.ellipsoid == EllipsoidBy::moments
                       ? ellipsoid_by_moments(generators)
                       : ellipsoid_by_directions(generators, options),
                   0};
  const double smallest = symmetric_eigen_pairs(fit.A).values[0];
  if (!(smallest > 0))
    throw Error("reduce: the fitted A is not positive definite, its smallest eigenvalue is " +
                number_text(smallest) + "; fewer modes or more directions may help");
  DirectionMisfit misfit;
  for_directions(generators, options, true, [&](const auto& eta, const auto& G) {
    misfit.add(eta.cwiseProduct(fit.A * eta).colwise().sum().cwiseSqrt(), G);
  });
  fit.error = std::sqrt(misfit.relative_squares());
  return fit;
}

std::vector<double> error_against_beta(const Eigen::MatrixXd& generators,
                                       const std::vector<double>& betas,
                                       const FitOptions& options) {
  check(generators, options);
  const Index m = generators.rows();
  std::vector<LeastSquares> equations(betas.size(), LeastSquares(pairs(m)));
  for_directions(generators, options, false, [&](const auto& eta, const auto& G) {
    const Eigen::MatrixXd terms = quadratic_terms(eta);
    const Eigen::ArrayXd size = eta.colwise().squaredNorm().array();
    for (std::size_t i = 0; i < betas.size(); ++i)
      equations[i].add(
          terms, (G.transpose().array() * size.pow(betas[i] - 0.5)).pow(1 / betas[i]).transpose());
  });
  std::vector<Eigen::MatrixXd> A;
  for (const auto& one : equations) A.push_back(symmetric(one.solve(), m));
  std::vector<DirectionMisfit> misfits(betas.size());
  for_directions(generators, options, false, [&](const auto& eta, const auto& G) {
    const Eigen::ArrayXd size = eta.colwise().squaredNorm().array();
    for (std::size_t i = 0; i < betas.size(); ++i) {
      const Eigen::ArrayXd form = eta.cwiseProduct(A[i] * eta).colwise().sum().array();
      misfits[i].add((form.pow(betas[i]) / size.pow(betas[i] - 0.5)).transpose(), G);
    }
  });
  std::vector<double> errors;
  for (const DirectionMisfit& misfit : misfits) errors.push_back(misfit.relative_squares());
  return errors;
}

namespace {

/// Unit directions, one for each group, spread over the generators: the first is the longest
/// generator, each next the one furthest from those before, weighted by its length.
Eigen::MatrixXd spread_directions(const Eigen::MatrixXd& generators, Index count) {
  const Eigen::VectorXd size = generators.colwise().norm();
  Eigen::VectorXd furthest = Eigen::VectorXd::Constant(generators.cols(), 1);
  Eigen::MatrixXd directions(generators.rows(), 0);
  while (directions.cols() < count) {
    Index next = 0;
    if (!(size.cwiseProduct(furthest).maxCoeff(&next) > 1e-9 * size.maxCoeff())) break;
    const Eigen::VectorXd unit = generators.col(next) / size[next];
    directions.conservativeResize(Eigen::NoChange, directions.cols() + 1);
    directions.rightCols(1) = unit;
    for (Index j = 0; j < generators.cols(); ++j)
      if (size[j] > 0)
        furthest[j] = std::min(furthest[j],
                               1 - std::min(1.0, std::abs(unit.dot(generators.col(j))) / size[j]));
  }
  return directions;
}

/// Generators added up by the direction they are nearest to.
Eigen::MatrixXd group_sums(const Eigen::MatrixXd& generators, const Eigen::MatrixXd& directions) {
  Eigen::MatrixXd sums = Eigen::MatrixXd::Zero(generators.rows(), directions.cols());
  const Eigen::MatrixXd along = directions.transpose() * generators;
  for (Index j = 0; j < generators.cols(); ++j) {
    Index group = 0;
    along.col(j).cwiseAbs().maxCoeff(&group);
    sums.col(group) += (along(group, j) < 0 ? -1.0 : 1.0) * generators.col(j);
  }
  return sums;
}

}  // namespace

GeneratorFit fit_generators(const Eigen::MatrixXd& generators, Index count,
                            const FitOptions& options) {
  check(generators, options);
  if (count < generators.rows())
    throw Error("reduce.generators = " + std::to_string(count) +
                " must be at least the number of modes, " + std::to_string(generators.rows()));
  Eigen::MatrixXd directions = spread_directions(generators, count);
  Eigen::MatrixXd sums;
  for (int round = 0; round < 20; ++round) {  // as k-means does
    sums = group_sums(generators, directions);
    for (Index k = 0; k < sums.cols(); ++k)
      if (sums.col(k).norm() > 0) directions.col(k) = sums.col(k).normalized();
  }
  LeastSquares equations(sums.cols());
  for_directions(generators, options, true, [&](const auto& eta, const auto& G) {
    const Eigen::RowVectorXd per_G = G.cwiseInverse();
    equations.add((sums.transpose() * eta).cwiseAbs() * per_G.asDiagonal(),
                  Eigen::RowVectorXd::Ones(eta.cols()));
  });
  const Eigen::VectorXd weights = equations.solve_non_negative();
  GeneratorFit fit{Eigen::MatrixXd(generators.rows(), 0), 0};
  for (Index k = 0; k < sums.cols(); ++k)
    if (weights[k] > 0 && sums.col(k).norm() > 0) {
      fit.generators.conservativeResize(Eigen::NoChange, fit.generators.cols() + 1);
      fit.generators.rightCols(1) = weights[k] * sums.col(k);
    }
  DirectionMisfit misfit;
  for_directions(generators, options, true, [&](const auto& eta, const auto& G) {
    misfit.add((fit.generators.transpose() * eta).cwiseAbs().colwise().sum(), G);
  });
  fit.error = std::sqrt(misfit.relative_squares());
  return fit;
}

}  // namespace microslip::reduce
