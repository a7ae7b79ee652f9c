#include "dynamics/balance/unheld_motions.hpp"

#include <cmath>
#include <numbers>

#include "microslip/detail/numerics/dense.hpp"
#include "microslip/detail/numerics/sparse.hpp"

namespace microslip::dynamics {
namespace {

/// K in units of its diagonal, in which it does not matter what the coordinates are; where K has
/// none, in units of the mass. Joints count with stiffness 1.
struct Scaled {
  SparseMatrix K, M;
  Eigen::VectorXd units;
};

Scaled scaled(const Structure& s) {
  const Eigen::Index n = s.size();
  Eigen::VectorXd stiffness = s.K.diagonal();
  const Eigen::VectorXd mass = s.M.diagonal();
  const double largest = stiffness.cwiseAbs().cwiseQuotient(mass).maxCoeff();
  Scaled result;
  result.units.resize(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    const double k = stiffness[i] > 1e-14 * largest * mass[i] ? stiffness[i]
                     : largest > 0                            ? largest * mass[i]
                                                              : mass[i];
    result.units[i] = 1 / std::sqrt(k);
  }
  result.K = result.units.asDiagonal() * s.K * result.units.asDiagonal();
  result.M = result.units.asDiagonal() * s.M * result.units.asDiagonal();
  for (const JointElement& joint : s.joints) {
    if (!joint.model.rigid() && !(tangent_at_rest(joint.model) > 0)) continue;
    const Eigen::VectorXd w = joint.w.cwiseProduct(result.units);
    add_along(result.K, w / w.norm(), 1);
  }
  for (const InterfaceElement& interface : s.interfaces)
    for (const Direction& direction : interface.w) {
      const Eigen::VectorXd w = direction.cwiseProduct(result.units);
      add_along(result.K, w / w.norm(), 1);
    }
  return result;
}

/// The pivots of a matrix with diagonal 1 are about the squares of relative distances from a
/// linear dependence.
bool regular(const SparseMatrix& K) {
  const sparse::Ldlt factors(K);
  return factors.found() && factors.pivots().minCoeff() > 1e-9;
}

/// Makes columns orthonormal in M; those that depend on others are left out.
Eigen::MatrixXd orthonormal(const Eigen::MatrixXd& columns, const SparseMatrix& M) {
  const Eigen::MatrixXd gram = columns.transpose() * (M * columns);
  const dense::SymmetricModes modes(gram);
  std::vector<Eigen::Index> good;
  const double largest = modes.values.tail(1)[0];
  for (Eigen::Index i = 0; i < gram.rows(); ++i)
    if (modes.values[i] > 1e-13 * largest) good.push_back(i);
  Eigen::MatrixXd result(columns.rows(), static_cast<Eigen::Index>(good.size()));
  for (Eigen::Index i = 0; i < result.cols(); ++i) {
    const Eigen::Index from = good[static_cast<std::size_t>(i)];
    result.col(i) = columns * modes.vectors.col(from) / std::sqrt(modes.values[from]);
  }
  return result;
}

}  // namespace

Eigen::MatrixXd unheld_motions(const Structure& structure) {
  const Eigen::Index n = structure.size();
  const Scaled s = scaled(structure);
  if (regular(s.K)) return Eigen::MatrixXd(n, 0);
  // Inverse iteration with a shift far below the first elastic mode.
  const Eigen::Index wanted = std::min<Eigen::Index>(n, 10);  // 6 of a body, and some more
  const double shift = 1e-11 / Eigen::VectorXd(s.M.diagonal()).maxCoeff();
  const SparseMatrix shifted = s.K + shift * s.M;
  const sparse::Ldlt factors(shifted);
  if (!factors.found()) return Eigen::MatrixXd(n, 0);
  Eigen::MatrixXd columns(n, wanted);
  for (Eigen::Index i = 0; i < n; ++i)
    for (Eigen::Index j = 0; j < wanted; ++j)
      columns(i, j) = std::cos(static_cast<double>((i + 1) * (2 * j + 1)) * std::numbers::sqrt2 +
                               static_cast<double>(j * i * i) * 0.1);
  for (int iteration = 0; iteration < 6; ++iteration) {
    columns = factors.solve(s.M * columns);
    columns = orthonormal(columns, s.M);
  }
  const Eigen::MatrixXd energy = columns.transpose() * (s.K * columns);
  const dense::SymmetricModes ritz(energy);
  const SparseMatrix size = s.K.cwiseAbs();
  std::vector<Eigen::VectorXd> found;
  for (Eigen::Index i = 0; i < columns.cols(); ++i) {
    const Eigen::VectorXd x = columns * ritz.vectors.col(i);
    const double terms = x.cwiseAbs().dot(size * x.cwiseAbs());
    // What is left of the energy is rounding of its terms.
    if (std::abs(x.dot(s.K * x)) <= 1e-13 * terms || terms == 0) found.push_back(x);
  }
  Eigen::MatrixXd result(n, static_cast<Eigen::Index>(found.size()));
  for (Eigen::Index i = 0; i < result.cols(); ++i)
    result.col(i) = s.units.asDiagonal() * found[static_cast<std::size_t>(i)];
  return result;
}

}  // namespace microslip::dynamics
