#include "microslip/friction/chain_walk.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace microslip::friction {
namespace {

int sign(double x) { return x > 0 ? 1 : x < 0 ? -1 : 0; }

}  // namespace

ChainWalk::ChainWalk(HeldChain chain)
    : chain_(std::move(chain)), soft_(1 / chain_.k()), soft_end_(1 / chain_.k_end()) {
  rest(false);
}

void ChainWalk::rest(bool with_derivatives) {
  with_derivatives_ = with_derivatives;
  d_.setZero();
  q_.setZero(chain_.size());
  limit_.assign(static_cast<std::size_t>(size()), 0);
  left_ = right_ = 0;
  events_.clear();
  let_go_ = false;
  dissipated_ = 0;
  seeds_ = 0;
  rows_.setZero(with_derivatives ? size() : 0, with_derivatives ? 16 : 0);
}

Status ChainWalk::step(const Eigen::Vector2d& d) {
  HeldChain::State state{d_, q_, limit_};
  const HeldChain::Reply reply = chain_.step(state, d, state);
  d_ = state.d;
  q_ = state.q;
  limit_ = state.side;
  dissipated_ += reply.dissipated;
  rows_.setZero();
  const auto slips = [](std::int8_t side) { return side != 0; };
  left_ = std::find_if_not(limit_.begin(), limit_.end(), slips) - limit_.begin();
  right_ = left_ == size()
               ? 0
               : std::find_if_not(limit_.rbegin(), limit_.rend(), slips) - limit_.rbegin();
  return reply.status;
}

double ChainWalk::held(Index i) const {
  const Index last = size() - 1;
  const double before =
      i == 0 ? chain_.k_end() * (d_[0] - q_[0]) : chain_.k() * (q_[i - 1] - q_[i]);
  const double after =
      i == last ? chain_.k_end() * (d_[1] - q_[last]) : chain_.k() * (q_[i + 1] - q_[i]);
  return before + after;
}

bool ChainWalk::set_out(const Eigen::Vector2d& velocity) {
  const Index n = size();
  const int first = sign(velocity[0]), last = sign(velocity[1]);
  const auto at = [&](Index i) -> std::int8_t& { return limit_[static_cast<std::size_t>(i)]; };
  Index left = 0, right = 0;
  while (first != 0 && left < n && at(left) == first) ++left;
  while (last != 0 && left + right < n && at(n - 1 - right) == last) ++right;
  if (left + right == n && first != last) {
    // All might slip: not those whose velocity would be against their side, of which the one between both
    // sides is the first.
    const auto moves = [&](Index i, int side) {
      return side * (velocity[0] * (whole() - x(i)) + velocity[1] * x(i)) > 0;
    };
    if (left > 0 && !moves(left - 1, first))
      at(--left) = 0;
    else if (right > 0 && !moves(left, last))
      at(n - right--) = 0;
  }
  const bool stops = left + right < n && (all() || left < left_ || right < right_);
  if (stops && with_derivatives_) remember(left, right, velocity);
  left_ = left;
  right_ = right;
  let_go_ = false;
  find_events(first, last);
  return stops;
}

/// The sliders that stop if only so many go on moving.
void ChainWalk::remember(Index left, Index right, const Eigen::Vector2d& velocity) {
  const Index n = size(), column = 2 * seeds_++, front = left_front(), back = right_front();
  if (rows_.cols() < column + 2) {
    const Index before = rows_.cols();
    rows_.conservativeResize(n, 2 * before);
    rows_.rightCols(before).setZero();
  }
  if (all()) {
    for (Index i = left; i < n - right; ++i) {
      rows_.row(i).setZero();
      rows_(i, column) = 1 - x(i) / whole();
      rows_(i, column + 1) = x(i) / whole();
    }
    return;
  }
  // The time of a sudden stop: the force on the front, g d − (g_1 + g_2) q_F, is at its limit.
  Eigen::RowVectorXd time;
  if (let_go_) {
    const Eigen::Vector2d growth(1 / x(front), 1 / y(back));
    time = growth.sum() * rows_.row(front);
    time.segment<2>(column) -= growth;
    time /= growth.dot(velocity);
  }
  const auto stop = [&](Index i, double part, Index from, Index input) {
    rows_.row(i) = part * rows_.row(from);
    rows_(i, column + input) += 1 - part;
    if (let_go_) rows_.row(i) += (1 - part) * velocity[input] * time;
  };
  for (Index i = left; i < left_; ++i) stop(i, x(i) / x(front), front, 0);
  for (Index i = back + 1; i < n - right; ++i) stop(i, y(i) / y(back), back, 1);
}

void ChainWalk::find_events(int first, int last) {
  events_.clear();
  const Index n = size();
  if (all()) {
    if (first * last >= 0) return;
    const auto stops = [&](Index i, int side) {
      events_.push_back({side * Eigen::Vector2d(whole() - x(i), x(i)), 0, true, i, side});
    };
    if (left_ > 0) stops(left_ - 1, first);
    if (left_ < n) stops(left_, last);
    return;
  }
  const Index front = left_front(), back = right_front();
  const auto reaches = [&](Index i, const Eigen::Vector2d& growth, int side) {
    const Eigen::Vector2d c = side * growth;
    events_.push_back(
        {c, c.dot(d_) + std::max(0.0, chain_.phi()[i] - side * held(i)), false, i, side});
  };
  if (front == back) {
    const Eigen::Vector2d growth(first != 0 ? 1 / x(front) : 0, last != 0 ? 1 / y(back) : 0);
    for (const int side : {1, -1})
      if (side == first || side == last) reaches(front, growth, side);
    return;
  }
  if (first != 0) reaches(front, {1 / x(front), 0}, first);
  if (last != 0) reaches(back, {0, 1 / y(back)}, last);
}

void ChainWalk::go(const Eigen::Vector2d& d, const Event* event) {
  const Eigen::Vector2d way = d - d_;
  const Index n = size();
  const auto move = [&](Index i, double by) {
    q_[i] += by;
    dissipated_ += chain_.phi()[i] * std::abs(by);
  };
  const auto at = [&](Index i) -> std::int8_t& { return limit_[static_cast<std::size_t>(i)]; };
  if (all()) {
    for (Index i = 0; i < n; ++i) move(i, way[0] + x(i) / whole() * (way[1] - way[0]));
  } else {
    const double to_front = x(left_front()), to_back = y(right_front());
    for (Index i = 0; i < left_; ++i) move(i, (1 - x(i) / to_front) * way[0]);
    for (Index i = n - right_; i < n; ++i) move(i, (1 - y(i) / to_back) * way[1]);
    if (way[0] != 0) at(left_front()) = 0;
    if (way[1] != 0) at(right_front()) = 0;
  }
  d_ = d;
  let_go_ = event && !event->of_rate && !all() && left_front() == right_front();
  if (event) at(event->slider) = static_cast<std::int8_t>(event->of_rate ? 0 : event->side);
}

Eigen::Vector2d ChainWalk::force() const {
  return {chain_.k_end() * (d_[0] - q_[0]), chain_.k_end() * (d_[1] - q_[size() - 1])};
}

Eigen::Matrix2d ChainWalk::tangent() const {
  Eigen::Matrix2d result;
  if (all())
    result << 1, -1, -1, 1;
  else
    result << whole() / x(left_front()), 0, 0, whole() / y(right_front());
  return result / whole();
}

Eigen::MatrixXd ChainWalk::memory() const {
  Eigen::MatrixXd result = Eigen::MatrixXd::Zero(2, 2 * seeds_);
  if (all() || seeds_ == 0) return result;
  result.row(0) = -rows_.row(left_front()).head(2 * seeds_) / x(left_front());
  result.row(1) = -rows_.row(right_front()).head(2 * seeds_) / y(right_front());
  return result;
}

}  // namespace microslip::friction
