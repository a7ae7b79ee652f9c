#include "microslip/dynamics/rigid/sliding_mass.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "dynamics/continuation/root.hpp"
#include "dynamics/rigid/place_of_rest.hpp"

namespace microslip::dynamics {
namespace {

constexpr double pi = std::numbers::pi;
constexpr double infinity = std::numeric_limits<double>::infinity();

}  // namespace

SlidingMass::SlidingMass(const AnyModel& model, int harmonics, const Inertia& inertia, double at)
    : law_(model),
      harmonics_(harmonics),
      inertia_(inertia),
      at_(at),
      cell_(cell_angle(harmonics)),
      grid_rows_(grid_rows(harmonics)),
      rest_(model.rest()),
      state_(rest_) {}

bool SlidingMass::begin(const Eigen::VectorXd& push, double omega, PeriodicForce& result) {
  push_ = push;
  omega_ = omega;
  grid_push_.noalias() = grid_rows_ * push;
  push_size_ = grid_push_.cwiseAbs().maxCoeff();
  reach_ = push_size_ / (inertia_.mass * omega * omega) + std::abs(at_);
  law_.measure(reach_, cell_ / omega);
  status_ = result.status = push.allFinite() ? Status::ok : Status::not_converged;
  course_ = {};
  result.closed = true;
  result.rounds = 1;
  result.energy = result.drift = 0;
  return status_ == Status::ok;
}

void SlidingMass::evaluate(const Eigen::VectorXd& push, double omega, bool with_jacobian,
                           PeriodicForce& result, Loop& loop) {
  const Eigen::Index size = fourier_size(harmonics_);
  if (begin(push, omega, result)) {
    // Friction that falls with velocity may have several motions: the one from rest counts.
    if (law_.rate_dependent()) warm_ = false;
    if (const auto u = rests_throughout(with_jacobian, result, loop)) {
      start_u_ = *u;
      start_v_ = 0;
      return;
    }
    close(result);
  }
  if (status_ == Status::ok) run_period(true, with_jacobian ? size + 1 : 0);
  result.status = status_;
  if (status_ == Status::ok) {
    close_sums(sum(result, loop), with_jacobian, result);
  } else {
    warm_ = false;
    result.coefficients.setZero(size);
  }
}

void SlidingMass::evaluate_from(const Eigen::Vector2d& start, const Eigen::VectorXd& push,
                                double omega, bool with_jacobian, PeriodicForce& result,
                                Loop& loop) {
  const Eigen::Index size = fourier_size(harmonics_);
  warm_ = false;
  if (begin(push, omega, result) && start.norm() <= furthest_start * reach_) {
    state_ = rest_;
    place_ = 0;
    start_u_ = start[0];
    start_v_ = std::abs(start[1]) > 1e-15 * reach_ ? omega * start[1] : 0;
    run_period(true, with_jacobian ? size + 1 : 0);
  } else {
    status_ = Status::not_converged;
  }
  result.status = status_;
  if (status_ != Status::ok) {
    result.coefficients.setZero(size);
    return;
  }
  if (course_.comes_to_rest() || course_.only_moves_on()) {
    const SlidingCourse course = course_;
    course_ = {};
    if (const auto u = rests_throughout(with_jacobian, result, loop)) {
      tell_rest(with_jacobian, result, *u);
      return;
    }
    course_ = course;
  }
  tell_end(sum(result, loop), with_jacobian, result);
}

double SlidingMass::push_at(double theta) const { return fourier_point(push_, theta).value; }

void SlidingMass::place_law(double u) {
  if (u != place_) law_.model().step(state_, u, infinity, state_);
  place_ = u;
}

/// Friction may hold the push for the whole period: where the preload left the mass, or where the
/// push has moved it to until it holds.
std::optional<double> SlidingMass::rests_throughout(bool with_jacobian, PeriodicForce& result,
                                                    Loop& loop) {
  AnyState law = rest_;
  const double k = inertia_.stiffness;
  const auto place = place_of_rest({push_, grid_push_, cell_}, k, at_, [&](double at) {
    law_.model().step(law, at, infinity, law);
    return law_.limits(law, at);
  });
  if (!place) return {};
  const double u = place->u;
  warm_ = false;
  result.coefficients = push_;
  result.coefficients[0] -= k * u;
  course_.rests.push_back({0, 2 * pi});
  if (with_jacobian) {
    const Eigen::Index size = fourier_size(harmonics_);
    result.jacobian.setIdentity(size, size);
    result.by_omega.setZero(size);
    Eigen::RowVectorXd row(size);
    fourier_row(place->theta, harmonics_, row);
    result.jacobian.row(0) -= k * place->yields * row;
  }
  loop = {};
  for (Eigen::Index i = 0; i < grid_push_.size(); ++i) {
    loop.theta.push_back((static_cast<double>(i / 3) + gauss_six.c[i % 3]) * cell_);
    loop.u.push_back(u);
    loop.f.push_back(grid_push_[i] - k * u);
    loop.weight.push_back(gauss_six.b[i % 3] * cell_);
  }
  loop.tangent.assign(loop.u.size(), 0);
  return u;
}

/// Newton's method for displacement and velocity at θ = 0; where that does not do, the mass goes
/// round until it repeats itself.
void SlidingMass::close(PeriodicForce& result) {
  if (!warm_) {
    state_ = rest_;
    place_ = 0;
    start_u_ = at_;
    start_v_ = 0;
  }
  const auto error = [&] {
    return std::max(std::abs(u_ - start_u_), std::abs(v_ - start_v_) / omega_) / reach_;
  };
  int since_plain = warm_ ? 2 : 0;
  double last = infinity;
  warm_ = true;
  for (result.rounds = 1;; ++result.rounds) {
    if (!run_period(false, 0)) return;
    const double now = error();
    const bool enough = now <= 1e-8;  // the square is left
    if (!enough && result.rounds >= most_rounds) {
      result.closed = false;
      result.drift = now;
      return;
    }
    // A step that went astray is followed by some rounds of the mass itself.
    if (since_plain > 4 && now > 0.5 * last) since_plain = -6;
    last = now;
    Eigen::Vector2d change(u_ - start_u_, v_ - start_v_);
    if (since_plain++ >= 2 || enough) {
      const Eigen::Matrix2d left = Eigen::Matrix2d::Identity() - by_.rightCols(2);
      const double determinant = left.determinant();
      if (std::abs(determinant) > 1e-9) change = left.inverse() * change;
    }
    start_u_ += change[0];
    start_v_ += change[1];
    if (std::abs(start_v_) <= 1e-15 * omega_ * reach_) start_v_ = 0;
    if (enough) return;
  }
}

bool SlidingMass::run_period(bool recording, Eigen::Index columns) {
  theta_ = 0;
  held_ = 0;
  events_ = 0;
  u_ = start_u_;
  v_ = start_v_;
  place_law(u_);
  by_.setZero(2, columns + 2);
  by_.rightCols(2).setIdentity();
  if (recording) {
    loop_ = {};
    energy_ = 0;
    course_ = {};
  }
  choose_side();
  // Where it sticks, a disturbed velocity stops at once.
  if (side_ == 0) keep(0, recording);
  const Eigen::Index cells = grid_rows_.rows() / 3;
  for (Eigen::Index i = 1; i <= cells; ++i)
    if (!go_to(static_cast<double>(i) * cell_, recording)) return false;
  if (recording && side_ == 0) course_.rests.back().to = theta_;
  return true;
}

bool SlidingMass::go_to(double theta, bool recording) {
  while (theta_ < theta) {
    if (++events_ > most_events) status_ = Status::not_converged;
    if (side_ == 0)
      rest_until(theta, recording);
    else
      slip_until(theta, recording, 0);
    if (status_ != Status::ok) return false;
  }
  return true;
}

void SlidingMass::choose_side() {
  side_ = v_ > 0 ? 1 : v_ < 0 ? -1 : 0;
  if (side_ != 0) return;
  limits_ = law_.limits(state_, place_);
  const double hold = push_at(theta_) - inertia_.stiffness * u_;
  side_ = hold > limits_.on ? 1 : hold < limits_.back ? -1 : 0;
}

void SlidingMass::rest_until(double theta, bool recording) {
  Step step;
  load(theta, step);
  const double k = inertia_.stiffness;
  const auto leaves = [&](double push) {
    return push - k * u_ > limits_.on ? 1 : push - k * u_ < limits_.back ? -1 : 0;
  };
  int side = 0;
  double seen = theta;
  for (int i = 0; i < 3 && side == 0 && theta_ >= held_; ++i) {
    side = leaves(step.push[i]);
    if (side != 0) seen = theta_ + gauss_six.c[i] * (theta - theta_);
  }
  if (side == 0 && theta_ >= held_) side = leaves(push_at(theta));
  if (side != 0) {
    const double limit = side > 0 ? limits_.on : limits_.back;
    const double start = root_between(theta_, seen, side > 0, [&](double x) {
      const FourierPoint p = fourier_point(push_, x);
      return RootValue{p.value - k * u_ - limit, p.slope};
    });
    load(start, step);
  }
  if (recording && step.to > theta_)
    for (int i = 0; i < 3; ++i) {
      note(step, i, step.push[i] - k * u_, u_);
      const auto place = static_cast<Eigen::Index>(loop_.f.size()) - 1;
      slopes_.row(place) = -k * by_.row(0);
      if (by_.cols() > 2) slopes_.row(place).head(by_.cols() - 3) += step.rows.row(i);
    }
  theta_ = step.to;
  side_ = side;
  if (recording && side != 0) course_.rests.back().to = theta_;
}

/// Gives the derivatives of the coefficients of the force, by the push and ω if wanted, and by the
/// start.
Eigen::MatrixXd SlidingMass::sum(PeriodicForce& result, Loop& loop) const {
  const auto nodes = static_cast<Eigen::Index>(loop_.f.size());
  const auto stops = static_cast<Eigen::Index>(course_.stops.size());
  const Eigen::Map<const Eigen::VectorXd> weights(loop_.weight.data(), nodes);
  const Eigen::Map<const Eigen::VectorXd> f(loop_.f.data(), nodes);
  const auto in_sums = [&](auto&& sums) {
    sums /= pi;
    sums.row(0) /= 2;
  };
  Eigen::MatrixXd by =
      rows_.topRows(nodes).transpose() * (weights.asDiagonal() * slopes_.topRows(nodes));
  if (stops > 0)
    by.noalias() += stop_rows_.topRows(stops).transpose() * stop_slopes_.topRows(stops);
  in_sums(by);
  result.energy = energy_;
  result.coefficients = rows_.topRows(nodes).transpose() * weights.cwiseProduct(f);
  in_sums(result.coefficients);
  loop = loop_;
  loop.tangent.assign(loop.f.size(), 0);
  return by;
}

/// The start of the period moves so that it closes: δs = (1 − P)⁻¹ (error + ∂P δp).
void SlidingMass::close_sums(const Eigen::MatrixXd& by, bool with_jacobian,
                             PeriodicForce& result) const {
  const Eigen::Index size = fourier_size(harmonics_);
  const Eigen::Matrix2d left = Eigen::Matrix2d::Identity() - by_.rightCols(2);
  const bool regular = std::abs(left.determinant()) > 1e-12;
  const Eigen::MatrixXd by_start =
      regular ? Eigen::MatrixXd(by.rightCols(2) * left.inverse()) : Eigen::MatrixXd::Zero(size, 2);
  if (result.closed)
    result.coefficients += by_start * Eigen::Vector2d(u_ - start_u_, v_ - start_v_);
  if (!with_jacobian) return;
  result.jacobian = by.leftCols(size) + by_start * by_.leftCols(size);
  result.by_omega = by.col(size) + by_start * by_.col(size);
}

void SlidingMass::tell_end(const Eigen::MatrixXd& by, bool with_jacobian, PeriodicForce& result) {
  const Eigen::Index size = fourier_size(harmonics_);
  end_.at = Eigen::Vector2d(u_, v_ / omega_);
  if (!with_jacobian) return;
  // Velocities are counted in units of ω, at the start and at the end.
  const Eigen::Vector2d units(1, omega_);
  const double start = start_v_ / omega_;
  result.jacobian = by.leftCols(size);
  result.by_omega = by.col(size) + start * by.col(size + 2);
  end_.force_by_start = by.rightCols(2) * units.asDiagonal();
  end_.by_push = units.cwiseInverse().asDiagonal() * by_.leftCols(size);
  end_.by_start = units.cwiseInverse().asDiagonal() * by_.rightCols(2) * units.asDiagonal();
  end_.by_omega = units.cwiseInverse().asDiagonal() * (by_.col(size) + start * by_.col(size + 2));
  end_.by_omega[1] -= v_ / (omega_ * omega_);
}

/// Wherever it begins, it comes to rest, and repeats itself only at rest.
void SlidingMass::tell_rest(bool with_jacobian, const PeriodicForce& result, double u) {
  const Eigen::Index size = fourier_size(harmonics_);
  end_.at = Eigen::Vector2d(u, 0);
  if (!with_jacobian) return;
  end_.by_push.setZero(2, size);
  end_.by_push.row(0) = -result.jacobian.row(0) / inertia_.stiffness;
  end_.by_push(0, 0) += 1 / inertia_.stiffness;
  end_.by_start.setZero(2, 2);
  end_.by_omega.setZero(2);
  end_.force_by_start.setZero(size, 2);
}

}  // namespace microslip::dynamics
