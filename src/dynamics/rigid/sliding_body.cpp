#include "dynamics/rigid/sliding_body.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "dynamics/rigid/gauss_six.hpp"
#include "dynamics/rigid/sliding_grid.hpp"

namespace microslip::dynamics {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

ContactSet contacts_of(const std::vector<SlidingBody::Member>& members, Eigen::Index ways) {
  std::vector<AnyModel> laws;
  Eigen::MatrixXd along(ways, static_cast<Eigen::Index>(members.size()));
  for (const SlidingBody::Member& member : members) {
    along.col(static_cast<Eigen::Index>(laws.size())) = member.along;
    laws.push_back(member.model);
  }
  return {laws, along};
}

}  // namespace

SlidingBody::SlidingBody(const std::vector<Member>& members, int harmonics,
                         const Eigen::MatrixXd& damping, const Eigen::MatrixXd& stiffness,
                         const Eigen::VectorXd& at)
    : harmonics_(harmonics),
      damping_(damping),
      stiffness_(stiffness),
      at_(at),
      contacts_(contacts_of(members, at.size())),
      cell_(cell_angle(harmonics)),
      grid_rows_(grid_rows(harmonics, grid_cells(harmonics), gauss_six.c)),
      end_rows_(grid_rows(harmonics, grid_cells(harmonics) + 1, Eigen::Vector<double, 1>::Zero())),
      answers_(members.size()) {}

Eigen::MatrixXd SlidingBody::through(const Eigen::MatrixXd& q, double omega) const {
  return through_body(damping_, stiffness_, q, omega);
}

void SlidingBody::begin(const Eigen::VectorXd& push, double omega) {
  push_ = push.reshaped(size(), fourier_size(harmonics_));
  omega_ = omega;
  grid_push_.noalias() = push_ * grid_rows_.transpose();
  end_push_.noalias() = push_ * end_rows_.transpose();
  push_there_.theta = -1;
  push_size_ = grid_push_.cwiseAbs().maxCoeff();
  reach_ = push_size_ / (omega * omega) + at_.cwiseAbs().maxCoeff();
  contacts_.measure(reach_, cell_ / omega);
  status_ = push.allFinite() ? Status::ok : Status::not_converged;
  reply_.closed = true;
  reply_.rounds = 1;
  reply_.drift = 0;
}

/// Over many fast vibrations of the body the end says little about where a closed period begins. So a
/// period that is far from closed is closed first, and the start follows the force. Near the solution
/// and for friction that depends on velocity, which may have several motions, the period stays open.
void SlidingBody::respond(const Eigen::VectorXd& push, const Eigen::VectorXd& start, double omega,
                          bool with_jacobian) {
  begin(push, omega);
  contacts_.rest();
  start_u_ = start.head(size());
  start_v_ = omega * start.tail(size());
  bool open = contacts_.rate_dependent() || status_ != Status::ok ||
              !(start.norm() <= furthest_start * reach_) || !run_period(false, 0);
  if (!open) {
    Eigen::VectorXd end(2 * size());
    end << u_, v_ / omega;
    const double size_of_motion =
        std::max(start.lpNorm<Eigen::Infinity>(), end.lpNorm<Eigen::Infinity>());
    open = (end - start).lpNorm<Eigen::Infinity>() <= 1e-6 * size_of_motion;
  }
  Eigen::VectorXd closed;
  warm_ = true;
  if (open || !find_closed(closed, true) || !reply_.closed) {
    respond_open(push, start, omega, with_jacobian);
    return;
  }
  const bool comes_to_rest = respond_open(push, closed, omega, with_jacobian);
  if (status_ != Status::ok || comes_to_rest) return;
  if (with_jacobian) follow_closed();
  end_.at = closed;
  end_.by_start.resize(0, 0);
  end_.force_by_start.resize(0, 0);
}

/// Whether it comes to rest; then the reply is that of the place where it rests.
bool SlidingBody::respond_open(const Eigen::VectorXd& push, const Eigen::VectorXd& start,
                               double omega, bool with_jacobian) {
  begin(push, omega);
  warm_ = false;
  contacts_.rest();
  start_u_ = start.head(size());
  start_v_ = omega * start.tail(size());
  end_.by_start.setZero(2 * size(), 2 * size());
  if (!(start.norm() <= furthest_start * reach_)) status_ = Status::not_converged;
  if (status_ == Status::ok) run_period(true, with_jacobian ? push.size() + 1 : 0);
  const bool rests = status_ == Status::ok && size() == 1 && rest_in_place(with_jacobian);
  if (status_ == Status::ok && !rests) {
    sum();
    set_end(with_jacobian);
  }
  set_status();
  return rests;
}

/// The start follows the force so that the period closes: δs = (1 − P)⁻¹ ∂P δp.
void SlidingBody::follow_closed() {
  end_.by_push = closing(end_.by_start, end_.by_push);
  end_.by_omega = closing(end_.by_start, end_.by_omega);
  reply_.jacobian += end_.force_by_start * end_.by_push;
  reply_.by_omega += end_.force_by_start * end_.by_omega;
}

void SlidingBody::respond_closed(const Eigen::VectorXd& push, double omega, bool with_jacobian) {
  Eigen::VectorXd start;
  const bool warm = close(push, omega, start);
  if (status_ != Status::ok) return set_status();
  const auto [rounds, closed, drift] = std::tuple(reply_.rounds, reply_.closed, reply_.drift);
  const bool rests = respond_open(push, start, omega, true);
  warm_ = warm && status_ == Status::ok;
  reply_.rounds = rounds;
  reply_.closed = closed;
  reply_.drift = drift;
  if (status_ == Status::ok && !rests) {
    if (closed) {
      const Eigen::VectorXd more = end_.force_by_start * closing(end_.by_start, end_.at - start);
      reply_.coefficients += more;
      const Eigen::MatrixXd shares = contacts_.along().completeOrthogonalDecomposition().solve(
          more.reshaped(size(), fourier_size(harmonics_)));
      for (std::size_t j = 0; j < answers_.size(); ++j)
        answers_[j].force.coefficients += shares.row(column(j)).transpose();
    }
    if (with_jacobian) follow_closed();
  }
  set_status();
}

bool SlidingBody::close(const Eigen::VectorXd& push, double omega, Eigen::VectorXd& start) {
  begin(push, omega);
  // Friction that falls with velocity may have several motions: the one from rest counts.
  if (!warm_ || contacts_.rate_dependent()) {
    warm_ = false;
    contacts_.rest();
    start_u_ = at_;
    start_v_ = Eigen::VectorXd::Zero(size());
  }
  return find_closed(start, false);
}

/// Newton's method for u and v/ω at θ = 0; where it fails, cycle after cycle until the motion repeats
/// itself. A body that never slips stays where it is. `has_run` if it has just gone through the period.
bool SlidingBody::find_closed(Eigen::VectorXd& start, bool has_run) {
  const Eigen::Index r = size();
  int since_plain = warm_ ? 2 : 0;
  double last = infinity;
  Eigen::VectorXd units(2 * r);
  units << Eigen::VectorXd::Ones(r), Eigen::VectorXd::Constant(r, omega_);
  for (reply_.rounds = 1; status_ == Status::ok; ++reply_.rounds) {
    if (!(has_run && reply_.rounds == 1) && !run_period(false, 0)) break;
    Eigen::VectorXd change(2 * r);
    change << u_ - start_u_, (v_ - start_v_) / omega_;
    const double now = reach_ > 0 ? change.lpNorm<Eigen::Infinity>() / reach_ : 0;
    const bool enough = now <= 1e-8;  // the square is left
    if (!enough && reply_.rounds >= most_rounds) {
      reply_.closed = false;
      reply_.drift = now;
      break;
    }
    // A diverging step of Newton's method is followed by some plain cycles.
    if (since_plain > 4 && now > 0.5 * last) since_plain = -6;
    last = now;
    if (since_plain++ >= 2 || enough)
      change = closing(units.cwiseInverse().asDiagonal() * by_ * units.asDiagonal(), change);
    start_u_ += change.head(r);
    start_v_ += omega_ * change.tail(r);
    if (enough) break;
  }
  warm_ = status_ == Status::ok;
  start.resize(2 * r);
  start << start_u_, start_v_ / omega_;
  return warm_;
}

/// (1 − P)⁻¹ of an error at the end of the period, P being its end by its start. Where the body
/// never slips P is 1, and nothing is to be changed.
Eigen::MatrixXd SlidingBody::closing(const Eigen::MatrixXd& by_start,
                                     const Eigen::MatrixXd& error) const {
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> factors;
  factors.setThreshold(1e-9);
  factors.compute(Eigen::MatrixXd::Identity(2 * size(), 2 * size()) - by_start);
  return factors.solve(error);
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
    nodes_ = 0;
    for (Answer& answer : answers_) {
      answer.loop = {};
      answer.course = {};
      answer.force.energy = 0;
    }
  }
  for (std::size_t j = 0; j < contacts_.size(); ++j) {
    ContactSet::Contact& contact = contacts_[j];
    const double place = motion_of(j, u_);
    if (place != contact.place) contact.move(place, infinity);
    contact.side = stands(j) ? 0 : motion_of(j, v_) > 0 ? 1 : -1;
  }
  choose_sides();
  if (recording)
    for (std::size_t j = 0; j < contacts_.size(); ++j)
      if (contacts_[j].side == 0) answers_[j].course.rests.push_back({0, 0});
  const Eigen::Index cells = grid_rows_.rows() / 3;
  for (Eigen::Index i = 1; i <= cells; ++i)
    while (theta_ < static_cast<double>(i) * cell_) {
      if (++events_ > most_events) status_ = Status::not_converged;
      advance(static_cast<double>(i) * cell_, recording, 0);
      if (status_ != Status::ok) return false;
    }
  if (recording)
    for (std::size_t j = 0; j < contacts_.size(); ++j)
      if (contacts_[j].side == 0) answers_[j].course.rests.back().to = theta_;
  return true;
}

Eigen::VectorXd SlidingBody::left_over(const Eigen::VectorXd& push, const Eigen::VectorXd& u,
                                       const Eigen::VectorXd& v, double after) {
  Eigen::VectorXd left = push - damping_ * v - stiffness_ * u;
  for (const std::size_t j : slipping())
    left -= contacts_[j].slip_force(motion_of(j, u), motion_of(j, v), after) * contacts_.along(j);
  return left;
}

/// Of the joints that stand, those slip that the acceleration moves.
void SlidingBody::choose_sides() {
  contacts_.stick();
  if (!contacts_.stuck().empty()) {
    take_sides();
    const ContactSet::Decision decision =
        contacts_.decide(held_part(left_over(push_at(theta_), u_, v_, 0)), push_size_);
    if (decision.acceleration.size() > 0) contacts_.let_go(decision);
  }
  take_sides();
}

/// Nothing moves but what stuck joints leave free.
void SlidingBody::take_sides() {
  const Eigen::MatrixXd& free = contacts_.free();
  const Eigen::MatrixXd across = free.transpose();
  if (free.cols() < size()) {
    v_ = contacts_.free_part(v_);
    by_.bottomRows(size()) = (free * (across * by_.bottomRows(size()))).eval();
  }
  damping_of_free_ = damping_ * free;
  stiffness_of_free_ = stiffness_ * free;
  free_damping_ = across * damping_of_free_;
  free_stiffness_ = across * stiffness_of_free_;
  free_along_.resize(free.cols(), column(slipping().size()));
  for (std::size_t i = 0; i < slipping().size(); ++i)
    free_along_.col(column(i)) = across * contacts_.along(slipping()[i]);
  last_.h = 0;
  look_around();
}

void SlidingBody::record_rests(const std::vector<int>& before) {
  for (std::size_t j = 0; j < contacts_.size(); ++j) {
    std::vector<SlidingCourse::Rest>& rests = answers_[j].course.rests;
    if (before[j] == 0 && contacts_[j].side != 0) rests.back().to = theta_;
    if (before[j] != 0 && contacts_[j].side == 0) rests.push_back({theta_, theta_});
  }
}

/// A joint has come to rest, and others with it that move as it does. It stops a little later or
/// earlier when the velocity is disturbed, and from then on the acceleration is another.
void SlidingBody::stop(std::size_t j, bool recording) {
  const std::vector<int> before = contacts_.sides();
  const Eigen::VectorXd push = push_at(theta_);
  const Eigen::VectorXd from = contacts_.free_part(left_over(push, u_, v_, 0));
  contacts_[j].side = 0;
  const double standing = 1e-11 * omega_ * reach_;
  for (std::size_t k = 0; k < contacts_.size(); ++k)
    if (std::abs(motion_of(k, v_)) <= standing * contacts_.length(k)) contacts_[k].side = 0;
  const Eigen::MatrixXd by_v = by_.bottomRows(size());
  choose_sides();
  const Eigen::VectorXd to = contacts_.free_part(left_over(push, u_, v_, 0));
  const Eigen::VectorXd along = contacts_.along(j);
  by_.bottomRows(size()) = by_v + (to - from) * (along.transpose() * by_v) / along.dot(from);
  if (!recording) return;
  for (std::size_t k = 0; k < contacts_.size(); ++k)
    if (before[k] != 0 && before[k] != contacts_[k].side)
      answers_[k].course.stops.push_back({theta_, motion_of(k, to) / motion_of(k, from)});
  record_rests(before);
}

void SlidingBody::release(const ContactSet::Plane& plane, bool recording) {
  const std::vector<int> before = contacts_.sides();
  contacts_.let_go(plane.slips);
  take_sides();
  if (recording) record_rests(before);
}

}  // namespace microslip::dynamics
