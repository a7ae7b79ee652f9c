#include "microslip/catalog/fitting/relay_cells.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "microslip/core/error.hpp"
#include "microslip/detail/numerics/bounded_least_squares.hpp"
#include "microslip/detail/numerics/dense.hpp"
#include "microslip/models/preisach_table.hpp"

namespace microslip::catalog {
namespace {

constexpr std::size_t most_rows = 20000;  // more tell nothing new about a few hundred densities

}  // namespace

RelayCells relay_cells(std::span<const double> u, std::span<const double> f, std::size_t sides) {
  if (sides < 1 || u.size() < 3 || u.size() != f.size())
    throw Error("cells of relays need at least one place on each side and three rows");
  const auto [least, largest] = std::minmax_element(u.begin(), u.end());
  if (!(*largest > *least)) throw Error("cells of relays need a displacement that moves");
  RelayCells found;
  for (std::size_t i = 0; i <= sides; ++i) {
    const double share = static_cast<double>(i) / static_cast<double>(sides);
    found.at.push_back(*least + share * (*largest - *least));
  }
  const std::size_t cells = sides * (sides + 1) / 2;
  const std::size_t stride = (u.size() + most_rows - 1) / most_rows;
  const std::size_t rows = (u.size() + stride - 1) / stride;
  // Columns: k, the cells, and a constant of either sign.
  Eigen::MatrixXd A(static_cast<Eigen::Index>(rows), static_cast<Eigen::Index>(cells + 3));
  Eigen::VectorXd b(static_cast<Eigen::Index>(rows));
  for (std::size_t i = 0; i < rows; ++i) {
    A(static_cast<Eigen::Index>(i), 0) = u[i * stride];
    b[static_cast<Eigen::Index>(i)] = f[i * stride];
  }
  A.col(static_cast<Eigen::Index>(cells + 1)).setOnes();
  A.col(static_cast<Eigen::Index>(cells + 2)).setConstant(-1);
  for (std::size_t c = 0; c < cells; ++c) {
    PreisachTable<double>::Params one{.k = 0, .at = found.at, .density = {}};
    one.density.assign(cells, 0);
    one.density[c] = 1;
    const PreisachTable<double> law(one);
    auto state = law.rest();
    for (std::size_t i = 0; i < u.size(); ++i) {
      const double force = law.step(state, u[i], state).force;
      if (i % stride == 0)
        A(static_cast<Eigen::Index>(i / stride), static_cast<Eigen::Index>(c + 1)) = force;
    }
  }
  const Eigen::VectorXd scale = A.colwise().norm().transpose();
  for (Eigen::Index j = 0; j < A.cols(); ++j) A.col(j) /= scale[j];
  const dense::ThinQr factors(A);
  const Eigen::VectorXd x =
      nonnegative_least_squares(factors.R, factors.Q.transpose() * b).cwiseMax(0);
  found.rms = std::sqrt((A * x - b).squaredNorm() / static_cast<double>(rows));
  // The two constants are one.
  const Eigen::Index last = A.cols() - 1;
  const Eigen::VectorXd sizes = dense::Svd(factors.R.topLeftCorner(last, last)).values;
  found.told_apart = static_cast<std::size_t>((sizes.array() > 1e-8 * sizes[0]).count());
  found.told_apart -= std::min<std::size_t>(found.told_apart, 2);  // k and the constant
  const auto value = [&](std::size_t column) {
    const auto j = static_cast<Eigen::Index>(column);
    return x[j] / scale[j];
  };
  found.k = value(0);
  for (std::size_t c = 0; c < cells; ++c) found.density.push_back(value(c + 1));
  return found;
}

}  // namespace microslip::catalog
