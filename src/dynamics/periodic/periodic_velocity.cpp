#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "dynamics/continuation/root.hpp"
#include "dynamics/periodic/closed_state.hpp"
#include "dynamics/periodic/gauss.hpp"
#include "microslip/dynamics/periodic/fourier.hpp"
#include "microslip/dynamics/periodic/periodic_joint.hpp"

/// Laws that see time are asked for their force at a velocity.
namespace microslip::dynamics {
namespace {

constexpr double pi = std::numbers::pi;
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr int nodes_of_period = 256;

}  // namespace

void PeriodicJoint::add_leg(double from, double to) {
  // Between nodes such a law sees a straight line in time, so their distance is what counts.
  const GaussRule& rule = gauss(8);
  const double share = nodes_of_period * std::pow(2.0, options_.level) * (to - from) / (2 * pi);
  // Rounded so that legs of half a period do not flip between two numbers of parts.
  const int parts = std::max(1, static_cast<int>(share / 8 + 0.75));
  const double half = 0.5 * (to - from) / parts;
  for (int part = 0; part < parts; ++part)
    for (std::size_t i = 0; i < rule.x.size(); ++i)
      nodes_.push_back({from + half * (2 * part + 1 + rule.x[i]), half * rule.w[i], 0});
}

void PeriodicJoint::plan_legs() {
  nodes_.clear();
  const std::size_t legs = odd_ ? reversals_.size() / 2 : reversals_.size();
  for (std::size_t r = 0; r < legs; ++r) {
    const Leg leg = leg_after(r);
    add_leg(leg.from, leg.to);
    add_reversal(r + 1);
  }
  // The other half has the same nodes.
  for (std::size_t i = 0, half = nodes_.size(), r = legs; odd_ && i < half; ++i) {
    if (nodes_[i].reversal >= 0)
      add_reversal(++r);
    else
      nodes_.push_back({nodes_[i].theta + pi, nodes_[i].weight, 0});
  }
}

double PeriodicJoint::time_to(std::size_t node, double omega) const {
  const double before = node > 0 ? nodes_[node - 1].theta : nodes_.back().theta - 2 * pi;
  return (nodes_[node].theta - before) / omega;
}

/// Short against the distance of nodes, and long enough for the digits of a velocity.
double PeriodicJoint::probe_time(double omega) const {
  return 1e-3 * 2 * pi / (omega * nodes_of_period);
}

/// The force of a law that sees time depends on the velocity at the node, not on the average
/// velocity of the step that led there. So the law runs a very short time ahead of the nodes, and a
/// step over that time, at the right velocity, asks for the force.
double PeriodicJoint::force_at(std::size_t node, double omega) {
  return model_.step(state_, nodes_[node].u, probe_time(omega), scratch_).force;
}

/// Once over the nodes from where the law is; of an odd loop over half of them, which tell the
/// others. Leaves the forces in the loop.
bool PeriodicJoint::run_nodes(double omega) {
  const bool asked = asks_velocity();
  const double probe = probe_time(omega);
  const std::size_t end = odd_ ? nodes_.size() / 2 : nodes_.size();
  result_.energy = 0;
  std::size_t place = 0;
  for (std::size_t i = 0; i < end; ++i) {
    const Node& node = nodes_[i];
    const double ahead = asked ? slopes_[static_cast<Eigen::Index>(i)] * omega * probe : 0.0;
    if (!advance(node.u - ahead, time_to(i, omega))) return false;
    if (node.reversal >= 0) continue;
    const double force = asked ? force_at(i, omega) : forces_.back();
    if (odd_) record(place + counted_.size() / 2, nodes_[end + i], -force, 0);
    record(place++, node, force, 0);
  }
  forces_.clear();
  if (odd_) result_.energy *= 2;
  return true;
}

/// Newton's method for the state that repeats after a period or, of an odd loop, is mirrored after
/// half of one. False where the state has no fixed numbers or a solution was not found.
bool PeriodicJoint::solve_period(double omega) {
  constexpr int most_steps = 20;
  if (result_.status != Status::ok || !find_state_numbers()) return false;
  const auto size = static_cast<Eigen::Index>(numbers_.size()) - 1;
  if (mirror_.size() != size) find_mirror(turning_values_.front());
  const Eigen::VectorXd mirror = odd_ ? mirror_ : Eigen::VectorXd::Ones(size);
  const auto numbers = [&] {
    Eigen::VectorXd values(size);
    for (Eigen::Index i = 0; i < size; ++i) values[i] = *numbers_[static_cast<std::size_t>(i) + 1];
    return values;
  };
  dual_closed_.get().assign(dual_rest_.get());
  for (const double u : before_) dual_.step(dual_closed_, WideDual(u), infinity, dual_closed_);
  dual_.step(dual_closed_, WideDual(turning_values_.front()), infinity, dual_closed_);
  times_.resize(nodes_.size());
  for (std::size_t i = 0; i < nodes_.size(); ++i) times_[i] = time_to(i, omega);
  AnyState arrived = state_;
  const auto give_up = [&] {
    state_.get().assign(arrived.get());
    result_.status = Status::ok;
    forces_.clear();
    return false;
  };
  if (!run_nodes(omega)) return give_up();
  begin_ = mirror.cwiseProduct(numbers());
  const Eigen::VectorXd reference = begin_;
  end_.resize(size);
  by_begin_.setZero(size, size);
  double before = infinity;
  for (int step = 0;; ++step) {
    if (step == most_steps) return give_up();
    for (Eigen::Index chunk = 0; chunk < size; chunk += dual_width)
      if (!run_period_by_duals(chunk, omega, false)) return give_up();
    const Eigen::VectorXd missing = end_ - mirror.cwiseProduct(begin_);
    Eigen::MatrixXd slope = by_begin_;
    slope.diagonal() -= mirror;
    const Eigen::VectorXd units = units_of(begin_, end_);
    const Eigen::VectorXd change =
        odd_ ? Eigen::VectorXd(-slope.partialPivLu().solve(missing))
             : Eigen::VectorXd(closed_state(slope, missing, reference - begin_, units));
    if (!change.allFinite()) return give_up();
    begin_ += change;
    const double largest = change.cwiseQuotient(units).lpNorm<Eigen::Infinity>();
    if (largest <= 1e-8) break;  // the next would be the square of this
    if (step > 4 && !(largest < before)) return give_up();
    before = largest;
  }
  state_.get().assign(arrived.get());
  for (Eigen::Index i = 0; i < size; ++i) *numbers_[static_cast<std::size_t>(i) + 1] = begin_[i];
  if (!run_nodes(omega)) return give_up();
  const Eigen::VectorXd open = numbers() - mirror.cwiseProduct(begin_);
  const Eigen::VectorXd units = units_of(begin_, end_);
  result_.rounds = 1;
  if (!(open.cwiseQuotient(units).lpNorm<Eigen::Infinity>() <= 10 * slowest_fading))
    return give_up();
  return found_ = true;
}

/// From begin_ over the nodes to end_, with a chunk of the derivatives: by the numbers of the state
/// and, where the forces are wanted too, by the coefficients of the motion.
bool PeriodicJoint::run_period_by_duals(Eigen::Index chunk, double omega, bool with_forces) {
  const Eigen::Index size = begin_.size(), columns = by_begin_.cols();
  const Eigen::Index width = std::min<Eigen::Index>(dual_width, columns - chunk);
  const std::size_t count = odd_ ? nodes_.size() / 2 : nodes_.size();
  const bool asked = asks_velocity();
  const double probe = probe_time(omega);
  Eigen::VectorXd row(fourier_size(harmonics_));
  // Seeds of a displacement: those of the coefficients that lie in the chunk.
  const auto seed = [&](WideDual& u, const auto& functions, double factor) {
    for (Eigen::Index k = std::max(chunk, size); k < chunk + width; ++k)
      u.v[k - chunk] += factor * functions[k - size];
  };
  dual_u_.resize(count);
  dual_probe_.resize(with_forces && asked ? count : 0);
  for (std::size_t i = 0; i < count; ++i) {
    const auto at = static_cast<Eigen::Index>(i);
    dual_u_[i] = WideDual(nodes_[i].u);
    seed(dual_u_[i], basis_.row(at), 1);
    if (!dual_probe_.empty()) dual_probe_[i] = dual_u_[i];
    if (!asked) continue;
    dual_u_[i].a -= slopes_[at] * omega * probe;
    seed(dual_u_[i], slope_basis_.row(at), -omega * probe);
  }
  dual_state_.get().assign(dual_closed_.get());
  fourier_row(reversals_.front(), harmonics_, row);
  *dual_numbers_[0] = WideDual(turning_values_.front());
  seed(*dual_numbers_[0], row, 1);
  for (Eigen::Index i = 0; i < size; ++i) {
    WideDual& number = *dual_numbers_[static_cast<std::size_t>(i) + 1];
    number = WideDual(begin_[i]);
    if (i >= chunk && i < chunk + width) number.v[i - chunk] = 1;
  }
  if (!with_forces) {
    dual_f_.resize(count);
    if (dual_.run({times_.data(), count}, dual_u_, dual_state_, dual_f_) != Status::ok)
      return false;
  }
  std::size_t place = 0;
  for (std::size_t i = 0; with_forces && i < count; ++i) {
    const Response<WideDual> there = dual_.step(dual_state_, dual_u_[i], times_[i], dual_state_);
    if (there.status != Status::ok) return false;
    if (nodes_[i].reversal >= 0) continue;
    const WideDual force =
        asked ? dual_.step(dual_state_, dual_probe_[i], probe, dual_scratch_).force : there.force;
    by_numbers_.row(static_cast<Eigen::Index>(place++)).segment(chunk, width) =
        force.v.head(width).transpose();
  }
  for (Eigen::Index i = 0; i < size; ++i) {
    const WideDual& number = *dual_numbers_[static_cast<std::size_t>(i) + 1];
    end_[i] = number.a;
    by_begin_.row(i).segment(chunk, width) = number.v.head(width).transpose();
  }
  return true;
}

/// The begin of the first period from rest by the coefficients of the motion: what a memory keeps
/// that does not fade.
bool PeriodicJoint::reference_by_duals(double omega, Eigen::MatrixXd& by_motion) {
  const Eigen::Index size = begin_.size(), functions = fourier_size(harmonics_);
  const std::size_t count = odd_ ? nodes_.size() / 2 : nodes_.size();
  by_motion.resize(size, functions);
  for (Eigen::Index chunk = 0; chunk < functions; chunk += dual_width) {
    const Eigen::Index width = std::min<Eigen::Index>(dual_width, functions - chunk);
    seeds_of_chunk(chunk, omega);
    dual_state_.get().assign(dual_rest_.get());
    for (const double u : before_) dual_.step(dual_state_, WideDual(u), infinity, dual_state_);
    WideDual first(turning_values_.front());
    Eigen::VectorXd row(functions);
    fourier_row(reversals_.front(), harmonics_, row);
    first.v.head(width) = row.segment(chunk, width);
    dual_.step(dual_state_, first, infinity, dual_state_);
    dual_f_.resize(count);
    if (dual_.run({times_.data(), count}, {dual_u_.data(), count}, dual_state_, dual_f_) !=
        Status::ok)
      return false;
    for (Eigen::Index i = 0; i < size; ++i)
      by_motion.row(i).segment(chunk, width) =
          dual_numbers_[static_cast<std::size_t>(i) + 1]->v.head(width).transpose();
  }
  return true;
}

/// One period with seeds at the numbers of its begin and at the coefficients of the motion, and the
/// begin of the closed loop by these, as in close_half_derivatives.
void PeriodicJoint::jacobian_of_period(double omega) {
  const Eigen::Index size = begin_.size(), functions = fourier_size(harmonics_);
  by_begin_.resize(size, size + functions);
  const auto counted = static_cast<Eigen::Index>(odd_ ? counted_.size() / 2 : counted_.size());
  by_numbers_.resize(counted, size + functions);
  for (Eigen::Index chunk = 0; chunk < by_begin_.cols(); chunk += dual_width)
    if (!run_period_by_duals(chunk, omega, true)) {
      result_.status = Status::not_converged;
      return;
    }
  Eigen::MatrixXd reference;
  if (!reference_by_duals(omega, reference)) {
    result_.status = Status::not_converged;
    return;
  }
  const Eigen::VectorXd units = units_of(begin_, end_);
  const Eigen::VectorXd mirror = odd_ ? mirror_ : Eigen::VectorXd::Ones(size);
  const Eigen::MatrixXd by_motion = by_begin_.rightCols(functions);
  Eigen::MatrixXd slope = by_begin_.leftCols(size), sum = slope;
  slope.diagonal() -= mirror;
  sum.diagonal() += mirror;
  Eigen::MatrixXd begin =
      odd_ ? closed_state(sum, by_motion, -(mirror.asDiagonal() * reference), units)
           : closed_state(slope, by_motion, reference, units);
  if (odd_) {
    const Eigen::MatrixXd by_odd = -slope.partialPivLu().solve(by_motion);
    for (Eigen::Index k = 1; k < functions; ++k)
      if (((k + 1) / 2) % 2 == 1) begin.col(k) = by_odd.col(k);
  }
  const Eigen::MatrixXd force =
      by_numbers_.rightCols(functions) + by_numbers_.leftCols(size) * begin;
  result_.jacobian.setZero(functions, functions);
  for (Eigen::Index k = 0; k < counted; ++k) {
    const auto place = static_cast<std::size_t>(k);
    result_.jacobian += (odd_ ? 2 : 1) * loop_.weight[place] *
                        basis_.row(static_cast<Eigen::Index>(counted_[place])).transpose() *
                        force.row(k);
  }
  result_.jacobian /= pi;
  result_.jacobian.row(0) /= 2;
}

/// Period after period until the force at every node repeats.
void PeriodicJoint::run_every_node(double omega) {
  // Where the other half is mirrored, the law has to be, too.
  odd_ = false;
  std::vector<double> last;
  for (int round = 1;; ++round) {
    if (!run_nodes(omega)) return;
    result_.rounds = round;
    double change = 0;
    double largest = 0;
    for (std::size_t k = 0; k < loop_.f.size(); ++k) {
      largest = std::max(largest, std::abs(loop_.f[k]));
      if (!last.empty()) change = std::max(change, std::abs(loop_.f[k] - last[k]));
    }
    // Probing the velocity leaves rounding noise of about 1e-11.
    const double closure = std::max(options_.closure, asks_velocity() ? 1e-10 : 0);
    if (!last.empty() && change <= closure * largest) return;
    if (round >= options_.most_rounds) {
      result_.closed = false;
      return;
    }
    last = loop_.f;
  }
}

/// No motion: the law goes to its place and answers small motions with its tangent.
void PeriodicJoint::rest_motion(double u, bool with_jacobian) {
  result_.coefficients.setZero(fourier_size(harmonics_));
  loop_ = {};
  state_.get().assign(rest_.get());
  forces_.clear();
  for (const double x : before_)
    if (!advance(x, infinity)) return;
  const Response<double> reply = model_.step(state_, u, infinity, state_);
  result_.status = reply.status;
  result_.coefficients[0] = reply.force;
  result_.energy = 0;
  if (!with_jacobian) return;
  const Eigen::Index size = fourier_size(harmonics_);
  result_.jacobian = reply.tangent * Eigen::MatrixXd::Identity(size, size);
}

/// Displacements with a seed for each of up to eight coefficients, and their probes.
void PeriodicJoint::seeds_of_chunk(Eigen::Index chunk, double omega) {
  const Eigen::Index width = std::min<Eigen::Index>(dual_width, fourier_size(harmonics_) - chunk);
  const double probe = probe_time(omega);
  const bool asked = asks_velocity();
  dual_u_.resize(nodes_.size());
  dual_probe_.resize(asked ? nodes_.size() : 0);
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const auto row = static_cast<Eigen::Index>(i);
    dual_u_[i] = WideDual(nodes_[i].u);
    dual_u_[i].v.head(width) = basis_.row(row).segment(chunk, width).transpose();
    if (!asked) continue;
    dual_probe_[i] = dual_u_[i];
    dual_u_[i].a -= slopes_[row] * omega * probe;
    dual_u_[i].v.head(width) -=
        slope_basis_.row(row).segment(chunk, width).transpose() * (omega * probe);
  }
}

void PeriodicJoint::jacobian_from_seeds(double omega) {
  const Eigen::Index size = fourier_size(harmonics_);
  result_.jacobian.setZero(size, size);
  std::vector<double> times(nodes_.size());
  for (std::size_t i = 0; i < nodes_.size(); ++i) times[i] = time_to(i, omega);
  dual_f_.resize(nodes_.size());
  for (Eigen::Index chunk = 0; chunk < size; chunk += dual_width) {
    const Eigen::Index width = std::min<Eigen::Index>(dual_width, size - chunk);
    seeds_of_chunk(chunk, omega);
    dual_state_.get().assign(dual_rest_.get());
    for (const double u : before_) dual_.step(dual_state_, WideDual(u), infinity, dual_state_);
    if (options_.rule == Rule::event_exact)
      dual_.step(dual_state_, dual_u_.back(), infinity, dual_state_);
    for (int round = 1; round < result_.rounds; ++round) {
      result_.status = dual_.run(times, dual_u_, dual_state_, dual_f_);
      if (result_.status != Status::ok) return;
    }
    std::size_t place = 0;
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      const Response<WideDual> there = dual_.step(dual_state_, dual_u_[i], times[i], dual_state_);
      if (there.status != Status::ok) {
        result_.status = there.status;
        return;
      }
      if (nodes_[i].reversal >= 0) continue;
      const WideDual force =
          asks_velocity()
              ? dual_.step(dual_state_, dual_probe_[i], probe_time(omega), dual_scratch_).force
              : there.force;
      result_.jacobian.middleCols(chunk, width) +=
          loop_.weight[place++] * basis_.row(static_cast<Eigen::Index>(i)).transpose() *
          force.v.head(width).transpose();
    }
  }
  // Fourier sums: 1/(2π) for the mean, 1/π for the others.
  result_.jacobian /= pi;
  result_.jacobian.row(0) /= 2;
}

}  // namespace microslip::dynamics
