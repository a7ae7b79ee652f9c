#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "gauss.hpp"
#include "microslip/dynamics/fourier.hpp"
#include "microslip/dynamics/periodic_joint.hpp"
#include "root.hpp"

/// Laws that are asked for their force at a velocity: those that see time, and rigid friction that
/// creeps where it would stick.
namespace microslip::dynamics {
namespace {

constexpr double pi = std::numbers::pi;
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr int nodes_of_period = 256;

}  // namespace

/// Angles at which the velocity passes ±creep, and kinks of laws that see no time.
std::vector<double> PeriodicJoint::creep_limits(const Eigen::VectorXd& q, double omega) {
  std::vector<double> angles;
  if (!creeps()) return angles;
  if (!timed_) angles = kinks(q);
  for (const double limit : {options_.creep / omega, -options_.creep / omega})
    add_passages(q, limit, angles);
  // In the period that starts at the first reversal.
  for (double& angle : angles) {
    while (angle < reversals_.front()) angle += 2 * pi;
    while (angle > reversals_.front() + 2 * pi) angle -= 2 * pi;
  }
  std::sort(angles.begin(), angles.end());
  return angles;
}

std::vector<double> PeriodicJoint::kinks(const Eigen::VectorXd& q) {
  std::vector<double> angles;
  scratch_.get().assign(state_.get());
  for (std::size_t r = 0; r < reversals_.size(); ++r) {
    Leg leg = leg_after(r);
    for (KinkAhead ahead; find_kink(q, leg, ahead); pass(leg, ahead))
      angles.push_back(std::max(leg.from, ahead.theta));
    model_.step(scratch_, leg.target, 0, scratch_);
  }
  return angles;
}

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

void PeriodicJoint::plan_legs(const Eigen::VectorXd& q, double omega) {
  nodes_.clear();
  const std::vector<double> limits = creep_limits(q, omega);
  std::size_t passed = 0;
  const std::size_t count = reversals_.size();
  for (std::size_t r = 0; r < count; ++r) {
    double from = reversals_[r];
    const double to = r + 1 < count ? reversals_[r + 1] : reversals_[0] + 2 * pi;
    for (; passed < limits.size() && limits[passed] < to; ++passed) {
      if (!(limits[passed] > from)) continue;
      add_leg(from, limits[passed]);
      from = limits[passed];
    }
    add_leg(from, to);
    add_reversal(r + 1);
  }
}

double PeriodicJoint::time_to(std::size_t node, double omega) const {
  const double before = node > 0 ? nodes_[node - 1].theta : nodes_.back().theta - 2 * pi;
  return (nodes_[node].theta - before) / omega;
}

/// Short against the distance of nodes, which is small at the limits of creep, and long enough for
/// a velocity: only laws that see time need its digits.
double PeriodicJoint::probe_time(double omega) const {
  const double part = !timed_ ? 1e-6 : creeps() ? 1e-4 : 1e-3;
  return part * 2 * pi / (omega * nodes_of_period);
}

bool PeriodicJoint::creeps_at(std::size_t node, double omega) const {
  return creeps() && std::abs(slopes_[static_cast<Eigen::Index>(node)] * omega) < options_.creep;
}

/// The force of a law that sees time depends on the velocity at the node, not on the average
/// velocity of the step that led there. So the law runs a very short time ahead of the nodes, and a
/// step over that time, at the right velocity, asks for the force.
double PeriodicJoint::force_at(std::size_t node, double omega) {
  const double probe = probe_time(omega);
  const double u = nodes_[node].u;
  if (!creeps_at(node, omega)) return model_.step(state_, u, probe, scratch_).force;
  const double velocity = slopes_[static_cast<Eigen::Index>(node)] * omega;
  const double from = u - velocity * probe;
  const double way = options_.creep * probe;
  const double forth = model_.step(state_, from + way, probe, scratch_).force;
  const double back = model_.step(state_, from - way, probe, scratch_).force;
  return 0.5 * (forth + back) + 0.5 * (forth - back) * velocity / options_.creep;
}

void PeriodicJoint::run_every_node(double omega) {
  const bool asked = asks_velocity();
  const double probe = probe_time(omega);
  std::vector<double> last;
  for (int round = 1;; ++round) {
    result_.energy = 0;
    std::size_t place = 0;
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      const Node& node = nodes_[i];
      const double ahead = asked ? slopes_[static_cast<Eigen::Index>(i)] * omega * probe : 0.0;
      if (!advance(node.u - ahead, time_to(i, omega))) return;
      if (node.reversal >= 0) continue;
      record(place++, node, asked ? force_at(i, omega) : forces_.back(), 0);
    }
    forces_.clear();
    result_.rounds = round;
    double change = 0;
    double largest = 0;
    for (std::size_t k = 0; k < loop_.f.size(); ++k) {
      largest = std::max(largest, std::abs(loop_.f[k]));
      if (!last.empty()) change = std::max(change, std::abs(loop_.f[k] - last[k]));
    }
    // Probing the velocity leaves rounding noise of about 1e-11.
    if (!last.empty() && change <= std::max(options_.closure, asked ? 1e-10 : 0) * largest) return;
    if (round >= options_.most_rounds) {
      result_.closed = false;
      return;
    }
    last = loop_.f;
  }
}

/// No motion: the law goes to its place and answers small motions with its tangent, or, where it
/// creeps, with a force in proportion to their velocity.
void PeriodicJoint::rest_motion(double u, double omega, bool with_jacobian) {
  result_.coefficients.setZero(fourier_size(harmonics_));
  loop_ = {};
  state_.get().assign(rest_.get());
  forces_.clear();
  for (const double x : before_)
    if (!advance(x, infinity)) return;
  Response<double> reply = model_.step(state_, u, infinity, state_);
  double viscous = 0;
  if (creeps()) {
    const double probe = probe_time(omega);
    const double way = options_.creep * probe;
    const Response<double> forth = model_.step(state_, u + way, probe, scratch_);
    const Response<double> back = model_.step(state_, u - way, probe, scratch_);
    viscous = (forth.force - back.force) / (2 * options_.creep);
    reply.force = 0.5 * (forth.force + back.force);
    if (!timed_) reply.tangent = 0.5 * (forth.tangent + back.tangent);
  }
  result_.status = reply.status;
  result_.coefficients[0] = reply.force;
  result_.energy = 0;
  if (!with_jacobian) return;
  const Eigen::Index size = fourier_size(harmonics_);
  result_.jacobian = reply.tangent * Eigen::MatrixXd::Identity(size, size);
  for (int h = 1; h <= harmonics_; ++h) {
    result_.jacobian(2 * h - 1, 2 * h) += viscous * h * omega;
    result_.jacobian(2 * h, 2 * h - 1) -= viscous * h * omega;
  }
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

/// As force_at, with seeds.
WideDual PeriodicJoint::dual_force_at(std::size_t node, Eigen::Index chunk, double omega) {
  const double probe = probe_time(omega);
  if (!creeps_at(node, omega))
    return dual_.step(dual_state_, dual_probe_[node], probe, dual_scratch_).force;
  const Eigen::Index width = std::min<Eigen::Index>(dual_width, fourier_size(harmonics_) - chunk);
  const auto row = static_cast<Eigen::Index>(node);
  const double way = options_.creep * probe;
  const WideDual& from = dual_u_[node];
  const WideDual forth = dual_.step(dual_state_, from + way, probe, dual_scratch_).force;
  const WideDual back = dual_.step(dual_state_, from - way, probe, dual_scratch_).force;
  WideDual part(slopes_[row] * omega / options_.creep);
  part.v.head(width) =
      slope_basis_.row(row).segment(chunk, width).transpose() * (omega / options_.creep);
  return 0.5 * (forth + back) + 0.5 * (forth - back) * part;
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
      const WideDual force = asks_velocity() ? dual_force_at(i, chunk, omega) : there.force;
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
