#include <Eigen/LU>
#include <cmath>
#include <limits>

#include "dynamics/continuation/root.hpp"
#include "dynamics/rigid/gauss_six.hpp"
#include "dynamics/rigid/sliding_grid.hpp"
#include "microslip/dynamics/periodic/fourier.hpp"
#include "microslip/dynamics/rigid/sliding_mass.hpp"

/// Sliding masses while they slip, and where they stop.
namespace microslip::dynamics {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

}  // namespace

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
  const double slowest = length_to_slowest(step);
  double stops = infinity;
  if (slowest > 0 && side_ * slip_to(slowest).end_v < noise)
    stops = length_to_stop(slowest);
  else if (side_ * step.end_v < noise)
    stops = length_to_stop(length);
  if (stops <= no_slip(v_ == 0)) {
    // It was on the point of slipping, and does not.
    v_ = 0;
    side_ = 0;
    limits_ = law_.limits(state_, place_);
    held_ = theta;
    if (recording) course_.rests.push_back({theta_, theta_});
    return true;
  }
  if (stops < infinity) step = slip_to(stops);
  if (!law_.rate_dependent()) {
    const double kink = law_.model().next_kink(state_, side_);
    if (side_ * (step.end_u - kink) > 0 && side_ * (kink - u_) > 1e-14 * reach_) {
      step = slip_to(length_to_kink(std::min(stops, length), kink));
      step.end_u = kink;
      stops = infinity;
    }
  }
  take(step, recording);
  if (stops < infinity) stop(recording);
  return true;
}

/// To where inside the step the mass is slowest, 0 if nowhere. The acceleration of the stages is a
/// parabola, good for a guess.
double SlidingMass::length_to_slowest(const Step& step) {
  const double d = gauss_six.c[2] - 0.5;
  const double bend = (step.a[0] - 2 * step.a[1] + step.a[2]) / (2 * d * d);
  const double slope = (step.a[2] - step.a[0]) / (2 * d);
  // Of its zeros the one where it turns towards the side.
  const double root = side_ * std::sqrt(std::max(0.0, slope * slope - 4 * bend * step.a[1]));
  double part = 0.5 - 2 * step.a[1] / (slope + root);
  // From rest it must have got away first.
  if (!(part > (v_ == 0 ? 0.1 : 0) && part < 1)) return 0;
  const double length = step.to - theta_;
  for (int i = 0; i < 2; ++i) {
    const Step there = slip_to(part * length);
    part -= acceleration(there.end_u, there.end_v, there.to, there.h) / root;
    if (!(part > 0 && part < 1)) return 0;
  }
  return part * length;
}

SlidingMass::Step SlidingMass::slip_to(double length) {
  Step step;
  load(theta_ + length, step);
  solve(step);
  return step;
}

double SlidingMass::length_to_stop(double longest) {
  return root_between(0, longest, side_ < 0, [&](double x) {
    const Step step = slip_to(x);
    return RootValue{step.end_v, acceleration(step.end_u, step.end_v, step.to, step.h) / omega_};
  });
}

double SlidingMass::length_to_kink(double longest, double kink) {
  return root_between(0, longest, side_ > 0, [&](double x) {
    const Step step = slip_to(x);
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
    step.solved = residual.lpNorm<Eigen::Infinity>() <= law_.noise() * size;
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
    (side_ > 0 ? course_.slips_on : course_.slips_back) = true;
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
      law_.model().step(state_, u_, law_.rate_dependent() ? h : infinity, state_).status;
  if (status != Status::ok) status_ = status;
  place_ = u_;
}

/// The velocity has come to zero: the mass sticks or turns.
void SlidingMass::stop(bool recording) {
  v_ = 0;
  const double before = acceleration(u_, 0, theta_, 0);
  choose_side();
  keep(side_ == 0 ? 0 : acceleration(u_, 0, theta_, 0) / before, recording);
}

/// Goes on with a part of the disturbed velocity, none if it sticks.
void SlidingMass::keep(double part, bool recording) {
  if (recording) {
    const auto place = static_cast<Eigen::Index>(course_.stops.size());
    Eigen::RowVectorXd row(fourier_size(harmonics_));
    fourier_row(theta_, harmonics_, row);
    append(stop_rows_, place, row);
    append(stop_slopes_, place, (omega_ * inertia_.mass * (1 - part)) * by_.row(1));
    course_.stops.push_back({theta_, part});
    if (side_ == 0) course_.rests.push_back({theta_, theta_});
  }
  by_.row(1) *= part;
}

}  // namespace microslip::dynamics
