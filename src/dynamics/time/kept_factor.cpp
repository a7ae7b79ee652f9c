#include "dynamics/time/kept_factor.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "dynamics/time/motion_record.hpp"

namespace microslip::dynamics {
namespace {

constexpr Eigen::Index most_dense = 60;  // a dense factor of the whole is faster up to here
// The usual step and the one that ends at a row or a jump; rigid joints halve steps further.
constexpr std::size_t most_kept = 3;

/// Newton's method corrects what is left; its iterations shrink an error by this factor.
bool same(double a, double b) { return std::abs(a - b) <= 1e-10 * std::abs(a); }

bool is_symmetric(const SparseMatrix& C) {
  const SparseMatrix transposed = C.transpose();
  // The symmetry that M and K are held to; residuals are made from the matrices as they are.
  return (C - transposed).norm() <= 1e-6 * C.norm();
}

}  // namespace

KeptFactor::KeptFactor(const Structure& structure)
    : s_(structure),
      small_(structure.size() <= most_dense),
      symmetric_(is_symmetric(structure.C)),
      W_(structure.size(), 0) {
  std::vector<Eigen::Triplet<double>> entries;
  int column = 0;
  const auto add = [&](const Direction& direction) {
    for (Direction::InnerIterator w(direction); w; ++w)
      entries.emplace_back(w.index(), column, w.value());
    ++column;
  };
  for (const JointElement& joint : structure.joints) add(joint.w);
  for (const InterfaceElement& interface : structure.interfaces)
    for (const Direction& w : interface.w) add(w);
  W_.resize(structure.size(), column);
  W_.setFromTriplets(entries.begin(), entries.end());
}

std::shared_ptr<const KeptFactor::Linear> KeptFactor::factorised(double m, double c,
                                                                 double k) const {
  const auto made = std::make_shared<Linear>();
  Linear& linear = *made;
  linear.m = m;
  linear.c = c;
  linear.k = k;
  const SparseMatrix A = m * s_.M + c * s_.C + k * s_.K;
  if (small_) {
    linear.dense = A;
    if (s_.interfaces.empty() || !s_.joints.empty()) return made;
    linear.inverse = dense::inverse(linear.dense);
    linear.moved = linear.inverse * W_;
    linear.flexibility = W_.transpose() * linear.moved;
    return made;
  }
  if (symmetric_) {
    linear.cholesky = std::make_unique<DirectionFactor>(A, W_);
    if (!linear.cholesky->definite()) linear.cholesky.reset();
  }
  if (linear.cholesky) {
    linear.flexibility = linear.cholesky->flexibility();
    return made;
  }
  linear.lu = std::make_unique<sparse::Lu>(A);
  linear.flexibility.resize(W_.cols(), W_.cols());
  for (Eigen::Index j = 0; j < W_.cols(); ++j)
    linear.flexibility.col(j) = W_.transpose() * linear.lu->solve(Eigen::VectorXd(W_.col(j)));
  return made;
}

void KeptFactor::set_linear_part(double m, double c, double k) {
  const auto found = std::find_if(kept_.begin(), kept_.end(), [&](const auto& linear) {
    // A small one is made anew as quickly as it is found.
    if (small_) return m == linear->m && c == linear->c && k == linear->k;
    return same(m, linear->m) && same(c, linear->c) && same(k, linear->k);
  });
  if (found != kept_.end()) {
    kept_.splice(kept_.begin(), kept_, found);
    return;
  }
  if (kept_.size() == most_kept) kept_.pop_back();
  kept_.push_front(factorised(m, c, k));
}

void KeptFactor::visit(MotionRecord& record) {
  std::vector<double> parts;
  for (const auto& linear : kept_) parts.insert(parts.end(), {linear->m, linear->c, linear->k});
  record("linear parts", parts);
  if (!record.reading()) return;
  kept_.clear();
  for (std::size_t i = 0; i + 2 < parts.size(); i += 3)
    kept_.push_back(factorised(parts[i], parts[i + 1], parts[i + 2]));
  updated_.reset();
}

void KeptFactor::set_slopes(const std::vector<double>& slopes,
                            const std::vector<Eigen::MatrixXd>& blocks) {
  const Linear& linear = *kept_.front();
  if (small_) {
    Eigen::MatrixXd T = linear.dense;
    for (std::size_t j = 0; j < slopes.size(); ++j)
      for (Direction::InnerIterator a(s_.joints[j].w); a; ++a)
        for (Direction::InnerIterator b(s_.joints[j].w); b; ++b)
          T(a.index(), b.index()) += slopes[j] * a.value() * b.value();
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      const std::vector<Direction>& w = s_.interfaces[i].w;
      for (std::size_t k = 0; k < w.size(); ++k)
        for (std::size_t l = 0; l < w.size(); ++l)
          for (Direction::InnerIterator a(w[k]); a; ++a)
            for (Direction::InnerIterator b(w[l]); b; ++b)
              T(a.index(), b.index()) +=
                  blocks[i](static_cast<Eigen::Index>(k), static_cast<Eigen::Index>(l)) *
                  a.value() * b.value();
    }
    dense_.compute(T);
    return;
  }
  // Most joints go on as they did: what was solved for serves again.
  if (blocks.empty() && updated_ == kept_.front() && last_slopes_ == slopes) return;
  updated_ = blocks.empty() ? kept_.front() : nullptr;
  last_slopes_ = slopes;
  active_.clear();
  for (std::size_t j = 0; j < slopes.size(); ++j)
    if (slopes[j] != 0) active_.push_back(static_cast<Eigen::Index>(j));
  slopes_.resize(static_cast<Eigen::Index>(active_.size()));
  for (std::size_t i = 0; i < active_.size(); ++i)
    slopes_[static_cast<Eigen::Index>(i)] = slopes[static_cast<std::size_t>(active_[i])];
  for (auto j = static_cast<Eigen::Index>(slopes.size()); j < W_.cols(); ++j) active_.push_back(j);
  blocks_ = blocks;
  if (active_.empty()) return;
  Eigen::MatrixXd update = linear.flexibility(active_, active_);
  apply_slopes(update);
  update.diagonal().array() += 1;
  update_.compute(update);
}

void KeptFactor::apply_slopes(Eigen::MatrixXd& rows) const {
  Eigen::Index at = slopes_.size();
  rows.topRows(at).array().colwise() *= slopes_.array();
  for (const Eigen::MatrixXd& block : blocks_) {
    rows.middleRows(at, block.rows()) = (block * rows.middleRows(at, block.rows())).eval();
    at += block.rows();
  }
}

Eigen::VectorXd KeptFactor::forces_of(const Eigen::VectorXd& d) const {
  Eigen::MatrixXd pushed = d(active_);
  apply_slopes(pushed);
  Eigen::VectorXd forces = Eigen::VectorXd::Zero(W_.cols());
  forces(active_) = update_.solve(pushed).col(0);
  return forces;
}

Eigen::VectorXd KeptFactor::solve_directions(const Eigen::VectorXd& d) const {
  if (active_.empty()) return d;
  return d - flexibility() * forces_of(d);
}

Eigen::VectorXd KeptFactor::solve(const Eigen::VectorXd& b) const {
  if (small_) return dense_.solve(b);
  const Linear& linear = *kept_.front();
  if (linear.cholesky) {
    Eigen::VectorXd y, x = Eigen::VectorXd::Zero(b.size());
    linear.cholesky->forward(b, y);
    if (!active_.empty()) linear.cholesky->add(-forces_of(linear.cholesky->along(y)), y);
    linear.cholesky->subtract_back(y, x);
    return -x;
  }
  const Eigen::VectorXd alone = linear.lu->solve(b);
  if (active_.empty()) return alone;
  return linear.lu->solve(b - W_ * forces_of(W_.transpose() * alone));
}

}  // namespace microslip::dynamics
