#include <algorithm>
#include <cmath>
#include <limits>

#include "microslip/core/state_numbers.hpp"
#include "microslip/dynamics/periodic/periodic_joint.hpp"

/// How a law comes to the loop that repeats.
namespace microslip::dynamics {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr int most_linear_rounds = 1 << 17;

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

void PeriodicJoint::march_to_closed_loop() {
  constexpr int patience = 3;
  const std::size_t count = turning_values_.size();
  const bool forgets = model_.description().claims.return_point_memory.verdict == Verdict::holds;
  found_ = false;
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
    if (compared && seen.change <= options_.closure * seen.largest) return;
    if (round >= options_.most_rounds) {
      result_.closed = false;
      result_.drift = seen.change / seen.largest;
      return;
    }
    last = forces_;
    if (!forgets && round >= jump) {
      jump = 2 * round;
      if (jump_to_closed_loop(last)) round += 1;
    }
    first = last.back();
  }
}

/// The displacement of a reversal with its seed among those of a chunk.
WideDual PeriodicJoint::turning(std::size_t reversal, Eigen::Index seed, Eigen::Index width) const {
  return seed >= 0 && seed < width ? WideDual(turning_values_[reversal], static_cast<int>(seed))
                                   : WideDual(turning_values_[reversal]);
}

/// From where marching has come to, Newton's method looks for the numbers of the state that are
/// the same after a round; a round on dual numbers gives them and their derivatives. What marching
/// would do with the linearised round is the step, so that a memory that does not fade stays as
/// marching left it, and one that grows on and on is not jumped over. True if the loop closes;
/// `last` are then its forces, and the next round of marching checks them.
bool PeriodicJoint::jump_to_closed_loop(std::vector<double>& last) {
  constexpr int most_steps = 12;
  find_numbers(state_, numbers_);
  find_numbers(dual_state_, dual_numbers_);
  if (numbers_.size() < 2 || numbers_.size() != dual_numbers_.size()) return false;
  const auto size = static_cast<Eigen::Index>(numbers_.size()) - 1;
  const auto count = static_cast<Eigen::Index>(turning_values_.size());
  begin_.resize(size);
  end_.resize(size);
  by_begin_.resize(size, size + count);
  by_reversals_.resize(size, count);
  if (!start_round_by_duals()) return false;
  for (Eigen::Index i = 0; i < size; ++i) begin_[i] = *numbers_[static_cast<std::size_t>(i) + 1];
  std::vector<double> forces = last;
  double before = infinity;
  for (int step = 0; step < most_steps; ++step) {
    for (Eigen::Index chunk = 0; chunk < size; chunk += dual_width)
      if (!run_round(chunk)) return false;
    Change seen;
    for (std::size_t r = 0; r < forces.size(); ++r) {
      seen.see(dual_f_[r].a, forces[r]);
      forces[r] = dual_f_[r].a;
    }
    // Newton's error is the square of its last step.
    if (seen.change <= std::max(1e-8, options_.closure) * seen.largest) {
      close_derivatives();
      if (!by_reversals_.allFinite()) return false;
      for (Eigen::Index i = 0; i < size; ++i) *numbers_[static_cast<std::size_t>(i) + 1] = end_[i];
      last = forces;
      return found_ = true;
    }
    // The first step may be long; from then on they must shrink.
    if (step > 1 && !(seen.change < 0.5 * before)) return false;
    before = seen.change;
    if (!add_newton_step()) return false;
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

/// One round from begin_ to end_, with a chunk of its derivatives: by the numbers of the state and
/// then by the reversals.
bool PeriodicJoint::run_round(Eigen::Index chunk) {
  const std::size_t count = turning_values_.size();
  const Eigen::Index size = begin_.size();
  const Eigen::Index width = std::min<Eigen::Index>(dual_width, by_begin_.cols() - chunk);
  const auto at_reversal = [&](std::size_t r) {
    return turning(r, size + static_cast<Eigen::Index>(r) - chunk, width);
  };
  *dual_numbers_[0] = at_reversal(0);
  for (Eigen::Index i = 0; i < size; ++i) {
    WideDual& number = *dual_numbers_[static_cast<std::size_t>(i) + 1];
    number = WideDual(begin_[i]);
    if (i >= chunk && i < chunk + width) number.v[i - chunk] = 1;
  }
  dual_u_.clear();
  for (std::size_t r = 1; r <= count; ++r) dual_u_.push_back(at_reversal(r % count));
  dual_f_.resize(count);
  if (dual_.run({}, dual_u_, dual_state_, dual_f_) != Status::ok) return false;
  for (Eigen::Index i = 0; i < size; ++i) {
    const WideDual& number = *dual_numbers_[static_cast<std::size_t>(i) + 1];
    end_[i] = number.a;
    by_begin_.row(i).segment(chunk, width) = number.v.head(width).transpose();
  }
  return true;
}

/// What the linearised round would add over some 10⁵ rounds, (1 + P + P² + …)(end − begin), by
/// doubling. False if that goes on growing: then the law never repeats.
bool PeriodicJoint::add_newton_step() {
  const Eigen::Index size = begin_.size();
  Eigen::MatrixXd power = by_begin_.leftCols(size);
  Eigen::VectorXd sum = end_ - begin_;
  const auto small = [&](const Eigen::VectorXd& part, double share) {
    return (part.array().abs() <= share * sum.array().abs()).all();
  };
  for (int rounds = 2;; rounds *= 2) {
    const Eigen::VectorXd more = power * sum;
    sum += more;
    if (small(more, 1e-17)) break;
    if (rounds >= most_linear_rounds) {
      if (!small(more, 1e-3)) return false;
      break;
    }
    power = (power * power).eval();
  }
  begin_ += sum;
  return true;
}

/// The state of the closed loop by the reversals, D = P D + R, as marching on would give it.
void PeriodicJoint::close_derivatives() {
  const Eigen::Index size = begin_.size();
  for (Eigen::Index chunk = (size + dual_width - 1) / dual_width * dual_width;
       chunk < by_begin_.cols(); chunk += dual_width)
    run_round(chunk);
  Eigen::MatrixXd power = by_begin_.leftCols(size);
  Eigen::MatrixXd sum = by_begin_.rightCols(by_begin_.cols() - size);
  for (int rounds = 1; rounds < most_linear_rounds; rounds *= 2) {
    sum += (power * sum).eval();
    power = (power * power).eval();
    if (power.cwiseAbs().maxCoeff() < 1e-20) break;
  }
  by_reversals_ = sum + power * by_reversals_;
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
