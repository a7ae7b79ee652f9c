#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "microslip/dynamics/periodic/fourier.hpp"
#include "microslip/dynamics/periodic/periodic_joint.hpp"

namespace microslip::dynamics {
namespace {

constexpr double pi = std::numbers::pi;
constexpr int seeds = dual_width - 1;  ///< reversals in one run; the last direction is the node's

/// Adds Σ t (functions)(functions)ᵀ to a matrix, from the sums of the functions times t, t cos Hθ
/// and t sin Hθ: cos hθ cos kθ = ½ cos (h−k)θ + ½ cos (h+k)θ and so on.
void add_products(const Eigen::MatrixXd& sums, Eigen::MatrixXd& matrix) {
  const Eigen::Index size = sums.rows(), H = size / 2;
  std::vector<double> cosine(static_cast<std::size_t>(2 * H + 1)), sine(cosine.size());
  cosine[0] = sums(0, 0);
  for (Eigen::Index h = 1; h <= H; ++h) {
    const auto place = static_cast<std::size_t>(h), above = static_cast<std::size_t>(h + H);
    cosine[place] = sums(2 * h - 1, 0);
    sine[place] = sums(2 * h, 0);
    cosine[above] = sums(2 * h - 1, 1) - sums(2 * h, 2);
    sine[above] = sums(2 * h, 1) + sums(2 * h - 1, 2);
  }
  matrix.row(0) += sums.col(0).transpose();
  matrix.col(0).tail(size - 1) += sums.col(0).tail(size - 1);
  for (Eigen::Index h = 1; h <= H; ++h)
    for (Eigen::Index k = 1; k <= H; ++k) {
      const auto apart = static_cast<std::size_t>(std::abs(h - k));
      const auto together = static_cast<std::size_t>(h + k);
      const double odd = h > k ? sine[apart] : -sine[apart];
      matrix(2 * h - 1, 2 * k - 1) += 0.5 * (cosine[apart] + cosine[together]);
      matrix(2 * h, 2 * k) += 0.5 * (cosine[apart] - cosine[together]);
      matrix(2 * h - 1, 2 * k) += 0.5 * (sine[together] - odd);
      matrix(2 * h, 2 * k - 1) += 0.5 * (sine[together] + odd);
    }
}

/// Rows of Fourier sums: 1/(2π) for the mean, 1/π for the others.
void scale_sums(Eigen::MatrixXd& matrix) {
  matrix /= pi;
  matrix.row(0) /= 2;
}

}  // namespace

/// One run of the law on dual numbers gives everything at the nodes: the force, and its derivatives
/// by the reversals and by the displacement of the node itself. Where the node before stood does
/// not matter on a monotone path, so all nodes share one direction for the latter.
bool PeriodicJoint::run_with_memory(const Eigen::VectorXd& q) {
  const auto count = static_cast<Eigen::Index>(reversals_.size());
  memory_.resize(static_cast<Eigen::Index>(counted_.size()), count);
  for (Eigen::Index chunk = 0; chunk < count; chunk += seeds) {
    if (!run_chunk(chunk)) return false;
    if (chunk == 0 && !refine(q, true)) return false;
  }
  return true;
}

/// Once over the nodes, with seeds at some of the reversals.
bool PeriodicJoint::run_chunk(Eigen::Index chunk) {
  if (!go_to_closed_loop(chunk)) return false;
  if (chunk == 0) dual_closed_.get().assign(dual_state_.get());
  dual_u_.clear();
  for (const Node& node : nodes_) {
    const auto r = static_cast<std::size_t>(node.reversal);
    dual_u_.push_back(node.reversal >= 0 ? turning(r, node.reversal - chunk, seeds)
                                         : WideDual(node.u, seeds));
  }
  dual_f_.resize(dual_u_.size());
  result_.status = dual_.run({}, dual_u_, dual_state_, dual_f_);
  for (std::size_t k = 0; k < counted_.size(); ++k)
    keep(k, nodes_[counted_[k]], dual_f_[counted_[k]], chunk);
  return result_.status == Status::ok;
}

void PeriodicJoint::keep(std::size_t place, const Node& node, const WideDual& f,
                         Eigen::Index chunk) {
  const Eigen::Index width = std::min<Eigen::Index>(seeds, memory_.cols() - chunk);
  memory_.row(static_cast<Eigen::Index>(place)).segment(chunk, width) = f.v.head(width).transpose();
  if (chunk == 0) record(place, node, f.a, f.v[seeds]);
}

/// Σ tangent · (functions)(functions)ᵀ has only the Fourier sums of the tangent up to the order 2H
/// in it, because products of the functions are sums of them. Those beyond the order H come from
/// sums with cos Hθ and sin Hθ.
void PeriodicJoint::jacobian_from_reversals() {
  const Eigen::Index size = fourier_size(harmonics_);
  const auto count = static_cast<Eigen::Index>(reversals_.size());
  // What the functions are summed with: tangent, tangent cos Hθ, tangent sin Hθ, and the memories.
  const auto nodes = static_cast<Eigen::Index>(nodes_.size());
  Eigen::MatrixXd factors = Eigen::MatrixXd::Zero(nodes, 3 + count);
  for (std::size_t k = 0; k < counted_.size(); ++k) {
    const auto node = static_cast<Eigen::Index>(counted_[k]);
    const double tangent = loop_.weight[k] * loop_.tangent[k];
    factors(node, 0) = tangent;
    factors(node, 1) = tangent * basis_(node, size - 2);
    factors(node, 2) = tangent * basis_(node, size - 1);
    for (Eigen::Index r = 0; r < count; ++r)
      factors(node, 3 + r) = loop_.weight[k] * memory_(static_cast<Eigen::Index>(k), r);
  }
  const Eigen::MatrixXd sums = basis_.topRows(nodes).transpose() * factors;
  RowMatrix at_reversals(count, size);
  for (Eigen::Index r = 0; r < count; ++r)
    fourier_row(reversals_[static_cast<std::size_t>(r)], harmonics_, at_reversals.row(r));
  result_.jacobian.noalias() = sums.rightCols(count).lazyProduct(at_reversals);
  add_products(sums.leftCols(3), result_.jacobian);
  scale_sums(result_.jacobian);
}

/// Of the force, at a reversal: from the nodes on both sides, which lie close to it.
double PeriodicJoint::jump_at(std::size_t reversal) const {
  std::size_t place = 0;
  for (const Node& node : nodes_) {
    if (node.reversal == static_cast<int>(reversal)) {
      const std::size_t after = place < loop_.f.size() ? place : 0;
      const std::size_t before = place > 0 ? place - 1 : loop_.f.size() - 1;
      // Along the tangents from the nodes to the reversal.
      return loop_.f[after] - loop_.f[before] +
             loop_.tangent[after] * (turning_values_[reversal] - loop_.u[after]) -
             loop_.tangent[before] * (turning_values_[reversal] - loop_.u[before]);
    }
    if (node.reversal < 0) ++place;
  }
  return 0;
}

void PeriodicJoint::add_jumps(const Eigen::VectorXd& q) {
  const Eigen::Index size = fourier_size(harmonics_);
  Eigen::VectorXd row(size), slopes(size);
  for (std::size_t r = 0; r < reversals_.size(); ++r) {
    fourier_row(reversals_[r], harmonics_, row);
    fourier_slopes(row, harmonics_, slopes);
    const double curvature = fourier_point(q, reversals_[r]).curvature;
    if (curvature == 0) continue;
    row[0] /= 2;
    result_.jacobian.noalias() += (jump_at(r) / (pi * curvature)) * row * slopes.transpose();
  }
}

void PeriodicJoint::add_breaks(const Eigen::VectorXd& q) {
  const Eigen::Index size = fourier_size(harmonics_);
  Eigen::VectorXd row(size), at_reversal(size);
  std::size_t after = 0;
  for (const Kink& kink : kinks_) {
    while (after < counted_.size() && counted_[after] < kink.node) ++after;
    if (after == 0 || after == counted_.size()) continue;
    const std::size_t before = after - 1;
    const double jump = loop_.f[after] - loop_.f[before] +
                        loop_.tangent[after] * (kink.u - loop_.u[after]) -
                        loop_.tangent[before] * (kink.u - loop_.u[before]);
    // Less is the bend of the law between the nodes.
    if (!(std::abs(jump) > 1e-3 * largest_force_)) continue;
    fourier_row(kink.theta, harmonics_, row);
    fourier_row(reversals_[kink.reversal], harmonics_, at_reversal);
    const double slope = fourier_point(q, kink.theta).slope;
    const Eigen::VectorXd moved = row - at_reversal;
    row[0] /= 2;
    result_.jacobian.noalias() += (jump / (pi * slope)) * row * moved.transpose();
  }
}

LinearisedLoop PeriodicJoint::linearise(const Eigen::VectorXd& q, int steps) {
  LinearisedLoop result;
  find_reversals(q);
  pair_reversals(q);
  const auto count = static_cast<Eigen::Index>(reversals_.size());
  result.tangent.setZero(steps);
  result.memory.setZero(steps, count);
  if (count == 0) {
    rest_motion(q[0], true);
    result.tangent.setConstant(result_.jacobian(0, 0));
    return result;
  }
  for (const double angle : reversals_)
    result.reversals.push_back(angle - 2 * pi * std::floor(angle / (2 * pi)));
  // The middles of the steps in the order of the period, which starts at the first reversal.
  nodes_.clear();
  pieces_.clear();
  std::vector<Eigen::Index> place;
  const double h = 2 * pi / steps;
  const double origin = reversals_.front();
  const auto first = static_cast<int>(std::ceil(origin / h - 0.5));
  std::size_t leg = 1;
  const auto end_of = [&](std::size_t r) {
    return r < reversals_.size() ? reversals_[r] : reversals_[0] + 2 * pi;
  };
  for (int s = first; s < first + steps; ++s) {
    const double theta = (s + 0.5) * h;
    for (; leg <= reversals_.size() && end_of(leg) < theta; ++leg) add_reversal(leg);
    nodes_.push_back({theta, 1, 0});
    place.push_back(((s % steps) + steps) % steps);
  }
  fill_basis(q);
  result_.status = Status::ok;
  start();
  march_to_closed_loop();
  if (result_.status != Status::ok || !run_with_memory(q)) return result;
  for (std::size_t k = 0; k < place.size(); ++k) {
    result.tangent[place[k]] = loop_.tangent[k];
    result.memory.row(place[k]) = memory_.row(static_cast<Eigen::Index>(k));
  }
  return result;
}

}  // namespace microslip::dynamics
