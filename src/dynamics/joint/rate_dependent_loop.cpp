#include "dynamics/joint/rate_dependent_loop.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <utility>

#include "dynamics/fourier/gauss.hpp"
#include "dynamics/joint/closed_state.hpp"
#include "microslip/detail/numerics/constants.hpp"
#include "microslip/detail/numerics/dense.hpp"

namespace microslip::dynamics {
namespace {

constexpr int nodes_of_period = 256;

}  // namespace

void RateDependentLoop::add_leg(double from, double to) {
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

/// The law goes from stop to stop at constant velocity, so further stops lie between.
void RateDependentLoop::add_chords(double from) {
  if (chords_ == 1) return;
  const std::vector<JointPeriod::Node> stops = std::exchange(period_.nodes, {});
  for (const JointPeriod::Node& stop : stops) {
    for (int chord = 1; chord < chords_; ++chord)
      period_.nodes.push_back({from + (stop.theta - from) * chord / chords_, 0, 0});
    period_.nodes.push_back(stop);
    from = stop.theta;
  }
}

void RateDependentLoop::plan_legs() {
  period_.nodes.clear();
  const std::size_t legs =
      period_.odd ? motion_.reversals().size() / 2 : motion_.reversals().size();
  for (std::size_t r = 0; r < legs; ++r) {
    const PeriodicMotion::Leg leg = motion_.leg_after(r);
    add_leg(leg.from, leg.to);
    period_.add_reversal(r + 1);
  }
  add_chords(motion_.reversals().front());
  // The other half has the same nodes.
  for (std::size_t i = 0, half = period_.nodes.size(), r = legs; period_.odd && i < half; ++i) {
    if (period_.nodes[i].reversal >= 0)
      period_.add_reversal(++r);
    else
      period_.nodes.push_back({period_.nodes[i].theta + pi, period_.nodes[i].weight, 0});
  }
}

void RateDependentLoop::plan_samples() {
  period_.nodes.clear();
  const double step = 2 * pi / period_.options.samples;
  for (int i = 1; i <= period_.options.samples; ++i) period_.nodes.push_back({i * step, step, 0});
}

double RateDependentLoop::time_to(std::size_t node, double omega) const {
  const double before =
      node > 0 ? period_.nodes[node - 1].theta : period_.nodes.back().theta - 2 * pi;
  return (period_.nodes[node].theta - before) / omega;
}

/// Where the law is, at a node. The force of a law that depends on the rate is that at the velocity
/// of the node, not at the mean one of the step that led there.
bool RateDependentLoop::force_at(std::size_t node, double omega, double& force) {
  force = period_.forces.back();
  if (!period_.rate_dependent) return true;
  const double velocity = period_.slopes[static_cast<Eigen::Index>(node)] * omega;
  const ForceInMotion<double> reply = law_.model.force(law_.state, velocity);
  force = reply.force;
  period_.result.status = reply.status;
  return reply.status == Status::ok;
}

/// Once over the nodes from where the law is; of an odd loop over half of them, which tell the
/// others. Leaves the forces in the loop if they are wanted.
bool RateDependentLoop::run_nodes(double omega, bool with_forces) {
  const std::size_t end = period_.odd ? period_.nodes.size() / 2 : period_.nodes.size();
  period_.result.energy = 0;
  std::size_t place = 0;
  for (std::size_t i = 0; i < end; ++i) {
    const JointPeriod::Node& node = period_.nodes[i];
    if (!period_.advance(node.u, time_to(i, omega))) return false;
    if (!node.counts() || !with_forces) continue;
    double force = 0;
    if (!force_at(i, omega, force)) return false;
    if (period_.odd)
      period_.record(place + period_.counted.size() / 2, period_.nodes[end + i], -force, 0);
    period_.record(place++, node, force, 0);
  }
  period_.forces.clear();
  if (period_.odd) period_.result.energy *= 2;
  return true;
}

/// The matrix that turns the state at the begin of the period into that at its end. Of an odd loop half a period
/// is computed, and its end is the mirrored begin.
Eigen::MatrixXd RateDependentLoop::mirror_of(Eigen::Index size) {
  return period_.odd ? law_.mirror() : Eigen::MatrixXd::Identity(size, size);
}

bool RateDependentLoop::solve_period(double omega) {
  if (period_.result.status != Status::ok) return false;
  rounds_ = 1;
  if (!law_.find_numbers(period_.odd))
    return law_.memory_grows && !period_.odd && solve_with_reversals(omega);
  const auto size = static_cast<Eigen::Index>(law_.numbers.size()) - 1;
  const Eigen::MatrixXd mirror = mirror_of(size);
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

/// A law that remembers reversals, under a motion with a mean. The reversals of one period are those
/// of the next, so after a period or two the state remembers the same number of them at its end as at
/// its begin: older ones, which stay as they are, and those of the last period, whose numbers are
/// solved for with the others. Where the remembered reversals still change, marching goes on.
bool RateDependentLoop::solve_with_reversals(double omega) {
  constexpr int most_rounds = 16;
  times_.resize(period_.nodes.size());
  for (std::size_t i = 0; i < period_.nodes.size(); ++i) times_[i] = time_to(i, omega);
  AnyState before = law_.state;
  bool marches = run_nodes(omega, false);
  for (int wanted = 2; marches && wanted <= most_rounds; wanted *= 2) {
    for (; marches && rounds_ < wanted; ++rounds_) {
      before.get().assign(law_.state.get());
      marches = run_nodes(omega, false);
    }
    if (!marches || law_.grows_without_end(before)) break;
    begin_state_.get().assign(law_.state.get());
    // The last loop is near, and its state on dual numbers remembers as many reversals.
    for (const bool from_last : {true, false}) {
      law_.state.get().assign(begin_state_.get());
      period_.result.status = Status::ok;
      if (from_last)
        law_.dual_state.get().assign(law_.dual_closed.get());
      else if (!march_by_duals())
        break;
      if (!law_.find_numbers_with_reversals(before)) continue;
      begin_ = law_.state_numbers();
      const Eigen::MatrixXd same = Eigen::MatrixXd::Identity(begin_.size(), begin_.size());
      reference_ = begin_.head(begin_.size() - law_.older);
      if (from_last && !move_last(omega)) continue;
      if (solve_with_numbers(omega) && march_once(omega) && check_period(omega, same))
        return period_.found = true;
    }
    period_.result.status = Status::ok;
    law_.state.get().assign(begin_state_.get());
  }
  period_.result.status = Status::ok;
  period_.result.mean_noise = 0;
  period_.start();
  period_.forces.clear();
  kept_.found = false;
  return false;
}

/// Numbers that follow from others (energies, forces of reversals) fit them after one more period; the
/// others stay as they were solved for.
bool RateDependentLoop::march_once(double omega) {
  go_to_begin();
  if (!run_nodes(omega, false) || !law_.find_again()) return false;
  begin_ = law_.state_numbers();
  return true;
}

/// Leaves in law_.dual_closed a state that remembers as many reversals as the one marching came to.
bool RateDependentLoop::march_by_duals() {
  law_.dual_state.get().assign(law_.dual_rest.get());
  const auto go = [&](double u, double dt) {
    return law_.dual.step(law_.dual_state, WideDual(u), dt, law_.dual_state).status == Status::ok;
  };
  for (const double u : law_.before)
    if (!go(u, infinity)) return false;
  if (!go(motion_.turning_values().front(), infinity)) return false;
  for (int round = 0; round < rounds_; ++round)
    for (std::size_t i = 0; i < period_.nodes.size(); ++i)
      if (!go(period_.nodes[i].u, times_[i])) return false;
  law_.dual_closed.get().assign(law_.dual_state.get());
  return true;
}

/// Scale of each number. A mean that was there and has faded still gives its size: what is
/// left of it is rounding of that.
Eigen::VectorXd RateDependentLoop::units_of_numbers() const {
  Eigen::VectorXd units = units_of(begin_, end_);
  if (!period_.odd && reference_.size() <= units.size())
    units.head(reference_.size()) = units.head(reference_.size()).cwiseMax(reference_.cwiseAbs());
  return units;
}

/// What a period leaves open by the numbers that it is solved for.
Eigen::MatrixXd RateDependentLoop::open_slope(const Eigen::MatrixXd& mirror) const {
  const Eigen::Index free = begin_.size() - law_.older;
  Eigen::MatrixXd slope = wrt_begin_.topLeftCorner(free, free);
  slope -= mirror.topLeftCorner(free, free);
  return slope;
}

/// Takes the numbers that were solved for last, moved with the motion and ω.
bool RateDependentLoop::move_last(double omega) {
  const Eigen::Index free = reference_.size();
  if (!kept_.found || kept_.older != law_.older || kept_.begin.size() != free ||
      kept_.nodes != period_.nodes.size())
    return false;
  begin_.head(free) = kept_.begin + kept_.wrt_motion * (motion_.q() - kept_.q) +
                      (omega - kept_.omega) * kept_.wrt_omega;
  return begin_.allFinite();
}

/// Newton's method from the numbers that are there.
bool RateDependentLoop::solve_with_numbers(double omega) {
  constexpr int most_steps = 40, most_halvings = 8;
  end_.resize(begin_.size());
  const Eigen::Index free = begin_.size() - law_.older;
  const Eigen::MatrixXd same = Eigen::MatrixXd::Identity(free, free);
  if (!carry_duals(omega, {false, free, 0}, false, wrt_begin_)) return false;
  ClosingSteps steps;
  for (int step = 0; step < most_steps; ++step) {
    const Eigen::VectorXd units = units_of_numbers().head(free);
    const Eigen::MatrixXd slope = open_slope(same);
    const Eigen::VectorXd open = (end_ - begin_).head(free);
    Eigen::VectorXd change = steps.next(slope, open, units);
    if (!change.allFinite()) return false;
    left_ = steps.left();
    if (closes(open, units)) return true;
    const Eigen::VectorXd from = begin_;
    begin_.head(free) += change;
    // The next would be the square of this, or rounding.
    if (steps.size() <= std::max(1e-8, rounding_of_closed_state(slope, units))) return true;
    // A state that the law does not come to remembers other reversals at the end.
    for (int halving = 0; !carry_duals(omega, {false, free, 0}, false, wrt_begin_); ++halving) {
      if (halving == most_halvings) return false;
      change *= 0.5;
      begin_.head(free) = from.head(free) + change;
    }
  }
  return false;
}

/// The law at the begin of the period; what no number tells is as on the way from rest.
void RateDependentLoop::go_to_begin() {
  law_.state.get().assign(begin_state_.get());
  if (law_.with_reversals()) {
    law_.find_again();
    *law_.numbers[0] = motion_.turning_values().front();
  }
  for (Eigen::Index i = 0; i < begin_.size(); ++i)
    *law_.numbers[static_cast<std::size_t>(i) + 1] = begin_[i];
}

/// Newton's method, from the first period.
bool RateDependentLoop::solve_from_rest(double omega, const Eigen::MatrixXd& mirror) {
  constexpr int most_steps = 40;
  period_.result.status = Status::ok;
  law_.state.get().assign(begin_state_.get());
  if (!run_nodes(omega, false)) return false;
  begin_ = mirror * law_.state_numbers();
  reference_ = begin_;
  end_.resize(begin_.size());
  ClosingSteps steps;
  double before = infinity;
  for (int step = 0; step < most_steps; ++step) {
    if (!run_period_by_duals(omega, false)) return false;
    const Eigen::VectorXd open = end_ - mirror * begin_;
    const Eigen::MatrixXd slope = open_slope(mirror);
    const Eigen::VectorXd units = units_of_numbers();
    const Eigen::VectorXd change =
        period_.odd ? Eigen::VectorXd(-dense::solve(slope, open)) : steps.next(slope, open, units);
    if (!change.allFinite()) return false;
    left_ = steps.left();
    if (!period_.odd && closes(open, units)) return true;
    begin_ += change;
    const double largest = change.cwiseQuotient(units).lpNorm<Eigen::Infinity>();
    // The next would be the square of this, or rounding.
    if (largest <= 1e-8) return true;
    if (!period_.odd && largest <= rounding_of_closed_state(slope, units)) return true;
    if (period_.odd && step > 4 && !(largest < before)) return false;
    before = largest;
  }
  return false;
}

/// From the last solution, moved with the motion and ω. Its slopes serve again, so that the law
/// goes on plain numbers. False where this converges slowly.
bool RateDependentLoop::solve_from_last(double omega, const Eigen::MatrixXd& mirror) {
  constexpr int most_steps = 10;
  const bool known = kept_.found && kept_.older < 0 && kept_.odd == period_.odd &&
                     kept_.nodes == period_.nodes.size() && kept_.begin.size() == mirror.rows();
  if (!known) return false;
  left_ = 0;
  begin_ = kept_.begin + kept_.wrt_motion * (motion_.q() - kept_.q) +
           (omega - kept_.omega) * kept_.wrt_omega;
  const dense::Lu factors(kept_.slope);
  double before = 1;
  for (int step = 0; step < most_steps; ++step) {
    go_to_begin();
    if (!run_nodes(omega, false)) return false;
    end_ = law_.state_numbers();
    const Eigen::VectorXd units = units_of(begin_, end_);
    const Eigen::VectorXd change = factors.solve(end_ - mirror * begin_);
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

bool RateDependentLoop::check_period(double omega, const Eigen::MatrixXd& mirror) {
  go_to_begin();
  if (!run_nodes(omega) || !law_.find_again()) return false;
  const Eigen::VectorXd open = law_.state_numbers() - mirror * begin_;
  const Eigen::VectorXd units = units_of_numbers();
  period_.result.rounds = 1;
  if (!period_.odd) {
    // Forces that have faded leave their rounding: the first number is the force.
    double largest = units[0];
    for (const double f : period_.loop.f) largest = std::max(largest, std::abs(f));
    const Eigen::MatrixXd slope = open_slope(mirror);
    period_.result.mean_noise =
        largest * (rounding_of_closed_state(slope, units.head(slope.rows())) + left_);
  }
  const double most_open = period_.odd ? 1e-7 : 1e-10;
  if (!(open.cwiseQuotient(units).lpNorm<Eigen::Infinity>() <= most_open)) return false;
  return !period_.odd || !law_.memory_grows || second_half_mirrors(omega);
}

/// Whether the law, which remembers reversals beside its numbers, answers the second half of an odd motion
/// with the mirrored forces of the first.
bool RateDependentLoop::second_half_mirrors(double omega) {
  const double energy = period_.result.energy;
  const std::size_t half = period_.loop.f.size() / 2;
  double largest = 0, change = 0;
  std::size_t place = half;
  for (std::size_t i = period_.nodes.size() / 2; i < period_.nodes.size(); ++i) {
    if (!period_.advance(period_.nodes[i].u, time_to(i, omega))) return false;
    if (!period_.nodes[i].counts()) continue;
    double force = 0;
    if (!force_at(i, omega, force)) return false;
    largest = std::max(largest, std::abs(force));
    change = std::max(change, std::abs(force - period_.loop.f[place++]));
  }
  period_.forces.clear();
  period_.result.energy = energy;
  return change <= 1e-6 * largest;
}

void RateDependentLoop::run_every_node(double omega) {
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
    const bool closed = !last.empty() && change <= period_.options.closure * largest;
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
