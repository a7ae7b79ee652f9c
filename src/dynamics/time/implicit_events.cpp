#include <algorithm>
#include <cmath>

#include "dynamics/time/implicit_motion.hpp"

/// Steps of the midpoint rule that end at events of the joints.
namespace microslip::dynamics {
namespace {

/// Of what an event function changes over the step: below it the event is where the step begins or ends.
constexpr double located = 1e-9;

}  // namespace

std::vector<ImplicitMotion::Ahead> ImplicitMotion::events_ahead() const {
  std::vector<Ahead> ahead;
  for (std::size_t j = 0; j < s_.joints.size(); ++j) {
    const double velocity = run_.joint_motion(j, v_);
    const int direction = velocity < 0 ? -1 : 1;
    ahead.push_back(
        {static_cast<double>(direction), s_.joints[j].model.next_kink(run_.state[j], direction)});
  }
  return ahead;
}

Eigen::VectorXd ImplicitMotion::events_left(const std::vector<Ahead>& ahead,
                                            const Eigen::VectorXd& x,
                                            const Eigen::VectorXd& v) const {
  Eigen::VectorXd left(2 * static_cast<Eigen::Index>(ahead.size()));
  for (std::size_t j = 0; j < ahead.size(); ++j) {
    const auto row = 2 * static_cast<Eigen::Index>(j);
    left[row] = ahead[j].direction * run_.joint_motion(j, v);
    left[row + 1] = ahead[j].direction * (ahead[j].kink - run_.joint_motion(j, x));
  }
  return left;
}

bool ImplicitMotion::event_possible(double h) const {
  // Three times what the acceleration so far would do.
  constexpr double margin = 3;
  for (std::size_t j = 0; j < s_.joints.size(); ++j) {
    const double velocity = run_.joint_motion(j, v_);
    const double change = margin * h * std::abs(run_.joint_motion(j, acceleration_));
    if (std::abs(velocity) <= change) return true;
    const int direction = velocity < 0 ? -1 : 1;
    const double kink = s_.joints[j].model.next_kink(run_.state[j], direction);
    const double room = direction * (kink - run_.joint_motion(j, x_));
    if (room <= h * (std::abs(velocity) + change)) return true;
  }
  return false;
}

double ImplicitMotion::before_event(double stop) {
  const double whole = stop - t_;
  if (rigid() || !event_possible(whole)) return stop;
  const std::vector<Ahead> ahead = events_ahead();
  const Eigen::VectorXd start = events_left(ahead, x_, v_);
  Eigen::VectorXd left;
  const auto try_step = [&](double h) {
    find_mean_load(h);
    if (!solve_midpoint(h)) return false;
    left = events_left(ahead, next_, 2 * mean_ - v_);
    return true;
  };
  // The first event that the step has passed, by its chord; of two events the later one may be found first.
  const auto passed = [&] {
    Eigen::Index first = -1;
    double share = 1;
    for (Eigen::Index i = 0; i < start.size(); ++i) {
      if (!std::isfinite(start[i])) continue;
      const double size = std::abs(start[i]) + std::abs(left[i]);
      if (!(start[i] > located * size && left[i] < -located * size)) continue;
      const double at = start[i] / (start[i] - left[i]);
      if (first >= 0 && at >= share) continue;
      first = i;
      share = at;
    }
    return first;
  };
  const auto give_up = [&] {
    run_.result.status = Status::ok;  // of a trial
    return stop;
  };
  if (!try_step(whole)) return give_up();
  double end = whole;
  for (Eigen::Index event = passed(); event >= 0; event = passed()) {
    // Regula falsi, with the weight of an end that stays halved (Illinois).
    double low = 0, high = end, at_low = start[event], at_high = left[event];
    const double enough = 0.5 * located * (at_low - at_high);
    int stayed = 0;  // the lower end: −1, the upper end: 1
    for (int i = 0; i < 50; ++i) {
      end = low + (high - low) * at_low / (at_low - at_high);
      if (!try_step(end)) return give_up();
      const double here = left[event];
      if (std::abs(here) <= enough) break;
      if (here < 0) {
        high = end;
        at_high = here;
        if (stayed < 0) at_low *= 0.5;
        stayed = -1;
      } else {
        low = end;
        at_low = here;
        if (stayed > 0) at_high *= 0.5;
        stayed = 1;
      }
    }
  }
  // A step as short as rounding would have a velocity of rounding.
  constexpr double shortest = 1e-6;
  return end < shortest * whole || end > (1 - shortest) * whole ? stop : t_ + end;
}

}  // namespace microslip::dynamics
