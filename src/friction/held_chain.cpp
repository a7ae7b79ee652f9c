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
  // The sliders that slip next to an end follow it: their stiffness seen from there, from inside outwards.
  const Index n = size();
  Eigen::Matrix2d result = k_end_ * Eigen::Matrix2d::Identity();
  for (const int end : {0, 1}) {
    const auto at = [&](Index i) { return end == 0 ? i : n - 1 - i; };
    Index slipping = 0;
    while (slipping < n && side[static_cast<std::size_t>(at(slipping))] != 0) ++slipping;
    if (slipping == 0) continue;
    double seen = 0, through = 1;  // through: how far the motion of the end reaches the other one
    for (Index i = slipping - 1; i >= 0; --i) {
      const double ends = (i == 0 ? k_end_ : k_) + (i == n - 1 ? k_end_ : k_);
      seen = i == slipping - 1 ? ends : ends - k_ * k_ / seen;
      through *= (i == 0 ? k_end_ : k_) / seen;
    }
    result(end, end) -= k_end_ * k_end_ / seen;
    if (slipping == n) result(1 - end, end) = -k_end_ * through;
  }
  return result;
}

HeldChain::Reply HeldChain::step(const State& from, const Eigen::Vector2d& d, State& to) const {
  const Index n = size();
  const Eigen::VectorXd before = from.q;
  if (&to != &from) to = from;
  to.d = d;
  // A slider on the verge of slip would otherwise change its side for ever.
  const double stiffest = std::max(k_, k_end_);
  const double rounding = 1e-14 * (phi_.maxCoeff() + k_end_ * d.lpNorm<Eigen::Infinity>() +
                                   stiffest * before.lpNorm<Eigen::Infinity>());
  Reply reply{};
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
        if (std::abs(force) <= phi_[i] + rounding) continue;
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
        if ((to.q[i] - before[i]) * side >= -rounding / stiffest) continue;
        side = 0;
      }
      found = false;
      if (iteration > most) break;
    }
  }
  if (!found) reply.status = Status::not_converged;
  for (Index i = 0; i < n; ++i) reply.dissipated += phi_[i] * std::abs(to.q[i] - before[i]);
  reply.force = {k_end_ * (d[0] - to.q[0]), k_end_ * (d[1] - to.q[n - 1])};
  reply.tangent = tangent(to.side);
  return reply;
}

double HeldChain::stored(const State& state) const {
  const Index n = size();
  double sum =
      k_end_ * (std::pow(state.d[0] - state.q[0], 2) + std::pow(state.d[1] - state.q[n - 1], 2));
  for (Index i = 0; i + 1 < n; ++i) sum += k_ * std::pow(state.q[i] - state.q[i + 1], 2);
  return 0.5 * sum;
}

}  // namespace microslip::friction
