#include "microslip/dynamics/periodic/condensed.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <functional>

#include "microslip/dynamics/periodic/fourier.hpp"

namespace microslip::dynamics {
namespace {

using Apply = std::function<Eigen::VectorXd(const Eigen::VectorXd&)>;

/// Solves A x = b without restarts; x starts from zero. The number of iterations, or −1 if they do
/// not reach the tolerance.
int gmres(const Apply& A, const Eigen::VectorXd& b, Eigen::VectorXd& x) {
  constexpr int most = 400;
  constexpr double tolerance = 1e-11;  // far below what a step of Newton's method is wrong by
  const double size = b.norm();
  x = Eigen::VectorXd::Zero(b.size());
  if (size == 0) return 0;
  std::vector<Eigen::VectorXd> basis{b / size};
  std::vector<Eigen::VectorXd> columns;  // of the triangular matrix
  std::vector<double> cosines, sines, right{size};
  for (int k = 0; k < most; ++k) {
    Eigen::VectorXd next = A(basis.back());
    Eigen::VectorXd column(k + 2);
    for (int i = 0; i <= k; ++i) {
      const auto at = static_cast<std::size_t>(i);
      column[i] = basis[at].dot(next);
      next -= column[i] * basis[at];
    }
    column[k + 1] = next.norm();
    if (!std::isfinite(column[k + 1])) return -1;
    const double length = column[k + 1];
    for (int i = 0; i < k; ++i) {
      const auto at = static_cast<std::size_t>(i);
      const double upper = cosines[at] * column[i] + sines[at] * column[i + 1];
      column[i + 1] = cosines[at] * column[i + 1] - sines[at] * column[i];
      column[i] = upper;
    }
    const double radius = std::hypot(column[k], column[k + 1]);
    if (radius == 0) return -1;
    cosines.push_back(column[k] / radius);
    sines.push_back(column[k + 1] / radius);
    column[k] = radius;
    right.push_back(-sines.back() * right.back());
    right[right.size() - 2] *= cosines.back();
    columns.push_back(column);
    if (std::abs(right.back()) <= tolerance * size || length == 0) break;
    basis.push_back(next / length);
  }
  // What rounding leaves is good enough; a system that does not converge is not.
  if (std::abs(right.back()) > 1e-8 * size) return -1;
  const auto n = static_cast<Eigen::Index>(columns.size());
  Eigen::VectorXd y(n);
  for (Eigen::Index i = n - 1; i >= 0; --i) {
    double sum = right[static_cast<std::size_t>(i)];
    for (Eigen::Index j = i + 1; j < n; ++j) sum -= columns[static_cast<std::size_t>(j)][i] * y[j];
    y[i] = sum / columns[static_cast<std::size_t>(i)][i];
    x += y[i] * basis[static_cast<std::size_t>(i)];
  }
  return x.allFinite() ? static_cast<int>(n) : -1;
}

/// Positive definite beyond rounding, in units of the diagonal.
bool regular(const Eigen::MatrixXd& K) {
  const Eigen::VectorXd diagonal = K.diagonal();
  if (!(diagonal.minCoeff() > 0)) return false;
  const Eigen::VectorXd units = diagonal.cwiseSqrt().cwiseInverse();
  const Eigen::LLT<Eigen::MatrixXd> factors(units.asDiagonal() * K * units.asDiagonal());
  return factors.info() == Eigen::Success &&
         Eigen::MatrixXd(factors.matrixL()).diagonal().minCoeff() > 1e-6;
}

}  // namespace

Condensed::Condensed(const Structure& structure, int harmonics, const SparseMatrix& M,
                     const SparseMatrix& C, const SparseMatrix& K, std::vector<Slider> sliders,
                     const Eigen::MatrixXd& mean_stiffness)
    : dofs_(structure.size()),
      count_(static_cast<Eigen::Index>(structure.joints.size())),
      stride_(M.rows()),
      harmonics_(harmonics),
      sliders_(std::move(sliders)),
      M_(M),
      C_(C),
      K_(K),
      mean_stiffness_(mean_stiffness),
      directions_(structure.size(), count_),
      held_(Eigen::VectorXd::Zero(count_)),
      joints_(structure.joints.size()) {
  for (Eigen::Index j = 0; j < count_; ++j)
    directions_.col(j) = structure.joints[static_cast<std::size_t>(j)].w;
  find_modes(structure);
  if (!usable_) return;
  at_joints_ = directions_.transpose() * shapes_;
  damping_ = shapes_.transpose() * (structure.C * shapes_);
  const auto mixed = [&](const Eigen::MatrixXd& matrix) {
    return Eigen::MatrixXd(matrix - Eigen::MatrixXd(matrix.diagonal().asDiagonal()));
  };
  const Eigen::MatrixXd stiffness = at_joints_.transpose() * held_.asDiagonal() * at_joints_;
  const Eigen::MatrixXd between = mixed(stiffness);
  const double square = between.squaredNorm();
  if (square > 0) {
    moved_ = mixed(damping_).cwiseProduct(between).sum() / square;
    damping_ -= moved_ * stiffness;
  }
  // Modal damping comes back from its matrix with rounding; only the Jacobian forgets that. What
  // counts is what a mode gets from others beside its own impedance.
  diagonal_ = mixed(damping_).norm() <= 1e-9 * damping_.norm();
}

void Condensed::find_modes(const Structure& structure) {
  const Eigen::MatrixXd mass(structure.M);
  const Eigen::MatrixXd mean = mean_stiffness_.size() > 0
                                   ? Eigen::MatrixXd(mean_stiffness_.topLeftCorner(dofs_, dofs_))
                                   : Eigen::MatrixXd::Zero(dofs_, dofs_);
  Eigen::MatrixXd stiffness = Eigen::MatrixXd(structure.K) + mean;
  if (!regular(stiffness)) {
    for (Eigen::Index j = 0; j < count_; ++j)
      held_[j] = 0.5 * tangent_at_rest(structure.joints[static_cast<std::size_t>(j)].model);
    for (std::size_t k = 0; k < sliders_.size(); ++k) held_[joint_of(k)] = 0;
    stiffness += directions_ * held_.asDiagonal() * directions_.transpose();
  }
  usable_ = regular(stiffness);
  if (!usable_) return;
  const Modes modes = linear_modes(mass, stiffness);
  shapes_ = modes.shapes;
  // The stiffness of the mean is diagonal, too: nothing else holds these motions.
  mean_squares_ = (shapes_.transpose() * mean * shapes_).diagonal();
  squares_ = modes.omega.cwiseAbs2() - mean_squares_;
}

void Condensed::add_linear(const Eigen::VectorXd& y, double omega, Eigen::VectorXd& forces,
                           Eigen::VectorXd* by_omega) const {
  const Eigen::Index size = fourier_size(harmonics_);
  const Eigen::Map<const Eigen::MatrixXd> x(y.data(), stride_, size);
  Eigen::Map<Eigen::MatrixXd>(forces.data(), stride_, size).noalias() += K_ * x;
  if (mean_stiffness_.size() > 0) forces.head(stride_) += mean_stiffness_ * x.col(0);
  const Eigen::MatrixXd inertia = M_ * x;
  const Eigen::MatrixXd drag = C_ * x;
  for (Eigen::Index k = 1; k < size; ++k) {
    const auto h = static_cast<double>((k + 1) / 2);
    const bool is_cosine = k % 2 == 1;
    const Eigen::VectorXd turned = (is_cosine ? 1 : -1) * drag.col(is_cosine ? k + 1 : k - 1);
    forces.segment(k * stride_, stride_) += h * omega * (turned - h * omega * inertia.col(k));
    if (by_omega)
      by_omega->segment(k * stride_, stride_) += h * (turned - 2 * h * omega * inertia.col(k));
  }
}

void Condensed::reset(double omega, Eigen::Index borders) {
  prepared_ = prepared_ && omega == omega_ && zeta_ == 0;
  omega_ = omega;
  zeta_ = 0;
  kept_up_ = false;
  const Eigen::Index size = stride_ * fourier_size(harmonics_);
  columns_ = Eigen::MatrixXd::Zero(size, borders);
  rows_ = Eigen::MatrixXd::Zero(size, borders);
  corner_ = Eigen::MatrixXd::Zero(borders, borders);
  units_ = Eigen::VectorXd::Ones(size);
}

void Condensed::set_joint(std::size_t joint, const Eigen::MatrixXd& jacobian) {
  joints_[joint] = jacobian;
  const double held = held_[static_cast<Eigen::Index>(joint)];
  joints_[joint].diagonal().array() -= held;
  for (int h = 1; h <= harmonics_ && moved_ != 0; ++h) {
    const double drag = h * omega_ * moved_ * held;
    joints_[joint](2 * h - 1, 2 * h) += drag;
    joints_[joint](2 * h, 2 * h - 1) -= drag;
  }
}

/// What set_joint adds to the joints of the damping.
Eigen::VectorXd Condensed::moved_damping(const Eigen::VectorXd& q) const {
  const Eigen::Map<const Eigen::MatrixXd> in(q.data(), count_, fourier_size(harmonics_));
  Eigen::MatrixXd out = Eigen::MatrixXd::Zero(in.rows(), in.cols());
  for (int h = 1; h <= harmonics_; ++h) {
    const double rate = h * omega_ * moved_;
    out.col(2 * h - 1) = rate * held_.cwiseProduct(in.col(2 * h));
    out.col(2 * h) = -rate * held_.cwiseProduct(in.col(2 * h - 1));
  }
  return out.reshaped();
}

void Condensed::set_negative_damping(double zeta) {
  prepared_ = prepared_ && zeta == zeta_;
  zeta_ = zeta;
  kept_up_ = true;
}

void Condensed::add(Eigen::Index row, Eigen::Index column, double value) {
  const Eigen::Index size = units_.size();
  if (row < size)
    columns_(row, column - size) += value;
  else if (column < size)
    rows_(column, row - size) += value / units_[column];
  else
    corner_(row - size, column - size) += value;
}

void Condensed::replace_column(Eigen::Index column, const Eigen::VectorXd& values) {
  columns_.col(column - units_.size()) = values;
}

void Condensed::scale_columns(const Eigen::VectorXd& units) {
  units_ = units.head(units_.size());
  const Eigen::VectorXd others = units.tail(columns_.cols());
  columns_ *= others.asDiagonal();
  corner_ *= others.asDiagonal();
}

Eigen::VectorXcd Condensed::diagonal_impedance(int harmonic, double more_damping) const {
  const double rate = harmonic * omega_;
  Eigen::VectorXcd Z(dofs_);
  Z.real() = squares_.array() - rate * rate;
  if (harmonic == 0) Z.real() += mean_squares_;
  Z.imag() = rate * (damping_.diagonal().array() - 2 * omega_ * (zeta_ - more_damping));
  return Z;
}

Eigen::MatrixXcd Condensed::impedance(int harmonic, double more_damping) const {
  Eigen::MatrixXcd Z = Complex(0, harmonic * omega_) * damping_.cast<Complex>();
  Z.diagonal() = diagonal_impedance(harmonic, more_damping);
  return Z;
}

void Condensed::prepare() {
  if (prepared_) return;
  prepared_ = true;
  factors_.clear();
  inverse_.resize(dofs_, harmonics_ + 1);
  for (int h = 0; h <= harmonics_; ++h) {
    if (diagonal_)
      inverse_.col(h) = diagonal_impedance(h, 0).cwiseInverse();
    else
      factors_.emplace_back(impedance(h, 0));
  }
}

Eigen::MatrixXcd Condensed::receptance_of(int harmonic) const {
  constexpr double away_from_singular = 0.05;
  const double more = harmonic == 1 && kept_up_ ? away_from_singular : 0;
  const Eigen::MatrixXd to = at_joints_.transpose();
  Eigen::MatrixXcd result(count_, count_);
  if (!diagonal_) {
    result.noalias() = at_joints_.cast<Complex>() *
                       impedance(harmonic, more).partialPivLu().solve(to.cast<Complex>());
    return result;
  }
  const Eigen::VectorXcd inverse = diagonal_impedance(harmonic, more).cwiseInverse();
  result.real() = at_joints_ * (inverse.real().asDiagonal() * to);
  result.imag() = at_joints_ * (inverse.imag().asDiagonal() * to);
  return result;
}

/// a cos hθ + b sin hθ is the complex number a − ib.
void Condensed::build_preconditioner() {
  blocks_.clear();
  for (int h = 0; h <= harmonics_; ++h) {
    Eigen::MatrixXcd receptance = receptance_of(h);
    for (std::size_t k = 0; k < sliders_.size(); ++k) {
      receptance.row(joint_of(k)) *= impedance_of(sliders_[k].inertia, h);
      receptance(joint_of(k), joint_of(k)) -= 1;
    }
    const Eigen::MatrixXd real = receptance.real();
    const Eigen::MatrixXd imaginary = receptance.imag();
    const Eigen::Index n = h == 0 ? count_ : 2 * count_;
    Eigen::MatrixXd block = Eigen::MatrixXd::Identity(n, n);
    for (Eigen::Index j = 0; j < count_; ++j) {
      const Eigen::MatrixXd& A = joints_[static_cast<std::size_t>(j)];
      if (h == 0) {
        block.col(j) += A(0, 0) * real.col(j);
        continue;
      }
      const Eigen::Index a = 2 * h - 1;
      const Eigen::Index b = 2 * h;
      for (const Eigen::Index from : {a, b}) {
        auto target = block.col(from == a ? j : count_ + j);
        target.head(count_) += A(a, from) * real.col(j) + A(b, from) * imaginary.col(j);
        target.tail(count_) += A(b, from) * real.col(j) - A(a, from) * imaginary.col(j);
      }
    }
    // Far above the modes joints hardly feel each other, and GMRES does without.
    const Eigen::MatrixXd coupling = block - Eigen::MatrixXd::Identity(n, n);
    const bool weak = coupling.cwiseAbs().rowwise().sum().maxCoeff() < 0.1;
    blocks_.emplace_back();
    if (!weak) blocks_.back().compute(block);
  }
}

/// Z⁻¹ of modal coefficients, a column for each function of the Fourier series. The real form of Z
/// is transposed when Z is transposed and conjugated.
void Condensed::divide(Eigen::MatrixXd& modal, bool transposed) const {
  const double sign = transposed ? 1 : -1;
  for (int h = 0; h <= harmonics_; ++h) {
    const Eigen::Index a = h == 0 ? 0 : 2 * h - 1;
    Eigen::VectorXcd z = modal.col(a).cast<Complex>();
    if (h > 0) z.imag() = sign * modal.col(a + 1);
    if (diagonal_)
      z = z.cwiseProduct(inverse_.col(h)).eval();
    else if (transposed)
      z = factors_[static_cast<std::size_t>(h)].transpose().solve(z).eval();
    else
      z = factors_[static_cast<std::size_t>(h)].solve(z).eval();
    modal.col(a) = z.real();
    if (h > 0) modal.col(a + 1) = sign * z.imag();
  }
}

Eigen::VectorXd Condensed::through_linear(const Eigen::VectorXd& force, bool transposed) const {
  const Eigen::Map<const Eigen::MatrixXd> in(force.data(), stride_, fourier_size(harmonics_));
  Eigen::MatrixXd modal = shapes_.transpose() * in.topRows(dofs_);
  divide(modal, transposed);
  Eigen::MatrixXd x = Eigen::MatrixXd::Zero(stride_, in.cols());
  x.topRows(dofs_).noalias() = shapes_ * modal;
  return x.reshaped();
}

Eigen::MatrixXd Condensed::to_joints(const Eigen::VectorXd& x) const {
  const Eigen::Map<const Eigen::MatrixXd> in(x.data(), stride_, fourier_size(harmonics_));
  return directions_.transpose() * in.topRows(dofs_);
}

Eigen::VectorXd Condensed::inputs(const Eigen::VectorXd& y) const {
  const Eigen::Map<const Eigen::MatrixXd> in(y.data(), stride_, fourier_size(harmonics_));
  Eigen::MatrixXd q = to_joints(y);
  for (std::size_t k = 0; k < sliders_.size(); ++k)
    q.row(joint_of(k)) = sliders_[k].inertia.stiffness * in.row(push_row(k));
  return q.reshaped();
}

Condensed::Complex Condensed::impedance_of(const Inertia& inertia, int harmonic) const {
  const double rate = harmonic * omega_;
  return {inertia.stiffness - rate * rate * inertia.mass, rate * inertia.damping};
}

void Condensed::through_masses(Eigen::MatrixXd& q) const {
  for (std::size_t k = 0; k < sliders_.size(); ++k) {
    const Inertia& inertia = sliders_[k].inertia;
    auto row = q.row(joint_of(k));
    row[0] *= inertia.stiffness;
    for (int h = 1; h <= harmonics_; ++h) {
      const Complex force = impedance_of(inertia, h) * Complex(row[2 * h - 1], -row[2 * h]);
      row[2 * h - 1] = force.real();
      row[2 * h] = -force.imag();
    }
  }
}

Eigen::VectorXd Condensed::asked(const Eigen::VectorXd& x, const Eigen::VectorXd& force) const {
  const Eigen::Map<const Eigen::MatrixXd> on(force.data(), stride_, fourier_size(harmonics_));
  Eigen::MatrixXd q = to_joints(x);
  through_masses(q);
  for (std::size_t k = 0; k < sliders_.size(); ++k) q.row(joint_of(k)) += on.row(push_row(k));
  return q.reshaped();
}

/// Forces of the joints on the structure and on their masses.
Eigen::VectorXd Condensed::from_joints(const Eigen::VectorXd& p) const {
  const Eigen::Map<const Eigen::MatrixXd> in(p.data(), count_, fourier_size(harmonics_));
  Eigen::MatrixXd x(stride_, in.cols());
  x.topRows(dofs_).noalias() = directions_ * in;
  for (std::size_t k = 0; k < sliders_.size(); ++k) x.row(push_row(k)) = -in.row(joint_of(k));
  return x.reshaped();
}

Eigen::VectorXd Condensed::joint_forces(const Eigen::VectorXd& q) const {
  const Eigen::Map<const Eigen::MatrixXd> in(q.data(), count_, fourier_size(harmonics_));
  Eigen::MatrixXd out(in.rows(), in.cols());
  for (Eigen::Index j = 0; j < count_; ++j)
    out.row(j) = (joints_[static_cast<std::size_t>(j)] * in.row(j).transpose()).transpose();
  return Eigen::Map<const Eigen::VectorXd>(out.data(), out.size());
}

Eigen::VectorXd Condensed::joint_transposed(const Eigen::VectorXd& p) const {
  const Eigen::Map<const Eigen::MatrixXd> in(p.data(), count_, fourier_size(harmonics_));
  Eigen::MatrixXd out(in.rows(), in.cols());
  for (Eigen::Index j = 0; j < count_; ++j)
    out.row(j) = in.row(j) * joints_[static_cast<std::size_t>(j)];
  return Eigen::Map<const Eigen::VectorXd>(out.data(), out.size());
}

Eigen::VectorXd Condensed::receptance(const Eigen::VectorXd& p) const {
  const Eigen::Map<const Eigen::MatrixXd> in(p.data(), count_, fourier_size(harmonics_));
  Eigen::MatrixXd modal = at_joints_.transpose() * in;
  divide(modal, false);
  Eigen::MatrixXd q = at_joints_ * modal;
  through_masses(q);
  for (std::size_t k = 0; k < sliders_.size(); ++k) q.row(joint_of(k)) -= in.row(joint_of(k));
  return q.reshaped();
}

Eigen::VectorXd Condensed::precondition(const Eigen::VectorXd& q) const {
  Eigen::VectorXd result = q;
  for (int h = 0; h <= harmonics_; ++h) {
    const Eigen::Index at = h == 0 ? 0 : (2 * h - 1) * count_;
    const Eigen::Index n = h == 0 ? count_ : 2 * count_;
    const Factors& factors = blocks_[static_cast<std::size_t>(h)];
    if (factors.rows() > 0) result.segment(at, n) = factors.solve(q.segment(at, n));
  }
  return result;
}

Eigen::VectorXd Condensed::times(const Eigen::VectorXd& z) const {
  const Eigen::Index size = units_.size();
  const Eigen::VectorXd x = z.head(size).cwiseProduct(units_);
  const Eigen::VectorXd q = inputs(x);
  const Eigen::VectorXd held = q.cwiseProduct(held_.replicate(fourier_size(harmonics_), 1));
  Eigen::VectorXd forces = from_joints(joint_forces(q) + held - moved_damping(q));
  forces += columns_ * z.tail(columns_.cols());
  add_linear(x, omega_, forces, nullptr);
  return forces;
}

/// Blocks of an earlier system precondition this one too, only less well. What that costs is
/// counted in iterations, until it is more than what new blocks cost.
bool Condensed::solve(const Eigen::VectorXd& last, const Eigen::VectorXd& rhs, Eigen::VectorXd& z) {
  constexpr int as_much_as_new_blocks = 40;
  const Eigen::Index size = units_.size(), borders = columns_.cols();
  rows_.col(borders - 1) = last.head(size).cwiseQuotient(units_);
  corner_.row(borders - 1) = last.tail(borders).transpose();
  prepare();
  bool fresh = blocks_.empty() || wasted_ > as_much_as_new_blocks;
  if (fresh) build_preconditioner();
  int iterations = solve_with_blocks(rhs, z);
  if (iterations < 0 && !fresh) {
    fresh = true;
    build_preconditioner();
    iterations = solve_with_blocks(rhs, z);
  }
  if (iterations < 0) {
    blocks_.clear();
    return false;
  }
  if (fresh) {
    wasted_ = 0;
    needed_ = iterations;
  }
  wasted_ += std::max(0, iterations - needed_);
  return true;
}

int Condensed::solve_with_blocks(const Eigen::VectorXd& rhs, Eigen::VectorXd& z) const {
  const Eigen::Index size = units_.size(), borders = columns_.cols();
  const Eigen::Index width = fourier_size(harmonics_), small = count_ * width;
  const Eigen::VectorXd xr = through_linear(rhs.head(size), false);
  Eigen::MatrixXd xb(size, borders), qb(small, borders), row(small, borders), pb(small, borders);
  for (Eigen::Index i = 0; i < borders; ++i) {
    xb.col(i) = through_linear(columns_.col(i), false);
    qb.col(i) = asked(xb.col(i), columns_.col(i));
    // Aᵀ Wᵀ Z⁻ᵀ C, less what the borders ask of the pushes themselves.
    row.col(i) = joint_transposed(to_joints(through_linear(rows_.col(i), true)).reshaped());
    Eigen::Map<Eigen::MatrixXd> per_joint(row.col(i).data(), count_, width);
    const Eigen::Map<const Eigen::MatrixXd> border(rows_.col(i).data(), stride_, width);
    for (std::size_t k = 0; k < sliders_.size(); ++k)
      per_joint.row(joint_of(k)) -= border.row(push_row(k)) / sliders_[k].inertia.stiffness;
    pb.col(i) = precondition(qb.col(i));
  }
  const Eigen::MatrixXd corner = corner_ - rows_.transpose() * xb;

  // The borders are eliminated with the preconditioner in place of the matrix. Their unknowns are
  // measured by what they move, so that GMRES sees all in the same units.
  const Eigen::PartialPivLU<Eigen::MatrixXd> pivot(corner + row.transpose() * pb);
  const Eigen::VectorXd unit =
      pb.colwise().norm().unaryExpr([](double length) { return length > 0 ? 1 / length : 1.0; });
  const auto preconditioned = [&](const Eigen::VectorXd& q, const Eigen::VectorXd& s) {
    Eigen::VectorXd result(small + borders);
    const Eigen::VectorXd pq = precondition(q);
    const Eigen::VectorXd eliminated = pivot.solve(s + row.transpose() * pq);
    result.head(small) = pq - pb * eliminated;
    result.tail(borders) = eliminated.cwiseQuotient(unit);
    return result;
  };
  const auto apply = [&](const Eigen::VectorXd& v) {
    const Eigen::VectorXd q = v.head(small);
    const Eigen::VectorXd s = v.tail(borders).cwiseProduct(unit);
    return preconditioned(q + receptance(joint_forces(q)) + qb * s,
                          corner * s - row.transpose() * q);
  };
  const Eigen::VectorXd right =
      preconditioned(asked(xr, rhs.head(size)), rhs.tail(borders) - rows_.transpose() * xr);
  Eigen::VectorXd answer;
  const int iterations = gmres(apply, right, answer);
  if (iterations < 0) return iterations;
  z.resize(size + borders);
  z.tail(borders) = answer.tail(borders).cwiseProduct(unit);
  z.head(size) = xr - xb * z.tail(borders) -
                 through_linear(from_joints(joint_forces(answer.head(small))), false);
  Eigen::Map<Eigen::MatrixXd> unknowns(z.data(), stride_, width);
  const Eigen::Map<const Eigen::MatrixXd> per_joint(answer.data(), count_, width);
  for (std::size_t k = 0; k < sliders_.size(); ++k)
    unknowns.row(push_row(k)) = per_joint.row(joint_of(k)) / sliders_[k].inertia.stiffness;
  z.head(size) = z.head(size).cwiseQuotient(units_).eval();
  return z.allFinite() ? iterations : -1;
}

}  // namespace microslip::dynamics
