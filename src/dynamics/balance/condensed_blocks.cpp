#include "dynamics/balance/condensed.hpp"
#include "microslip/detail/numerics/dense.hpp"

/// The preconditioner of condensed systems: a block for each harmonic.
namespace microslip::dynamics {

Eigen::MatrixXcd Condensed::receptance_of(int harmonic) const {
  constexpr double away_from_singular = 0.05;
  const double more = harmonic == 1 && kept_up_ ? away_from_singular : 0;
  const Eigen::MatrixXd to = share_->at_joints.transpose();
  Eigen::MatrixXcd result(count_, count_);
  const ModalImpedance Z = impedance(harmonic, more);
  if (Z.diagonal().size() == 0) {
    result.noalias() = share_->at_joints.cast<Complex>() * Z.solve(to.cast<Complex>());
    return result;
  }
  const Eigen::VectorXcd& inverse = Z.diagonal();
  // Both parts are symmetric.
  Eigen::MatrixXd part = Eigen::MatrixXd::Zero(count_, count_);
  const auto half = [&](const Eigen::VectorXd& weights) {
    part.triangularView<Eigen::Lower>() = share_->at_joints * (weights.asDiagonal() * to);
    return Eigen::MatrixXd(part.selfadjointView<Eigen::Lower>());
  };
  result.real() = half(inverse.real());
  result.imag() = half(inverse.imag());
  return result;
}

std::vector<bool> Condensed::moving_harmonics(const Eigen::VectorXd& rhs) const {
  const auto count = static_cast<std::size_t>(harmonics_) + 1;
  if (own_ > 0) return std::vector<bool>(count, true);
  const auto harmonic_of = [](Eigen::Index function) {
    return static_cast<std::size_t>((function + 1) / 2);
  };
  std::vector<bool> moves(count, false);
  for (Eigen::Index k = 0; k < width_; ++k)
    if (!rhs.segment(k * stride_, stride_).isZero(0) ||
        !columns_.middleRows(k * stride_, stride_).isZero(0))
      moves[harmonic_of(k)] = true;
  // What elements exchange.
  std::vector<std::vector<bool>> to(count, std::vector<bool>(count, false));
  for (const Element& e : elements_)
    for (Eigen::Index from = 0; from < e.A.cols(); ++from)
      for (Eigen::Index row = 0; row < e.A.rows(); ++row)
        if (e.A(row, from) != 0)
          to[harmonic_of(from / e.inputs)][harmonic_of(row / e.inputs)] = true;
  for (bool more = true; more;) {
    more = false;
    for (std::size_t from = 0; from < count; ++from)
      for (std::size_t h = 0; moves[from] && h < count; ++h)
        if (to[from][h] && !moves[h]) moves[h] = more = true;
  }
  return moves;
}

void Condensed::build_preconditioner(const std::vector<bool>& harmonics) {
  blocks_.resize(harmonics.size());
  for (std::size_t h = 0; h < harmonics.size(); ++h)
    if (harmonics[h] && !blocks_[h].built) build_block(static_cast<int>(h));
}

/// a cos hθ + b sin hθ is the complex number a − ib.
void Condensed::build_block(int h) {
  Eigen::MatrixXcd receptance = receptance_of(h);
  for (const Element& e : elements_)
    e.slot->apply_impedance(receptance.middleRows(e.first, e.inputs), e.first, h * omega_);
  const Eigen::MatrixXd real = receptance.real();
  const Eigen::MatrixXd imaginary = receptance.imag();
  const Eigen::Index n = h == 0 ? count_ : 2 * count_;
  Eigen::MatrixXd block = Eigen::MatrixXd::Identity(n, n);
  const Eigen::Index a = h == 0 ? 0 : 2 * h - 1;
  const Eigen::Index b = 2 * h;
  for (const Element& e : elements_) {
    const Eigen::Index r = e.inputs;
    const auto re = real.middleCols(e.first, r), im = imaginary.middleCols(e.first, r);
    const auto slopes = [&](Eigen::Index to, Eigen::Index from) {
      return e.A.block(to * r, from * r, r, r);
    };
    if (h == 0) {
      block.middleCols(e.first, r) += re * slopes(0, 0);
      continue;
    }
    for (const Eigen::Index from : {a, b}) {
      auto target = block.middleCols(from == a ? e.first : count_ + e.first, r);
      target.topRows(count_) += re * slopes(a, from) + im * slopes(b, from);
      target.bottomRows(count_) += re * slopes(b, from) - im * slopes(a, from);
    }
  }
  // Far above the modes joints hardly feel each other, and GMRES does without.
  const Eigen::MatrixXd coupling = block - Eigen::MatrixXd::Identity(n, n);
  const bool weak = coupling.cwiseAbs().rowwise().sum().maxCoeff() < 0.1;
  Block& made = blocks_[static_cast<std::size_t>(h)];
  made.built = true;
  if (!weak) made.factors.compute(block);
}

Eigen::VectorXd Condensed::precondition(const Eigen::VectorXd& q) const {
  Eigen::VectorXd result = q;
  for (int h = 0; h <= harmonics_; ++h) {
    const Eigen::Index at = h == 0 ? 0 : (2 * h - 1) * count_;
    const Eigen::Index n = h == 0 ? count_ : 2 * count_;
    const Factors& factors = blocks_[static_cast<std::size_t>(h)].factors;
    if (factors.rows() > 0 && !q.segment(at, n).isZero(0))
      result.segment(at, n) = factors.solve(q.segment(at, n));
  }
  return result;
}

}  // namespace microslip::dynamics
