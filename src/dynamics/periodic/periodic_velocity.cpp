#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "dynamics/continuation/root.hpp"
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
  for (std::size_t r = 0; r < reversals_.size(); ++r) {
    const Leg leg = leg_after(r);
    add_leg(leg.from, leg.to);
    add_reversal(r + 1);
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
