#include "microslip/friction/held_chain.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "microslip/core/error.hpp"
#include "microslip/core/text.hpp"

namespace microslip::friction {

using Index = Eigen::Index;

HeldChain::HeldChain(double k, double k_end, Eigen::VectorXd phi)
    : k_(k), k_end_(k_end), phi_(std::move(phi)) {
  if (phi_.size() < 2) throw Error("a chain needs two sliders or more");
  const auto positive = [](double x) { return x > 0 && std::isfinite(x); };
  if (!positive(k_) || !positive(k_end_))
    throw Error("the springs of a chain, k = " + number_text(k_) + " and " + number_text(k_end_) +
                " at the ends, must be positive");
  for (Index i = 0; i < phi_.size(); ++i)
    if (!positive(phi_[i]))
      throw Error("friction limit " + std::to_string(i + 1) + " = " + number_text(phi_[i]) +
                  " must be positive");
  from_end_.push_back(k_ / (k_ + k_end_));
  from_stuck_.push_back(0.5);
  for (Index i = 1; i < phi_.size(); ++i)
    for (std::vector<double>* factors : {&from_end_, &from_stuck_})
      factors->push_back(1 / (2 - factors->back()));
}

HeldChain::State HeldChain::rest() const {
  return {Eigen::Vector2d::Zero(), Eigen::VectorXd::Zero(size()),
          std::vector<std::int8_t>(static_cast<std::size_t>(size()), 0)};
}

double HeldChain::held(const State& state, Index i) const {
  const Eigen::VectorXd& q = state.q;
  const Index last = size() - 1;
  if (i > 0 && i < last) return k_ * (q[i - 1] - 2 * q[i] + q[i + 1]);
  const Index next = i == 0 ? 1 : last - 1;
  return k_ * (q[next] - q[i]) + k_end_ * (state.d[i == 0 ? 0 : 1] - q[i]);
}

void HeldChain::solve(const State& state, const Eigen::VectorXd& before, Eigen::VectorXd& factor,
                      Eigen::VectorXd& q) const {
  // Thomas' algorithm; a stuck slider ends one stretch of slipping ones and begins the next. q_i = r_i +
  // factor_i q_{i+1}, and the factors of a stretch depend on its length alone.
  const Index last = size() - 1;
  const double* next_factor = from_end_.data();
  const double soft = 1 / k_;
  double last_q = 0, pulled = soft * k_end_ * state.d[0];
  for (Index i = 0; i < last; ++i) {
    const auto side = state.side[static_cast<std::size_t>(i)];
    if (side == 0) {
      factor[i] = 0;
      q[i] = last_q = before[i];
      next_factor = from_stuck_.data();
    } else {
      factor[i] = *next_factor++;
      q[i] = last_q = factor[i] * (last_q + pulled - side * (soft * phi_[i]));
    }
    pulled = 0;
  }
  if (const auto side = state.side[static_cast<std::size_t>(last)]; side == 0)
    q[last] = before[last];
  else
    q[last] = (k_ * last_q + k_end_ * state.d[1] - side * phi_[last]) /
              (k_ + k_end_ - k_ * factor[last - 1]);
  for (Index i = last - 1; i >= 0; --i)
    if (factor[i] != 0) q[i] += factor[i] * q[i + 1];
}

Eigen::Matrix2d HeldChain::tangent(const std::vector<std::int8_t>& side) const {
  // The springs up to the first stuck slider, in a row.
  const Index n = size();
  const auto slips = [](std::int8_t x) { return x != 0; };
  const auto row = [&](Index springs) { return 1 / k_end_ + static_cast<double>(springs) / k_; };
  const Index left = std::find_if_not(side.begin(), side.end(), slips) - side.begin();
  Eigen::Matrix2d result = Eigen::Matrix2d::Zero();
  if (left == n) {
    const double through = 1 / (row(n - 1) + 1 / k_end_);
    result << through, -through, -through, through;
    return result;
  }
  const Index right = std::find_if_not(side.rbegin(), side.rend(), slips) - side.rbegin();
  result(0, 0) = 1 / row(left);
  result(1, 1) = 1 / row(right);
  return result;
}

template <class At>
HeldChain::Front HeldChain::slip_from(double way, const At& at, const State& from,
                                      State& to) const {
  const Index n = size();
  if (way == 0) return {};
  const int sign = way > 0 ? 1 : -1;
  const double soft = 1 / k_;
  double compliance = 1 / k_end_, moved = way, friction = 0, force = way / compliance;
  Index i = 0;
  for (; i < n; ++i) {
    const Index place = at(i);
    const double more = sign * phi_[place] - held(from, place);
    if (sign * (force - friction - more) <= 0) break;
    friction += more;
    to.side[static_cast<std::size_t>(place)] = static_cast<std::int8_t>(sign);
    to.q[place] = friction;  // R, until the way back
    moved += friction * soft;
    compliance += soft;
    force = moved / compliance;
  }
  if (i == n) return {-1, 0};
  const Front front{i, force - friction};
  double slip = 0;
  while (i-- > 0) {
    const Index place = at(i);
    slip += (force - to.q[place]) * soft;
    to.q[place] = from.q[place] + slip;
  }
  return front;
}

bool HeldChain::step_by_fronts(const State& from, const Eigen::Vector2d& d, State& to) const {
  const Index n = size();
  std::fill(to.side.begin(), to.side.end(), std::int8_t{0});
  const Front left = slip_from(
      d[0] - from.d[0], [](Index i) { return i; }, from, to);
  const Front right = slip_from(
      d[1] - from.d[1], [n](Index i) { return n - 1 - i; }, from, to);
  if (left.slipping < 0 || right.slipping < 0 || left.slipping + right.slipping >= n) return false;
  if (left.slipping + right.slipping < n - 1) return true;
  // Both fronts push the same slider.
  const double force = held(from, left.slipping) + left.pushed + right.pushed;
  return std::abs(force) <= phi_[left.slipping];
}

HeldChain::Reply HeldChain::step(const State& start, const Eigen::Vector2d& d, State& to) const {
  const Index n = size();
  const State copy = &to == &start ? start : State{};
  const State& from = &to == &start ? copy : start;
  to.q = from.q;
  to.side.resize(from.side.size());
  to.d = d;
  Reply reply{};
  reply.solves = 1;
  if (!step_by_fronts(from, d, to)) solve_active_set(from, to, reply);
  for (Index i = 0; i < n; ++i) reply.dissipated += phi_[i] * std::abs(to.q[i] - from.q[i]);
  reply.force = {k_end_ * (d[0] - to.q[0]), k_end_ * (d[1] - to.q[n - 1])};
  reply.tangent = tangent(to.side);
  return reply;
}

void HeldChain::solve_active_set(const State& from, State& to, Reply& reply) const {
  const Index n = size();
  const Eigen::VectorXd& before = from.q;
  to.q = before;
  to.side = from.side;
  // A slider on the verge of slip would otherwise change its side for ever.
  const double stiffest = std::max(k_, k_end_);
  const double slack = 1e-14 * (phi_.maxCoeff() + k_end_ * to.d.lpNorm<Eigen::Infinity>() +
                                stiffest * before.lpNorm<Eigen::Infinity>());
  Eigen::VectorXd factor(n);
  // All sides that a solution contradicts change at once; should that ever cycle, only the first one
  // does (Murty's rule), which ends because K is positive definite.
  const long most = 20 + 4 * static_cast<long>(n);
  bool found = false;
  for (long iteration = 0; iteration < 50 * most && !found; ++iteration) {
    solve(to, before, factor, to.q);
    ++reply.solves;
    found = true;
    // What the sliders that stick hold back, as the solution has it.
    const auto beyond = [&](Index i, int direction) { return direction * held(to, i) - phi_[i]; };
    for (Index i = 0; i < n; ++i) {
      auto& side = to.side[static_cast<std::size_t>(i)];
      if (side == 0) {
        const double force = held(to, i);
        if (std::abs(force) <= phi_[i] + slack) continue;
        side = force > 0 ? 1 : -1;
        // Slip spreads from neighbour to neighbour: each takes what is left to its limit, and those that
        // cannot will slip too. Without this guess every solution moves a front by one slider.
        for (const Index next : {Index(-1), Index(1)}) {
          double rest = iteration > most ? 0 : beyond(i, side);
          for (Index j = i + next; j >= 0 && j < n && rest > 0; j += next) {
            auto& neighbour = to.side[static_cast<std::size_t>(j)];
            if (neighbour != 0) continue;
            const double left = beyond(j, side);
            if (rest + left <= 0) break;
            rest += std::min(left, 0.0);
            neighbour = side;
          }
        }
      } else {
        if ((to.q[i] - before[i]) * side >= -slack / stiffest) continue;
        side = 0;
      }
      found = false;
      if (iteration > most) break;
    }
  }
  if (!found) reply.status = Status::not_converged;
}

double HeldChain::stored(const State& state) const {
  const Index n = size();
  double sum =
      k_end_ * (std::pow(state.d[0] - state.q[0], 2) + std::pow(state.d[1] - state.q[n - 1], 2));
  for (Index i = 0; i + 1 < n; ++i) sum += k_ * std::pow(state.q[i] - state.q[i + 1], 2);
  return 0.5 * sum;
}

}  // namespace microslip::friction
