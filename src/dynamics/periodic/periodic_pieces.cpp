#include <algorithm>
#include <cmath>
#include <numbers>

#include "dynamics/continuation/root.hpp"
#include "dynamics/periodic/gauss.hpp"
#include "microslip/dynamics/periodic/fourier.hpp"
#include "microslip/dynamics/periodic/periodic_joint.hpp"

/// Where the nodes of a period lie: between reversals and kinks, as many as the law needs there.
namespace microslip::dynamics {
namespace {

constexpr double pi = std::numbers::pi;

/// From t in [0, 1] to a share of a piece; t² at an end crowds nodes there, so that a power xᵖ of
/// the distance becomes t²ᵖ.
struct Share {
  double value, slope;
};
Share share_of(double t, bool crowd_start, bool crowd_end) {
  const double rest = 1 - t;
  if (crowd_start && crowd_end) return {t * t * (3 - 2 * t), 6 * t * rest};
  if (crowd_start) return {t * t, 2 * t};
  if (crowd_end) return {1 - rest * rest, 2 * rest};
  return {t, 1};
}

}  // namespace

/// A function of order 2H over the piece, and some nodes for the bend of the law itself.
std::size_t PeriodicJoint::wanted_nodes(const Piece& piece) const {
  const double length = piece.to - piece.from;
  const double wanted = piece.weak_start || piece.weak_end
                            ? 9 + 0.8 * harmonics_ * length
                            : (length > 0.2 ? 8 : 5) + 0.52 * harmonics_ * length;
  return static_cast<std::size_t>(std::ceil(wanted));
}

void PeriodicJoint::add_nodes(const Piece& piece) {
  const GaussRule& rule = gauss(static_cast<int>(piece.count));
  const double length = piece.to - piece.from;
  for (std::size_t i = 0; i < piece.count; ++i) {
    const Share share = share_of(0.5 * (1 + rule.x[i]), piece.weak_start, piece.weak_end);
    nodes_.push_back(
        {piece.from + length * share.value, 0.5 * length * share.slope * rule.w[i], 0});
  }
}

/// The nodes of a piece, in parts if it is long.
void PeriodicJoint::add_gauss(const Piece& piece, std::vector<Piece>& parts) {
  const std::size_t wanted = wanted_nodes(piece);
  const std::size_t count = (wanted + most_gauss_nodes - 1) / most_gauss_nodes;
  const double length = (piece.to - piece.from) / static_cast<double>(count);
  for (std::size_t i = 0; i < count; ++i) {
    const double from = piece.from + static_cast<double>(i) * length;
    parts.push_back({nodes_.size(), (wanted + count - 1) / count, from, from + length,
                     piece.weak_start && i == 0, piece.weak_end && i + 1 == count, piece.reversal});
    add_nodes(parts.back());
  }
}

/// From the level of refinement 1 on, pieces are halved until the Fourier integrals of the halves
/// agree with those of the whole: laws can be singular where a piece begins (powers after a
/// reversal) or turn sharply inside it (two-state).
void PeriodicJoint::add_piece(const Eigen::VectorXd& q, double from, double to, std::size_t depth) {
  const std::size_t first = nodes_.size();
  std::vector<Piece> parts;
  const auto add = [&](double begin, double end) {
    add_gauss({0, 0, begin, end, false, false, 0}, parts);
  };
  add(from, to);
  while (piece_states_.size() < depth + 2) piece_states_.push_back(rest_);
  const double middle = 0.5 * (from + to);
  const Eigen::VectorXd whole = piece_sum(q, first, depth);
  const std::size_t second = nodes_.size();
  add(from, middle);
  add(middle, to);
  const Eigen::VectorXd halves = piece_sum(q, second, depth);
  const auto cut = [&](std::size_t begin, std::size_t end) {
    nodes_.erase(nodes_.begin() + static_cast<std::ptrdiff_t>(begin),
                 nodes_.begin() + static_cast<std::ptrdiff_t>(end));
  };
  const double tolerance = std::pow(0.01, options_.level) * 1e-8 * largest_force_;
  if ((whole - halves).cwiseAbs().maxCoeff() <= tolerance || depth >= 14) {
    cut(first, second);
    return;
  }
  cut(first, nodes_.size());
  add_piece(q, from, middle, depth);
  model_.step(piece_states_[depth], fourier_point(q, middle).value, 0, piece_states_[depth + 1]);
  add_piece(q, middle, to, depth + 1);
}

/// Fourier sums of the nodes from `first` on, for a law that starts from the state of that depth.
Eigen::VectorXd PeriodicJoint::piece_sum(const Eigen::VectorXd& q, std::size_t first,
                                         std::size_t depth) {
  Eigen::VectorXd sum = Eigen::VectorXd::Zero(fourier_size(harmonics_));
  Eigen::VectorXd row(fourier_size(harmonics_));
  piece_walk_.get().assign(piece_states_[depth].get());
  for (std::size_t i = first; i < nodes_.size(); ++i) {
    fourier_row(nodes_[i].theta, harmonics_, row);
    const double f = model_.step(piece_walk_, row.dot(q), 0, piece_walk_).force;
    largest_force_ = std::max(largest_force_, std::abs(f));
    sum += nodes_[i].weight * f * row;
  }
  return sum;
}

void PeriodicJoint::add_reversal(std::size_t number) {
  const std::size_t which = number % reversals_.size();
  const double theta = reversals_[which] + (which == number ? 0 : 2 * pi);
  nodes_.push_back({theta, 0, turning_values_[which], static_cast<int>(which)});
}

void PeriodicJoint::plan_events(const Eigen::VectorXd& q) {
  nodes_.clear();
  pieces_.clear();
  kinks_.clear();
  largest_force_ = 0;
  for (const double f : forces_) largest_force_ = std::max(largest_force_, std::abs(f));
  scratch_.get().assign(state_.get());
  // The law stands at the beginning of the piece in piece_states_.front().
  const auto add = [&](const Piece& piece) {
    if (!(piece.to - piece.from > 1e-13)) return;
    if (options_.level > 0) return add_piece(q, piece.from, piece.to, 0);
    add_gauss(piece, pieces_);
  };
  for (std::size_t r = 0; r < reversals_.size() && result_.status == Status::ok; ++r) {
    Leg leg = leg_after(r);
    bool weak = false;
    for (KinkAhead ahead; find_kink(q, leg, ahead); weak = ahead.weak) {
      const double from = leg.from;
      if (options_.level > 0) piece_states_.front().get().assign(scratch_.get());
      pass(leg, ahead);
      add({0, 0, from, leg.from, weak, ahead.weak, r});
      kinks_.push_back({nodes_.size(), ahead.theta, ahead.u, r});
    }
    if (options_.level > 0) piece_states_.front().get().assign(scratch_.get());
    add({0, 0, leg.from, leg.to, weak, false, r});
    add_reversal(r + 1);
    if (r + 1 < reversals_.size()) model_.step(scratch_, leg.target, 0, scratch_);
  }
}

PeriodicJoint::Leg PeriodicJoint::leg_after(std::size_t reversal) const {
  const std::size_t count = reversals_.size(), next = (reversal + 1) % count;
  return {reversals_[reversal], reversals_[next] + (reversal + 1 < count ? 0 : 2 * pi),
          turning_values_[next], turning_values_[next] > turning_values_[reversal] ? 1 : -1};
}

/// The next kink on the leg; false if there is none before its end.
bool PeriodicJoint::find_kink(const Eigen::VectorXd& q, const Leg& leg, KinkAhead& ahead) const {
  constexpr int most_kinks = 100000;
  ahead.u = model_.next_kink(scratch_, leg.direction);
  if (leg.kinks == most_kinks || !(leg.direction * (leg.target - ahead.u) > 0)) return false;
  ahead.theta = root_between(leg.from, leg.to, leg.direction > 0, [&](double x) {
    const FourierPoint p = fourier_point(q, x);
    return RootValue{p.value - ahead.u, p.slope};
  });
  return true;
}

/// Goes to the kink and looks whether the tangent jumps there.
void PeriodicJoint::pass(Leg& leg, KinkAhead& ahead) {
  // Laws of many sliders have many kinks, all of the same kind and close to each other.
  const bool look = options_.level == 0 && (leg.kinks == 0 || ahead.theta - leg.from > 0.2);
  const double near = 1e-7 * (leg.target - ahead.u);
  const auto go = [&](double u, AnyState& to) { return model_.step(scratch_, u, 0, to).tangent; };
  const double before = look ? go(ahead.u - near, piece_walk_) : 0;
  go(ahead.u, scratch_);
  const double after = look ? go(ahead.u + near, piece_walk_) : 0;
  ahead.weak =
      look && std::abs(after - before) <= 1e-3 * std::max(std::abs(after), std::abs(before));
  leg.from = std::max(leg.from, ahead.theta);
  ++leg.kinks;
}

/// How many nodes a piece needs for 3e-10 of the largest force. The force over the piece is a sum
/// of Legendre's polynomials; those below the number of nodes N are known, and their decay tells
/// the order K at which they no longer count. The rule is exact to the order 2N − 1, of which the
/// Fourier functions and the crowding of the nodes take their part.
std::size_t PeriodicJoint::missing_nodes(const Piece& piece, std::size_t place) const {
  constexpr double tolerance = 3e-10;
  if (piece.count < 8 || piece.count >= most_gauss_nodes) return piece.count;
  const GaussRule& rule = gauss(static_cast<int>(piece.count));
  const auto n = static_cast<Eigen::Index>(piece.count);
  const Eigen::VectorXd::ConstMapType f(loop_.f.data() + place, n), u(loop_.u.data() + place, n);
  const double middle = (rule.middle * f).cwiseAbs().maxCoeff();
  // A force along the displacement is a Fourier sum, for which there are nodes enough.
  const double along = (f[n - 1] - f[0]) / (u[n - 1] - u[0]);
  const double tail = std::min((rule.tail * f).cwiseAbs().maxCoeff(),
                               (rule.tail * (f - along * u)).cwiseAbs().maxCoeff());
  const double ratio = tail / (tolerance * largest_force_);
  if (!(ratio > 1)) return piece.count;
  const double nodes = static_cast<double>(n);
  const double decay =
      std::log(std::max(middle / tail, 1.01)) / (nodes - 2 - std::floor(nodes / 2));
  const double order = nodes - 2 + std::log(ratio) / decay;
  const double functions = harmonics_ * (piece.to - piece.from);
  const double wanted = piece.weak_start || piece.weak_end ? 0.5 * (order + 2 + 0.57 * functions)
                                                           : 0.5 * (order + 3 + 0.5 * functions);
  if (wanted <= 1.1 * nodes) return piece.count;
  return static_cast<std::size_t>(std::min<double>(most_gauss_nodes, std::ceil(wanted)));
}

/// Gives the pieces that need it more nodes and goes over them again.
bool PeriodicJoint::refine(const Eigen::VectorXd& q, bool with_jacobian) {
  std::vector<std::size_t> counts;
  std::size_t place = 0;
  bool enough = true;
  for (const double f : loop_.f) largest_force_ = std::max(largest_force_, std::abs(f));
  for (const Piece& piece : pieces_) {
    counts.push_back(missing_nodes(piece, place));
    place += piece.count;
    enough = enough && counts.back() == piece.count;
  }
  if (enough) return true;
  const std::vector<Piece> before = pieces_;
  move_nodes(counts);
  move_results(before);
  for (std::size_t i = 0; i < nodes_.size(); ++i)
    if (nodes_[i].reversal >= 0) fill_node(q, i);
  place = 0;
  for (std::size_t p = 0; p < pieces_.size(); place += pieces_[p++].count) {
    if (pieces_[p].count == before[p].count) continue;
    for (std::size_t i = 0; i < pieces_[p].count; ++i) fill_node(q, pieces_[p].first + i);
    if (!run_piece(pieces_[p], place, with_jacobian)) return false;
  }
  return true;
}

void PeriodicJoint::move_nodes(const std::vector<std::size_t>& counts) {
  const std::vector<Node> old = std::move(nodes_);
  nodes_.clear();
  counted_.clear();
  std::size_t leg = 0, kink = 0;
  for (std::size_t p = 0; p < pieces_.size(); ++p) {
    Piece& piece = pieces_[p];
    for (; leg < piece.reversal; ++leg) add_reversal(leg + 1);
    for (; kink < kinks_.size() && kinks_[kink].node <= piece.first; ++kink)
      kinks_[kink].node = nodes_.size();
    const auto same = old.begin() + static_cast<std::ptrdiff_t>(piece.first);
    piece.first = nodes_.size();
    if (piece.count == counts[p]) {
      nodes_.insert(nodes_.end(), same, same + static_cast<std::ptrdiff_t>(piece.count));
    } else {
      piece.count = counts[p];
      add_nodes(piece);
    }
    for (std::size_t i = 0; i < piece.count; ++i) counted_.push_back(piece.first + i);
  }
  for (; leg < reversals_.size(); ++leg) add_reversal(leg + 1);
}

/// What is known of pieces that kept their nodes goes where these are now.
void PeriodicJoint::move_results(const std::vector<Piece>& before) {
  const auto index = [](std::size_t i) { return static_cast<Eigen::Index>(i); };
  const Loop old = std::move(loop_);
  resize_loop();
  old_basis_.swap(basis_);
  old_memory_.swap(memory_);
  basis_.resize(index(nodes_.size()), old_basis_.cols());
  memory_.resize(index(counted_.size()), old_memory_.cols());
  std::size_t from = 0, to = 0;
  for (std::size_t p = 0; p < before.size(); from += before[p].count, to += pieces_[p++].count) {
    const std::size_t count = before[p].count;
    if (pieces_[p].count != count) continue;
    basis_.middleRows(index(pieces_[p].first), index(count)) =
        old_basis_.middleRows(index(before[p].first), index(count));
    if (old_memory_.rows() > 0)
      memory_.middleRows(index(to), index(count)) =
          old_memory_.middleRows(index(from), index(count));
    for (std::size_t i = 0; i < count; ++i)
      record(to + i, nodes_[pieces_[p].first + i], old.f[from + i], old.tangent[from + i]);
  }
}

/// From the closed loop to the piece and over it.
bool PeriodicJoint::run_piece(const Piece& piece, std::size_t place, bool with_jacobian) {
  if (!with_jacobian) {
    scratch_.get().assign(state_.get());
    for (std::size_t r = 1; r <= piece.reversal; ++r)
      model_.step(scratch_, turning_values_[r], 0, scratch_);
    for (std::size_t i = 0; i < piece.count; ++i) {
      const Node& node = nodes_[piece.first + i];
      const Response<double> reply = model_.step(scratch_, node.u, 0, scratch_);
      if (reply.status != Status::ok) result_.status = reply.status;
      record(place + i, node, reply.force, reply.tangent);
    }
    return result_.status == Status::ok;
  }
  dual_state_.get().assign(dual_closed_.get());
  dual_u_.clear();
  for (std::size_t r = 1; r <= piece.reversal; ++r)
    dual_u_.push_back(turning(r, static_cast<Eigen::Index>(r), dual_width - 1));
  for (std::size_t i = 0; i < piece.count; ++i)
    dual_u_.emplace_back(nodes_[piece.first + i].u, dual_width - 1);
  dual_f_.resize(dual_u_.size());
  result_.status = dual_.run({}, dual_u_, dual_state_, dual_f_);
  for (std::size_t i = 0; i < piece.count; ++i)
    keep(place + i, nodes_[piece.first + i], dual_f_[piece.reversal + i], 0);
  return result_.status == Status::ok;
}

}  // namespace microslip::dynamics
