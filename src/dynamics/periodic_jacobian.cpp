#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "microslip/dynamics/fourier.hpp"
#include "microslip/dynamics/periodic_joint.hpp"

namespace microslip::dynamics {
namespace {

constexpr double pi = std::numbers::pi;
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr int seeds = dual_width - 1;  ///< reversals in one run; the last direction is the node's

/// Rows of Fourier sums: 1/(2π) for the mean, 1/π for the others.
void scale_sums(Eigen::MatrixXd& matrix) {
  matrix /= pi;
  matrix.row(0) /= 2;
}

}  // namespace

/// One run of the law on dual numbers gives everything at the nodes: the force, and its derivatives
/// by the reversals and by the displacement of the node itself. Where the node before stood does
/// not matter on a monotone path, so all nodes share one direction for the latter.
bool PeriodicJoint::run_with_memory() {
  const auto count = static_cast<Eigen::Index>(reversals_.size());
  memory_.resize(static_cast<Eigen::Index>(counted_.size()), count);
  for (Eigen::Index chunk = 0; chunk < count; chunk += seeds) {
    const Eigen::Index width = std::min<Eigen::Index>(seeds, count - chunk);
    if (!forces_by_reversals(chunk)) return false;
    const std::size_t marched = dual_u_.size() - nodes_.size();
    for (std::size_t k = 0; k < counted_.size(); ++k) {
      const WideDual& f = dual_f_[marched + counted_[k]];
      memory_.row(static_cast<Eigen::Index>(k)).segment(chunk, width) = f.v.head(width).transpose();
      if (chunk == 0) record(k, nodes_[counted_[k]], f.a, f.v[seeds]);
    }
    if (chunk > 0) continue;
    result_.energy = 0;
    for (std::size_t i = marched; i < dual_u_.size(); ++i) result_.energy += dual_lost_[i].a;
  }
  return true;
}

void PeriodicJoint::jacobian_from_reversals() {
  const Eigen::Index size = fourier_size(harmonics_);
  const auto nodes = static_cast<Eigen::Index>(counted_.size());
  const auto count = static_cast<Eigen::Index>(reversals_.size());
  RowMatrix at_nodes(nodes, size);
  RowMatrix weighted(nodes, size);
  for (Eigen::Index k = 0; k < nodes; ++k) {
    const auto place = static_cast<std::size_t>(k);
    at_nodes.row(k) = basis_.row(static_cast<Eigen::Index>(counted_[place]));
    weighted.row(k) = loop_.weight[place] * loop_.tangent[place] * at_nodes.row(k);
    memory_.row(k) *= loop_.weight[place];
  }
  result_.jacobian.noalias() = weighted.transpose() * at_nodes;
  RowMatrix at_reversals(count, size);
  for (Eigen::Index r = 0; r < count; ++r)
    fourier_row(reversals_[static_cast<std::size_t>(r)], harmonics_, at_reversals.row(r));
  const Eigen::MatrixXd sums = at_nodes.transpose() * memory_;
  result_.jacobian.noalias() += sums * at_reversals;
  scale_sums(result_.jacobian);
}

/// Runs the law to the closed loop and once over the nodes, with seeds at some of the reversals.
bool PeriodicJoint::forces_by_reversals(Eigen::Index chunk) {
  const auto turning = [&](std::size_t r) {
    const Eigen::Index seed = static_cast<Eigen::Index>(r) - chunk;
    return seed >= 0 && seed < seeds ? WideDual(turning_values_[r], static_cast<int>(seed))
                                     : WideDual(turning_values_[r]);
  };
  dual_u_.clear();
  for (const double u : before_) dual_u_.emplace_back(u);
  dual_u_.push_back(turning(0));
  for (int round = 0; round < result_.rounds; ++round)
    for (std::size_t r = 1; r <= turning_values_.size(); ++r)
      dual_u_.push_back(turning(r % turning_values_.size()));
  for (const Node& node : nodes_)
    dual_u_.push_back(node.reversal >= 0 ? turning(static_cast<std::size_t>(node.reversal))
                                         : WideDual(node.u, seeds));
  dual_f_.resize(dual_u_.size());
  dual_lost_.resize(dual_u_.size());
  dual_state_.get().assign(dual_rest_.get());
  result_.status = dual_.run({}, dual_u_, dual_state_, dual_f_, dual_lost_);
  return result_.status == Status::ok;
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
  if (result_.status != Status::ok || !run_with_memory()) return result;
  for (std::size_t k = 0; k < place.size(); ++k) {
    result.tangent[place[k]] = loop_.tangent[k];
    result.memory.row(place[k]) = memory_.row(static_cast<Eigen::Index>(k));
  }
  return result;
}

}  // namespace microslip::dynamics
