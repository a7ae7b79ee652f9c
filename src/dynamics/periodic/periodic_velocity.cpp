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

/// Rate-dependent laws in a periodic motion: their force at a place and a velocity.
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

/// The force of a rate-dependent law depends on the velocity at the node, not on the average
/// velocity of the step that led there. So the law runs a very short time ahead of the nodes, and a
/// step over that time, at the right velocity, asks for the force.
double PeriodicJoint::force_at(std::size_t node, double omega) {
  return model_.step(state_, nodes_[node].u, probe_time(omega), scratch_).force;
}

/// Once over the nodes from where the law is; of an odd loop over half of them, which tell the
/// others. Leaves the forces in the loop.
bool PeriodicJoint::run_nodes(double omega) {
  const bool asked = rate_dependent();
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
  begin_state_.get().assign(state_.get());
  const auto give_up = [&] {
    state_.get().assign(begin_state_.get());
    result_.status = Status::ok;
    forces_.clear();
    return false;
  };
  if (!run_nodes(omega)) return give_up();
  begin_ = mirror.cwiseProduct(numbers());
  const Eigen::VectorXd reference = begin_;
  end_.resize(size);
  double before = infinity;
  for (int step = 0;; ++step) {
    if (step == most_steps) return give_up();
    if (!run_period_by_duals(omega, false)) return give_up();
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
  state_.get().assign(begin_state_.get());
  for (Eigen::Index i = 0; i < size; ++i) *numbers_[static_cast<std::size_t>(i) + 1] = begin_[i];
  if (!run_nodes(omega)) return give_up();
  const Eigen::VectorXd open = numbers() - mirror.cwiseProduct(begin_);
  const Eigen::VectorXd units = units_of(begin_, end_);
  result_.rounds = 1;
  if (!odd_) {
    Eigen::MatrixXd slope = by_begin_;
    slope.diagonal() -= mirror;
    double largest = 0;
    for (const double f : loop_.f) largest = std::max(largest, std::abs(f));
    result_.mean_noise = largest * rounding_of_closed_state(slope, units);
  }
  if (!(open.cwiseQuotient(units).lpNorm<Eigen::Infinity>() <= 10 * slowest_fading))
    return give_up();
  return found_ = true;
}

/// One step of the law on dual numbers from dual_state_, which it moves on: what is at its end, and
/// its force, by the numbers of the state, by the displacement it began at and by the one it ends
/// at. So few seeds are enough however many harmonics there are; the rest is the chain rule.
bool PeriodicJoint::step_by_duals(double u, double dt, bool move) {
  const auto size = static_cast<Eigen::Index>(dual_numbers_.size()) - 1;
  step_slopes_.resize(size, size + 2);
  force_slopes_.resize(size + 2);
  for (Eigen::Index chunk = 0; chunk < size + 2; chunk += dual_width) {
    const Eigen::Index width = std::min<Eigen::Index>(dual_width, size + 2 - chunk);
    const auto seed = [&](WideDual& number, Eigen::Index place) {
      number.v.setZero();
      if (place >= chunk && place < chunk + width) number.v[place - chunk] = 1;
    };
    for (Eigen::Index i = 0; i < size; ++i)
      seed(*dual_numbers_[static_cast<std::size_t>(i) + 1], i);
    seed(*dual_numbers_[0], size);
    WideDual target(u);
    seed(target, size + 1);
    const Response<WideDual> reply = dual_.step(dual_state_, target, dt, dual_scratch_);
    if (reply.status != Status::ok) return false;
    force_slopes_.segment(chunk, width) = reply.force.v.head(width);
    for (Eigen::Index i = 0; move && i < size; ++i)
      step_slopes_.row(i).segment(chunk, width) =
          dual_scratch_numbers_[static_cast<std::size_t>(i) + 1]->v.head(width).transpose();
  }
  if (move) dual_state_.get().assign(dual_scratch_.get());
  return true;
}

/// The numbers of a state and its displacement by everything that moves, taken along a step.
struct PeriodicJoint::Sensitivity {
  Eigen::MatrixXd numbers;
  Eigen::RowVectorXd u;

  Eigen::RowVectorXd force(const Eigen::VectorXd& slopes, const Eigen::RowVectorXd& to) const {
    const Eigen::Index size = numbers.rows();
    return slopes.head(size).transpose() * numbers + slopes[size] * u + slopes[size + 1] * to;
  }
  void move(const Eigen::MatrixXd& slopes, const Eigen::RowVectorXd& to) {
    const Eigen::Index size = numbers.rows();
    numbers =
        (slopes.leftCols(size) * numbers + slopes.col(size) * u + slopes.col(size + 1) * to).eval();
    u = to;
  }
};

/// Over the nodes from dual_state_, with the sensitivities at its begin, whose last columns are the
/// coefficients of the motion if there are any. Forces by all of these go to by_numbers_ if wanted.
bool PeriodicJoint::run_by_duals(double omega, Sensitivity& at, bool with_forces) {
  const std::size_t count = odd_ ? nodes_.size() / 2 : nodes_.size();
  const bool asked = rate_dependent();
  const double probe = probe_time(omega);
  const Eigen::Index functions = std::min(fourier_size(harmonics_), at.numbers.cols());
  const bool moves = at.numbers.cols() > begin_.size() || functions == fourier_size(harmonics_);
  Eigen::RowVectorXd to = Eigen::RowVectorXd::Zero(at.numbers.cols()), ahead = to;
  Eigen::Index place = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const auto row = static_cast<Eigen::Index>(i);
    if (moves) to.tail(functions) = basis_.row(row);
    ahead = to;
    double u = nodes_[i].u;
    if (asked) {
      u -= slopes_[row] * omega * probe;
      if (moves) ahead.tail(functions) -= omega * probe * slope_basis_.row(row);
    }
    if (!step_by_duals(u, times_[i], true)) return false;
    const bool counts = with_forces && nodes_[i].reversal < 0;
    if (counts && !asked) by_numbers_.row(place++) = at.force(force_slopes_, ahead);
    at.move(step_slopes_, ahead);
    if (!counts || !asked) continue;
    if (!step_by_duals(nodes_[i].u, probe, false)) return false;
    by_numbers_.row(place++) = at.force(force_slopes_, to);
  }
  return true;
}

/// From begin_ over the nodes to end_, with its derivatives: by the numbers of the state and, where
/// the forces are wanted too, by the coefficients of the motion.
bool PeriodicJoint::run_period_by_duals(double omega, bool with_forces) {
  const Eigen::Index size = begin_.size();
  const Eigen::Index functions = with_forces ? fourier_size(harmonics_) : 0;
  Sensitivity at{Eigen::MatrixXd::Zero(size, size + functions),
                 Eigen::RowVectorXd::Zero(size + functions)};
  at.numbers.leftCols(size).setIdentity();
  if (with_forces) {
    Eigen::VectorXd row(functions);
    fourier_row(reversals_.front(), harmonics_, row);
    at.u.tail(functions) = row.transpose();
  }
  dual_state_.get().assign(dual_closed_.get());
  *dual_numbers_[0] = WideDual(turning_values_.front());
  for (Eigen::Index i = 0; i < size; ++i)
    *dual_numbers_[static_cast<std::size_t>(i) + 1] = WideDual(begin_[i]);
  if (!run_by_duals(omega, at, with_forces)) return false;
  for (Eigen::Index i = 0; i < size; ++i)
    end_[i] = dual_numbers_[static_cast<std::size_t>(i) + 1]->a;
  by_begin_ = at.numbers;
  return true;
}

/// The begin of the first period from rest by the coefficients of the motion: what a memory keeps
/// that does not fade.
bool PeriodicJoint::reference_by_duals(double omega, Eigen::MatrixXd& by_motion) {
  const Eigen::Index functions = fourier_size(harmonics_);
  dual_state_.get().assign(dual_rest_.get());
  for (const double u : before_) dual_.step(dual_state_, WideDual(u), infinity, dual_state_);
  Sensitivity at{Eigen::MatrixXd::Zero(begin_.size(), functions),
                 Eigen::RowVectorXd::Zero(functions)};
  Eigen::VectorXd row(functions);
  fourier_row(reversals_.front(), harmonics_, row);
  if (!step_by_duals(turning_values_.front(), infinity, true)) return false;
  at.move(step_slopes_, row.transpose());
  if (!run_by_duals(omega, at, false)) return false;
  by_motion = at.numbers;
  return true;
}

/// One period by the numbers of its begin and by the coefficients of the motion, and the begin of
/// the closed loop by these, as in close_half_derivatives.
void PeriodicJoint::jacobian_of_period(double omega) {
  const Eigen::Index size = begin_.size(), functions = fourier_size(harmonics_);
  const auto counted = static_cast<Eigen::Index>(odd_ ? counted_.size() / 2 : counted_.size());
  by_numbers_.resize(counted, size + functions);
  Eigen::MatrixXd reference;
  if (!run_period_by_duals(omega, true) || !reference_by_duals(omega, reference)) {
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
  find_slope_by_omega(omega, slope, units);
}

/// By ω: the law has no derivative by time, so the same period goes once more from the same begin
/// at another speed. What that leaves open moves the begin.
void PeriodicJoint::find_slope_by_omega(double omega, const Eigen::MatrixXd& slope,
                                        const Eigen::VectorXd& units) {
  const Eigen::Index size = begin_.size();
  const double change = 1e-6 * omega;
  const std::vector<double> force = loop_.f;
  const double energy = result_.energy;
  const auto run = [&](double speed, Eigen::VectorXd& end) {
    state_.get().assign(begin_state_.get());
    for (Eigen::Index i = 0; i < size; ++i) *numbers_[static_cast<std::size_t>(i) + 1] = begin_[i];
    const bool ok = run_nodes(speed);
    end.resize(size);
    for (Eigen::Index i = 0; i < size; ++i) end[i] = *numbers_[static_cast<std::size_t>(i) + 1];
    return ok;
  };
  Eigen::VectorXd faster;
  const bool ok = run(omega + change, faster);
  const std::vector<double> moved = loop_.f;
  loop_.f = force;
  result_.energy = energy;
  if (!ok) {
    result_.status = Status::ok;
    return;
  }
  const Eigen::VectorXd open = (faster - end_) / change;
  const Eigen::VectorXd begin =
      odd_ ? Eigen::VectorXd(-slope.partialPivLu().solve(open))
           : Eigen::VectorXd(closed_state(slope, open, Eigen::VectorXd::Zero(size), units));
  const Eigen::VectorXd by_begin = by_numbers_.leftCols(size) * begin;
  result_.by_omega = Eigen::VectorXd::Zero(fourier_size(harmonics_));
  for (Eigen::Index k = 0; k < by_begin.size(); ++k) {
    const auto place = static_cast<std::size_t>(k);
    result_.by_omega += (odd_ ? 2 : 1) * loop_.weight[place] *
                        ((moved[place] - force[place]) / change + by_begin[k]) *
                        basis_.row(static_cast<Eigen::Index>(counted_[place])).transpose();
  }
  result_.by_omega /= pi;
  result_.by_omega[0] /= 2;
}

/// Period after period until the force at every node repeats. Of an odd loop only the odd part of
/// the force counts: an offset that fades over many periods changes it in second order.
void PeriodicJoint::run_every_node(double omega) {
  const bool symmetric = odd_ && options_.rule == Rule::event_exact;
  // Where the other half is mirrored, the law has to be, too.
  odd_ = false;
  std::vector<double> last;
  for (int round = 1;; ++round) {
    if (!run_nodes(omega)) return;
    result_.rounds = round;
    const std::size_t half = loop_.f.size() / 2;
    for (std::size_t k = 0; symmetric && k < half; ++k) {
      loop_.f[k] = 0.5 * (loop_.f[k] - loop_.f[half + k]);
      loop_.f[half + k] = -loop_.f[k];
    }
    double change = 0;
    double largest = 0;
    for (std::size_t k = 0; k < loop_.f.size(); ++k) {
      largest = std::max(largest, std::abs(loop_.f[k]));
      if (!last.empty()) change = std::max(change, std::abs(loop_.f[k] - last[k]));
    }
    // Probing the velocity leaves rounding noise of about 1e-11.
    const double closure = std::max(options_.closure, rate_dependent() ? 1e-10 : 0);
    const bool closed = !last.empty() && change <= closure * largest;
    if (!closed && round < options_.most_rounds) {
      last = loop_.f;
      continue;
    }
    result_.closed = closed;
    odd_ = symmetric;
    return;
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
  const bool asked = rate_dependent();
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
    // An offset that fades slowly matters little for Newton's method.
    const int rounds = odd_ ? std::min(result_.rounds, 4) : result_.rounds;
    for (int round = 1; round < rounds; ++round) {
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
          rate_dependent()
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
