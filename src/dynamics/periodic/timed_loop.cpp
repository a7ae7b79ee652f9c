#include "dynamics/periodic/timed_loop.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "dynamics/periodic/closed_state.hpp"
#include "dynamics/periodic/gauss.hpp"
#include "microslip/numerics/dense.hpp"

namespace microslip::dynamics {
namespace {

constexpr double pi = std::numbers::pi;
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr int nodes_of_period = 256;

}  // namespace

void TimedLoop::add_leg(double from, double to) {
  // Between nodes such a law sees a straight line in time, so their distance is what counts.
  const GaussRule& rule = gauss(8);
  const double share =
      nodes_of_period * std::pow(2.0, period_.options.level) * (to - from) / (2 * pi);
  // Rounded so that legs of half a period do not flip between two numbers of parts.
  const int parts = std::max(1, static_cast<int>(share / 8 + 0.75));
  const double half = 0.5 * (to - from) / parts;
  for (int part = 0; part < parts; ++part)
    for (std::size_t i = 0; i < rule.x.size(); ++i)
      period_.nodes.push_back({from + half * (2 * part + 1 + rule.x[i]), half * rule.w[i], 0});
}

void TimedLoop::plan_legs() {
  period_.nodes.clear();
  const std::size_t legs =
      period_.odd ? motion_.reversals().size() / 2 : motion_.reversals().size();
  for (std::size_t r = 0; r < legs; ++r) {
    const PeriodicMotion::Leg leg = motion_.leg_after(r);
    add_leg(leg.from, leg.to);
    period_.add_reversal(r + 1);
  }
  // The other half has the same nodes.
  for (std::size_t i = 0, half = period_.nodes.size(), r = legs; period_.odd && i < half; ++i) {
    if (period_.nodes[i].reversal >= 0)
      period_.add_reversal(++r);
    else
      period_.nodes.push_back({period_.nodes[i].theta + pi, period_.nodes[i].weight, 0});
  }
}

void TimedLoop::plan_samples() {
  period_.nodes.clear();
  const double step = 2 * pi / period_.options.samples;
  for (int i = 1; i <= period_.options.samples; ++i) period_.nodes.push_back({i * step, step, 0});
}

double TimedLoop::time_to(std::size_t node, double omega) const {
  const double before =
      node > 0 ? period_.nodes[node - 1].theta : period_.nodes.back().theta - 2 * pi;
  return (period_.nodes[node].theta - before) / omega;
}

/// Short against the distance of nodes, and long enough for the digits of a velocity.
double TimedLoop::probe_time(double omega) const {
  return 1e-3 * 2 * pi / (omega * nodes_of_period);
}

/// The force of a rate-dependent law depends on the velocity at the node, not on the average
/// velocity of the step that led there. So the law runs a very short time ahead of the nodes, and a
/// step over that time, at the right velocity, asks for the force.
double TimedLoop::force_at(std::size_t node, double omega) {
  return law_.model.step(law_.state, period_.nodes[node].u, probe_time(omega), law_.scratch).force;
}

/// Once over the nodes from where the law is; of an odd loop over half of them, which tell the
/// others. Leaves the forces in the loop if they are wanted.
bool TimedLoop::run_nodes(double omega, bool with_forces) {
  const bool asked = period_.rate_dependent;
  const double probe = probe_time(omega);
  const std::size_t end = period_.odd ? period_.nodes.size() / 2 : period_.nodes.size();
  period_.result.energy = 0;
  std::size_t place = 0;
  for (std::size_t i = 0; i < end; ++i) {
    const JointPeriod::Node& node = period_.nodes[i];
    const double ahead = asked ? period_.slopes[static_cast<Eigen::Index>(i)] * omega * probe : 0.0;
    if (!period_.advance(node.u - ahead, time_to(i, omega))) return false;
    if (node.reversal >= 0 || !with_forces) continue;
    const double force = asked ? force_at(i, omega) : period_.forces.back();
    if (period_.odd)
      period_.record(place + period_.counted.size() / 2, period_.nodes[end + i], -force, 0);
    period_.record(place++, node, force, 0);
  }
  period_.forces.clear();
  if (period_.odd) period_.result.energy *= 2;
  return true;
}

bool TimedLoop::solve_period(double omega) {
  if (period_.result.status != Status::ok || !law_.find_numbers(period_.odd)) return false;
  const auto size = static_cast<Eigen::Index>(law_.numbers.size()) - 1;
  if (law_.mirror.size() != size) law_.find_mirror(motion_.turning_values().front());
  const Eigen::VectorXd mirror = period_.odd ? law_.mirror : Eigen::VectorXd::Ones(size);
  law_.dual_closed.get().assign(law_.dual_rest.get());
  for (const double u : law_.before)
    law_.dual.step(law_.dual_closed, WideDual(u), infinity, law_.dual_closed);
  law_.dual.step(law_.dual_closed, WideDual(motion_.turning_values().front()), infinity,
                 law_.dual_closed);
  times_.resize(period_.nodes.size());
  for (std::size_t i = 0; i < period_.nodes.size(); ++i) times_[i] = time_to(i, omega);
  begin_state_.get().assign(law_.state.get());
  period_.found = (solve_from_last(omega, mirror) && check_period(omega, mirror)) ||
                  (solve_from_rest(omega, mirror) && check_period(omega, mirror));
  if (period_.found) return true;
  law_.state.get().assign(begin_state_.get());
  period_.result.status = Status::ok;
  period_.forces.clear();
  kept_.found = false;
  return false;
}

/// The law at the begin of the period; what no number tells is as on the way from rest.
void TimedLoop::go_to_begin() {
  law_.state.get().assign(begin_state_.get());
  for (Eigen::Index i = 0; i < begin_.size(); ++i)
    *law_.numbers[static_cast<std::size_t>(i) + 1] = begin_[i];
}

/// Newton's method, from the first period.
bool TimedLoop::solve_from_rest(double omega, const Eigen::VectorXd& mirror) {
  constexpr int most_steps = 20;
  period_.result.status = Status::ok;
  law_.state.get().assign(begin_state_.get());
  if (!run_nodes(omega, false)) return false;
  begin_ = mirror.cwiseProduct(law_.state_numbers());
  const Eigen::VectorXd reference = begin_;
  end_.resize(begin_.size());
  double before = infinity;
  for (int step = 0; step < most_steps; ++step) {
    if (!run_period_by_duals(omega, false)) return false;
    const Eigen::VectorXd missing = end_ - mirror.cwiseProduct(begin_);
    Eigen::MatrixXd slope = by_begin_;
    slope.diagonal() -= mirror;
    const Eigen::VectorXd units = units_of(begin_, end_);
    const Eigen::VectorXd change =
        period_.odd ? Eigen::VectorXd(-dense::solve(slope, missing))
                    : Eigen::VectorXd(closed_state(slope, missing, reference - begin_, units));
    if (!change.allFinite()) return false;
    begin_ += change;
    const double largest = change.cwiseQuotient(units).lpNorm<Eigen::Infinity>();
    if (largest <= 1e-8) return true;  // the next would be the square of this
    if (step > 4 && !(largest < before)) return false;
    before = largest;
  }
  return false;
}

/// From the last solution, moved with the motion and ω. Its slopes serve again, so that the law
/// goes on plain numbers. False where this converges slowly.
bool TimedLoop::solve_from_last(double omega, const Eigen::VectorXd& mirror) {
  constexpr int most_steps = 10;
  const bool known = kept_.found && kept_.odd == period_.odd &&
                     kept_.nodes == period_.nodes.size() && kept_.begin.size() == mirror.size();
  if (!known) return false;
  begin_ = kept_.begin + kept_.by_motion * (motion_.q() - kept_.q) +
           (omega - kept_.omega) * kept_.by_omega;
  const dense::Lu factors(kept_.slope);
  double before = 1;
  for (int step = 0; step < most_steps; ++step) {
    go_to_begin();
    if (!run_nodes(omega, false)) return false;
    end_ = law_.state_numbers();
    const Eigen::VectorXd units = units_of(begin_, end_);
    const Eigen::VectorXd change = factors.solve(end_ - mirror.cwiseProduct(begin_));
    if (!change.allFinite()) return false;
    begin_ -= change;
    const double largest = change.cwiseQuotient(units).lpNorm<Eigen::Infinity>();
    if (largest <= 1e-14) return true;
    const double shrinks = step > 0 ? largest / before : 1;
    if (shrinks * largest <= 1e-15) return true;             // what is left after this change
    if (step > 0 && shrinks > 0.3) return largest <= 1e-12;  // rounding
    before = largest;
  }
  return false;
}

bool TimedLoop::check_period(double omega, const Eigen::VectorXd& mirror) {
  go_to_begin();
  if (!run_nodes(omega)) return false;
  const Eigen::VectorXd open = law_.state_numbers() - mirror.cwiseProduct(begin_);
  const Eigen::VectorXd units = units_of(begin_, end_);
  period_.result.rounds = 1;
  if (!period_.odd) {
    Eigen::MatrixXd slope = by_begin_.leftCols(begin_.size());
    slope.diagonal() -= mirror;
    double largest = 0;
    for (const double f : period_.loop.f) largest = std::max(largest, std::abs(f));
    period_.result.mean_noise = largest * rounding_of_closed_state(slope, units);
  }
  if (!(open.cwiseQuotient(units).lpNorm<Eigen::Infinity>() <= 10 * slowest_fading)) return false;
  return !law_.memory_grows || second_half_mirrors(omega);
}

/// Whether the law, which remembers reversals beside its numbers, answers the second half of an odd
/// motion with the mirrored forces of the first.
bool TimedLoop::second_half_mirrors(double omega) {
  const double energy = period_.result.energy, probe = probe_time(omega);
  const std::size_t half = period_.loop.f.size() / 2;
  double largest = 0, change = 0;
  std::size_t place = half;
  for (std::size_t i = period_.nodes.size() / 2; i < period_.nodes.size(); ++i) {
    const double ahead =
        period_.rate_dependent ? period_.slopes[static_cast<Eigen::Index>(i)] * omega * probe : 0;
    if (!period_.advance(period_.nodes[i].u - ahead, time_to(i, omega))) return false;
    if (period_.nodes[i].reversal >= 0) continue;
    const double force = period_.rate_dependent ? force_at(i, omega) : period_.forces.back();
    largest = std::max(largest, std::abs(force));
    change = std::max(change, std::abs(force - period_.loop.f[place++]));
  }
  period_.forces.clear();
  period_.result.energy = energy;
  return change <= 100 * slowest_fading * largest;
}

void TimedLoop::run_every_node(double omega) {
  const bool symmetric = period_.odd && period_.options.rule == Rule::event_exact;
  // Where the other half is mirrored, the law has to be, too.
  period_.odd = false;
  std::vector<double> last;
  for (int round = 1;; ++round) {
    if (!run_nodes(omega)) return;
    period_.result.rounds = round;
    const std::size_t half = period_.loop.f.size() / 2;
    for (std::size_t k = 0; symmetric && k < half; ++k) {
      period_.loop.f[k] = 0.5 * (period_.loop.f[k] - period_.loop.f[half + k]);
      period_.loop.f[half + k] = -period_.loop.f[k];
    }
    double change = 0;
    double largest = 0;
    for (std::size_t k = 0; k < period_.loop.f.size(); ++k) {
      largest = std::max(largest, std::abs(period_.loop.f[k]));
      if (!last.empty()) change = std::max(change, std::abs(period_.loop.f[k] - last[k]));
    }
    // Probing the velocity leaves rounding noise of about 1e-11.
    const double closure = std::max(period_.options.closure, period_.rate_dependent ? 1e-10 : 0);
    const bool closed = !last.empty() && change <= closure * largest;
    if (!closed && round < period_.options.most_rounds) {
      last = period_.loop.f;
      continue;
    }
    period_.result.closed = closed;
    period_.odd = symmetric;
    return;
  }
}

}  // namespace microslip::dynamics
