#include "microslip/dynamics/sliding_mass.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "microslip/dynamics/fourier.hpp"
#include "microslip/dynamics/structure.hpp"
#include "root.hpp"

namespace microslip::dynamics {
namespace {

constexpr double pi = std::numbers::pi;
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr int most_events = 100000;
constexpr int most_rounds = 200;

/// Gauss's method of order six.
struct Gauss {
  Eigen::Matrix3d A, A2;
  Eigen::Vector3d b, c, bA, to_end;  ///< to_end: extrapolates from the stages to the end
  Gauss() {
    const double r = std::sqrt(15.0);
    A.row(0) = Eigen::RowVector3d(5.0 / 36, 2.0 / 9 - r / 15, 5.0 / 36 - r / 30);
    A.row(1) = Eigen::RowVector3d(5.0 / 36 + r / 24, 2.0 / 9, 5.0 / 36 - r / 24);
    A.row(2) = Eigen::RowVector3d(5.0 / 36 + r / 30, 2.0 / 9 + r / 15, 5.0 / 36);
    A2 = A * A;
    b = Eigen::Vector3d(5.0 / 18, 4.0 / 9, 5.0 / 18);
    c = Eigen::Vector3d(0.5 - r / 10, 0.5, 0.5 + r / 10);
    bA = A.transpose() * b;
    for (int i = 0; i < 3; ++i) {
      to_end[i] = 1;
      for (int j = 0; j < 3; ++j)
        if (j != i) to_end[i] *= (1 - c[j]) / (c[i] - c[j]);
    }
  }
};
const Gauss gauss_six;

template <class Matrix, class Row>
void append(Matrix& matrix, Eigen::Index place, const Row& row) {
  if (matrix.rows() <= place || matrix.cols() != row.size())
    matrix.conservativeResize(std::max<Eigen::Index>(64, 2 * place), row.size());
  matrix.row(place) = row;
}

}  // namespace

bool SlidingCourse::rests_at(double theta) const {
  return std::any_of(rests.begin(), rests.end(),
                     [&](const Rest& rest) { return theta >= rest.from && theta < rest.to; });
}

SlidingCourse::Slope SlidingCourse::slope_at(double theta) const {
  const auto after = std::lower_bound(slopes.begin(), slopes.end(), theta,
                                      [](const Slope& s, double x) { return s.theta < x; });
  if (after == slopes.end()) return slopes.empty() ? Slope{theta, 0, 0} : slopes.back();
  return *after;
}

SlidingMass::SlidingMass(const AnyModel& model, int harmonics, const Inertia& inertia, double at)
    : law_(model),
      harmonics_(harmonics),
      inertia_(inertia),
      at_(at),
      rest_(model.rest()),
      state_(rest_) {
  const Eigen::Index cells = std::max(128, 16 * (harmonics + 1));
  cell_ = 2 * pi / static_cast<double>(cells);
  grid_rows_.resize(3 * cells, fourier_size(harmonics));
  for (Eigen::Index i = 0; i < cells; ++i)
    for (int s = 0; s < 3; ++s)
      fourier_row((static_cast<double>(i) + gauss_six.c[s]) * cell_, harmonics,
                  grid_rows_.row(3 * i + s));
}

void SlidingMass::evaluate(const Eigen::VectorXd& push, double omega, bool with_jacobian,
                           PeriodicForce& result, Loop& loop) {
  push_ = push;
  omega_ = omega;
  grid_push_.noalias() = grid_rows_ * push;
  push_size_ = grid_push_.cwiseAbs().maxCoeff();
  reach_ = push_size_ / (inertia_.mass * omega * omega) + std::abs(at_);
  law_.measure(reach_, cell_ / omega);
  status_ = Status::ok;
  course_ = {};
  result.status = Status::ok;
  result.closed = true;
  result.rounds = 1;
  result.energy = result.drift = 0;
  if (!push.allFinite()) status_ = Status::not_converged;
  if (status_ == Status::ok && rests_throughout(with_jacobian, result, loop)) return;
  if (status_ == Status::ok) close(result);
  const Eigen::Index size = fourier_size(harmonics_);
  if (status_ == Status::ok) run_period(true, with_jacobian ? size + 1 : 0);
  result.status = status_;
  if (status_ != Status::ok) {
    warm_ = false;
    result.coefficients.setZero(size);
    return;
  }
  sum(with_jacobian, result, loop);
}

double SlidingMass::push_at(double theta) const { return fourier_point(push_, theta).value; }

SlidingMass::Extreme SlidingMass::extreme(int sign) const {
  Eigen::Index place = 0;
  (sign * grid_push_).maxCoeff(&place);
  const double near = (static_cast<double>(place / 3) + gauss_six.c[place % 3]) * cell_;
  double theta = near;
  for (int iteration = 0; iteration < 20; ++iteration) {
    const FourierPoint p = fourier_point(push_, theta);
    if (!(sign * p.curvature < 0)) break;
    const double change = -p.slope / p.curvature;
    if (!(std::abs(theta + change - near) < cell_)) break;
    theta += change;
    if (std::abs(change) < 1e-14) break;
  }
  const double value = push_at(theta);
  return sign * value >= sign * grid_push_[place] ? Extreme{theta, value}
                                                  : Extreme{near, grid_push_[place]};
}

void SlidingMass::place_law(double u) {
  if (u != place_) law_.model().step(state_, u, infinity, state_);
  place_ = u;
}

/// Friction may hold the push for the whole period: where the preload left the mass, or where the
/// push has moved it to until it holds.
bool SlidingMass::rests_throughout(bool with_jacobian, PeriodicForce& result, Loop& loop) {
  const Extreme high = extreme(1);
  const Extreme low = extreme(-1);
  AnyState law = rest_;
  const auto limits_at = [&](double u) {
    law_.model().step(law, u, infinity, law);
    return law_.limits(law, u);
  };
  const double k = inertia_.stiffness;
  double u = at_;
  double slope = 0;
  RigidFriction::Limits at_u = limits_at(u);
  const auto beyond = [&] {
    if (high.push - k * u > at_u.on) return 1;
    return low.push - k * u < at_u.back ? -1 : 0;
  };
  const int side = beyond();
  for (int iteration = 0; side != 0 && iteration < 60; ++iteration) {
    const double limit = side > 0 ? at_u.on : at_u.back;
    const double more = ((side > 0 ? high.push : low.push) - k * u - limit) / (k + slope);
    if (std::abs(more) <= 1e-15 * std::abs(u)) break;
    at_u = limits_at(u + more);
    slope = ((side > 0 ? at_u.on : at_u.back) - limit) / more;
    u += more;
  }
  const double rounding = 1e-13 * push_size_;
  if (high.push - k * u > at_u.on + rounding || low.push - k * u < at_u.back - rounding)
    return false;
  warm_ = false;
  result.coefficients = push_;
  result.coefficients[0] -= k * u;
  course_.rests.push_back({0, 2 * pi});
  if (with_jacobian) {
    const Eigen::Index size = fourier_size(harmonics_);
    result.jacobian.setIdentity(size, size);
    result.by_omega.setZero(size);
    if (side != 0) {
      Eigen::RowVectorXd row(size);
      fourier_row((side > 0 ? high : low).theta, harmonics_, row);
      result.jacobian.row(0) -= k / (k + slope) * row;
    }
  }
  loop = {};
  for (Eigen::Index i = 0; i < grid_push_.size(); ++i) {
    loop.theta.push_back((static_cast<double>(i / 3) + gauss_six.c[i % 3]) * cell_);
    loop.u.push_back(u);
    loop.f.push_back(grid_push_[i] - k * u);
    loop.weight.push_back(gauss_six.b[i % 3] * cell_);
  }
  loop.tangent.assign(loop.u.size(), 0);
  return true;
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
    // What is left is taken off to first order.
    if (now <= 1e-8) return;
    if (result.rounds >= most_rounds) {
      result.closed = false;
      result.drift = now;
      return;
    }
    // A step that went astray is followed by some rounds of the mass itself.
    if (since_plain > 4 && now > 0.5 * last) since_plain = -6;
    last = now;
    Eigen::Vector2d change(u_ - start_u_, v_ - start_v_);
    if (since_plain++ >= 2) {
      const Eigen::Matrix2d left = Eigen::Matrix2d::Identity() - by_.rightCols(2);
      const double determinant = left.determinant();
      if (std::abs(determinant) > 1e-9) change = left.inverse() * change;
    }
    start_u_ += change[0];
    start_v_ += change[1];
    if (std::abs(start_v_) <= 1e-15 * omega_ * reach_) start_v_ = 0;
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
  if (recording && side_ == 0) course_.rests.push_back({0, 0});
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

/// Fourier functions and push at the stages of the step from here.
void SlidingMass::load(double to, Step& step) const {
  step.to = to;
  step.h = (to - theta_) / omega_;
  const auto cell = static_cast<Eigen::Index>(std::lround(theta_ / cell_));
  if (theta_ == static_cast<double>(cell) * cell_ && to == static_cast<double>(cell + 1) * cell_) {
    step.rows = grid_rows_.middleRows(3 * cell, 3);
    step.push = grid_push_.segment<3>(3 * cell);
    return;
  }
  step.rows.resize(3, grid_rows_.cols());
  for (int i = 0; i < 3; ++i)
    fourier_row(theta_ + gauss_six.c[i] * (to - theta_), harmonics_, step.rows.row(i));
  step.push = step.rows * push_;
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

void SlidingMass::note(const Step& step, int stage, double f, double u) {
  const auto place = static_cast<Eigen::Index>(loop_.f.size());
  loop_.theta.push_back(theta_ + gauss_six.c[stage] * (step.to - theta_));
  loop_.weight.push_back(gauss_six.b[stage] * (step.to - theta_));
  loop_.f.push_back(f);
  loop_.u.push_back(u);
  append(rows_, place, step.rows.row(stage));
  append(slopes_, place, by_.row(0));
}

bool SlidingMass::slip_until(double theta, bool recording, int depth) {
  Step step;
  load(theta, step);
  solve(step);
  if (status_ != Status::ok) return false;
  const double length = theta - theta_;
  if (depth < 16 && !(step.solved && smooth(step)))
    return slip_until(theta_ + 0.5 * length, recording, depth + 1);
  if (!step.solved) {
    status_ = Status::not_converged;
    return false;
  }
  const double noise = -1e-15 * omega_ * reach_;
  double stops = infinity;
  for (int i = 0; i < 4 && stops == infinity; ++i)
    if (side_ * (i < 3 ? step.v[i] : step.end_v) < noise)
      stops = length_to_stop(i < 3 ? gauss_six.c[i] * length : length);
  double bends = infinity;
  if (!law_.sees_velocity()) {
    const double kink = law_.model().next_kink(state_, side_);
    if (side_ * (step.end_u - kink) > 0 && side_ * (kink - u_) > 1e-14 * reach_)
      bends = length_to_kink(length, kink);
  }
  const double part = std::min(stops, bends);
  if (part == infinity) {
    take(step, recording);
    return true;
  }
  if (stops <= bends && part <= 1e-12) {
    // It was on the point of slipping, and does not.
    v_ = 0;
    side_ = 0;
    limits_ = law_.limits(state_, place_);
    held_ = theta;
    if (recording) course_.rests.push_back({theta_, theta_});
    return true;
  }
  load(theta_ + part, step);
  solve(step);
  take(step, recording);
  if (stops <= bends) stop(recording);
  return true;
}

double SlidingMass::length_to_stop(double longest) {
  Step step;
  return root_between(0, longest, side_ < 0, [&](double x) {
    load(theta_ + x, step);
    solve(step);
    return RootValue{step.end_v, acceleration(step.end_u, step.end_v, step.to, step.h) / omega_};
  });
}

double SlidingMass::length_to_kink(double longest, double kink) {
  Step step;
  return root_between(0, longest, side_ > 0, [&](double x) {
    load(theta_ + x, step);
    solve(step);
    return RootValue{step.end_u - kink, step.end_v / omega_};
  });
}

double SlidingMass::acceleration(double u, double v, double theta, double after) {
  return (push_at(theta) - inertia_.damping * v - inertia_.stiffness * u -
          law_.force({state_, place_, side_}, u, v, after)) /
         inertia_.mass;
}

void SlidingMass::solve(Step& step) {
  const Gauss& g = gauss_six;
  const double h = step.h;
  const auto [m, c, k] = inertia_;
  const RigidFriction::Slip slip{state_, place_, side_};
  step.a.setConstant((step.push[1] - c * v_ - k * u_ - law_.force(slip, u_, v_, 0)) / m);
  step.solved = false;
  for (int iteration = 0; iteration < 15 && !step.solved; ++iteration) {
    step.v = v_ + h * (g.A * step.a).array();
    step.u = u_ + h * v_ * g.c.array() + h * h * (g.A2 * step.a).array();
    Stages residual;
    Eigen::Matrix3d matrix = m * Eigen::Matrix3d::Identity();
    for (int i = 0; i < 3; ++i) {
      const RigidFriction::Slopes f = step.friction[i] =
          law_.slopes(slip, step.u[i], step.v[i], g.c[i] * h);
      residual[i] = step.push[i] - c * step.v[i] - k * step.u[i] - f.force - m * step.a[i];
      matrix.row(i) += h * (c + f.by_v) * g.A.row(i) + h * h * (k + f.by_u) * g.A2.row(i);
    }
    if (!residual.allFinite()) return;
    step.inverse = matrix.inverse();
    const double size =
        push_size_ + c * std::abs(v_) + k * std::abs(u_) + m * step.a.lpNorm<Eigen::Infinity>();
    step.solved =
        residual.lpNorm<Eigen::Infinity>() <= (law_.sees_velocity() ? 1e-10 : 1e-14) * size;
    if (!step.solved) step.a += step.inverse * residual;
  }
  step.end_v = v_ + h * g.b.dot(step.a);
  step.end_u = u_ + h * v_ + h * h * g.bA.dot(step.a);
}

/// Whether the stages foretell the acceleration at the end: then the error, of twice the order, is
/// small.
bool SlidingMass::smooth(const Step& step) {
  const double there = acceleration(step.end_u, step.end_v, step.to, step.h);
  return std::abs(gauss_six.to_end.dot(step.a) - there) * inertia_.mass <= 1e-4 * push_size_;
}

/// Derivatives are taken at given angles, so that a step shrinks in time when ω grows.
void SlidingMass::take(const Step& step, bool recording) {
  using Rows = Eigen::Matrix<double, 3, Eigen::Dynamic>;
  const Gauss& g = gauss_six;
  const double h = step.h;
  const Eigen::Index columns = by_.cols();
  const bool all = columns > 2;
  const auto [m, c, k] = inertia_;
  // Of the stages, for the accelerations as they are.
  Rows by_u = g.c * h * by_.row(1);
  by_u.rowwise() += by_.row(0);
  Rows by_v = by_.row(1).replicate<3, 1>();
  if (all) {
    const double by_omega = -h / omega_;
    by_u.col(columns - 3) += by_omega * (v_ * g.c + 2 * h * g.A2 * step.a);
    by_v.col(columns - 3) += by_omega * g.A * step.a;
  }
  Rows right(3, columns);
  for (int i = 0; i < 3; ++i) {
    const RigidFriction::Slopes& f = step.friction[i];
    right.row(i) = -(c + f.by_v) * by_v.row(i) - (k + f.by_u) * by_u.row(i);
    if (all) right.row(i).head(columns - 3) += step.rows.row(i);
  }
  const Rows by_a = step.inverse * right;
  if (recording) {
    by_u += h * h * g.A2 * by_a;
    by_v += h * g.A * by_a;
    for (int i = 0; i < 3; ++i) {
      const RigidFriction::Slopes& f = step.friction[i];
      note(step, i, f.force, step.u[i]);
      slopes_.row(static_cast<Eigen::Index>(loop_.f.size()) - 1) =
          f.by_u * by_u.row(i) + f.by_v * by_v.row(i);
      energy_ += g.b[i] * h * f.force * step.v[i];
      course_.slopes.push_back({loop_.theta.back(), f.by_u, f.by_v});
    }
  }
  by_.row(0) += h * by_.row(1) + h * h * g.bA.transpose() * by_a;
  by_.row(1) += h * g.b.transpose() * by_a;
  if (all) {
    by_(0, columns - 3) -= h / omega_ * (v_ + 2 * h * g.bA.dot(step.a));
    by_(1, columns - 3) -= h / omega_ * g.b.dot(step.a);
  }
  u_ = step.end_u;
  v_ = step.end_v;
  theta_ = step.to;
  if (side_ * (u_ - place_) <= 0) return;
  const Status status =
      law_.model().step(state_, u_, law_.sees_velocity() ? h : infinity, state_).status;
  if (status != Status::ok) status_ = status;
  place_ = u_;
}

/// The velocity has come to zero: the mass sticks or turns.
void SlidingMass::stop(bool recording) {
  v_ = 0;
  const double before = acceleration(u_, 0, theta_, 0);
  choose_side();
  const double kept = side_ == 0 ? 0 : acceleration(u_, 0, theta_, 0) / before;
  if (recording) {
    const auto place = static_cast<Eigen::Index>(course_.stops.size());
    Eigen::RowVectorXd row(fourier_size(harmonics_));
    fourier_row(theta_, harmonics_, row);
    append(stop_rows_, place, row);
    append(stop_slopes_, place, (omega_ * inertia_.mass * (1 - kept)) * by_.row(1));
    course_.stops.push_back({theta_, kept});
    if (side_ == 0) course_.rests.push_back({theta_, theta_});
  }
  by_.row(1) *= kept;
}

void SlidingMass::sum(bool with_jacobian, PeriodicForce& result, Loop& loop) const {
  const auto nodes = static_cast<Eigen::Index>(loop_.f.size());
  const auto stops = static_cast<Eigen::Index>(course_.stops.size());
  const Eigen::Index size = fourier_size(harmonics_);
  const Eigen::Map<const Eigen::VectorXd> weights(loop_.weight.data(), nodes);
  const Eigen::Map<const Eigen::VectorXd> f(loop_.f.data(), nodes);
  const auto in_sums = [&](auto&& sums) {
    sums /= pi;
    sums.row(0) /= 2;
  };
  Eigen::MatrixXd by =
      rows_.topRows(nodes).transpose() * (weights.asDiagonal() * slopes_.topRows(nodes));
  by.noalias() += stop_rows_.topRows(stops).transpose() * stop_slopes_.topRows(stops);
  in_sums(by);
  result.energy = energy_;
  result.coefficients = rows_.topRows(nodes).transpose() * weights.cwiseProduct(f);
  in_sums(result.coefficients);
  loop = loop_;
  loop.tangent.assign(loop.f.size(), 0);
  // The start of the period moves so that it closes: δs = (1 − P)⁻¹ (error + ∂P δp).
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

}  // namespace microslip::dynamics
