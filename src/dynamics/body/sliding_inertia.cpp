#include "dynamics/body/sliding_inertia.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <complex>
#include <numeric>

#include "dynamics/body/sliding_grid.hpp"
#include "microslip/detail/numerics/dense.hpp"
#include "microslip/detail/numerics/sparse.hpp"

namespace microslip::dynamics {
namespace {

// The body that joints slide on may be any: its mass, dashpots and springs change what the force on it
// is, never the motion of the structure (tests/dynamics/body/sliding_body_test.cpp). They decide how many
// harmonics that force needs and how well Newton's method converges. Four choices do so:

/// Joints that move each other at once by more than this part of what moves themselves share a body;
/// otherwise a stop of one would jerk the force on the other.
constexpr double weak_coupling = 0.01;
/// Up to so many directions: the derivatives of a body take time with the square of them. More joints
/// get a body each, and their forces have jumps that many harmonics follow badly.
constexpr std::size_t most_directions = 8;
/// A body is what the structure resists a sudden force with. If it then vibrates this many times
/// faster than the load, no harmonic sees that; it is what the structure is to harmonics 8 to 32.
constexpr double fast_body = 30;
/// Where amplitudes are given, the load is not, and the body could be in resonance with its force: a
/// quarter of its stiffness and some damping, relative to critical, avoid that.
constexpr double detuned_stiffness = 0.25, detuned_damping = 0.1;

using Complex = std::complex<double>;
using ComplexSparse = Eigen::SparseMatrix<Complex>;

Eigen::MatrixXd directions_of(const Structure& structure, const std::vector<std::size_t>& joints) {
  Eigen::MatrixXd W(structure.size(), static_cast<Eigen::Index>(joints.size()));
  for (std::size_t j = 0; j < joints.size(); ++j)
    W.col(static_cast<Eigen::Index>(j)) = structure.joints[joints[j]].w;
  return W;
}

struct Inertia {
  double mass = 0, damping = 0, stiffness = 0;
};

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
  /// Accelerations M⁻¹W.
  Eigen::MatrixXd accelerations(const Eigen::MatrixXd& W) const {
    if (mass_.found()) return mass_.solve(W);
    return Eigen::VectorXd(s_.M.diagonal()).cwiseInverse().asDiagonal() * W;
  }
  Matrices of(const Eigen::MatrixXd& W) const {
    const Eigen::MatrixXd a = accelerations(W);
    const Eigen::MatrixXd M = dense::inverse(W.transpose() * a);
    const Eigen::MatrixXd shapes = a * M;
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
  sparse::Ldlt mass_;
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
  const Eigen::Vector3d x = dense::shortest_least_squares(powers, wanted);
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
    const Eigen::MatrixXcd motion = sparse::solve(Z, directions);
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

/// Numbers from 0 on, in groups that are tied together one by one.
class Groups {
 public:
  explicit Groups(std::size_t count) : of_(count) { std::iota(of_.begin(), of_.end(), 0); }
  void tie(std::size_t a, std::size_t b) {
    const std::size_t from = of_[b];
    std::replace(of_.begin(), of_.end(), from, of_[a]);
  }
  std::vector<std::vector<std::size_t>> all() const {
    std::vector<std::vector<std::size_t>> groups(of_.size());
    for (std::size_t i = 0; i < of_.size(); ++i) groups[of_[i]].push_back(i);
    std::erase_if(groups, [](const auto& group) { return group.empty(); });
    return groups;
  }

 private:
  std::vector<std::size_t> of_;
};

bool is_fast(const Inertia& limit, const PeriodicOptions& options) {
  return options.reference_omega > 0 &&
         std::sqrt(limit.stiffness / limit.mass) > fast_body * options.reference_omega;
}

}  // namespace

std::vector<std::size_t> sliding_joints(const Structure& structure,
                                        const PeriodicOptions& options) {
  std::vector<std::size_t> sliding;
  for (std::size_t j = 0; j < structure.joints.size(); ++j)
    if (options.rule == Rule::event_exact && structure.joints[j].model.rigid())
      sliding.push_back(j);
  return sliding;
}

/// Of the columns of W some are a basis; each other ties together those that it is a sum of.
std::vector<TiedJoints> tied_joints(const Structure& structure,
                                    const std::vector<std::size_t>& sliding) {
  if (sliding.empty()) return {};
  const Eigen::MatrixXd W = directions_of(structure, sliding).colwise().normalized();
  const dense::PivotedQr factors(W, 1e-9);
  const Eigen::Index rank = factors.rank;
  const auto column = [&](Eigen::Index i) {
    return static_cast<std::size_t>(factors.columns[static_cast<std::size_t>(i)]);
  };
  const Eigen::MatrixXd R = factors.R.topRows(rank);
  Eigen::MatrixXd parts(rank, W.cols() - rank);
  // Eigen's solver takes the address of the first right-hand side, so there must be one.
  if (parts.cols() > 0)
    parts = R.leftCols(rank).triangularView<Eigen::Upper>().solve(R.rightCols(parts.cols()));
  Groups groups(sliding.size());
  std::vector<bool> leads(sliding.size(), true);
  for (Eigen::Index k = 0; k < parts.cols(); ++k) {
    leads[column(rank + k)] = false;
    for (Eigen::Index i = 0; i < rank; ++i)
      if (std::abs(parts(i, k)) > 1e-9) groups.tie(column(i), column(rank + k));
  }
  std::vector<TiedJoints> result;
  for (const std::vector<std::size_t>& group : groups.all()) {
    TiedJoints& tied = result.emplace_back();
    for (const std::size_t i : group) {
      tied.members.push_back(sliding[i]);
      if (leads[i]) tied.leaders.push_back(sliding[i]);
    }
  }
  return result;
}

bool is_filled(const SparseMatrix& matrix) {
  const auto n = static_cast<double>(matrix.rows());
  return static_cast<double>(matrix.nonZeros()) > 0.25 * n * n;
}

std::vector<TiedJoints> joints_together(const Structure& structure,
                                        const std::vector<std::size_t>& sliding,
                                        const PeriodicOptions& options) {
  const std::vector<TiedJoints> tied = tied_joints(structure, sliding);
  std::vector<std::size_t> leaders;
  std::vector<std::size_t> group_of;
  for (std::size_t i = 0; i < tied.size(); ++i) {
    leaders.insert(leaders.end(), tied[i].leaders.begin(), tied[i].leaders.end());
    group_of.resize(leaders.size(), i);
  }
  const Eigen::MatrixXd W = directions_of(structure, leaders);
  const FastLimit limit(structure);
  for (Eigen::Index i = 0; i < W.cols(); ++i)
    if (is_fast(limit.of_one(W.col(i)), options)) return tied;
  const Eigen::MatrixXd receptance = W.transpose() * limit.accelerations(W);
  Groups together(tied.size());
  for (std::size_t i = 0; i < leaders.size(); ++i)
    for (std::size_t k = 0; k < i; ++k) {
      const auto a = static_cast<Eigen::Index>(i), b = static_cast<Eigen::Index>(k);
      if (std::abs(receptance(a, b)) >
          weak_coupling * std::sqrt(receptance(a, a) * receptance(b, b)))
        together.tie(group_of[k], group_of[i]);
    }
  std::vector<TiedJoints> result;
  for (const std::vector<std::size_t>& group : together.all()) {
    TiedJoints all;
    for (const std::size_t i : group) {
      all.members.insert(all.members.end(), tied[i].members.begin(), tied[i].members.end());
      all.leaders.insert(all.leaders.end(), tied[i].leaders.begin(), tied[i].leaders.end());
    }
    if (all.leaders.size() <= most_directions)
      result.push_back(all);
    else
      for (const std::size_t i : group) {
        result.push_back(tied[i]);
        result.back().apart = true;
      }
  }
  return result;
}

namespace {

BodyInertia body_of(const Structure& structure, const TiedJoints& joints,
                    const FastLimit::Matrices& matrices) {
  const Eigen::MatrixXd W = directions_of(structure, joints.leaders);
  const dense::Cholesky mass(matrices.M);
  const auto in_units_of_mass = [&](const Eigen::MatrixXd& matrix) {
    return mass.solve_lower(mass.solve_lower(matrix).transpose());
  };
  const Eigen::MatrixXd parts = dense::least_squares(W, directions_of(structure, joints.members));
  return {W * mass.L(), mass.solve_lower(parts), in_units_of_mass(matrices.C),
          in_units_of_mass(matrices.K), mass.L().diagonal()};
}

/// In resonance with its force a body would not have an amplitude of its own, and with friction that
/// falls with velocity it may have several or none.
void detune(BodyInertia& body) {
  const auto size = static_cast<double>(body.stiffness.rows());
  body.damping.diagonal().array() += detuned_damping * std::sqrt(body.stiffness.trace() / size);
  body.stiffness *= detuned_stiffness;
}

}  // namespace

std::vector<BodyInertia> body_inertias(const Structure& structure,
                                       const std::vector<TiedJoints>& groups,
                                       const PeriodicOptions& options) {
  std::vector<std::size_t> leaders;
  for (const TiedJoints& group : groups)
    leaders.insert(leaders.end(), group.leaders.begin(), group.leaders.end());
  const Eigen::MatrixXd W = directions_of(structure, leaders);
  const FastLimit limit(structure);
  bool fast = false;
  for (Eigen::Index i = 0; i < W.cols(); ++i)
    fast = fast || is_fast(limit.of_one(W.col(i)), options);
  const std::vector<Inertia> above =
      fast ? inertias_above(structure, W, options.reference_omega) : std::vector<Inertia>();
  std::vector<BodyInertia> result;
  std::size_t first = 0;
  for (const TiedJoints& group : groups) {
    const auto r = static_cast<Eigen::Index>(group.leaders.size());
    if (fast) {
      FastLimit::Matrices matrices{Eigen::MatrixXd::Zero(r, r), Eigen::MatrixXd::Zero(r, r),
                                   Eigen::MatrixXd::Zero(r, r)};
      for (Eigen::Index i = 0; i < r; ++i) {
        const Inertia& inertia = above[first + static_cast<std::size_t>(i)];
        matrices.M(i, i) = inertia.mass;
        matrices.C(i, i) = inertia.damping;
        matrices.K(i, i) = inertia.stiffness;
      }
      result.push_back(body_of(structure, group, matrices));
    } else {
      result.push_back(
          body_of(structure, group, limit.of(directions_of(structure, group.leaders))));
      // Joints that nothing holds get a weak spring, which defines their mean.
      Eigen::MatrixXd& K = result.back().stiffness;
      const dense::SymmetricModes springs(K);
      const Eigen::VectorXd held = springs.values.cwiseMax(limit.weakest());
      K = springs.vectors * held.asDiagonal() * springs.vectors.transpose();
    }
    if (options.given_amplitude) detune(result.back());
    first += group.leaders.size();
  }
  return result;
}

Eigen::MatrixXd BodyInertia::through(const Eigen::MatrixXd& q, double omega) const {
  return through_body(damping, stiffness, q, omega);
}

}  // namespace microslip::dynamics
