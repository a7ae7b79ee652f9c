#include "dynamics/body/sliding_stepper.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <utility>

#include "dynamics/body/sliding_grid.hpp"
#include "dynamics/fourier/fourier.hpp"
#include "dynamics/fourier/gauss_six.hpp"

namespace microslip::dynamics {
namespace {

/// Matrices of the size of a body, of r ways to move and d ≤ r free ones. Those of one joint have
/// sizes that the compiler knows, those of a few joints need no memory from the heap.
template <int Exact, int Most>
struct BodySizes {
  static constexpr int times(int count, int n) {
    return n == Eigen::Dynamic ? Eigen::Dynamic : count * n;
  }
  static constexpr int order(int rows, int columns) {
    return rows == 1 && columns != 1 ? Eigen::RowMajor : Eigen::ColMajor;
  }
  template <int Rows, int Columns>
  using Blocks = Eigen::Matrix<double, times(Rows, Exact), times(Columns, Exact),
                               order(times(Rows, Exact), times(Columns, Exact)), times(Rows, Most),
                               times(Columns, Most)>;
  template <int Rows>
  using Column =
      Eigen::Matrix<double, times(Rows, Exact), 1, Eigen::ColMajor, times(Rows, Most), 1>;
  using Stages = Eigen::Matrix<double, Exact, 3, order(Exact, 3), Most, 3>;
};

template <class Function>
void with_sizes(Eigen::Index ways, const Function& function) {
  if (ways == 1)
    function(BodySizes<1, 1>{});
  else if (ways <= 8)
    function(BodySizes<Eigen::Dynamic, 8>{});
  else
    function(BodySizes<Eigen::Dynamic, Eigen::Dynamic>{});
}

}  // namespace

SlidingStepper::SlidingStepper(ContactSet contacts, int harmonics, const Eigen::MatrixXd& damping,
                               const Eigen::MatrixXd& stiffness, const Eigen::VectorXd& at)
    : harmonics_(harmonics),
      damping_(damping),
      stiffness_(stiffness),
      at_(at),
      contacts_(std::move(contacts)),
      cell_(cell_angle(harmonics)),
      grid_rows_(grid_rows(harmonics, grid_cells(harmonics), gauss_six.c)),
      end_rows_(grid_rows(harmonics, grid_cells(harmonics) + 1, Eigen::Vector<double, 1>::Zero())) {
}

void SlidingStepper::begin(const Eigen::VectorXd& excitation, double omega) {
  excitation_ = excitation.reshaped(size(), fourier_size(harmonics_));
  omega_ = omega;
  grid_excitation_.noalias() = excitation_ * grid_rows_.transpose();
  end_excitation_.noalias() = excitation_ * end_rows_.transpose();
  excitation_there_.theta = -1;
  excitation_size_ = grid_excitation_.cwiseAbs().maxCoeff();
  reach_ = excitation_size_ / (omega * omega) + at_.cwiseAbs().maxCoeff();
  contacts_.measure(reach_);
}

/// Fourier functions and excitation at the stages of the step from here.
void SlidingStepper::load(double to, Step& step) const {
  step.to = to;
  step.h = (to - theta_) / omega_;
  const auto cell = static_cast<Eigen::Index>(std::lround(theta_ / cell_));
  if (theta_ == static_cast<double>(cell) * cell_ && to == static_cast<double>(cell + 1) * cell_) {
    step.rows = grid_rows_.row(3 * cell).data();
    step.excitation = grid_excitation_.middleCols(3 * cell, 3);
    return;
  }
  step.own_rows.resize(3, grid_rows_.cols());
  step.excitation.resize(size(), 3);
  for (int i = 0; i < 3; ++i) {
    fourier_row(theta_ + gauss_six.c[i] * (to - theta_), harmonics_, step.own_rows.row(i));
    step.excitation.col(i).noalias() = excitation_ * step.own_rows.row(i).transpose();
  }
  step.rows = step.own_rows.data();
}

const SlidingStepper::Step& SlidingStepper::step_to(double length) {
  load(theta_ + length, trial_);
  solve(trial_);
  return trial_;
}

const Eigen::VectorXd& SlidingStepper::excitation_at(double theta) {
  if (theta == excitation_there_.theta) return excitation_there_.value;
  excitation_there_.theta = theta;
  const auto cell = static_cast<Eigen::Index>(std::lround(theta / cell_));
  if (theta == static_cast<double>(cell) * cell_) {
    excitation_there_.value = end_excitation_.col(cell);
  } else {
    row_.resize(grid_rows_.cols());
    fourier_row(theta, harmonics_, row_);
    excitation_there_.value.noalias() = excitation_ * row_;
  }
  return excitation_there_.value;
}

/// What the steps from here on have in common.
void SlidingStepper::look_around() {
  const Eigen::MatrixXd& free = contacts_.free();
  here_.y.noalias() = free.transpose().lazyProduct(v_);
  here_.springs.noalias() = stiffness_.lazyProduct(u_);
  here_.free_springs.noalias() = free.transpose().lazyProduct(here_.springs);
  here_.places.resize(column(slipping().size()));
  for (std::size_t i = 0; i < slipping().size(); ++i)
    here_.places[column(i)] = motion_of(slipping()[i], u_);
}

void SlidingStepper::solve(Step& step) {
  const Eigen::Index d = contacts_.free().cols();
  step.friction.resize(3 * slipping().size());
  for (Eigen::MatrixXd* stages : {&step.free_excitation, &step.a, &step.x, &step.y})
    stages->resize(d, 3);
  if (d == 0) {
    step.end_x.resize(0);
    step.end_y.resize(0);
    step.solved = true;
  } else {
    with_sizes(size(), [&](auto sizes) { solve_in<decltype(sizes)>(step); });
  }
}

template <class Sizes>
void SlidingStepper::solve_in(Step& step) {
  using Vector = typename Sizes::template Column<1>;
  using Stages = typename Sizes::Stages;
  const Gauss& g = gauss_six;
  const double h = step.h;
  const Eigen::Index d = contacts_.free().cols();
  const std::size_t count = slipping().size();
  const Eigen::Map<const Vector> start(here_.y.data(), d);
  const Eigen::Map<const typename Sizes::template Blocks<1, 1>> damping(free_damping_.data(), d, d),
      stiffness(free_stiffness_.data(), d, d);
  Eigen::Map<Stages> excitation(step.free_excitation.data(), d, 3), a(step.a.data(), d, 3),
      x(step.x.data(), d, 3), y(step.y.data(), d, 3);
  excitation.noalias() = contacts_.free().transpose().lazyProduct(step.excitation);
  excitation.colwise() -= here_.free_springs;
  const Vector first = excitation.col(1) - damping.lazyProduct(start);
  a.colwise() = first;
  Stages residual(d, 3);
  const double size_of_excitation = excitation_size_ + excitation.norm();
  step.solved = false;
  for (int iteration = 0; iteration < 15 && !step.solved; ++iteration) {
    y.noalias() = h * a.lazyProduct(g.A.transpose());
    y.colwise() += start;
    x.noalias() = h * h * a.lazyProduct(g.A2.transpose());
    x.noalias() += h * start.lazyProduct(g.c.transpose());
    residual = excitation - a;
    residual.noalias() -= damping.lazyProduct(y);
    residual.noalias() -= stiffness.lazyProduct(x);
    for (std::size_t i = 0; i < count; ++i) {
      ContactSet::Contact& contact = contacts_[slipping()[i]];
      const Eigen::Map<const Vector> c(free_along_.col(column(i)).data(), d);
      const double u = here_.places[column(i)];
      for (int s = 0; s < 3; ++s) {
        RigidFriction::Slopes& f = step.friction[3 * i + static_cast<std::size_t>(s)];
        f = contact.slip(u + c.dot(x.col(s)), c.dot(y.col(s)), g.c[s] * h);
        residual.col(s) -= f.force * c;
      }
    }
    if (!residual.allFinite()) return;
    invert_in<Sizes>(step);
    const double size = size_of_excitation + a.norm();
    step.solved = residual.template lpNorm<Eigen::Infinity>() <= contacts_.noise() * size;
    if (step.solved) break;
    using System = typename Sizes::template Blocks<3, 3>;
    using Stacked = typename Sizes::template Column<3>;
    const Eigen::Map<const System> inverse(last_.inverse.data(), 3 * d, 3 * d);
    const Eigen::Map<const Stacked> left(residual.data(), 3 * d);
    Eigen::Map<Stacked>(a.data(), 3 * d).noalias() += inverse.lazyProduct(left);
  }
  step.inverse = last_.inverse;
  step.end_y.noalias() = h * a.lazyProduct(g.b);
  step.end_y += start;
  step.end_x.noalias() = h * h * a.lazyProduct(g.bA);
  step.end_x += h * start;
}

/// Of accelerations under forces; the same as before if neither the step nor the slopes of the
/// friction differ.
template <class Sizes>
void SlidingStepper::invert_in(const Step& step) {
  using Square = typename Sizes::template Blocks<1, 1>;
  using Vector = typename Sizes::template Column<1>;
  const auto same_slopes = [](const RigidFriction::Slopes& a, const RigidFriction::Slopes& b) {
    return a.by_u == b.by_u && a.by_v == b.by_v;
  };
  if (step.h == last_.h && std::equal(step.friction.begin(), step.friction.end(),
                                      last_.friction.begin(), last_.friction.end(), same_slopes))
    return;
  const Gauss& g = gauss_six;
  const Eigen::Index d = contacts_.free().cols();
  typename Sizes::template Blocks<3, 3> matrix(3 * d, 3 * d);
  matrix.setIdentity();
  Square wrt_v(d, d), wrt_u(d, d);
  for (int i = 0; i < 3; ++i) {
    wrt_v = free_damping_;
    wrt_u = free_stiffness_;
    for (std::size_t j = 0; j < slipping().size(); ++j) {
      const Eigen::Map<const Vector> c(free_along_.col(column(j)).data(), d);
      const RigidFriction::Slopes& f = step.friction[3 * j + static_cast<std::size_t>(i)];
      if (f.by_v != 0) wrt_v.noalias() += f.by_v * c.lazyProduct(c.transpose());
      if (f.by_u != 0) wrt_u.noalias() += f.by_u * c.lazyProduct(c.transpose());
    }
    for (int l = 0; l < 3; ++l)
      matrix.block(i * d, l * d, d, d) +=
          step.h * g.A(i, l) * wrt_v + step.h * step.h * g.A2(i, l) * wrt_u;
  }
  last_.h = step.h;
  last_.friction = step.friction;
  last_.inverse = matrix.inverse();
}

double SlidingStepper::displacement_at_end(std::size_t i, const Step& step) const {
  return here_.places[column(i)] + free_along_.col(column(i)).dot(step.end_x);
}

double SlidingStepper::velocity_at_end(std::size_t i, const Step& step) const {
  return free_along_.col(column(i)).dot(step.end_y);
}

/// In the free directions.
const Eigen::VectorXd& SlidingStepper::acceleration_at_end(const Step& step) {
  acceleration_.noalias() = contacts_.free().transpose().lazyProduct(excitation_at(step.to));
  acceleration_ -= here_.free_springs;
  acceleration_.noalias() -= free_damping_.lazyProduct(step.end_y);
  acceleration_.noalias() -= free_stiffness_.lazyProduct(step.end_x);
  for (std::size_t i = 0; i < slipping().size(); ++i)
    acceleration_ -= contacts_[slipping()[i]].slip_force(displacement_at_end(i, step),
                                                         velocity_at_end(i, step), step.h) *
                     free_along_.col(column(i));
  return acceleration_;
}

const Eigen::VectorXd& SlidingStepper::to_hold(const Step& step, int stage) {
  hold_ = step.excitation.col(stage) - here_.springs;
  hold_.noalias() -= damping_of_free_.lazyProduct(step.y.col(stage));
  hold_.noalias() -= stiffness_of_free_.lazyProduct(step.x.col(stage));
  for (std::size_t i = 0; i < slipping().size(); ++i)
    hold_ -= step.friction[3 * i + static_cast<std::size_t>(stage)].force *
             contacts_.along(slipping()[i]);
  leave_stuck_part();
  return hold_;
}

const Eigen::VectorXd& SlidingStepper::to_hold_at_end(const Step& step) {
  hold_ = excitation_at(step.to) - here_.springs;
  hold_.noalias() -= damping_of_free_.lazyProduct(step.end_y);
  hold_.noalias() -= stiffness_of_free_.lazyProduct(step.end_x);
  for (std::size_t i = 0; i < slipping().size(); ++i)
    hold_ -= contacts_[slipping()[i]].slip_force(displacement_at_end(i, step),
                                                 velocity_at_end(i, step), step.h) *
             contacts_.along(slipping()[i]);
  leave_stuck_part();
  return hold_;
}

/// What is free does not move by itself: a body that rests as a whole needs no step.
const Eigen::VectorXd& SlidingStepper::to_hold(double length) {
  if (contacts_.free().cols() > 0 && length > 0) return to_hold_at_end(step_to(length));
  hold_ = contacts_.free().cols() == 0
              ? excitation_at(theta_ + length) - here_.springs
              : stuck_part(unbalanced_force(excitation_at(theta_), u_, v_, 0));
  return hold_;
}

void SlidingStepper::leave_stuck_part() {
  const Eigen::MatrixXd& free = contacts_.free();
  if (free.cols() > 0) hold_ -= contacts_.free_part(hold_);
}

/// Whether the stages foretell the acceleration at the end.
bool SlidingStepper::smooth(const Step& step) {
  if (contacts_.free().cols() == 0) return true;
  const Eigen::VectorXd& there = acceleration_at_end(step);
  double square = 0;
  for (Eigen::Index i = 0; i < there.size(); ++i) {
    const double error = step.a.row(i).dot(gauss_six.to_end) - there[i];
    square += error * error;
  }
  return std::sqrt(square) <= 1e-4 * excitation_size_;
}

Eigen::VectorXd SlidingStepper::unbalanced_force(const Eigen::VectorXd& excitation,
                                                 const Eigen::VectorXd& u, const Eigen::VectorXd& v,
                                                 double after) {
  Eigen::VectorXd left = excitation - damping_ * v - stiffness_ * u;
  for (const std::size_t j : slipping())
    left -= contacts_[j].slip_force(motion_of(j, u), motion_of(j, v), after) * contacts_.along(j);
  return left;
}

/// Nothing moves but what stuck joints leave free.
void SlidingStepper::take_sides() {
  const Eigen::MatrixXd& free = contacts_.free();
  const Eigen::MatrixXd across = free.transpose();
  if (free.cols() < size()) {
    v_ = contacts_.free_part(v_);
    derivatives_.bottomRows(size()) = (free * (across * derivatives_.bottomRows(size()))).eval();
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

/// A step carries disturbances δu, δv of its start and δp of the excitation at its stages to its stages and
/// its end. With accelerations at the stages δa = J⁻¹ (δp − …), J⁻¹ being `inverse`, all of them are
/// given by a few matrices of the size of the body, which every column of derivatives meets. They are
/// taken at given angles, so that a step shrinks in time when ω grows.
template <class Sizes>
void SlidingStepper::carry_in(const Step& step, RowMatrix* stage_derivatives, Eigen::Index first) {
  using Vector = typename Sizes::template Column<1>;
  using Square = typename Sizes::template Blocks<1, 1>;
  using Stacked = typename Sizes::template Blocks<3, 1>;
  const Gauss& g = gauss_six;
  const double h = step.h;
  const Eigen::Index r = size(), d = contacts_.free().cols(), columns = derivatives_.cols();
  const Eigen::Index given = columns - 2 * r;  // columns of coefficients and of ω
  const Eigen::Map<const Square> free(contacts_.free().data(), r, d);
  const Eigen::Map<const typename Sizes::template Blocks<3, 3>> inverse(step.inverse.data(), 3 * d,
                                                                        3 * d);
  const Eigen::Map<const typename Sizes::Stages> a(step.a.data(), d, 3);
  const Eigen::Map<const Vector> velocity(here_.y.data(), d);

  // Forces at the stages, and the accelerations by them.
  Stacked wrt_start_u(3 * d, r), wrt_start_y(3 * d, d), scratch;
  typename Sizes::template Column<3> wrt_omega(3 * d), scratch_omega;
  Vector omega_x[3];
  Square wrt_v(d, d), wrt_u(d, d), across(d, r);
  for (int i = 0; i < 3; ++i) {
    wrt_v = free_damping_;
    wrt_u = free_stiffness_;
    across = stiffness_of_free_.transpose();
    for (std::size_t j = 0; j < slipping().size(); ++j) {
      const Eigen::Map<const Vector> c(free_along_.col(column(j)).data(), d);
      const RigidFriction::Slopes& f = step.friction[3 * j + static_cast<std::size_t>(i)];
      if (f.by_v != 0) wrt_v.noalias() += f.by_v * c.lazyProduct(c.transpose());
      if (f.by_u == 0) continue;
      wrt_u.noalias() += f.by_u * c.lazyProduct(c.transpose());
      across.noalias() += f.by_u * c.lazyProduct(contacts_.along(slipping()[j]).transpose());
    }
    wrt_start_u.middleRows(i * d, d) = -across;
    wrt_start_y.middleRows(i * d, d) = -wrt_v - g.c[i] * h * wrt_u;
    if (given == 0) continue;
    omega_x[i] = 2 * h * a.lazyProduct(g.A2.row(i).transpose());
    omega_x[i] += g.c[i] * velocity;
    omega_x[i] *= -h / omega_;
    const Vector omega_y = -h / omega_ * a.lazyProduct(g.A.row(i).transpose());
    wrt_omega.segment(i * d, d).noalias() = -wrt_v.lazyProduct(omega_y);
    wrt_omega.segment(i * d, d).noalias() -= wrt_u.lazyProduct(omega_x[i]);
  }
  scratch = inverse.lazyProduct(wrt_start_u);
  wrt_start_u = scratch;
  scratch = inverse.lazyProduct(wrt_start_y);
  wrt_start_y = scratch;
  if (given > 0) {
    scratch_omega = inverse.lazyProduct(wrt_omega);
    wrt_omega = scratch_omega;
  }

  // Motions u at the three stages, and u and v at the end: by u and v at the start, by the excitation at
  // the stages (a column for each stage, and so on for each direction), and by ω.
  typename Sizes::template Blocks<5, 2> wrt_start(5 * r, 2 * r);
  typename Sizes::template Blocks<5, 3> wrt_input(5 * r, 3 * r);
  typename Sizes::template Column<5> more(5 * r);
  Square sum(d, d), sum_u(d, r);
  wrt_start.setZero();
  more.setZero();
  for (int part = 0; part < 5; ++part) {
    const auto weight = [&](int l) {
      return part < 3 ? h * h * g.A2(part, l) : part == 3 ? h * h * g.bA[l] : h * g.b[l];
    };
    sum.setZero();
    sum.diagonal().array() += part < 3 ? h * g.c[part] : part == 3 ? h : 1;
    sum_u.setZero();
    for (int l = 0; l < 3; ++l) {
      sum += weight(l) * wrt_start_y.middleRows(l * d, d);
      sum_u += weight(l) * wrt_start_u.middleRows(l * d, d);
    }
    auto rows = wrt_start.middleRows(part * r, r);
    rows.leftCols(r).noalias() = free.lazyProduct(sum_u);
    if (part < 4) rows.leftCols(r).diagonal().array() += 1;
    const Square moved = free.lazyProduct(sum);
    rows.rightCols(r).noalias() = moved.lazyProduct(free.transpose());
    if (given == 0) continue;
    for (int m = 0; m < 3; ++m) {
      sum.setZero();
      for (int l = 0; l < 3; ++l) sum += weight(l) * inverse.block(l * d, m * d, d, d);
      const Square pushed = free.lazyProduct(sum);
      for (Eigen::Index q = 0; q < r; ++q)
        wrt_input.col(3 * q + m).segment(part * r, r).noalias() =
            pushed.lazyProduct(free.row(q).transpose());
    }
    Vector y = Vector::Zero(d);
    for (int l = 0; l < 3; ++l) y += weight(l) * wrt_omega.segment(l * d, d);
    if (part < 3) y += omega_x[part];
    if (part == 3) y -= h / omega_ * (velocity + 2 * h * a.lazyProduct(g.bA));
    if (part == 4) y -= h / omega_ * a.lazyProduct(g.b);
    more.segment(part * r, r).noalias() = free.lazyProduct(y);
  }

  typename Sizes::template Column<2> start(2 * r);
  typename Sizes::template Column<5> moved(5 * r);
  const Eigen::Index functions = grid_rows_.cols();
  for (Eigen::Index k = 0; k < columns; ++k) {
    start = derivatives_.col(k);
    moved.noalias() = wrt_start.lazyProduct(start);
    if (k < given - 1) {
      const double* const at = step.rows + k / r;
      const Eigen::Vector3d row(at[0], at[functions], at[2 * functions]);
      moved.noalias() += wrt_input.middleCols(3 * (k % r), 3).lazyProduct(row);
    } else if (k == given - 1) {
      moved += more;
    }
    for (int i = 0; stage_derivatives && i < 3; ++i)
      stage_derivatives->row(first + i).segment(k * r, r) = moved.segment(i * r, r).transpose();
    derivatives_.col(k) = moved.tail(2 * r);
  }
}

/// Derivatives over the step; those of the displacements at its stages go to rows of `stage_derivatives`.
void SlidingStepper::carry_derivatives(const Step& step, RowMatrix* stage_derivatives,
                                       Eigen::Index first) {
  if (contacts_.free().cols() > 0) {
    with_sizes(size(),
               [&](auto sizes) { carry_in<decltype(sizes)>(step, stage_derivatives, first); });
  } else if (stage_derivatives) {
    for (int i = 0; i < 3; ++i)
      for (Eigen::Index k = 0; k < derivatives_.cols(); ++k)
        stage_derivatives->row(first + i).segment(k * size(), size()) =
            derivatives_.col(k).head(size()).transpose();
  }
}

}  // namespace microslip::dynamics
