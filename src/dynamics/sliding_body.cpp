#include "microslip/dynamics/sliding_body.hpp"

#include <Eigen/LU>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "nearest_forces.hpp"
#include "place_of_rest.hpp"

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
    timed_ = timed_ || joints_.back().law.sees_velocity();
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

/// A body with one way to move that repeats itself only at rest is looked at where it rests.
bool SlidingBody::rest_in_place(bool with_jacobian) {
  const auto only_moves_on = [](const Answer& answer) { return answer.course.only_moves_on(); };
  if (!std::all_of(answers_.begin(), answers_.end(), only_moves_on)) return false;
  const Eigen::VectorXd push = push_.row(0).transpose();
  const Eigen::VectorXd values = grid_push_.row(0).transpose();
  const auto place = place_of_rest({push, values, cell_}, stiffness_(0, 0), at_[0], [&](double u) {
    RigidFriction::Limits all{0, 0};
    for (std::size_t j = 0; j < joints_.size(); ++j) {
      const double c = along_(0, column(j));
      AnyState law = joints_[j].rest;
      joints_[j].law.model().step(law, c * u, infinity, law);
      const auto [back, on] = joints_[j].law.limits(law, c * u);
      all.on += c * (c > 0 ? on : back);
      all.back += c * (c > 0 ? back : on);
    }
    return all;
  });
  if (!place) return false;
  start_u_[0] = place->u;
  start_v_[0] = 0;
  if (!run_period(true, with_jacobian ? push_.size() + 1 : 0)) return false;
  sum();
  end_.at = Eigen::Vector2d(place->u, 0);
  if (!with_jacobian) {
    tell_reply({}, {});
    return true;
  }
  Eigen::RowVectorXd row(push_.size());
  fourier_row(place->theta, harmonics_, row);
  end_.by_push.setZero(2, push_.size());
  end_.by_push.row(0) = place->yields * row;
  end_.by_start.setZero(2, 2);
  end_.by_omega.setZero(2);
  end_.force_by_start.setZero(push_.size(), 2);
  // The whole motion is this place.
  Eigen::MatrixXd by = Eigen::MatrixXd::Zero(push_.size(), push_.size() + 1);
  by.row(0).head(push_.size()) = end_.by_push.row(0);
  tell_reply(by, Eigen::MatrixXd::Zero(2, by.cols()));
  return true;
}

Eigen::VectorXd SlidingBody::start() const {
  Eigen::VectorXd start(2 * size());
  start << start_u_, start_v_ / omega_;
  return start;
}

void SlidingBody::tell_status() {
  reply_.status = status_;
  if (status_ != Status::ok) reply_.coefficients.setZero(push_.size());
  for (Answer& answer : answers_) {
    if (status_ != Status::ok) answer.force.coefficients.setZero(push_.cols());
    answer.force.status = status_;
    answer.force.closed = reply_.closed;
    answer.force.drift = reply_.drift;
    answer.force.rounds = reply_.rounds;
  }
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

void SlidingBody::sum() {
  const Eigen::Index r = size(), functions = fourier_size(harmonics_);
  motion_ /= pi;
  motion_.col(0) /= 2;
  const Eigen::MatrixXd sums = node_rows_.topRows(nodes_).transpose() * by_u_.topRows(nodes_);
  by_motion_.resize(r * functions, by_.cols());
  for (Eigen::Index k = 0; k < functions; ++k)
    by_motion_.middleRows(k * r, r) = sums.row(k).reshaped(r, by_.cols()) / (k == 0 ? 2 * pi : pi);
  for (Answer& answer : answers_) {
    answer.force.coefficients /= pi;
    answer.force.coefficients[0] /= 2;
    answer.loop.tangent.assign(answer.loop.f.size(), 0);
  }
}

void SlidingBody::close_sums() {
  const Eigen::Index r = size();
  Eigen::VectorXd error(2 * r);
  error << u_ - start_u_, v_ - start_v_;
  const Eigen::MatrixXd more =
      (by_motion_.rightCols(2 * r) * closing(error)).reshaped(r, motion_.cols());
  motion_ += more;
  const Eigen::MatrixXd shares =
      along_.completeOrthogonalDecomposition().solve(through(more, omega_));
  for (std::size_t j = 0; j < joints_.size(); ++j)
    answers_[j].force.coefficients -= shares.row(column(j)).transpose();
}

/// Coefficients of −q″ − C q′ − K q for motions with a gap between the start and the end of their
/// period, of u and v; column by column.
Eigen::MatrixXd SlidingBody::force_of(const Eigen::MatrixXd& motion,
                                      const Eigen::MatrixXd& gap) const {
  const Eigen::Index r = size();
  const Eigen::MatrixXd slower = omega_ / pi * (gap.bottomRows(r) + damping_ * gap.topRows(r));
  Eigen::MatrixXd force(motion.rows(), motion.cols());
  for (Eigen::Index i = 0; i < force.cols(); ++i)
    force.col(i) = -through(motion.col(i).reshaped(r, motion_.cols()), omega_).reshaped();
  force.topRows(r) -= slower / 2;
  for (int h = 1; h <= harmonics_; ++h) {
    force.middleRows((2 * h - 1) * r, r) -= slower;
    force.middleRows(2 * h * r, r) += h * omega_ * omega_ / pi * gap.topRows(r);
  }
  return force;
}

/// The reply, with derivatives of the motion by the push and by ω if there are any.
void SlidingBody::tell_reply(const Eigen::MatrixXd& by, const Eigen::MatrixXd& by_gap) {
  const Eigen::Index r = size(), functions = motion_.cols();
  // The sum of what the joints answer, so that their work is that of the body.
  Eigen::MatrixXd force = Eigen::MatrixXd::Zero(r, functions);
  for (std::size_t j = 0; j < joints_.size(); ++j)
    force += along_.col(column(j)) * answers_[j].force.coefficients.transpose();
  reply_.coefficients = force.reshaped();
  if (by.cols() == 0) return;
  const Eigen::MatrixXd slopes = force_of(by, by_gap);
  reply_.jacobian = slopes.leftCols(r * functions);
  reply_.jacobian.diagonal().array() += 1;
  Eigen::MatrixXd by_omega = slopes.col(r * functions).reshaped(r, functions);
  for (int h = 1; h <= harmonics_; ++h) {
    by_omega.middleCols(2 * h - 1, 2) += 2.0 * h * h * omega_ * motion_.middleCols(2 * h - 1, 2);
    by_omega.col(2 * h - 1) -= h * damping_ * motion_.col(2 * h);
    by_omega.col(2 * h) += h * damping_ * motion_.col(2 * h - 1);
  }
  reply_.by_omega = by_omega.reshaped();
}

/// Orthonormal directions in which joints rest for good, but for what the start has left of motion.
Eigen::MatrixXd SlidingBody::directions_at_rest() const {
  std::vector<Eigen::Index> resting;
  for (std::size_t j = 0; j < joints_.size(); ++j)
    if (answers_[j].course.comes_to_rest()) resting.push_back(column(j));
  if (resting.empty()) return Eigen::MatrixXd(size(), 0);
  Eigen::MatrixXd along(size(), column(resting.size()));
  for (std::size_t i = 0; i < resting.size(); ++i)
    along.col(column(i)) = along_.col(resting[i]).normalized();
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> factors;
  factors.setThreshold(1e-9);
  factors.compute(along);
  const Eigen::MatrixXd all = factors.householderQ();
  return all.leftCols(factors.rank());
}

void SlidingBody::tell_end(bool with_jacobian) {
  const Eigen::Index r = size(), columns = by_motion_.cols() - 2 * r;
  end_.at.resize(2 * r);
  end_.at << u_, v_ / omega_;
  Eigen::MatrixXd by = by_motion_.leftCols(columns);
  Eigen::MatrixXd gap = by_;
  gap.rightCols(2 * r).diagonal().array() -= 1;
  if (with_jacobian) {
    // Velocities are counted in units of ω, at the start and at the end.
    Eigen::VectorXd units(2 * r);
    units << Eigen::VectorXd::Ones(r), Eigen::VectorXd::Constant(r, omega_);
    const Eigen::VectorXd start = start_v_ / omega_;
    by.col(columns - 1) += by_motion_.rightCols(r) * start;
    gap.col(columns - 1) += gap.rightCols(r) * start;
    const Eigen::MatrixXd ends = units.cwiseInverse().asDiagonal() * by_;
    end_.by_push = ends.leftCols(columns - 1);
    end_.by_omega = ends.col(columns - 1) + ends.rightCols(r) * start;
    end_.by_omega.tail(r) -= v_ / (omega_ * omega_);
    end_.by_start = ends.rightCols(2 * r) * units.asDiagonal();
    end_.force_by_start =
        force_of(by_motion_.rightCols(2 * r), gap.rightCols(2 * r)) * units.asDiagonal();
    // What rests for good rests anywhere, and stays where it is.
    const Eigen::MatrixXd rest = directions_at_rest();
    for (Eigen::MatrixXd* end : {&end_.by_push, &end_.by_start})
      end->topRows(r) -= (rest * (rest.transpose() * end->topRows(r))).eval();
    end_.by_omega.head(r) -= (rest * (rest.transpose() * end_.by_omega.head(r))).eval();
  }
  tell_reply(by, gap.leftCols(columns));
  if (!with_jacobian) return;
  const Eigen::VectorXd open = u_ - start_u_;
  const Eigen::VectorXd slower = (v_ - start_v_ + damping_ * open) / pi;
  reply_.by_omega.head(r) -= slower / 2;
  for (int h = 1; h <= harmonics_; ++h) {
    reply_.by_omega.segment((2 * h - 1) * r, r) -= slower;
    reply_.by_omega.segment(2 * h * r, r) += 2 * h * omega_ / pi * open;
  }
}

}  // namespace microslip::dynamics
