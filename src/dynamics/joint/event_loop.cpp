#include "dynamics/joint/event_loop.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "microslip/detail/numerics/constants.hpp"

namespace microslip::dynamics {
namespace {

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

/// Rows of Fourier sums: 1/(2π) for the mean, 1/π for the others. The other half of an odd loop
/// gives functions of the same parity the same, and others nothing.
void scale_sums(bool half, Eigen::MatrixXd& matrix) {
  matrix *= (half ? 2 : 1) / pi;
  matrix.row(0) /= 2;
}

}  // namespace

void EventLoop::run() {
  law_.scratch.get().assign(law_.state.get());
  std::size_t place = 0;
  for (const JointPeriod::Node& node : period_.nodes) {
    const Response<double> reply = law_.model.step(law_.scratch, node.u, 0, law_.scratch);
    if (reply.status != Status::ok) {
      period_.result.status = reply.status;
      return;
    }
    if (node.reversal < 0) period_.record(place++, node, reply.force, reply.tangent);
  }
  refine(false);
}

/// One run of the law on dual numbers gives everything at the nodes: the force, and its derivatives
/// by the reversals and by the displacement of the node itself. Where the node before stood does
/// not matter on a monotone path, so all nodes share one direction for the latter.
bool EventLoop::run_with_memory() {
  const auto count = static_cast<Eigen::Index>(motion_.reversals().size());
  memory_.resize(static_cast<Eigen::Index>(period_.counted.size()), count);
  for (Eigen::Index chunk = 0; chunk < count; chunk += seeds) {
    if (!run_chunk(chunk)) return false;
    if (chunk == 0 && !refine(true)) return false;
  }
  return true;
}

/// Once over the nodes, with seeds at some of the reversals.
bool EventLoop::run_chunk(Eigen::Index chunk) {
  if (!closed_.go_to_start(chunk)) return false;
  if (chunk == 0) law_.dual_closed.get().assign(law_.dual_state.get());
  dual_u_.clear();
  for (const JointPeriod::Node& node : period_.nodes) {
    const auto r = static_cast<std::size_t>(node.reversal);
    dual_u_.push_back(node.reversal >= 0 ? closed_.turning(r, node.reversal - chunk, seeds)
                                         : WideDual(node.u, seeds));
  }
  dual_f_.resize(dual_u_.size());
  period_.result.status = law_.dual.run({}, dual_u_, law_.dual_state, dual_f_);
  for (std::size_t k = 0; k < period_.counted.size(); ++k)
    keep(k, period_.nodes[period_.counted[k]], dual_f_[period_.counted[k]], chunk);
  return period_.result.status == Status::ok;
}

void EventLoop::keep(std::size_t place, const JointPeriod::Node& node, const WideDual& f,
                     Eigen::Index chunk) {
  const Eigen::Index width = std::min<Eigen::Index>(seeds, memory_.cols() - chunk);
  memory_.row(static_cast<Eigen::Index>(place)).segment(chunk, width) = f.v.head(width).transpose();
  if (chunk == 0) period_.record(place, node, f.a, f.v[seeds]);
}

/// Gives the pieces that need it more nodes and goes over them again.
bool EventLoop::refine(bool with_jacobian) {
  const std::vector<std::size_t> counts = nodes_.wanted();
  if (counts.empty()) return true;
  const std::vector<EventNodes::Piece> before = nodes_.pieces();
  nodes_.move_nodes(counts);
  move_results(before, with_jacobian);
  for (std::size_t i = 0; i < period_.nodes.size(); ++i)
    if (period_.nodes[i].reversal >= 0) period_.fill_node(i);
  std::size_t place = 0;
  for (std::size_t p = 0; p < nodes_.pieces().size(); place += nodes_.pieces()[p++].count) {
    if (nodes_.pieces()[p].count == before[p].count) continue;
    for (std::size_t i = 0; i < nodes_.pieces()[p].count; ++i)
      period_.fill_node(nodes_.pieces()[p].first + i);
    if (!run_piece(nodes_.pieces()[p], place, with_jacobian)) return false;
  }
  return true;
}

/// What is known of pieces that kept their nodes goes where these are now. Without a Jacobian the memory is
/// that of an earlier evaluation, with other nodes.
void EventLoop::move_results(const std::vector<EventNodes::Piece>& before, bool with_jacobian) {
  const auto index = [](std::size_t i) { return static_cast<Eigen::Index>(i); };
  const JointLoop old = std::move(period_.loop);
  period_.resize_loop();
  old_basis_.swap(period_.basis);
  if (with_jacobian) {
    old_memory_.swap(memory_);
    memory_.resize(index(period_.counted.size()), old_memory_.cols());
  }
  period_.basis.resize(index(period_.nodes.size()), old_basis_.cols());
  std::size_t from = 0, to = 0;
  for (std::size_t p = 0; p < before.size();
       from += before[p].count, to += nodes_.pieces()[p++].count) {
    const std::size_t count = before[p].count;
    if (nodes_.pieces()[p].count != count) continue;
    period_.basis.middleRows(index(nodes_.pieces()[p].first), index(count)) =
        old_basis_.middleRows(index(before[p].first), index(count));
    if (with_jacobian)
      memory_.middleRows(index(to), index(count)) =
          old_memory_.middleRows(index(from), index(count));
    for (std::size_t i = 0; i < count; ++i)
      period_.record(to + i, period_.nodes[nodes_.pieces()[p].first + i], old.f[from + i],
                     old.tangent[from + i]);
  }
}

/// From the closed loop to the piece and over it.
bool EventLoop::run_piece(const EventNodes::Piece& piece, std::size_t place, bool with_jacobian) {
  if (!with_jacobian) {
    law_.scratch.get().assign(law_.state.get());
    for (std::size_t r = 1; r <= piece.reversal; ++r)
      law_.model.step(law_.scratch, motion_.turning_values()[r], 0, law_.scratch);
    for (std::size_t i = 0; i < piece.count; ++i) {
      const JointPeriod::Node& node = period_.nodes[piece.first + i];
      const Response<double> reply = law_.model.step(law_.scratch, node.u, 0, law_.scratch);
      if (reply.status != Status::ok) period_.result.status = reply.status;
      period_.record(place + i, node, reply.force, reply.tangent);
    }
    return period_.result.status == Status::ok;
  }
  law_.dual_state.get().assign(law_.dual_closed.get());
  dual_u_.clear();
  for (std::size_t r = 1; r <= piece.reversal; ++r)
    dual_u_.push_back(closed_.turning(r, static_cast<Eigen::Index>(r), dual_width - 1));
  for (std::size_t i = 0; i < piece.count; ++i)
    dual_u_.emplace_back(period_.nodes[piece.first + i].u, dual_width - 1);
  dual_f_.resize(dual_u_.size());
  period_.result.status = law_.dual.run({}, dual_u_, law_.dual_state, dual_f_);
  for (std::size_t i = 0; i < piece.count; ++i)
    keep(place + i, period_.nodes[piece.first + i], dual_f_[piece.reversal + i], 0);
  return period_.result.status == Status::ok;
}

/// Σ tangent · (functions)(functions)ᵀ has only the Fourier sums of the tangent up to the order 2H
/// in it, because products of the functions are sums of them. Those beyond the order H come from
/// sums with cos Hθ and sin Hθ.
void EventLoop::jacobian_from_reversals() {
  const Eigen::Index size = fourier_size(period_.harmonics);
  const auto count = static_cast<Eigen::Index>(motion_.reversals().size());
  // What the functions are summed with: tangent, tangent cos Hθ, tangent sin Hθ, and the memories.
  const auto nodes = static_cast<Eigen::Index>(period_.nodes.size());
  Eigen::MatrixXd factors = Eigen::MatrixXd::Zero(nodes, 3 + count);
  for (std::size_t k = 0; k < period_.counted.size(); ++k) {
    const auto node = static_cast<Eigen::Index>(period_.counted[k]);
    const double tangent = period_.loop.weight[k] * period_.loop.tangent[k];
    factors(node, 0) = tangent;
    factors(node, 1) = tangent * period_.basis(node, size - 2);
    factors(node, 2) = tangent * period_.basis(node, size - 1);
    for (Eigen::Index r = 0; r < count; ++r)
      factors(node, 3 + r) = period_.loop.weight[k] * memory_(static_cast<Eigen::Index>(k), r);
  }
  const Eigen::MatrixXd sums = period_.basis.topRows(nodes).transpose() * factors;
  RowMatrix at_reversals(count, size);
  for (Eigen::Index r = 0; r < count; ++r)
    fourier_row(motion_.reversals()[static_cast<std::size_t>(r)], period_.harmonics,
                at_reversals.row(r));
  period_.result.jacobian.noalias() = sums.rightCols(count).lazyProduct(at_reversals);
  add_products(sums.leftCols(3), period_.result.jacobian);
  scale_sums(period_.half, period_.result.jacobian);
}

void EventLoop::add_breaks() {
  const Eigen::Index size = fourier_size(period_.harmonics);
  Eigen::VectorXd row(size), at_reversal(size);
  std::size_t after = 0;
  for (const EventNodes::Kink& kink : nodes_.kinks()) {
    while (after < period_.counted.size() && period_.counted[after] < kink.node) ++after;
    if (after == 0 || after == period_.counted.size()) continue;
    const std::size_t before = after - 1;
    const double jump = period_.loop.f[after] - period_.loop.f[before] +
                        period_.loop.tangent[after] * (kink.u - period_.loop.u[after]) -
                        period_.loop.tangent[before] * (kink.u - period_.loop.u[before]);
    // Less is the bend of the law between the nodes.
    if (!(std::abs(jump) > 1e-3 * nodes_.largest_force())) continue;
    fourier_row(kink.theta, period_.harmonics, row);
    fourier_row(motion_.reversals()[kink.reversal], period_.harmonics, at_reversal);
    const double slope = motion_.at(kink.theta).slope;
    const Eigen::VectorXd moved = row - at_reversal;
    row[0] /= 2;
    const double times = period_.half ? 2 : 1;
    period_.result.jacobian.noalias() += (times * jump / (pi * slope)) * row * moved.transpose();
  }
}

}  // namespace microslip::dynamics
