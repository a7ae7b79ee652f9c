#include "microslip/dynamics/rigid/sliding_body.hpp"

#include <Eigen/LU>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "dynamics/rigid/nearest_forces.hpp"
#include "dynamics/rigid/sliding_grid.hpp"

namespace microslip::dynamics {
namespace {

constexpr double pi = std::numbers::pi;
constexpr double infinity = std::numeric_limits<double>::infinity();

}  // namespace

SlidingBody::SlidingBody(const std::vector<Member>& members, int harmonics,
                         const Eigen::MatrixXd& damping, const Eigen::MatrixXd& stiffness,
                         const Eigen::VectorXd& at)
    : harmonics_(harmonics),
      along_(at.size(), column(members.size())),
      damping_(damping),
      stiffness_(stiffness),
      at_(at),
      cell_(cell_angle(harmonics)),
      grid_rows_(grid_rows(harmonics)),
      answers_(members.size()) {
  for (std::size_t j = 0; j < members.size(); ++j) {
    along_.col(column(j)) = members[j].along;
    const AnyState rest = members[j].model.rest();
    joints_.push_back({RigidFriction(members[j].model), rest, rest});
    timed_ = timed_ || joints_.back().law.rate_dependent();
    noise_ = std::max(noise_, joints_.back().law.noise());
  }
}

Eigen::MatrixXd SlidingBody::through(const Eigen::MatrixXd& q, double omega) const {
  Eigen::MatrixXd force = stiffness_ * q;
  for (int h = 1; h <= static_cast<int>(q.cols() / 2); ++h) {
    const double rate = h * omega;
    force.middleCols(2 * h - 1, 2) -= rate * rate * q.middleCols(2 * h - 1, 2);
    force.col(2 * h - 1) += rate * damping_ * q.col(2 * h);
    force.col(2 * h) -= rate * damping_ * q.col(2 * h - 1);
  }
  return force;
}

void SlidingBody::begin(const Eigen::VectorXd& push, double omega) {
  push_ = push.reshaped(size(), fourier_size(harmonics_));
  omega_ = omega;
  grid_push_.noalias() = push_ * grid_rows_.transpose();
  push_size_ = grid_push_.cwiseAbs().maxCoeff();
  reach_ = push_size_ / (omega * omega) + at_.cwiseAbs().maxCoeff();
  for (std::size_t j = 0; j < joints_.size(); ++j)
    joints_[j].law.measure(along_.col(column(j)).norm() * reach_, cell_ / omega);
  status_ = push.allFinite() ? Status::ok : Status::not_converged;
  reply_.closed = true;
  reply_.rounds = 1;
  reply_.drift = 0;
}

void SlidingBody::evaluate(const Eigen::VectorXd& push, double omega, bool with_jacobian) {
  begin(push, omega);
  // Friction that falls with velocity may have several motions: the one from rest counts.
  if (timed_) warm_ = false;
  if (status_ == Status::ok) close();
  if (status_ == Status::ok) run_period(true, with_jacobian ? push.size() + 1 : 0);
  if (status_ == Status::ok) {
    sum();
    if (reply_.closed) close_sums();
    Eigen::MatrixXd by;
    if (with_jacobian)
      by = by_motion_.leftCols(push.size() + 1) +
           by_motion_.rightCols(2 * size()) * closing(by_.leftCols(push.size() + 1));
    tell_reply(by, Eigen::MatrixXd::Zero(2 * size(), by.cols()));
  } else {
    warm_ = false;
  }
  tell_status();
}

void SlidingBody::evaluate_from(const Eigen::VectorXd& start, const Eigen::VectorXd& push,
                                double omega, bool with_jacobian) {
  begin(push, omega);
  warm_ = false;
  for (Joint& joint : joints_) {
    joint.state = joint.rest;
    joint.place = 0;
  }
  start_u_ = start.head(size());
  start_v_ = omega * start.tail(size());
  if (!(start.norm() <= furthest_start * reach_)) status_ = Status::not_converged;
  if (status_ == Status::ok) run_period(true, with_jacobian ? push.size() + 1 : 0);
  if (status_ == Status::ok && size() == 1 && rest_in_place(with_jacobian)) return tell_status();
  if (status_ == Status::ok) {
    sum();
    tell_end(with_jacobian);
  }
  tell_status();
}

Eigen::VectorXd SlidingBody::start() const {
  Eigen::VectorXd start(2 * size());
  start << start_u_, start_v_ / omega_;
  return start;
}

Eigen::VectorXd SlidingBody::push_at(double theta) const {
  Eigen::VectorXd row(fourier_size(harmonics_));
  fourier_row(theta, harmonics_, row);
  return push_ * row;
}

/// Newton's method for displacement and velocity at θ = 0; where that does not do, the body goes
/// round until it repeats itself. Where it never slips it stays as it is.
void SlidingBody::close() {
  const Eigen::Index r = size();
  if (!warm_) {
    for (Joint& joint : joints_) {
      joint.state = joint.rest;
      joint.place = 0;
    }
    start_u_ = at_;
    start_v_ = Eigen::VectorXd::Zero(r);
  }
  int since_plain = warm_ ? 2 : 0;
  double last = infinity;
  warm_ = true;
  for (reply_.rounds = 1;; ++reply_.rounds) {
    if (!run_period(false, 0)) return;
    Eigen::VectorXd change(2 * r);
    change << u_ - start_u_, v_ - start_v_;
    const double now = std::max(change.head(r).lpNorm<Eigen::Infinity>(),
                                change.tail(r).lpNorm<Eigen::Infinity>() / omega_) /
                       reach_;
    const bool enough = now <= 1e-8;  // the square is left
    if (!enough && reply_.rounds >= most_rounds) {
      reply_.closed = false;
      reply_.drift = now;
      return;
    }
    // A step that went astray is followed by some rounds of the body itself.
    if (since_plain > 4 && now > 0.5 * last) since_plain = -6;
    last = now;
    if (since_plain++ >= 2 || enough) change = closing(change);
    start_u_ += change.head(r);
    start_v_ += change.tail(r);
    if (enough) return;
  }
}

/// (1 − P)⁻¹ of an error at the end of the period, P being its end by its start. Where the body
/// never slips P is 1, and nothing is to be changed.
Eigen::MatrixXd SlidingBody::closing(const Eigen::MatrixXd& error) const {
  const Eigen::Index r = size();
  Eigen::VectorXd units(2 * r);
  units << Eigen::VectorXd::Ones(r), Eigen::VectorXd::Constant(r, omega_);
  const Eigen::MatrixXd left =
      Eigen::MatrixXd::Identity(2 * r, 2 * r) -
      units.cwiseInverse().asDiagonal() * by_.rightCols(2 * r) * units.asDiagonal();
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> factors;
  factors.setThreshold(1e-9);
  factors.compute(left);
  return units.asDiagonal() * factors.solve(units.cwiseInverse().asDiagonal() * error);
}

bool SlidingBody::run_period(bool recording, Eigen::Index columns) {
  const Eigen::Index r = size();
  theta_ = 0;
  held_ = 0;
  events_ = 0;
  u_ = start_u_;
  v_ = start_v_;
  by_.setZero(2 * r, columns + 2 * r);
  by_.rightCols(2 * r).setIdentity();
  if (recording) {
    motion_.setZero(r, fourier_size(harmonics_));
    nodes_ = 0;
    for (Answer& answer : answers_) {
      answer.loop = {};
      answer.course = {};
      answer.force.coefficients.setZero(fourier_size(harmonics_));
    }
  }
  for (std::size_t j = 0; j < joints_.size(); ++j) {
    Joint& joint = joints_[j];
    const double place = motion_of(j, u_);
    if (place != joint.place) joint.law.model().step(joint.state, place, infinity, joint.state);
    joint.place = place;
    joint.side = stands(j) ? 0 : motion_of(j, v_) > 0 ? 1 : -1;
  }
  choose_sides();
  if (recording)
    for (std::size_t j = 0; j < joints_.size(); ++j)
      if (joints_[j].side == 0) answers_[j].course.rests.push_back({0, 0});
  const Eigen::Index cells = grid_rows_.rows() / 3;
  for (Eigen::Index i = 1; i <= cells; ++i)
    while (theta_ < static_cast<double>(i) * cell_) {
      if (++events_ > most_events) status_ = Status::not_converged;
      advance(static_cast<double>(i) * cell_, recording, 0);
      if (status_ != Status::ok) return false;
    }
  if (recording)
    for (std::size_t j = 0; j < joints_.size(); ++j)
      if (joints_[j].side == 0) answers_[j].course.rests.back().to = theta_;
  return true;
}

Eigen::VectorXd SlidingBody::left_over(const Eigen::VectorXd& push, const Eigen::VectorXd& u,
                                       const Eigen::VectorXd& v, double after) {
  Eigen::VectorXd left = push - damping_ * v - stiffness_ * u;
  for (std::size_t j = 0; j < joints_.size(); ++j) {
    Joint& joint = joints_[j];
    if (joint.side == 0) continue;
    left -= joint.law.force({joint.state, joint.place, joint.side}, motion_of(j, u),
                            motion_of(j, v), after) *
            along_.col(column(j));
  }
  return left;
}

Eigen::VectorXd SlidingBody::free_part(const Eigen::VectorXd& force) const {
  return free_ * (free_.transpose() * force);
}

Eigen::VectorXd SlidingBody::holds(const Eigen::VectorXd& force) const {
  const Eigen::VectorXd middle = 0.5 * (low_ + high_);
  const Eigen::VectorXd shared = middle + shares_ * (force - stuck_along_ * middle);
  if ((shared.array() >= low_.array()).all() && (shared.array() <= high_.array()).all())
    return shared;
  return nearest_forces(stuck_along_, force, low_, high_);
}

Eigen::VectorXd SlidingBody::not_held(const Eigen::VectorXd& force) const {
  const Eigen::VectorXd left = force - stuck_along_ * holds(force);
  const double size =
      push_size_ + force.norm() + stuck_along_.norm() * (low_.norm() + high_.norm());
  return left.norm() > 1e-12 * size ? left : Eigen::VectorXd();
}

/// Of the joints that stand, those slip that the acceleration moves.
void SlidingBody::choose_sides() {
  move_as_sides_allow();
  if (stuck_.empty()) return;
  const Eigen::VectorXd force = left_over(push_at(theta_), u_, v_, 0);
  const Eigen::VectorXd acceleration = force - stuck_along_ * holds(force);
  const double size = push_size_ + force.norm();
  for (const std::size_t j : stuck_) {
    const double along = motion_of(j, acceleration) / along_.col(column(j)).norm();
    joints_[j].side = along > 1e-11 * size ? 1 : along < -1e-11 * size ? -1 : 0;
  }
  move_as_sides_allow();
}

/// What stuck joints leave free; joints that cannot move then stick as well.
void SlidingBody::move_as_sides_allow() {
  collect_stuck();
  if (stuck_.empty()) {
    free_.setIdentity(size(), size());
  } else {
    Eigen::ColPivHouseholderQR<Eigen::MatrixXd> factors(stuck_along_.colwise().normalized());
    factors.setThreshold(1e-9);
    const Eigen::MatrixXd all = factors.householderQ();
    free_ = all.rightCols(size() - factors.rank());
    for (std::size_t j = 0; j < joints_.size(); ++j) {
      const auto along = along_.col(column(j));
      if ((free_.transpose() * along).norm() <= 1e-9 * along.norm()) joints_[j].side = 0;
    }
    collect_stuck();
    shares_ = proportional_shares(stuck_along_, low_, high_);
    v_ = free_part(v_);
    by_.bottomRows(size()) = (free_ * (free_.transpose() * by_.bottomRows(size()))).eval();
  }
  free_damping_ = free_.transpose() * damping_ * free_;
  free_stiffness_ = free_.transpose() * stiffness_ * free_;
  slipping_.clear();
  for (std::size_t j = 0; j < joints_.size(); ++j)
    if (joints_[j].side != 0) slipping_.push_back(j);
  free_along_.resize(free_.cols(), column(slipping_.size()));
  for (std::size_t i = 0; i < slipping_.size(); ++i)
    free_along_.col(column(i)) = free_.transpose() * along_.col(column(slipping_[i]));
  last_.h = 0;
}

void SlidingBody::collect_stuck() {
  stuck_.clear();
  for (std::size_t j = 0; j < joints_.size(); ++j)
    if (joints_[j].side == 0) stuck_.push_back(j);
  const Eigen::Index count = column(stuck_.size());
  stuck_along_.resize(size(), count);
  low_.resize(count);
  high_.resize(count);
  for (Eigen::Index i = 0; i < count; ++i) {
    const std::size_t j = stuck_[static_cast<std::size_t>(i)];
    const auto [back, on] = joints_[j].law.limits(joints_[j].state, joints_[j].place);
    stuck_along_.col(i) = along_.col(column(j));
    low_[i] = back;
    high_[i] = on;
  }
}

std::vector<int> SlidingBody::sides() const {
  std::vector<int> result;
  for (const Joint& joint : joints_) result.push_back(joint.side);
  return result;
}

void SlidingBody::tell_courses(const std::vector<int>& before) {
  for (std::size_t j = 0; j < joints_.size(); ++j) {
    std::vector<SlidingCourse::Rest>& rests = answers_[j].course.rests;
    if (before[j] == 0 && joints_[j].side != 0) rests.back().to = theta_;
    if (before[j] != 0 && joints_[j].side == 0) rests.push_back({theta_, theta_});
  }
}

/// A joint has come to rest, and others with it that move as it does. It stops a little later or
/// earlier when the velocity is disturbed, and from then on the acceleration is another.
void SlidingBody::stop(std::size_t j, bool recording) {
  const std::vector<int> before = sides();
  const Eigen::VectorXd push = push_at(theta_);
  const Eigen::VectorXd from = free_part(left_over(push, u_, v_, 0));
  joints_[j].side = 0;
  const double standing = 1e-11 * omega_ * reach_;
  for (std::size_t k = 0; k < joints_.size(); ++k)
    if (std::abs(motion_of(k, v_)) <= standing * along_.col(column(k)).norm()) joints_[k].side = 0;
  const Eigen::MatrixXd by_v = by_.bottomRows(size());
  choose_sides();
  const Eigen::VectorXd to = free_part(left_over(push, u_, v_, 0));
  const Eigen::VectorXd along = along_.col(column(j));
  by_.bottomRows(size()) = by_v + (to - from) * (along.transpose() * by_v) / along.dot(from);
  if (!recording) return;
  for (std::size_t k = 0; k < joints_.size(); ++k)
    if (before[k] != 0 && before[k] != joints_[k].side)
      answers_[k].course.stops.push_back({theta_, motion_of(k, to) / motion_of(k, from)});
  tell_courses(before);
}

void SlidingBody::release(const Eigen::VectorXd& towards, bool recording) {
  const std::vector<int> before = sides();
  for (const std::size_t j : stuck_) {
    const double along = motion_of(j, towards);
    const double noise = 1e-9 * along_.col(column(j)).norm() * towards.norm();
    joints_[j].side = along > noise ? 1 : along < -noise ? -1 : 0;
  }
  move_as_sides_allow();
  if (recording) tell_courses(before);
}

}  // namespace microslip::dynamics
