#include "dynamics/body/sliding_body.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <tuple>

#include "dynamics/body/sliding_grid.hpp"
#include "microslip/detail/numerics/constants.hpp"
#include "microslip/detail/numerics/dense.hpp"

namespace microslip::dynamics {
namespace {

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
                         const Eigen::VectorXd& at, bool apart)
    : body_(contacts_of(members, at.size()), harmonics, damping, stiffness, at), apart_(apart) {}

void SlidingBody::begin(const Eigen::VectorXd& excitation, double omega) {
  forget();
  body_.begin(excitation, omega);
  reply_.closed = true;
  reply_.rounds = 1;
  reply_.drift = 0;
}

Eigen::MatrixXd SlidingBody::through(const Eigen::MatrixXd& q, double omega) const {
  return through_body(body_.damping(), body_.stiffness(), q, omega);
}

/// Over many fast vibrations of the body the end says little about where a closed period begins. So a
/// period that is far from closed is closed first, and the start follows the force. Near the solution
/// and for friction that depends on velocity, which may have several motions, the period stays open.
void SlidingBody::answer(const Eigen::VectorXd& excitation, const Eigen::VectorXd& start,
                         double omega, bool with_jacobian) {
  begin(excitation, omega);
  body_.contacts().rest();
  start_u_ = start.head(size());
  start_v_ = omega * start.tail(size());
  bool open = body_.contacts().rate_dependent() || body_.status() != Status::ok ||
              !(start.norm() <= furthest_start * body_.reach()) ||
              !body_.run(start_u_, start_v_, false, 0);
  if (!open) {
    Eigen::VectorXd end(2 * size());
    end << body_.u(), body_.v() / omega;
    const double size_of_motion =
        std::max(start.lpNorm<Eigen::Infinity>(), end.lpNorm<Eigen::Infinity>());
    open = (end - start).lpNorm<Eigen::Infinity>() <= 1e-6 * size_of_motion;
  }
  Eigen::VectorXd closed;
  warm_ = true;
  if (open || !find_closed(closed, true) || !reply_.closed) {
    respond_open(excitation, start, omega, with_jacobian);
    return;
  }
  const bool comes_to_rest = respond_open(excitation, closed, omega, with_jacobian);
  if (body_.status() != Status::ok || comes_to_rest) return;
  if (with_jacobian) follow_closed();
  end_.at = closed;
  end_.wrt_start.resize(0, 0);
  end_.force_wrt_start.resize(0, 0);
}

/// Whether it comes to rest; then the reply is that of the place where it rests.
bool SlidingBody::respond_open(const Eigen::VectorXd& excitation, const Eigen::VectorXd& start,
                               double omega, bool with_jacobian) {
  begin(excitation, omega);
  warm_ = false;
  body_.contacts().rest();
  start_u_ = start.head(size());
  start_v_ = omega * start.tail(size());
  end_.wrt_start.setZero(2 * size(), 2 * size());
  if (!(start.norm() <= furthest_start * body_.reach())) body_.fail(Status::not_converged);
  if (body_.status() == Status::ok)
    body_.run(start_u_, start_v_, true, with_jacobian ? excitation.size() + 1 : 0);
  const bool rests = body_.status() == Status::ok && size() == 1 && rest_in_place(with_jacobian);
  if (body_.status() == Status::ok && !rests) {
    sum();
    set_end(with_jacobian);
  }
  set_status();
  return rests;
}

/// The start follows the force so that the period closes: δs = (1 − P)⁻¹ ∂P δp.
void SlidingBody::follow_closed() {
  end_.wrt_input = closing(end_.wrt_start, end_.wrt_input);
  end_.wrt_omega = closing(end_.wrt_start, end_.wrt_omega);
  reply_.jacobian += end_.force_wrt_start * end_.wrt_input;
  reply_.wrt_omega += end_.force_wrt_start * end_.wrt_omega;
}

void SlidingBody::respond_closed(const Eigen::VectorXd& excitation, double omega,
                                 bool with_jacobian) {
  Eigen::VectorXd start;
  const bool warm = close(excitation, omega, start);
  if (body_.status() != Status::ok) return set_status();
  const auto [rounds, closed, drift] = std::tuple(reply_.rounds, reply_.closed, reply_.drift);
  const bool rests = respond_open(excitation, start, omega, true);
  warm_ = warm && body_.status() == Status::ok;
  reply_.rounds = rounds;
  reply_.closed = closed;
  reply_.drift = drift;
  if (body_.status() == Status::ok && !rests) {
    if (closed) {
      const Eigen::VectorXd more = end_.force_wrt_start * closing(end_.wrt_start, end_.at - start);
      reply_.coefficients += more;
      const Eigen::MatrixXd shares = dense::shortest_least_squares(
          body_.contacts().along(), more.reshaped(size(), fourier_size(body_.harmonics())));
      for (std::size_t j = 0; j < body_.answers().size(); ++j)
        body_.answers()[j].force.coefficients += shares.row(SlidingStepper::column(j)).transpose();
    }
    if (with_jacobian) follow_closed();
  }
  set_status();
}

bool SlidingBody::close(const Eigen::VectorXd& excitation, double omega, Eigen::VectorXd& start) {
  begin(excitation, omega);
  // Friction that falls with velocity may have several motions: the one from rest counts.
  if (!warm_ || body_.contacts().rate_dependent()) {
    warm_ = false;
    body_.contacts().rest();
    start_u_ = body_.at();
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
  units << Eigen::VectorXd::Ones(r), Eigen::VectorXd::Constant(r, body_.omega());
  for (reply_.rounds = 1; body_.status() == Status::ok; ++reply_.rounds) {
    if (!(has_run && reply_.rounds == 1) && !body_.run(start_u_, start_v_, false, 0)) break;
    Eigen::VectorXd change(2 * r);
    change << body_.u() - start_u_, (body_.v() - start_v_) / body_.omega();
    const double now = body_.reach() > 0 ? change.lpNorm<Eigen::Infinity>() / body_.reach() : 0;
    const bool enough = now <= 1e-8;  // the next Newton step squares the change
    if (!enough && reply_.rounds >= most_open_rounds) {
      reply_.closed = false;
      reply_.drift = now;
      break;
    }
    // A diverging step of Newton's method is followed by some plain cycles.
    if (since_plain > 4 && now > 0.5 * last) since_plain = -6;
    last = now;
    if (since_plain++ >= 2 || enough)
      change = closing(units.cwiseInverse().asDiagonal() * body_.derivatives() * units.asDiagonal(),
                       change);
    start_u_ += change.head(r);
    start_v_ += body_.omega() * change.tail(r);
    if (enough) break;
  }
  warm_ = body_.status() == Status::ok;
  start.resize(2 * r);
  start << start_u_, start_v_ / body_.omega();
  return warm_;
}

/// (1 − P)⁻¹ of an error at the end of the period, P being its end by its start. Where the body
/// never slips P is 1, and nothing is to be changed.
Eigen::MatrixXd SlidingBody::closing(const Eigen::MatrixXd& wrt_start,
                                     const Eigen::MatrixXd& error) const {
  return dense::shortest_least_squares(
      Eigen::MatrixXd::Identity(2 * size(), 2 * size()) - wrt_start, error, 1e-9);
}

}  // namespace microslip::dynamics
