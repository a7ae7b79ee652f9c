#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>

#include "dynamics/periodic/closed_state.hpp"
#include "microslip/core/state_numbers.hpp"
#include "microslip/dynamics/periodic/periodic_joint.hpp"

/// How a law comes to the loop that repeats.
namespace microslip::dynamics {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
/// Newton's error is the square of its last step.
constexpr double last_step = 1e-8;

template <class Real>
void find_numbers(AnyState& state, std::vector<Real*>& numbers) {
  numbers.clear();
  if (auto* told = dynamic_cast<StateNumbers<Real>*>(&state.get())) told->find_numbers(numbers);
}

/// The largest change of a list of forces, and the largest force.
struct Change {
  double change = 0, largest = 0;
  void see(double now, double before) {
    // A NaN counts as infinitely far.
    const double here = std::abs(now - before);
    change = here <= change ? change : here < infinity ? here : infinity;
    largest = std::max(largest, std::abs(now));
  }
};

}  // namespace

/// Whether the numbers of the states can be found, and where.
bool PeriodicJoint::find_state_numbers() {
  find_numbers(state_, numbers_);
  find_numbers(dual_state_, dual_numbers_);
  find_numbers(dual_scratch_, dual_scratch_numbers_);
  return numbers_.size() >= 2 && numbers_.size() == dual_numbers_.size();
}

/// Which numbers of the state change their sign with the motion (forces and displacements do, a
/// stiffness does not).
void PeriodicJoint::find_mirror(double u) {
  const double slowly = infinity;
  std::vector<double*> there;
  const auto at = [&](double place) {
    model_.step(rest_, place, slowly, scratch_);
    find_numbers(scratch_, there);
    Eigen::VectorXd values(static_cast<Eigen::Index>(there.size()) - 1);
    for (Eigen::Index i = 0; i < values.size(); ++i)
      values[i] = *there[static_cast<std::size_t>(i) + 1];
    return values;
  };
  const Eigen::VectorXd forth = at(u), back = at(-u);
  mirror_.resize(forth.size());
  for (Eigen::Index i = 0; i < forth.size(); ++i)
    mirror_[i] = std::abs(forth[i] - back[i]) < std::abs(forth[i] + back[i]) ? 1 : -1;
}

void PeriodicJoint::march_to_closed_loop() {
  constexpr int patience = 3;
  const std::size_t count = turning_values_.size();
  const bool forgets = model_.description().claims.return_point_memory.verdict == Verdict::holds;
  found_ = false;
  if (!forgets && odd_) {
    if (solve_half_loop()) return;
    found_ = false;
    result_.status = Status::ok;
    start();
  }
  std::vector<double> last;
  double first = forces_.empty() ? 0 : forces_.back();
  for (int round = 1, jump = patience; result_.status == Status::ok; ++round) {
    forces_.clear();
    result_.energy = 0;
    for (std::size_t r = 1; r <= count; ++r)
      if (!advance(turning_values_[r % count], 0)) return;
    Change seen{0, std::abs(first)};
    seen.see(forces_.back(), first);
    for (std::size_t r = 0; r < count; ++r)
      seen.see(forces_[r], last.empty() ? forces_[r] : last[r]);
    result_.rounds = round;
    const bool compared = forgets || !last.empty();
    const double closure = found_ ? std::max(options_.closure, slowest_fading) : options_.closure;
    if (compared && seen.change <= closure * seen.largest) return;
    if (round >= options_.most_rounds) {
      result_.closed = false;
      result_.drift = seen.change / seen.largest;
      return;
    }
    last = forces_;
    found_ = false;
    if (!forgets && round >= jump) {
      jump = 2 * round;
      if (jump_to_closed_loop(last)) round += 1;
    }
    first = last.back();
  }
}

/// An odd law under an odd motion: the state at the first reversal whose mirrored copy is reached
/// half a period later. Newton's method starts from the first round; a round of marching checks
/// that the second half repeats the first.
bool PeriodicJoint::solve_half_loop() {
  constexpr int most_steps = 20;
  if (!find_state_numbers()) return false;
  const std::size_t half = turning_values_.size() / 2;
  const auto size = static_cast<Eigen::Index>(numbers_.size()) - 1;
  const Eigen::Index columns = size + static_cast<Eigen::Index>(half) + 1;
  if (mirror_.size() != size) find_mirror(turning_values_.front());
  begin_.resize(size);
  end_.resize(size);
  by_begin_.resize(size, columns);
  by_reversals_.resize(size, static_cast<Eigen::Index>(turning_values_.size()));
  // What no number tells (the direction of the last motion) is as after a round.
  if (!start_round_by_duals()) return false;
  dual_closed_.get().assign(dual_state_.get());
  for (Eigen::Index i = 0; i < size; ++i)
    begin_[i] = dual_numbers_[static_cast<std::size_t>(i) + 1]->a;
  std::vector<double> forces(half, 0.0);
  double before = infinity;
  for (int step = 0;; ++step) {
    if (step == most_steps) return false;
    for (Eigen::Index chunk = 0; chunk < size; chunk += dual_width)
      if (!run_round(chunk, half)) return false;
    Change seen;
    for (std::size_t r = 0; r < half; ++r) {
      seen.see(dual_f_[r].a, forces[r]);
      forces[r] = dual_f_[r].a;
    }
    const Eigen::VectorXd missing = end_ - mirror_.cwiseProduct(begin_);
    Eigen::MatrixXd slope = by_begin_.leftCols(size);
    slope.diagonal() -= mirror_;
    const Eigen::VectorXd change = slope.partialPivLu().solve(missing);
    if (!change.allFinite()) return false;
    begin_ -= change;
    if (seen.change <= last_step * seen.largest) break;
    if (step > 3 && !(seen.change < before)) return false;
    before = seen.change;
  }
  close_half_derivatives();
  if (!by_reversals_.allFinite()) return false;
  state_.get().assign(rest_.get());
  forces_.clear();
  const std::size_t count = turning_values_.size();
  for (std::size_t r = 0; r <= count; ++r)
    if (!advance(turning_values_[r % count], 0)) return false;
  for (Eigen::Index i = 0; i < size; ++i) *numbers_[static_cast<std::size_t>(i) + 1] = begin_[i];
  forces_.clear();
  result_.energy = 0;
  for (std::size_t r = 1; r <= count; ++r)
    if (!advance(turning_values_[r % count], 0)) return false;
  Change seen;
  for (std::size_t r = 0; r < half; ++r) seen.see(-forces_[half + r], forces_[r]);
  result_.rounds = 1;
  return found_ = seen.change <= 10 * options_.closure * seen.largest;
}

/// With A and B the derivatives of half a round by its begin and by the reversals, S the mirror:
///     A δz + B δu = S δz under a change of the motion that is odd, −S δz under one that is even.
/// A reversal alone moves half as an odd pair and half as an even one. Of even changes (a mean) the
/// memory may never be rid; then it keeps what the way from rest gave it.
void PeriodicJoint::close_half_derivatives() {
  const Eigen::Index size = begin_.size(), columns = by_begin_.cols();
  const Eigen::Index half = columns - size - 1;
  for (Eigen::Index chunk = (size + dual_width - 1) / dual_width * dual_width; chunk < columns;
       chunk += dual_width)
    run_round(chunk, static_cast<std::size_t>(half));
  const Eigen::MatrixXd A = by_begin_.leftCols(size);
  // The last reversal of the half is the first one, mirrored.
  Eigen::MatrixXd odd = by_begin_.middleCols(size, half), even = odd;
  odd.col(0) -= by_begin_.col(columns - 1);
  even.col(0) += by_begin_.col(columns - 1);
  Eigen::MatrixXd slope = A, sum = A;
  slope.diagonal() -= mirror_;
  sum.diagonal() += mirror_;
  const Eigen::MatrixXd by_odd = -slope.partialPivLu().solve(odd);
  const Eigen::MatrixXd reference = by_reversals_.leftCols(half) + by_reversals_.rightCols(half);
  const Eigen::MatrixXd by_even = closed_state(sum, even, reference, units_of(begin_, end_));
  by_reversals_.leftCols(half) = 0.5 * (by_even + by_odd);
  by_reversals_.rightCols(half) = 0.5 * (by_even - by_odd);
}

/// The displacement of a reversal with its seed among those of a chunk.
WideDual PeriodicJoint::turning(std::size_t reversal, Eigen::Index seed, Eigen::Index width) const {
  return seed >= 0 && seed < width ? WideDual(turning_values_[reversal], static_cast<int>(seed))
                                   : WideDual(turning_values_[reversal]);
}

/// From where marching has come to, Newton's method looks for the numbers of the state that are
/// the same after a round; a round on dual numbers gives them and their derivatives. True if the
/// loop closes; `last` are then its forces, and the next round of marching checks them: a memory
/// that grows on and on fails there.
bool PeriodicJoint::jump_to_closed_loop(std::vector<double>& last) {
  constexpr int most_steps = 12;
  if (!find_state_numbers()) return false;
  const auto size = static_cast<Eigen::Index>(numbers_.size()) - 1;
  const auto count = static_cast<Eigen::Index>(turning_values_.size());
  begin_.resize(size);
  end_.resize(size);
  by_begin_.resize(size, size + count);
  by_reversals_.resize(size, count);
  if (!start_round_by_duals()) return false;
  dual_closed_.get().assign(dual_state_.get());
  for (Eigen::Index i = 0; i < size; ++i) begin_[i] = *numbers_[static_cast<std::size_t>(i) + 1];
  const Eigen::VectorXd reference = begin_;
  std::vector<double> forces = last;
  double before = infinity;
  for (int step = 0; step < most_steps; ++step) {
    for (Eigen::Index chunk = 0; chunk < size; chunk += dual_width)
      if (!run_round(chunk, turning_values_.size())) return false;
    Change seen;
    for (std::size_t r = 0; r < forces.size(); ++r) {
      seen.see(dual_f_[r].a, forces[r]);
      forces[r] = dual_f_[r].a;
    }
    // What marching changes in a round says nothing about how far a slow memory is from its end.
    if (step > 0 && seen.change <= std::max(last_step, options_.closure) * seen.largest) {
      close_derivatives();
      if (!by_reversals_.allFinite()) return false;
      Eigen::MatrixXd slope = by_begin_.leftCols(size);
      slope.diagonal().array() -= 1;
      result_.mean_noise = seen.largest * rounding_of_closed_state(slope, units_of(begin_, end_));
      for (Eigen::Index i = 0; i < size; ++i) *numbers_[static_cast<std::size_t>(i) + 1] = end_[i];
      last = forces;
      return found_ = true;
    }
    // The first step may be long; from then on they must shrink.
    if (step > 1 && !(seen.change < 0.5 * before)) return false;
    before = seen.change;
    Eigen::MatrixXd slope = by_begin_.leftCols(size);
    slope.diagonal().array() -= 1;
    const Eigen::VectorXd change =
        closed_state(slope, end_ - begin_, reference - begin_, units_of(begin_, end_));
    if (!change.allFinite()) return false;
    begin_ += change;
  }
  return false;
}

/// From rest once round, with seeds at the reversals: memories that do not fade keep what that
/// leaves.
bool PeriodicJoint::start_round_by_duals() {
  const std::size_t count = turning_values_.size();
  const auto all = static_cast<Eigen::Index>(count);
  for (Eigen::Index chunk = 0; chunk < all; chunk += dual_width) {
    const Eigen::Index width = std::min<Eigen::Index>(dual_width, all - chunk);
    dual_u_.clear();
    for (const double u : before_) dual_u_.emplace_back(u);
    for (std::size_t r = 0; r <= count; ++r)
      dual_u_.push_back(turning(r % count, static_cast<Eigen::Index>(r % count) - chunk, width));
    dual_f_.resize(dual_u_.size());
    dual_state_.get().assign(dual_rest_.get());
    if (dual_.run({}, dual_u_, dual_state_, dual_f_) != Status::ok) return false;
    for (Eigen::Index i = 0; i < by_reversals_.rows(); ++i)
      by_reversals_.row(i).segment(chunk, width) =
          dual_numbers_[static_cast<std::size_t>(i) + 1]->v.head(width).transpose();
  }
  return true;
}

/// From begin_ over some reversals to end_, with a chunk of the derivatives: by the numbers of the
/// state and then by the reversals.
bool PeriodicJoint::run_round(Eigen::Index chunk, std::size_t reversals) {
  const std::size_t count = turning_values_.size();
  const Eigen::Index size = begin_.size();
  const Eigen::Index width = std::min<Eigen::Index>(dual_width, by_begin_.cols() - chunk);
  const bool whole = reversals == count;
  const auto at_reversal = [&](std::size_t r) {
    const std::size_t seed = whole ? r % count : r;
    return turning(r % count, size + static_cast<Eigen::Index>(seed) - chunk, width);
  };
  dual_state_.get().assign(dual_closed_.get());
  *dual_numbers_[0] = at_reversal(0);
  for (Eigen::Index i = 0; i < size; ++i) {
    WideDual& number = *dual_numbers_[static_cast<std::size_t>(i) + 1];
    number = WideDual(begin_[i]);
    if (i >= chunk && i < chunk + width) number.v[i - chunk] = 1;
  }
  dual_u_.clear();
  for (std::size_t r = 1; r <= reversals; ++r) dual_u_.push_back(at_reversal(r));
  dual_f_.resize(reversals);
  if (dual_.run({}, dual_u_, dual_state_, dual_f_) != Status::ok) return false;
  for (Eigen::Index i = 0; i < size; ++i) {
    const WideDual& number = *dual_numbers_[static_cast<std::size_t>(i) + 1];
    end_[i] = number.a;
    by_begin_.row(i).segment(chunk, width) = number.v.head(width).transpose();
  }
  return true;
}

/// The state of the closed loop by the reversals, D = P D + R.
void PeriodicJoint::close_derivatives() {
  const Eigen::Index size = begin_.size();
  for (Eigen::Index chunk = (size + dual_width - 1) / dual_width * dual_width;
       chunk < by_begin_.cols(); chunk += dual_width)
    run_round(chunk, turning_values_.size());
  Eigen::MatrixXd slope = by_begin_.leftCols(size);
  slope.diagonal().array() -= 1;
  by_reversals_ = closed_state(slope, by_begin_.rightCols(by_begin_.cols() - size), by_reversals_,
                               units_of(begin_, end_));
}

/// Leaves the law on dual numbers at the start of the closed loop, with seeds at some reversals.
bool PeriodicJoint::go_to_closed_loop(Eigen::Index chunk) {
  const std::size_t count = turning_values_.size();
  const auto all = static_cast<Eigen::Index>(count);
  const Eigen::Index width = std::min<Eigen::Index>(dual_width - 1, all - chunk);
  const auto at_reversal = [&](std::size_t r) {
    return turning(r, static_cast<Eigen::Index>(r) - chunk, width);
  };
  if (found_) {
    dual_state_.get().assign(dual_closed_.get());
    *dual_numbers_[0] = at_reversal(0);
    for (Eigen::Index i = 0; i < begin_.size(); ++i) {
      WideDual& number = *dual_numbers_[static_cast<std::size_t>(i) + 1];
      number = WideDual(*numbers_[static_cast<std::size_t>(i) + 1]);
      number.v.head(width) = by_reversals_.row(i).segment(chunk, width).transpose();
    }
    return true;
  }
  dual_u_.clear();
  for (const double u : before_) dual_u_.emplace_back(u);
  dual_u_.push_back(at_reversal(0));
  for (int round = 0; round < result_.rounds; ++round)
    for (std::size_t r = 1; r <= count; ++r) dual_u_.push_back(at_reversal(r % count));
  dual_f_.resize(dual_u_.size());
  dual_state_.get().assign(dual_rest_.get());
  result_.status = dual_.run({}, dual_u_, dual_state_, dual_f_);
  return result_.status == Status::ok;
}

}  // namespace microslip::dynamics
