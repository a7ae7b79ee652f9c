#include "microslip/dynamics/structure/reduction.hpp"

#include <Spectra/MatOp/SparseSymMatProd.h>
#include <Spectra/SymGEigsShiftSolver.h>

#include <algorithm>
#include <cmath>

#include "microslip/core/error.hpp"
#include "microslip/detail/numerics/sparse.hpp"
#include "microslip/dynamics/structure/modes.hpp"

namespace microslip::dynamics {
namespace {

/// Rows and columns of a matrix by two lists of places; −1 in `place` means not taken.
SparseMatrix part(const SparseMatrix& matrix, const std::vector<Eigen::Index>& row_place,
                  Eigen::Index rows, const std::vector<Eigen::Index>& column_place,
                  Eigen::Index columns) {
  std::vector<Eigen::Triplet<double>> entries;
  for (Eigen::Index j = 0; j < matrix.outerSize(); ++j) {
    const Eigen::Index column = column_place[static_cast<std::size_t>(j)];
    if (column < 0) continue;
    for (SparseMatrix::InnerIterator entry(matrix, j); entry; ++entry) {
      const Eigen::Index row = row_place[static_cast<std::size_t>(entry.row())];
      if (row >= 0) entries.emplace_back(row, column, entry.value());
    }
  }
  SparseMatrix result(rows, columns);
  result.setFromTriplets(entries.begin(), entries.end());
  return result;
}

/// K⁻¹ by its factors, for the solver of modes.
class Flexibility {
 public:
  using Scalar = double;
  Flexibility(const sparse::Ldlt& factors, Eigen::Index size) : factors_(factors), size_(size) {}
  Eigen::Index rows() const { return size_; }
  Eigen::Index cols() const { return size_; }
  void set_shift(double) {}  // 0
  void perform_op(const double* x, double* y) const {
    Eigen::VectorXd::Map(y, size_) = factors_.solve(Eigen::VectorXd::Map(x, size_));
  }

 private:
  const sparse::Ldlt& factors_;
  Eigen::Index size_;
};

Modes modes_by_factors(const SparseMatrix& K, const sparse::Ldlt& factors, const SparseMatrix& M,
                       int count) {
  const Eigen::Index n = K.rows();
  if (n <= 200 || count >= n / 2) {
    Modes all = linear_modes(M, K);
    const Eigen::Index taken = std::min<Eigen::Index>(count, n);
    return {all.omega.head(taken), all.shapes.leftCols(taken)};
  }
  using Product = Spectra::SparseSymMatProd<double>;
  Flexibility flexibility(factors, n);
  Product product(M);
  const Eigen::Index space = std::min<Eigen::Index>(n, std::max(2 * count + 10, 20));
  Spectra::SymGEigsShiftSolver<Flexibility, Product, Spectra::GEigsMode::ShiftInvert> solver(
      flexibility, product, count, space, 0.0);
  solver.init();
  solver.compute(Spectra::SortRule::LargestMagn, 1000, 1e-12);
  if (solver.info() != Spectra::CompInfo::Successful)
    throw Error("the lowest modes were not found; ask for fewer");
  Modes modes{solver.eigenvalues().cwiseMax(0).cwiseSqrt(), solver.eigenvectors()};
  // Ascending, of unit modal mass.
  std::vector<Eigen::Index> order(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<Eigen::Index>(i);
  std::sort(order.begin(), order.end(),
            [&](Eigen::Index a, Eigen::Index b) { return modes.omega[a] < modes.omega[b]; });
  Modes sorted{Eigen::VectorXd(count), Eigen::MatrixXd(n, count)};
  for (Eigen::Index i = 0; i < count; ++i) {
    const Eigen::VectorXd shape = modes.shapes.col(order[static_cast<std::size_t>(i)]);
    sorted.omega[i] = modes.omega[order[static_cast<std::size_t>(i)]];
    sorted.shapes.col(i) = shape / std::sqrt(shape.dot(M * shape));
  }
  return sorted;
}

/// Adds what the static displacements under these loads have beside the modes, as modes of their own: their
/// columns are orthogonal to the modes by M and by K.
void add_static_parts(const SparseMatrix& K, const sparse::Ldlt& factors, const SparseMatrix& M,
                      const std::vector<Eigen::VectorXd>& loads, Modes& modes) {
  std::vector<Eigen::VectorXd> parts;
  for (const Eigen::VectorXd& load : loads) {
    const Eigen::VectorXd whole = factors.solve(load);
    Eigen::VectorXd part = whole;
    for (Eigen::Index i = 0; i < modes.omega.size(); ++i) {
      const auto shape = modes.shapes.col(i);
      part -= shape.dot(load) / (modes.omega[i] * modes.omega[i]) * shape;
    }
    const double size = part.dot(M * part);
    if (size > 1e-16 * whole.dot(M * whole)) parts.push_back(part / std::sqrt(size));
  }
  if (parts.empty()) return;
  Eigen::MatrixXd P(M.rows(), static_cast<Eigen::Index>(parts.size()));
  for (std::size_t k = 0; k < parts.size(); ++k) P.col(static_cast<Eigen::Index>(k)) = parts[k];
  // Loads may be parallel.
  const Eigen::MatrixXd mass = P.transpose() * (M * P);
  const Modes directions = linear_modes(Eigen::MatrixXd::Identity(P.cols(), P.cols()), mass);
  std::vector<Eigen::Index> independent;
  for (Eigen::Index k = 0; k < P.cols(); ++k)
    if (directions.omega[k] > 1e-6) independent.push_back(k);
  const Eigen::MatrixXd Q = P * directions.shapes(Eigen::all, independent);
  const Modes added = linear_modes(Q.transpose() * (M * Q), Q.transpose() * (K * Q));
  const Eigen::Index before = modes.omega.size();
  modes.omega.conservativeResize(before + added.omega.size());
  modes.omega.tail(added.omega.size()) = added.omega;
  modes.shapes.conservativeResize(M.rows(), before + added.omega.size());
  modes.shapes.rightCols(added.omega.size()) = Q * added.shapes;
}

void keep_dofs_of(const Eigen::VectorXd& w, std::vector<bool>& kept) {
  for (Eigen::Index i = 0; i < w.size(); ++i)
    if (w[i] != 0) kept[static_cast<std::size_t>(i)] = true;
}

Structure projected(const Structure& structure, const Eigen::MatrixXd& basis) {
  const auto small = [&](const SparseMatrix& matrix) {
    Eigen::MatrixXd dense = basis.transpose() * (matrix * basis);
    return dense;
  };
  const auto symmetric = [&](const SparseMatrix& matrix) -> SparseMatrix {
    const Eigen::MatrixXd dense = small(matrix);
    return (0.5 * (dense + dense.transpose())).sparseView(0, 0);
  };
  Structure result{symmetric(structure.M), small(structure.C).sparseView(0, 0),
                   symmetric(structure.K), structure.joints,
                   structure.loads,        structure.sensors,
                   structure.interfaces};
  for (JointElement& joint : result.joints) joint.w = basis.transpose() * joint.w.dense();
  for (InterfaceElement& interface : result.interfaces)
    for (Direction& w : interface.w) w = basis.transpose() * w.dense();
  for (Load& load : result.loads) load.direction = basis.transpose() * load.direction;
  for (Sensor& sensor : result.sensors) sensor.w = basis.transpose() * sensor.w.dense();
  return result;
}

}  // namespace

Modes lowest_modes(const SparseMatrix& M, const SparseMatrix& K, int count) {
  // All squares of frequencies are moved up by far less than the largest, so that nothing is free.
  constexpr double small = 1e-10;
  const double shift = small * K.diagonal().cwiseAbs().sum() / M.diagonal().sum();
  const SparseMatrix held = K + shift * M;
  const sparse::Ldlt factors(held);
  if (!factors.found()) throw Error("the lowest modes were not found: the stiffness is singular");
  Modes modes = modes_by_factors(held, factors, M, count);
  modes.omega = (modes.omega.cwiseAbs2().array() - shift).max(0).sqrt();
  return modes;
}

Reduced craig_bampton(const Structure& structure, int modes,
                      const std::vector<Eigen::Index>& keep) {
  refuse_other_interfaces(structure, "a reduction");
  const Eigen::Index n = structure.size();
  std::vector<bool> is_kept(static_cast<std::size_t>(n), false);
  for (const JointElement& joint : structure.joints) keep_dofs_of(joint.w, is_kept);
  for (const InterfaceElement& interface : structure.interfaces)
    for (const Direction& w : interface.w) keep_dofs_of(w, is_kept);
  for (const Load& load : structure.loads)
    if ((load.direction.array() != 0).count() == 1) keep_dofs_of(load.direction, is_kept);
  for (const Eigen::Index dof : keep) is_kept[static_cast<std::size_t>(dof)] = true;

  Reduced result;
  std::vector<Eigen::Index> boundary(static_cast<std::size_t>(n), -1);
  std::vector<Eigen::Index> inside(static_cast<std::size_t>(n), -1);
  std::vector<Eigen::Index> inner;
  for (Eigen::Index i = 0; i < n; ++i) {
    const auto at = static_cast<std::size_t>(i);
    if (is_kept[at]) {
      boundary[at] = static_cast<Eigen::Index>(result.kept.size());
      result.kept.push_back(i);
    } else {
      inside[at] = static_cast<Eigen::Index>(inner.size());
      inner.push_back(i);
    }
  }
  const auto b = static_cast<Eigen::Index>(result.kept.size());
  const auto m = static_cast<Eigen::Index>(inner.size());
  Eigen::MatrixXd follow(0, b);
  Modes fixed{{}, Eigen::MatrixXd(m, 0)};
  if (m > 0) {
    const SparseMatrix Kii = part(structure.K, inside, m, inside, m);
    const SparseMatrix Mii = part(structure.M, inside, m, inside, m);
    const SparseMatrix Kib = part(structure.K, inside, m, boundary, b);
    const sparse::Ldlt factors(Kii);
    if (!factors.found() || factors.pivots().minCoeff() <= 0)
      throw Error(
          "reduction: with the kept degrees of freedom held the rest can still move freely; "
          "keep more");
    follow = -factors.solve(Eigen::MatrixXd(Kib));
    // One more than is asked for says where the reduction ends.
    const auto count = std::min<Eigen::Index>(modes, m);
    const auto found = std::min<Eigen::Index>(count + 1, m);
    fixed = modes_by_factors(Kii, factors, Mii, static_cast<int>(found));
    if (found > count) {
      result.left_out = fixed.omega[count];
      fixed = {fixed.omega.head(count).eval(), fixed.shapes.leftCols(count).eval()};
      std::vector<Eigen::VectorXd> loads;
      for (const Load& load : structure.loads)
        if ((load.direction.array() != 0).count() > 1) loads.push_back(load.direction(inner));
      add_static_parts(Kii, factors, Mii, loads, fixed);
    }
  }
  result.frequencies = fixed.omega;
  result.basis = Eigen::MatrixXd::Zero(n, b + fixed.shapes.cols());
  for (Eigen::Index k = 0; k < b; ++k)
    result.basis(result.kept[static_cast<std::size_t>(k)], k) = 1;
  for (Eigen::Index i = 0; i < m; ++i) {
    const Eigen::Index row = inner[static_cast<std::size_t>(i)];
    result.basis.row(row).head(b) = follow.row(i);
    result.basis.row(row).tail(fixed.shapes.cols()) = fixed.shapes.row(i);
  }
  result.structure = projected(structure, result.basis);
  return result;
}

Modal modal_joints(const Structure& structure, int modes) {
  refuse_interfaces(structure, "the comparison of modal joints");
  const Modes at_rest = modes_at_rest(structure);
  if (modes < 1 || modes > structure.size())
    throw Error("modes = " + std::to_string(modes) + " must be from 1 to " +
                std::to_string(structure.size()));
  Modal result;
  result.shapes = at_rest.shapes.leftCols(modes);
  result.coupled = projected(structure, result.shapes);
  result.decoupled = result.coupled;
  result.decoupled.joints.clear();
  for (const JointElement& joint : result.coupled.joints)
    for (Eigen::Index i = 0; i < modes; ++i)
      if (joint.w[i] != 0) {
        JointElement alone = joint;
        alone.w = joint.w[i] * Eigen::VectorXd::Unit(modes, i);
        result.decoupled.joints.push_back(std::move(alone));
      }
  // What the modes at rest exchange through stuck joints cancels in the physical structure, so the
  // decoupled one keeps only the diagonal of what its springs and joints give at rest.
  Eigen::MatrixXd K = result.coupled.K;
  for (Eigen::Index i = 0; i < modes; ++i)
    for (Eigen::Index k = 0; k < modes; ++k)
      if (i != k) K(i, k) = 0;
  result.decoupled.K = K.sparseView(0, 0);
  return result;
}

}  // namespace microslip::dynamics
