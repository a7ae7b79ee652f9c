#include "dynamics/joint/closed_loop.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "dynamics/joint/closed_state.hpp"
#include "microslip/detail/numerics/constants.hpp"
#include "microslip/detail/numerics/dense.hpp"

namespace microslip::dynamics {
namespace {

/// Newton's error is the square of its last step.
constexpr double last_step = 1e-8;
/// Of the work of a round: what its two halves may lose more or less than each other. Steps of laws
/// with error control keep 1e-10.
constexpr double closed_energy = 1e-9;

/// The largest change of a list of forces, the largest force, and how far the forces are apart.
struct Change {
  double change = 0, largest = 0, least = infinity, most = -infinity;
  void see(double now, double before) {
    // A NaN counts as infinitely far.
    const double here = std::abs(now - before);
    change = here <= change ? change : here < infinity ? here : infinity;
    largest = std::max(largest, std::abs(now));
    least = std::min(least, now);
    most = std::max(most, now);
  }
  /// Of a loop that may be small beside its mean: in parts of the loop, but not finer than rounding.
  bool small(double part) const {
    return change <= std::max(part * (most - least), 4e-15 * largest);
  }
};

/// Whether the second half of the forces at reversals is the first one mirrored.
bool mirrored(const std::vector<double>& forces, double closure) {
  const std::size_t half = forces.size() / 2;
  Change seen;
  for (std::size_t r = 0; r < half; ++r) seen.see(-forces[half + r], forces[r]);
  return seen.change <= 10 * closure * seen.largest;
}

}  // namespace

void ClosedLoop::close(bool with_derivatives) {
  constexpr int patience = 3;
  const std::size_t count = motion_.turning_values().size();
  const bool forgets =
      law_.model.description().claims.return_point_memory.verdict == Verdict::holds;
  period_.found = false;
  symmetric_ = false;
  if (!forgets && period_.odd) {
    if (solve_half_loop(with_derivatives)) {
      symmetric_ = true;
      return;
    }
    period_.found = false;
    kept_half_ = 0;
    period_.result.status = Status::ok;
    period_.start();
  }
  std::vector<double> last;
  double first = period_.forces.empty() ? 0 : period_.forces.back();
  for (int round = 1, jump = patience; period_.result.status == Status::ok; ++round) {
    period_.forces.clear();
    period_.result.energy = 0;
    if (!forgets) before_.get().assign(law_.state.get());
    for (std::size_t r = 1; r <= count; ++r)
      if (!period_.advance(motion_.turning_values()[r % count], 0)) return;
    Change seen{0, std::abs(first)};
    seen.see(period_.forces.back(), first);
    for (std::size_t r = 0; r < count; ++r)
      seen.see(period_.forces[r], last.empty() ? period_.forces[r] : last[r]);
    period_.result.rounds = round;
    const bool compared = forgets || !last.empty();
    // What was solved for closes up to the next step of Newton's method.
    const bool closed = period_.found
                            ? seen.small(last_step) || seen.change <= slowest_fading * seen.largest
                        : forgets ? seen.change <= period_.options.closure * seen.largest
                                  : seen.small(period_.options.closure);
    if (compared && closed && (!period_.found || law_.find_again())) {
      // Derivatives by bounds that change places come from both halves.
      symmetric_ = period_.odd && (law_.numbers.empty() || law_.mirror().isDiagonal()) &&
                   mirrored(period_.forces, period_.options.closure);
      return;
    }
    if (round >= period_.options.most_rounds) {
      period_.result.closed = false;
      period_.result.drift = seen.change / seen.largest;
      return;
    }
    last = period_.forces;
    period_.found = false;
    if (!forgets && round >= jump) {
      jump = 2 * round;
      if (jump_to_closed_loop(last)) round += 1;
    }
    first = last.back();
  }
}

/// An odd law under an odd motion: the state at the first reversal whose mirrored copy is reached
/// half a period later. A round of marching checks that the second half repeats the first.
bool ClosedLoop::solve_half_loop(bool with_derivatives) {
  if (!law_.find_numbers(period_.odd)) return false;
  const std::size_t half = motion_.turning_values().size() / 2;
  const auto size = static_cast<Eigen::Index>(law_.numbers.size()) - 1;
  const bool known = kept_half_ == half && begin_.size() == size;
  if (!(known && solve_half_from_last(half, with_derivatives))) {
    period_.result.status = Status::ok;
    begin_.resize(size);
    end_.resize(size);
    wrt_begin_.resize(size, size + static_cast<Eigen::Index>(half) + 1);
    wrt_reversals_.resize(size, static_cast<Eigen::Index>(2 * half));
    if (!solve_half_from_rest(half) || !close_half_derivatives(true)) return false;
    law_.state.get().assign(law_.rest.get());
    for (std::size_t r = 0; r <= 2 * half; ++r)
      if (!period_.advance(motion_.turning_values()[r % (2 * half)], 0)) return false;
    kept_state_.get().assign(law_.state.get());
    if (!check_half_loop(half)) return false;
  }
  kept_half_ = half;
  kept_state_.get().assign(law_.state.get());
  kept_turning_ = motion_.turning_values();
  return period_.found = true;
}

/// The law at the start of the closed loop; what no number tells (the direction of the last motion)
/// is as in kept_state_.
void ClosedLoop::go_to_closed_state() {
  law_.state.get().assign(kept_state_.get());
  *law_.numbers[0] = motion_.turning_values().front();
  for (Eigen::Index i = 0; i < begin_.size(); ++i)
    *law_.numbers[static_cast<std::size_t>(i) + 1] = begin_[i];
}

/// A gap that was open at the start of another motion may be closed at that of this one: such switches
/// must be the same after the round as well. And both halves lose the same energy: where sliders that
/// slip forget where they began, forces at reversals do not show that the loop began elsewhere.
bool ClosedLoop::check_half_loop(std::size_t half) {
  constexpr int most_rounds = 3;
  for (int round = 0; round < most_rounds; ++round) {
    go_to_closed_state();
    const std::vector<int> switches = law_.switches();
    period_.forces.clear();
    period_.result.energy = 0;
    period_.result.rounds = 1;
    double lost_at_first = 0, work = 0;
    for (std::size_t r = 1; r <= 2 * half; ++r) {
      const double u = motion_.turning_values()[r % (2 * half)];
      if (!period_.advance(u, 0)) return false;
      work += std::abs(period_.forces.back() * (u - motion_.turning_values()[r - 1]));
      if (r == half) lost_at_first = period_.result.energy;
    }
    const double uneven = std::abs(period_.result.energy - 2 * lost_at_first);
    if (law_.switches() == switches && uneven <= closed_energy * work)
      return mirrored(period_.forces, period_.options.closure);
    kept_state_.get().assign(law_.state.get());
    begin_ = law_.state_numbers();
  }
  return false;
}

/// The closed loop on dual numbers begins with the switches of the loop that was found.
void ClosedLoop::hand_switches_to_dual() {
  law_.dual_state.get().assign(law_.dual_closed.get());
  law_.hand_switches_to_dual();
  law_.dual_closed.get().assign(law_.dual_state.get());
}

/// Newton's method, from the first round.
bool ClosedLoop::solve_half_from_rest(std::size_t half) {
  constexpr int most_steps = 20;
  const Eigen::Index size = begin_.size();
  if (!start_round_by_duals()) return false;
  law_.dual_closed.get().assign(law_.dual_state.get());
  for (Eigen::Index i = 0; i < size; ++i)
    begin_[i] = law_.dual_numbers[static_cast<std::size_t>(i) + 1]->a;
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
    const Eigen::VectorXd missing = end_ - law_.mirror() * begin_;
    Eigen::MatrixXd slope = wrt_begin_.leftCols(size);
    slope -= law_.mirror();
    const Eigen::VectorXd change = dense::solve(slope, missing);
    if (!change.allFinite()) return false;
    begin_ -= change;
    if (seen.change <= last_step * seen.largest) return true;
    if (step > 3 && !(seen.change < before)) return false;
    before = seen.change;
  }
}

/// From the last solution, moved with the reversals. Its slopes serve again, so that the law goes
/// on plain numbers; derivatives are found once, at the end. False where this converges slowly: the
/// motion is another one.
bool ClosedLoop::solve_half_from_last(std::size_t half, bool with_derivatives) {
  constexpr int most_steps = 10;
  const Eigen::Index size = begin_.size();
  Eigen::VectorXd moved(wrt_reversals_.cols());
  for (Eigen::Index r = 0; r < moved.size(); ++r) {
    const auto place = static_cast<std::size_t>(r);
    moved[r] = motion_.turning_values()[place] - kept_turning_[place];
  }
  begin_ += wrt_reversals_ * moved;
  Eigen::MatrixXd slope = wrt_begin_.leftCols(size);
  slope -= law_.mirror();
  const dense::Lu factors(slope);
  std::vector<double> last(half, 0.0);
  double before = infinity;
  for (int step = 0;; ++step) {
    if (step == most_steps) return false;
    go_to_closed_state();
    period_.forces.clear();
    for (std::size_t r = 1; r <= half; ++r)
      if (!period_.advance(motion_.turning_values()[r], 0)) return false;
    Change seen;
    for (std::size_t r = 0; r < half; ++r) seen.see(period_.forces[r], last[r]);
    last = period_.forces;
    const Eigen::VectorXd change = factors.solve(law_.state_numbers() - law_.mirror() * begin_);
    if (!change.allFinite()) return false;
    begin_ -= change;
    if (step == 0) continue;
    const double size_of_change = seen.change / seen.largest;
    if (size_of_change <= 1e-14) break;
    const double shrinks = step > 1 ? size_of_change / before : 1;
    before = size_of_change;
    if (shrinks * shrinks * size_of_change <= 1e-15) break;  // what is left after this change
    if (step > 1 && shrinks > 0.3) {
      if (size_of_change <= period_.options.closure) break;  // rounding
      return false;
    }
  }
  if (!check_half_loop(half)) return false;
  if (!with_derivatives) return true;
  hand_switches_to_dual();
  for (Eigen::Index chunk = 0; chunk < size; chunk += dual_width)
    if (!run_round(chunk, half)) return false;
  // What no number tells may be of another motion.
  Change seen;
  for (std::size_t r = 0; r < half; ++r) seen.see(dual_f_[r].a, period_.forces[r]);
  return seen.change <= 100 * period_.options.closure * seen.largest &&
         close_half_derivatives(false);
}

/// With A and B the derivatives of half a round by its begin and by the reversals, S the mirror:
///     A δz + B δu = S δz under a change of the motion that is odd, −S δz under one that is even.
/// A reversal alone moves half as an odd pair and half as an even one. Of even changes (a mean) the
/// memory may never be rid; then it keeps what the way from rest gave it.
bool ClosedLoop::close_half_derivatives(bool from_rest) {
  const Eigen::Index size = begin_.size(), columns = wrt_begin_.cols();
  const Eigen::Index half = columns - size - 1;
  for (Eigen::Index chunk = (size + dual_width - 1) / dual_width * dual_width; chunk < columns;
       chunk += dual_width)
    run_round(chunk, static_cast<std::size_t>(half));
  const Eigen::MatrixXd A = wrt_begin_.leftCols(size);
  // The last reversal of the half is the first one, mirrored.
  Eigen::MatrixXd odd = wrt_begin_.middleCols(size, half), even = odd;
  odd.col(0) -= wrt_begin_.col(columns - 1);
  even.col(0) += wrt_begin_.col(columns - 1);
  Eigen::MatrixXd slope = A, sum = A;
  slope -= law_.mirror();
  sum += law_.mirror();
  const Eigen::VectorXd units = units_of(begin_, end_);
  Eigen::MatrixXd reference = Eigen::MatrixXd::Zero(size, half);
  if (from_rest || !fades(sum, units)) {
    // The way from rest is the one that wrt_reversals_ is left with.
    if (!from_rest && !start_round_by_duals()) return false;
    reference = wrt_reversals_.leftCols(half) + wrt_reversals_.rightCols(half);
  }
  const Eigen::MatrixXd wrt_odd = -dense::solve(slope, odd);
  const Eigen::MatrixXd wrt_even = closed_state(sum, even, reference, units);
  wrt_reversals_.leftCols(half) = 0.5 * (wrt_even + wrt_odd);
  wrt_reversals_.rightCols(half) = 0.5 * (wrt_even - wrt_odd);
  return wrt_reversals_.allFinite();
}

WideDual ClosedLoop::turning(std::size_t reversal, Eigen::Index seed, Eigen::Index width) const {
  return seed >= 0 && seed < width
             ? WideDual(motion_.turning_values()[reversal], static_cast<int>(seed))
             : WideDual(motion_.turning_values()[reversal]);
}

/// From where marching has come to, Newton's method looks for the numbers of the state that are
/// the same after a round; a round on dual numbers gives them and their derivatives. True if the
/// loop closes; `last` are then its forces, and the next round of marching checks them: a memory
/// that grows on and on fails there.
bool ClosedLoop::jump_to_closed_loop(std::vector<double>& last) {
  constexpr int most_steps = 60;
  kept_half_ = 0;
  if (!find_numbers()) return false;
  const auto size = static_cast<Eigen::Index>(law_.numbers.size()) - 1, free = size - law_.older;
  const auto count = static_cast<Eigen::Index>(motion_.turning_values().size());
  begin_.resize(size);
  end_.resize(size);
  wrt_begin_.resize(size, size + count);
  wrt_reversals_.resize(size, count);
  if (!start_round_by_duals()) return false;
  law_.hand_switches_to_dual();
  law_.dual_closed.get().assign(law_.dual_state.get());
  for (Eigen::Index i = 0; i < size; ++i)
    begin_[i] = *law_.numbers[static_cast<std::size_t>(i) + 1];
  reference_ = begin_.head(free);
  std::vector<double> forces = last;
  ClosingSteps steps;
  double size_of_way = 0;  // forces that have faded leave their rounding
  for (const double force : last) size_of_way = std::max(size_of_way, std::abs(force));
  for (int step = 0; step < most_steps; ++step) {
    for (Eigen::Index chunk = 0; chunk < size; chunk += dual_width)
      if (!run_round(chunk, motion_.turning_values().size())) return false;
    Change seen;
    for (std::size_t r = 0; r < forces.size(); ++r) {
      seen.see(dual_f_[r].a, forces[r]);
      forces[r] = dual_f_[r].a;
    }
    Eigen::MatrixXd slope = wrt_begin_.topLeftCorner(free, free);
    slope.diagonal().array() -= 1;
    const Eigen::VectorXd units = units_of(begin_, end_).head(free).cwiseMax(reference_.cwiseAbs());
    const Eigen::VectorXd open = (end_ - begin_).head(free);
    const Eigen::VectorXd change = steps.next(slope, open, units);
    const double noise =
        std::max(seen.largest, size_of_way) * rounding_of_closed_state(slope, units);
    // What marching changes in a round says nothing about how far a slow memory is from its end.
    if (closes(open, units) || (step > 0 && (seen.small(last_step) || seen.change <= noise))) {
      close_derivatives();
      if (!wrt_reversals_.allFinite() || !law_.find_again()) return false;
      period_.result.mean_noise = noise + std::max(seen.largest, size_of_way) * steps.left();
      for (Eigen::Index i = 0; i < size; ++i)
        *law_.numbers[static_cast<std::size_t>(i) + 1] = end_[i];
      last = forces;
      return period_.found = true;
    }
    if (!change.allFinite()) return false;
    begin_.head(free) += change;
  }
  return false;
}

/// The numbers of the law where marching has come to, with those of the reversals that it remembers.
bool ClosedLoop::find_numbers() {
  if (law_.find_numbers(period_.odd)) return true;
  if (!law_.memory_grows || period_.odd || law_.grows_without_end(before_)) return false;
  wrt_reversals_.resize(0, 0);
  return start_round_by_duals() && law_.find_numbers_with_reversals(before_);
}

/// From rest once round, with seeds at the reversals: memories that do not fade keep what that
/// leaves.
bool ClosedLoop::start_round_by_duals() {
  const std::size_t count = motion_.turning_values().size();
  const auto all = static_cast<Eigen::Index>(count);
  for (Eigen::Index chunk = 0; chunk < all; chunk += dual_width) {
    const Eigen::Index width = std::min<Eigen::Index>(dual_width, all - chunk);
    dual_u_.clear();
    for (const double u : law_.before) dual_u_.emplace_back(u);
    for (std::size_t r = 0; r <= count; ++r)
      dual_u_.push_back(turning(r % count, static_cast<Eigen::Index>(r % count) - chunk, width));
    dual_f_.resize(dual_u_.size());
    law_.dual_state.get().assign(law_.dual_rest.get());
    if (law_.dual.run({}, dual_u_, law_.dual_state, dual_f_) != Status::ok) return false;
    if (wrt_reversals_.rows() > 0 && !law_.find_dual_again()) return false;
    for (Eigen::Index i = 0; i < wrt_reversals_.rows(); ++i)
      wrt_reversals_.row(i).segment(chunk, width) =
          law_.dual_numbers[static_cast<std::size_t>(i) + 1]->v.head(width).transpose();
  }
  return true;
}

/// From begin_ over some reversals to end_, with a chunk of the derivatives: by the numbers of the
/// state and then by the reversals.
bool ClosedLoop::run_round(Eigen::Index chunk, std::size_t reversals) {
  const std::size_t count = motion_.turning_values().size();
  const Eigen::Index size = begin_.size();
  const Eigen::Index width = std::min<Eigen::Index>(dual_width, wrt_begin_.cols() - chunk);
  const bool whole = reversals == count;
  const auto at_reversal = [&](std::size_t r) {
    const std::size_t seed = whole ? r % count : r;
    return turning(r % count, size + static_cast<Eigen::Index>(seed) - chunk, width);
  };
  law_.dual_state.get().assign(law_.dual_closed.get());
  if (!law_.find_dual_again()) return false;
  *law_.dual_numbers[0] = at_reversal(0);
  for (Eigen::Index i = 0; i < size; ++i) {
    WideDual& number = *law_.dual_numbers[static_cast<std::size_t>(i) + 1];
    number = WideDual(begin_[i]);
    if (i >= chunk && i < chunk + width) number.v[i - chunk] = 1;
  }
  dual_u_.clear();
  for (std::size_t r = 1; r <= reversals; ++r) dual_u_.push_back(at_reversal(r));
  dual_f_.resize(reversals);
  if (law_.dual.run({}, dual_u_, law_.dual_state, dual_f_) != Status::ok) return false;
  if (!law_.find_dual_again()) return false;
  for (Eigen::Index i = 0; i < size; ++i) {
    const WideDual& number = *law_.dual_numbers[static_cast<std::size_t>(i) + 1];
    end_[i] = number.a;
    wrt_begin_.row(i).segment(chunk, width) = number.v.head(width).transpose();
  }
  return true;
}

/// The state of the closed loop by the reversals, D = P D + R. Numbers of reversals that are older than
/// the loop keep what the way from rest gave them.
void ClosedLoop::close_derivatives() {
  const Eigen::Index size = begin_.size(), older = law_.older, free = size - older;
  for (Eigen::Index chunk = (size + dual_width - 1) / dual_width * dual_width;
       chunk < wrt_begin_.cols(); chunk += dual_width)
    run_round(chunk, motion_.turning_values().size());
  Eigen::MatrixXd slope = wrt_begin_.topLeftCorner(free, free);
  slope.diagonal().array() -= 1;
  const Eigen::MatrixXd moved =
      wrt_begin_.topRightCorner(free, wrt_begin_.cols() - size) +
      wrt_begin_.block(0, free, free, older) * wrt_reversals_.bottomRows(older);
  const Eigen::VectorXd units = units_of(begin_, end_).head(free).cwiseMax(reference_.cwiseAbs());
  Eigen::MatrixXd way = wrt_reversals_.topRows(free);
  forget_way(begin_, reference_, units, way);
  wrt_reversals_.topRows(free) = closed_state(slope, moved, way, units);
}

bool ClosedLoop::go_to_start(Eigen::Index chunk) {
  const std::size_t count = motion_.turning_values().size();
  const auto all = static_cast<Eigen::Index>(count);
  const Eigen::Index width = std::min<Eigen::Index>(dual_width - 1, all - chunk);
  const auto at_reversal = [&](std::size_t r) {
    return turning(r, static_cast<Eigen::Index>(r) - chunk, width);
  };
  if (period_.found) {
    law_.dual_state.get().assign(law_.dual_closed.get());
    if (!law_.find_dual_again()) return false;
    law_.hand_switches_to_dual();
    *law_.dual_numbers[0] = at_reversal(0);
    for (Eigen::Index i = 0; i < begin_.size(); ++i) {
      WideDual& number = *law_.dual_numbers[static_cast<std::size_t>(i) + 1];
      number = WideDual(*law_.numbers[static_cast<std::size_t>(i) + 1]);
      number.v.head(width) = wrt_reversals_.row(i).segment(chunk, width).transpose();
    }
    return true;
  }
  dual_u_.clear();
  for (const double u : law_.before) dual_u_.emplace_back(u);
  dual_u_.push_back(at_reversal(0));
  for (int round = 0; round < period_.result.rounds; ++round)
    for (std::size_t r = 1; r <= count; ++r) dual_u_.push_back(at_reversal(r % count));
  dual_f_.resize(dual_u_.size());
  law_.dual_state.get().assign(law_.dual_rest.get());
  period_.result.status = law_.dual.run({}, dual_u_, law_.dual_state, dual_f_);
  return period_.result.status == Status::ok;
}

}  // namespace microslip::dynamics
