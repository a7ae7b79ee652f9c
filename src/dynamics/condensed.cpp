#include "microslip/dynamics/condensed.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "microslip/dynamics/fourier.hpp"

namespace microslip::dynamics {
namespace {

using Apply = std::function<Eigen::VectorXd(const Eigen::VectorXd&)>;

/// Solves A x = b without restarts; x starts from zero. False if it does not reach the tolerance.
bool gmres(const Apply& A, const Eigen::VectorXd& b, Eigen::VectorXd& x) {
  constexpr int most = 400;
  constexpr double tolerance = 1e-13;  // near rounding: Newton's method shall not notice
  const double size = b.norm();
  x = Eigen::VectorXd::Zero(b.size());
  if (size == 0) return true;
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
    if (!std::isfinite(column[k + 1])) return false;
    const double length = column[k + 1];
    for (int i = 0; i < k; ++i) {
      const auto at = static_cast<std::size_t>(i);
      const double upper = cosines[at] * column[i] + sines[at] * column[i + 1];
      column[i + 1] = cosines[at] * column[i + 1] - sines[at] * column[i];
      column[i] = upper;
    }
    const double radius = std::hypot(column[k], column[k + 1]);
    if (radius == 0) return false;
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
  if (std::abs(right.back()) > 1e-8 * size) return false;
  const auto n = static_cast<Eigen::Index>(columns.size());
  Eigen::VectorXd y(n);
  for (Eigen::Index i = n - 1; i >= 0; --i) {
    double sum = right[static_cast<std::size_t>(i)];
    for (Eigen::Index j = i + 1; j < n; ++j) sum -= columns[static_cast<std::size_t>(j)][i] * y[j];
    y[i] = sum / columns[static_cast<std::size_t>(i)][i];
    x += y[i] * basis[static_cast<std::size_t>(i)];
  }
  return x.allFinite();
}

}  // namespace

Condensed::Condensed(const Structure& structure, int harmonics)
    : dofs_(structure.size()),
      count_(static_cast<Eigen::Index>(structure.joints.size())),
      harmonics_(harmonics),
      directions_(structure.size(), count_),
      joints_(structure.joints.size()) {
  const Modes modes = linear_modes(structure.M, structure.K);
  shapes_ = modes.shapes;
  squares_ = modes.omega.cwiseAbs2();
  usable_ = squares_.size() > 0 && squares_[0] > 1e-12 * squares_[squares_.size() - 1];
  for (Eigen::Index j = 0; j < count_; ++j)
    directions_.col(j) = structure.joints[static_cast<std::size_t>(j)].w;
  at_joints_ = directions_.transpose() * shapes_;
  damping_ = shapes_.transpose() * (structure.C * shapes_);
  const Eigen::MatrixXd mixed = damping_ - Eigen::MatrixXd(damping_.diagonal().asDiagonal());
  diagonal_ = mixed.norm() <= 1e-13 * damping_.norm();
}

void Condensed::reset(double omega) {
  omega_ = omega;
  prepared_ = false;
  column_ = Eigen::VectorXd::Zero(dofs_ * fourier_size(harmonics_));
}

Eigen::MatrixXcd Condensed::receptance_of(int harmonic) const {
  const auto h = static_cast<std::size_t>(harmonic);
  Eigen::MatrixXcd result(count_, count_);
  if (!diagonal_) {
    const Eigen::MatrixXcd to = at_joints_.transpose().cast<Complex>();
    result.noalias() = at_joints_.cast<Complex>() * impedance_[h].solve(to);
    return result;
  }
  const Eigen::VectorXcd inverse = divide(h, Eigen::VectorXcd::Ones(dofs_), false);
  const Eigen::MatrixXd to = at_joints_.transpose();
  const Eigen::VectorXd real = inverse.real();
  const Eigen::VectorXd imaginary = inverse.imag();
  result.real() = at_joints_ * (real.asDiagonal() * to);
  result.imag() = at_joints_ * (imaginary.asDiagonal() * to);
  return result;
}

/// a cos hθ + b sin hθ is the complex number a − ib.
void Condensed::prepare() {
  if (prepared_) return;
  prepared_ = true;
  impedance_.clear();
  receptance_.clear();
  blocks_.clear();
  for (int h = 0; h <= harmonics_; ++h) {
    if (!diagonal_) {
      const double rate = h * omega_;
      Eigen::MatrixXcd Z = Complex(0, rate) * damping_.cast<Complex>();
      Z.diagonal() += (squares_.array() - rate * rate).matrix().cast<Complex>();
      impedance_.emplace_back(Z);
    }
    receptance_.push_back(receptance_of(h));
    const Eigen::MatrixXd real = receptance_.back().real();
    const Eigen::MatrixXd imaginary = receptance_.back().imag();
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

Eigen::VectorXcd Condensed::divide(std::size_t harmonic, const Eigen::VectorXcd& modal,
                                   bool transposed) const {
  if (!diagonal_ && transposed) return impedance_[harmonic].transpose().solve(modal);
  if (!diagonal_) return impedance_[harmonic].solve(modal);
  const double rate = static_cast<double>(harmonic) * omega_;
  Eigen::VectorXcd result(modal.size());
  for (Eigen::Index i = 0; i < modal.size(); ++i)
    result[i] = modal[i] / Complex(squares_[i] - rate * rate, rate * damping_(i, i));
  return result;
}

Eigen::VectorXd Condensed::through_linear(const Eigen::VectorXd& force, bool transposed) const {
  Eigen::VectorXd x(force.size());
  for (int h = 0; h <= harmonics_; ++h) {
    const Eigen::Index a = h == 0 ? 0 : (2 * h - 1) * dofs_;
    const Eigen::Index b = a + dofs_;
    Eigen::VectorXcd modal = Eigen::VectorXcd::Zero(dofs_);
    modal.real() = shapes_.transpose() * force.segment(a, dofs_);
    // The real form of Z is transposed when Z is transposed and conjugated.
    const double sign = transposed ? 1 : -1;
    if (h > 0) modal.imag() = sign * (shapes_.transpose() * force.segment(b, dofs_));
    const Eigen::VectorXcd answer = divide(static_cast<std::size_t>(h), modal, transposed);
    x.segment(a, dofs_) = shapes_ * answer.real();
    if (h > 0) x.segment(b, dofs_) = sign * (shapes_ * answer.imag());
  }
  return x;
}

Eigen::VectorXd Condensed::to_joints(const Eigen::VectorXd& x) const {
  const Eigen::Index size = fourier_size(harmonics_);
  Eigen::VectorXd q(size * count_);
  for (Eigen::Index k = 0; k < size; ++k)
    q.segment(k * count_, count_) = directions_.transpose() * x.segment(k * dofs_, dofs_);
  return q;
}

Eigen::VectorXd Condensed::from_joints(const Eigen::VectorXd& p) const {
  const Eigen::Index size = fourier_size(harmonics_);
  Eigen::VectorXd x(size * dofs_);
  for (Eigen::Index k = 0; k < size; ++k)
    x.segment(k * dofs_, dofs_) = directions_ * p.segment(k * count_, count_);
  return x;
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
  Eigen::VectorXd q(p.size());
  q.head(count_) = receptance_[0].real() * p.head(count_);
  for (int h = 1; h <= harmonics_; ++h) {
    const Eigen::Index a = (2 * h - 1) * count_;
    Eigen::VectorXcd both(count_);
    both.real() = p.segment(a, count_);
    both.imag() = -p.segment(a + count_, count_);
    const Eigen::VectorXcd answer = receptance_[static_cast<std::size_t>(h)] * both;
    q.segment(a, count_) = answer.real();
    q.segment(a + count_, count_) = -answer.imag();
  }
  return q;
}

Eigen::VectorXd Condensed::precondition(const Eigen::VectorXd& q) const {
  Eigen::VectorXd result(q.size());
  for (int h = 0; h <= harmonics_; ++h) {
    const Eigen::Index at = h == 0 ? 0 : (2 * h - 1) * count_;
    const Eigen::Index n = h == 0 ? count_ : 2 * count_;
    const Factors& factors = blocks_[static_cast<std::size_t>(h)];
    result.segment(at, n) = q.segment(at, n);
    if (factors.rows() > 0) result.segment(at, n) = factors.solve(q.segment(at, n));
  }
  return result;
}

bool Condensed::solve(const Eigen::VectorXd& last, const Eigen::VectorXd& rhs, Eigen::VectorXd& z) {
  prepare();
  const Eigen::Index size = column_.size();
  const Eigen::Index small = count_ * fourier_size(harmonics_);
  const Eigen::VectorXd xr = through_linear(rhs.head(size), false);
  const Eigen::VectorXd xb = through_linear(column_, false);
  const Eigen::VectorXd qb = to_joints(xb);
  const Eigen::VectorXd row =
      joint_transposed(to_joints(through_linear(last.head(size), true)));  // cᵀ Z⁻¹ W A
  const double corner = last[size] - last.head(size).dot(xb);

  // The border is eliminated with the preconditioner in place of the matrix.
  const Eigen::VectorXd pb = precondition(qb);
  const double pivot = corner + row.dot(pb);
  const auto preconditioned = [&](const Eigen::VectorXd& v) {
    Eigen::VectorXd result(small + 1);
    const Eigen::VectorXd pv = precondition(v.head(small));
    result[small] = (v[small] + row.dot(pv)) / pivot;
    result.head(small) = pv - result[small] * pb;
    return result;
  };
  const auto apply = [&](const Eigen::VectorXd& v) {
    Eigen::VectorXd result(small + 1);
    const Eigen::VectorXd q = v.head(small);
    result.head(small) = q + receptance(joint_forces(q)) + v[small] * qb;
    result[small] = corner * v[small] - row.dot(q);
    return preconditioned(result);
  };
  Eigen::VectorXd right(small + 1), answer;
  right.head(small) = to_joints(xr);
  right[small] = rhs[size] - last.head(size).dot(xr);
  if (!gmres(apply, preconditioned(right), answer)) return false;
  z.resize(size + 1);
  z[size] = answer[small];
  z.head(size) = xr - answer[small] * xb -
                 through_linear(from_joints(joint_forces(answer.head(small))), false);
  return z.allFinite();
}

}  // namespace microslip::dynamics
