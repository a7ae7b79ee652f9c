#include "sliding_inertia.hpp"

#include <Eigen/QR>
#include <Eigen/SparseCholesky>
#include <Eigen/SparseLU>
#include <algorithm>
#include <cmath>
#include <complex>

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

/// To a force along w that changes very fast: wᵀ(K − Ω²M + iΩC)⁻¹w is that of this mass, dashpot
/// and spring but for terms beyond Ω⁻⁴. A joint that nothing holds gets a weak spring, which tells
/// its mean.
std::vector<Inertia> fast_limits(const Structure& s, const Eigen::MatrixXd& W) {
  const Eigen::SimplicialLDLT<SparseMatrix> mass(s.M);
  const double stiffness = Eigen::VectorXd(s.K.diagonal()).sum();
  const double square = stiffness > 0 ? stiffness / Eigen::VectorXd(s.M.diagonal()).sum() : 1;
  std::vector<Inertia> result;
  for (Eigen::Index j = 0; j < W.cols(); ++j) {
    const Eigen::VectorXd w = W.col(j);
    const Eigen::VectorXd pushed = mass.info() == Eigen::Success
                                       ? Eigen::VectorXd(mass.solve(w))
                                       : w.cwiseQuotient(Eigen::VectorXd(s.M.diagonal()));
    const double m = 1 / w.dot(pushed);
    result.push_back({m, std::max(0.0, m * m * pushed.dot(s.C * pushed)),
                      std::max(0.01 * m * square, m * m * pushed.dot(s.K * pushed))});
  }
  return result;
}

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

}  // namespace

/// The limit makes pushes smooth, but harmonics far below it do not see that: there its mass would
/// only ring.
std::vector<Inertia> sliding_inertias(const Structure& structure,
                                      const std::vector<std::size_t>& sliding,
                                      const PeriodicOptions& options) {
  constexpr double far = 30;
  const Eigen::MatrixXd W = directions_of(structure, sliding);
  std::vector<Inertia> result = fast_limits(structure, W);
  const auto is_far = [&](const Inertia& limit) {
    return std::sqrt(limit.stiffness / limit.mass) > far * options.around;
  };
  if (options.around > 0 && std::any_of(result.begin(), result.end(), is_far))
    result = inertias_above(structure, W, options.around);
  if (options.given_amplitude)
    for (Inertia& inertia : result) inertia = detuned(inertia);
  return result;
}

}  // namespace microslip::dynamics
