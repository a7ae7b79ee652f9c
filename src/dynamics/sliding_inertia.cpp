#include "sliding_inertia.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/QR>
#include <Eigen/SparseCholesky>
#include <Eigen/SparseLU>
#include <algorithm>
#include <cmath>
#include <complex>
#include <numeric>

namespace microslip::dynamics {
namespace {

using Complex = std::complex<double>;
using ComplexSparse = Eigen::SparseMatrix<Complex>;

Eigen::MatrixXd directions_of(const Structure& structure, const std::vector<std::size_t>& joints) {
  Eigen::MatrixXd W(structure.size(), static_cast<Eigen::Index>(joints.size()));
  for (std::size_t j = 0; j < joints.size(); ++j)
    W.col(static_cast<Eigen::Index>(j)) = structure.joints[joints[j]].w;
  return W;
}

/// To a force that changes very fast, along columns of W, Wᵀ(K − Ω²M + iΩC)⁻¹W is that of these
/// masses, dashpots and springs but for terms beyond Ω⁻⁴. Joints that nothing holds get a weak
/// spring, which tells their mean.
class FastLimit {
 public:
  explicit FastLimit(const Structure& structure) : s_(structure), mass_(structure.M) {
    const double stiffness = Eigen::VectorXd(s_.K.diagonal()).sum();
    square_ = stiffness > 0 ? stiffness / Eigen::VectorXd(s_.M.diagonal()).sum() : 1;
  }

  struct Matrices {
    Eigen::MatrixXd M, C, K;
  };
  Matrices of(const Eigen::MatrixXd& W) const {
    const Eigen::MatrixXd pushed =
        mass_.info() == Eigen::Success
            ? Eigen::MatrixXd(mass_.solve(W))
            : Eigen::VectorXd(s_.M.diagonal()).cwiseInverse().asDiagonal() * W;
    const Eigen::MatrixXd M = (W.transpose() * pushed).inverse();
    const Eigen::MatrixXd shapes = pushed * M;
    return {M, shapes.transpose() * (s_.C * shapes), shapes.transpose() * (s_.K * shapes)};
  }
  Inertia of_one(const Eigen::VectorXd& w) const {
    const Matrices one = of(w);
    const double m = one.M(0, 0);
    return {m, std::max(0.0, one.C(0, 0)), std::max(weakest() * m, one.K(0, 0))};
  }
  double weakest() const { return 0.01 * square_; }  ///< spring of a unit of mass

 private:
  const Structure& s_;
  Eigen::SimplicialLDLT<SparseMatrix> mass_;
  double square_;
};

/// The mass, dashpot and spring with m s² + c s + k nearest to these impedances, relative.
Inertia fitted(const Eigen::Vector3cd& s, const Eigen::Vector3cd& impedance) {
  Eigen::Matrix<double, 6, 3> powers;
  Eigen::Matrix<double, 6, 1> wanted;
  for (int i = 0; i < 3; ++i) {
    const double weight = 1 / std::abs(impedance[i]);
    const Complex square = s[i] * s[i];
    powers.row(2 * i) = weight * Eigen::RowVector3d(square.real(), s[i].real(), 1);
    powers.row(2 * i + 1) = weight * Eigen::RowVector3d(square.imag(), s[i].imag(), 0);
    wanted[2 * i] = weight * impedance[i].real();
    wanted[2 * i + 1] = weight * impedance[i].imag();
  }
  const Eigen::Vector3d x = powers.colPivHouseholderQr().solve(wanted);
  const double least = 0.01 * std::abs(impedance[0]);
  return {std::max(x[0], least / std::norm(s[0])), std::max(x[1], 0.0),
          std::max(x[2], 0.01 * least)};
}

/// At some frequencies above ω: wᵀ(K + sC + s²M)⁻¹w, looked at with so much damping, s = (½ + i)Ω,
/// that single resonances do not show. Joints that move each other share it.
std::vector<Inertia> inertias_above(const Structure& structure, const Eigen::MatrixXd& W,
                                    double omega) {
  const ComplexSparse M = structure.M.cast<Complex>(), C = structure.C.cast<Complex>(),
                      K = structure.K.cast<Complex>();
  const Eigen::MatrixXcd directions = W.cast<Complex>();
  const Eigen::Vector3cd s = Complex(0.5, 1) * omega * Eigen::Vector3cd(8, 16, 32);
  Eigen::MatrixXcd impedances(3, W.cols());
  for (int i = 0; i < 3; ++i) {
    ComplexSparse Z = K + s[i] * C + s[i] * s[i] * M;
    Z.makeCompressed();
    const Eigen::SparseLU<ComplexSparse> factors(Z);
    const Eigen::MatrixXcd motion = factors.solve(directions);
    const Eigen::MatrixXcd receptance = directions.transpose() * motion;
    for (Eigen::Index j = 0; j < W.cols(); ++j) {
      const double own = std::abs(receptance(j, j)) / receptance.row(j).cwiseAbs().sum();
      impedances(i, j) = own / receptance(j, j);
    }
  }
  std::vector<Inertia> result;
  for (Eigen::Index j = 0; j < W.cols(); ++j) result.push_back(fitted(s, impedances.col(j)));
  return result;
}

/// In resonance with its push a mass would not have an amplitude of its own, and with friction that
/// falls with velocity it may have several or none.
Inertia detuned(const Inertia& along) {
  return {along.mass, along.damping + 0.1 * std::sqrt(along.stiffness * along.mass),
          0.25 * along.stiffness};
}

/// The limit makes pushes smooth, but harmonics far below it do not see that: there its mass would
/// only ring.
bool is_far(const Inertia& limit, const PeriodicOptions& options) {
  constexpr double far = 30;
  return options.around > 0 && std::sqrt(limit.stiffness / limit.mass) > far * options.around;
}

}  // namespace

std::vector<std::size_t> sliding_joints(const Structure& structure,
                                        const PeriodicOptions& options) {
  std::vector<std::size_t> sliding;
  for (std::size_t j = 0; j < structure.joints.size(); ++j)
    if (options.rule == Rule::event_exact && jumps(structure.joints[j].model)) sliding.push_back(j);
  return sliding;
}

/// Of the columns of W some are a basis; each other ties together those that it is a sum of.
std::vector<TiedJoints> tied_joints(const Structure& structure,
                                    const std::vector<std::size_t>& sliding) {
  if (sliding.empty()) return {};
  const Eigen::MatrixXd W = directions_of(structure, sliding).colwise().normalized();
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> factors;
  factors.setThreshold(1e-9);
  factors.compute(W);
  const Eigen::Index rank = factors.rank();
  const auto column = [&](Eigen::Index i) { return factors.colsPermutation().indices()[i]; };
  std::vector<Eigen::Index> group(sliding.size());
  std::iota(group.begin(), group.end(), 0);
  const auto tie = [&](Eigen::Index a, Eigen::Index b) {
    const Eigen::Index from = group[static_cast<std::size_t>(b)];
    std::replace(group.begin(), group.end(), from, group[static_cast<std::size_t>(a)]);
  };
  const Eigen::MatrixXd R = factors.matrixR().topRows(rank);
  const Eigen::MatrixXd parts =
      R.leftCols(rank).triangularView<Eigen::Upper>().solve(R.rightCols(W.cols() - rank));
  std::vector<bool> leads(sliding.size(), true);
  for (Eigen::Index k = 0; k < parts.cols(); ++k) {
    leads[static_cast<std::size_t>(column(rank + k))] = false;
    for (Eigen::Index i = 0; i < rank; ++i)
      if (std::abs(parts(i, k)) > 1e-9) tie(column(i), column(rank + k));
  }
  std::vector<TiedJoints> result;
  for (std::size_t first = 0; first < sliding.size(); ++first) {
    if (std::find(group.begin(), group.end(), group[first]) - group.begin() !=
        static_cast<std::ptrdiff_t>(first))
      continue;
    TiedJoints& tied = result.emplace_back();
    for (std::size_t j = first; j < sliding.size(); ++j) {
      if (group[j] != group[first]) continue;
      tied.members.push_back(sliding[j]);
      if (leads[j]) tied.leaders.push_back(sliding[j]);
    }
  }
  return result;
}

std::vector<Inertia> sliding_inertias(const Structure& structure,
                                      const std::vector<std::size_t>& sliding,
                                      const PeriodicOptions& options) {
  const Eigen::MatrixXd W = directions_of(structure, sliding);
  const FastLimit limit(structure);
  std::vector<Inertia> result;
  for (Eigen::Index j = 0; j < W.cols(); ++j) result.push_back(limit.of_one(W.col(j)));
  if (std::any_of(result.begin(), result.end(), [&](const auto& i) { return is_far(i, options); }))
    result = inertias_above(structure, W, options.around);
  if (options.given_amplitude)
    for (Inertia& inertia : result) inertia = detuned(inertia);
  return result;
}

BodyInertia body_inertia(const Structure& structure, const TiedJoints& joints,
                         const PeriodicOptions& options) {
  const Eigen::MatrixXd W = directions_of(structure, joints.leaders);
  const FastLimit limit(structure);
  FastLimit::Matrices matrices = limit.of(W);
  bool far = false;
  for (Eigen::Index i = 0; i < W.cols(); ++i) far = far || is_far(limit.of_one(W.col(i)), options);
  if (far) {
    const std::vector<Inertia> above = inertias_above(structure, W, options.around);
    for (Eigen::MatrixXd* matrix : {&matrices.M, &matrices.C, &matrices.K}) matrix->setZero();
    for (std::size_t i = 0; i < above.size(); ++i) {
      const auto at = static_cast<Eigen::Index>(i);
      matrices.M(at, at) = above[i].mass;
      matrices.C(at, at) = above[i].damping;
      matrices.K(at, at) = above[i].stiffness;
    }
  }
  const Eigen::LLT<Eigen::MatrixXd> mass(matrices.M);
  const auto in_units_of_mass = [&](const Eigen::MatrixXd& matrix) {
    const Eigen::MatrixXd half = mass.matrixL().solve(matrix);
    return Eigen::MatrixXd(mass.matrixL().solve(half.transpose()));
  };
  const Eigen::MatrixXd parts =
      W.colPivHouseholderQr().solve(directions_of(structure, joints.members));
  BodyInertia body{W * Eigen::MatrixXd(mass.matrixL()), mass.matrixL().solve(parts),
                   in_units_of_mass(matrices.C), in_units_of_mass(matrices.K)};
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> springs(body.stiffness);
  const Eigen::VectorXd held = springs.eigenvalues().cwiseMax(limit.weakest());
  body.stiffness = springs.eigenvectors() * held.asDiagonal() * springs.eigenvectors().transpose();
  if (options.given_amplitude) {
    const auto size = static_cast<double>(W.cols());
    body.damping.diagonal().array() += 0.1 * std::sqrt(body.stiffness.trace() / size);
    body.stiffness *= 0.25;
  }
  return body;
}

}  // namespace microslip::dynamics
