#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "dynamics/joint/closed_state.hpp"
#include "dynamics/joint/rate_dependent_loop.hpp"
#include "microslip/detail/numerics/constants.hpp"
#include "microslip/detail/numerics/dense.hpp"

/// Derivatives of a period that is taken in time.
namespace microslip::dynamics {
/// Asks for a reply by the numbers of law_.dual_state, by its displacement and by one number more, as
/// many at a time as a dual number has room for.
template <class Ask>
bool RateDependentLoop::seed_by_chunks(double value, const Ask& ask) {
  const auto size = static_cast<Eigen::Index>(law_.dual_numbers.size()) - 1;
  force_slopes_.resize(size + 2);
  for (Eigen::Index chunk = 0; chunk < size + 2; chunk += dual_width) {
    const Eigen::Index width = std::min<Eigen::Index>(dual_width, size + 2 - chunk);
    const auto seed = [&](WideDual& number, Eigen::Index place) {
      number.v.setZero();
      if (place >= chunk && place < chunk + width) number.v[place - chunk] = 1;
    };
    for (Eigen::Index i = 0; i < size; ++i)
      seed(*law_.dual_numbers[static_cast<std::size_t>(i) + 1], i);
    seed(*law_.dual_numbers[0], size);
    WideDual last(value);
    seed(last, size + 1);
    const auto reply = ask(last, chunk, width);
    if (reply.status != Status::ok) return false;
    force_slopes_.segment(chunk, width) = reply.force.v.head(width);
  }
  return true;
}

/// One step of the law on dual numbers from law_.dual_state, which it moves on: what is at its end, and
/// its force, by the numbers of the state, by the displacement it began at and by the one it ends
/// at. So few seeds are enough however many harmonics there are; the rest is the chain rule.
bool RateDependentLoop::step_by_duals(double u, double dt) {
  const auto size = static_cast<Eigen::Index>(law_.dual_numbers.size()) - 1;
  step_slopes_.resize(size, size + 2);
  const bool ok =
      seed_by_chunks(u, [&](const WideDual& to, Eigen::Index chunk, Eigen::Index width) {
        const auto reply = law_.dual.step(law_.dual_state, to, dt, law_.dual_scratch);
        for (Eigen::Index i = 0; i < size; ++i)
          step_slopes_.row(i).segment(chunk, width) =
              law_.dual_scratch_numbers[static_cast<std::size_t>(i) + 1]->v.head(width).transpose();
        return reply;
      });
  if (ok) law_.dual_state.get().assign(law_.dual_scratch.get());
  return ok;
}

/// The force where law_.dual_state is, by its numbers, by its displacement and by the velocity.
bool RateDependentLoop::force_by_duals(double velocity) {
  return seed_by_chunks(velocity, [&](const WideDual& v, Eigen::Index, Eigen::Index) {
    return law_.dual.force(law_.dual_state, v);
  });
}

/// The numbers of a state and its displacement by everything that moves, taken along a step.
struct RateDependentLoop::Sensitivity {
  Eigen::MatrixXd numbers;
  Eigen::RowVectorXd u;

  Eigen::RowVectorXd force(const Eigen::VectorXd& slopes, const Eigen::RowVectorXd& to) const {
    const Eigen::Index size = numbers.rows();
    return slopes.head(size).transpose() * numbers + slopes[size] * u + slopes[size + 1] * to;
  }
  void move(const Eigen::MatrixXd& slopes, const Eigen::RowVectorXd& to) {
    const Eigen::Index size = numbers.rows();
    numbers =
        (slopes.leftCols(size) * numbers + slopes.col(size) * u + slopes.col(size + 1) * to).eval();
    u = to;
  }
};

/// Over the nodes from law_.dual_state, with the sensitivities at its begin, whose last columns are the
/// coefficients of the motion if there are any. Forces by all of these go to wrt_numbers_ if wanted.
bool RateDependentLoop::run_by_duals(double omega, Sensitivity& at, bool with_forces) {
  const std::size_t count = period_.odd ? period_.nodes.size() / 2 : period_.nodes.size();
  const bool asked = period_.rate_dependent;
  const Eigen::Index functions = std::min(fourier_size(period_.harmonics), at.numbers.cols());
  const bool moves =
      at.numbers.cols() > begin_.size() || functions == fourier_size(period_.harmonics);
  Eigen::RowVectorXd to = Eigen::RowVectorXd::Zero(at.numbers.cols()), velocity = to;
  Eigen::Index place = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const auto row = static_cast<Eigen::Index>(i);
    if (moves) to.tail(functions) = period_.basis.row(row);
    if (!step_by_duals(period_.nodes[i].u, times_[i])) return false;
    const bool counts = with_forces && period_.nodes[i].counts();
    if (counts && !asked) wrt_numbers_.row(place++) = at.force(force_slopes_, to);
    at.move(step_slopes_, to);
    if (!counts || !asked) continue;
    if (moves) velocity.tail(functions) = omega * period_.slope_basis.row(row);
    if (!force_by_duals(period_.slopes[row] * omega)) return false;
    wrt_numbers_.row(place++) = at.force(force_slopes_, velocity);
  }
  return true;
}

/// The same for a law that remembers reversals: they depend on the motion too, so the state carries
/// all derivatives over the nodes, as many at a time as a dual number has room for.
bool RateDependentLoop::carry_duals(double omega, const Seeds& seeds, bool with_forces,
                                    Eigen::MatrixXd& wrt_all) {
  const std::size_t count = period_.odd ? period_.nodes.size() / 2 : period_.nodes.size();
  const Eigen::Index size = begin_.size(), seeded = seeds.numbers, functions = seeds.functions;
  const bool from_rest = seeds.from_rest;
  wrt_all.resize(size, seeded + functions);
  Eigen::VectorXd row(fourier_size(period_.harmonics));
  for (Eigen::Index chunk = 0; chunk < seeded + functions; chunk += dual_width) {
    const Eigen::Index width = std::min<Eigen::Index>(dual_width, seeded + functions - chunk);
    const Eigen::Index first = std::max<Eigen::Index>(seeded - chunk, 0);  // of the functions
    const auto moved = [&](double value, const auto& wrt_motion) {
      WideDual u(value);
      if (first < width)
        u.v.segment(first, width - first) =
            wrt_motion.segment(chunk + first - seeded, width - first).transpose();
      return u;
    };
    fourier_row(motion_.reversals().front(), period_.harmonics, row);
    const WideDual begin = moved(motion_.turning_values().front(), row.transpose());
    if (from_rest) {
      law_.dual_state.get().assign(law_.dual_rest.get());
      for (const double u : law_.before)
        law_.dual.step(law_.dual_state, WideDual(u), infinity, law_.dual_state);
      if (law_.dual.step(law_.dual_state, begin, infinity, law_.dual_state).status != Status::ok)
        return false;
    } else {
      law_.dual_state.get().assign(law_.dual_closed.get());
      if (!law_.find_dual_again()) return false;
      *law_.dual_numbers[0] = begin;
      for (Eigen::Index i = 0; i < size; ++i) {
        WideDual& number = *law_.dual_numbers[static_cast<std::size_t>(i) + 1];
        number = WideDual(begin_[i]);
        if (i < seeded && i >= chunk && i < chunk + width) number.v[i - chunk] = 1;
      }
    }
    Eigen::Index place = 0;
    for (std::size_t step = 0; step < count * static_cast<std::size_t>(from_rest ? rounds_ : 1);
         ++step) {
      const std::size_t i = step % count;
      const auto node = static_cast<Eigen::Index>(i);
      const WideDual u = moved(period_.nodes[i].u, period_.basis.row(node));
      const auto reply = law_.dual.step(law_.dual_state, u, times_[i], law_.dual_state);
      if (reply.status != Status::ok) return false;
      if (!with_forces || !period_.nodes[i].counts()) continue;
      WideDual force = reply.force;
      if (period_.rate_dependent) {
        const WideDual v = omega * moved(period_.slopes[node], period_.slope_basis.row(node));
        const auto asked = law_.dual.force(law_.dual_state, v);
        if (asked.status != Status::ok) return false;
        force = asked.force;
      }
      wrt_numbers_.row(place++).segment(chunk, width) = force.v.head(width).transpose();
    }
    if (!law_.find_dual_again()) return false;
    for (Eigen::Index i = 0; i < size; ++i) {
      const WideDual& number = *law_.dual_numbers[static_cast<std::size_t>(i) + 1];
      if (!from_rest) end_[i] = number.a;
      wrt_all.row(i).segment(chunk, width) = number.v.head(width).transpose();
    }
  }
  return true;
}

/// From begin_ over the nodes to end_, with its derivatives: by the numbers of the state and, where
/// the forces are wanted too, by the coefficients of the motion.
bool RateDependentLoop::run_period_by_duals(double omega, bool with_forces) {
  const Eigen::Index size = begin_.size();
  const Eigen::Index functions = with_forces ? fourier_size(period_.harmonics) : 0;
  if (law_.memory_grows)
    return carry_duals(omega, {false, size, functions}, with_forces, wrt_begin_);
  Sensitivity at{Eigen::MatrixXd::Zero(size, size + functions),
                 Eigen::RowVectorXd::Zero(size + functions)};
  at.numbers.leftCols(size).setIdentity();
  if (with_forces) {
    Eigen::VectorXd row(functions);
    fourier_row(motion_.reversals().front(), period_.harmonics, row);
    at.u.tail(functions) = row.transpose();
  }
  law_.dual_state.get().assign(law_.dual_closed.get());
  *law_.dual_numbers[0] = WideDual(motion_.turning_values().front());
  for (Eigen::Index i = 0; i < size; ++i)
    *law_.dual_numbers[static_cast<std::size_t>(i) + 1] = WideDual(begin_[i]);
  if (!run_by_duals(omega, at, with_forces)) return false;
  for (Eigen::Index i = 0; i < size; ++i)
    end_[i] = law_.dual_numbers[static_cast<std::size_t>(i) + 1]->a;
  wrt_begin_ = at.numbers;
  return true;
}

/// The begin of the first period from rest by the coefficients of the motion: what a memory keeps
/// that does not fade.
bool RateDependentLoop::reference_by_duals(double omega, Eigen::MatrixXd& wrt_motion) {
  const Eigen::Index functions = fourier_size(period_.harmonics);
  if (law_.memory_grows) return carry_duals(omega, {true, 0, functions}, false, wrt_motion);
  law_.dual_state.get().assign(law_.dual_rest.get());
  for (const double u : law_.before)
    law_.dual.step(law_.dual_state, WideDual(u), infinity, law_.dual_state);
  Sensitivity at{Eigen::MatrixXd::Zero(begin_.size(), functions),
                 Eigen::RowVectorXd::Zero(functions)};
  Eigen::VectorXd row(functions);
  fourier_row(motion_.reversals().front(), period_.harmonics, row);
  if (!step_by_duals(motion_.turning_values().front(), infinity)) return false;
  at.move(step_slopes_, row.transpose());
  if (!run_by_duals(omega, at, false)) return false;
  wrt_motion = at.numbers;
  return true;
}

/// One period by the numbers of its begin and by the coefficients of the motion, and the begin of
/// the closed loop by these, as in close_half_derivatives.
void RateDependentLoop::jacobian_of_period(double omega) {
  const Eigen::Index size = begin_.size(), functions = fourier_size(period_.harmonics);
  const auto counted =
      static_cast<Eigen::Index>(period_.odd ? period_.counted.size() / 2 : period_.counted.size());
  wrt_numbers_.resize(counted, size + functions);
  kept_.found = false;
  if (!run_period_by_duals(omega, true)) {
    period_.result.status = Status::not_converged;
    return;
  }
  // Numbers of reversals that are older than the loop are those of the way from rest.
  const Eigen::Index older = law_.older, free = size - older;
  const Eigen::VectorXd units = units_of_numbers().head(free);
  const Eigen::MatrixXd mirror = mirror_of(size);
  const Eigen::MatrixXd slope = open_slope(mirror);
  Eigen::MatrixXd sum = slope;
  sum += 2 * mirror.topLeftCorner(free, free);
  // A memory that fades has forgotten the way from rest.
  const bool forgets = fades(period_.odd ? sum : slope, units);
  Eigen::MatrixXd reference = Eigen::MatrixXd::Zero(size, functions);
  if ((!forgets || older > 0) && !reference_by_duals(omega, reference)) {
    period_.result.status = Status::not_converged;
    return;
  }
  Eigen::MatrixXd wrt_motion = wrt_begin_.topRightCorner(free, functions);
  wrt_motion += wrt_begin_.block(0, free, free, older) * reference.bottomRows(older);
  Eigen::MatrixXd begin = reference, way = reference.topRows(free);
  if (!period_.odd && reference_.size() == free) forget_way(begin_, reference_, units, way);
  begin.topRows(free) = period_.odd ? closed_state(sum, wrt_motion, -(mirror * reference), units)
                                    : closed_state(slope, wrt_motion, way, units);
  if (period_.odd) {
    const Eigen::MatrixXd wrt_odd = -dense::solve(slope, wrt_motion);
    for (Eigen::Index k = 1; k < functions; ++k)
      if (((k + 1) / 2) % 2 == 1) begin.col(k) = wrt_odd.col(k);
  }
  const Eigen::MatrixXd force =
      wrt_numbers_.rightCols(functions) + wrt_numbers_.leftCols(size) * begin;
  period_.result.jacobian.setZero(functions, functions);
  for (Eigen::Index k = 0; k < counted; ++k) {
    const auto place = static_cast<std::size_t>(k);
    period_.result.jacobian +=
        (period_.odd ? 2 : 1) * period_.loop.weight[place] *
        period_.basis.row(static_cast<Eigen::Index>(period_.counted[place])).transpose() *
        force.row(k);
  }
  period_.result.jacobian /= pi;
  period_.result.jacobian.row(0) /= 2;
  const Eigen::VectorXd wrt_omega = find_slope_wrt_omega(omega, slope, units);
  if (law_.with_reversals())
    kept_ = {true,
             false,
             period_.nodes.size(),
             omega,
             motion_.q(),
             begin_.head(free),
             slope,
             begin.topRows(free),
             wrt_omega,
             older};
  else if (period_.odd || forgets)
    kept_ = {true,      period_.odd, period_.nodes.size(), omega, motion_.q(), begin_, slope, begin,
             wrt_omega, -1};
}

/// By ω: the law has no derivative by time, so the same period goes once more from the same begin
/// at another speed. What that leaves open moves the begin, whose derivative is returned.
Eigen::VectorXd RateDependentLoop::find_slope_wrt_omega(double omega, const Eigen::MatrixXd& slope,
                                                        const Eigen::VectorXd& units) {
  const Eigen::Index size = slope.rows();
  const double change = 1e-6 * omega;
  const std::vector<double> force = period_.loop.f;
  const double energy = period_.result.energy;
  go_to_begin();
  const bool ok = run_nodes(omega + change) && law_.find_again();
  const Eigen::VectorXd faster = ok ? law_.state_numbers() : end_;
  const std::vector<double> moved = period_.loop.f;
  period_.loop.f = force;
  period_.result.energy = energy;
  if (!ok) {
    period_.result.status = Status::ok;
    return Eigen::VectorXd::Zero(size);
  }
  const Eigen::VectorXd open = (faster - end_).head(size) / change;
  Eigen::VectorXd begin =
      period_.odd ? Eigen::VectorXd(-dense::solve(slope, open))
                  : Eigen::VectorXd(closed_state(slope, open, Eigen::VectorXd::Zero(size), units));
  const Eigen::VectorXd wrt_begin = wrt_numbers_.leftCols(size) * begin;
  period_.result.wrt_omega = Eigen::VectorXd::Zero(fourier_size(period_.harmonics));
  for (Eigen::Index k = 0; k < wrt_begin.size(); ++k) {
    const auto place = static_cast<std::size_t>(k);
    period_.result.wrt_omega +=
        (period_.odd ? 2 : 1) * period_.loop.weight[place] *
        ((moved[place] - force[place]) / change + wrt_begin[k]) *
        period_.basis.row(static_cast<Eigen::Index>(period_.counted[place])).transpose();
  }
  period_.result.wrt_omega /= pi;
  period_.result.wrt_omega[0] /= 2;
  return begin;
}

/// Displacements with a seed for each of up to eight coefficients, and velocities.
void RateDependentLoop::seeds_of_chunk(Eigen::Index chunk, double omega) {
  const Eigen::Index width =
      std::min<Eigen::Index>(dual_width, fourier_size(period_.harmonics) - chunk);
  const bool asked = period_.rate_dependent;
  dual_u_.resize(period_.nodes.size());
  dual_velocity_.resize(asked ? period_.nodes.size() : 0);
  for (std::size_t i = 0; i < period_.nodes.size(); ++i) {
    const auto row = static_cast<Eigen::Index>(i);
    dual_u_[i] = WideDual(period_.nodes[i].u);
    dual_u_[i].v.head(width) = period_.basis.row(row).segment(chunk, width).transpose();
    if (!asked) continue;
    dual_velocity_[i] = WideDual(period_.slopes[row] * omega);
    dual_velocity_[i].v.head(width) =
        period_.slope_basis.row(row).segment(chunk, width).transpose() * omega;
  }
}

void RateDependentLoop::jacobian_from_seeds(double omega) {
  const Eigen::Index size = fourier_size(period_.harmonics);
  period_.result.jacobian.setZero(size, size);
  std::vector<double> times(period_.nodes.size());
  for (std::size_t i = 0; i < period_.nodes.size(); ++i) times[i] = time_to(i, omega);
  dual_f_.resize(period_.nodes.size());
  for (Eigen::Index chunk = 0; chunk < size; chunk += dual_width) {
    const Eigen::Index width = std::min<Eigen::Index>(dual_width, size - chunk);
    seeds_of_chunk(chunk, omega);
    law_.dual_state.get().assign(law_.dual_rest.get());
    for (const double u : law_.before)
      law_.dual.step(law_.dual_state, WideDual(u), infinity, law_.dual_state);
    if (period_.options.rule == Rule::event_exact)
      law_.dual.step(law_.dual_state, dual_u_.back(), infinity, law_.dual_state);
    // An offset that fades slowly matters little for Newton's method.
    const int rounds = period_.odd ? std::min(period_.result.rounds, 4) : period_.result.rounds;
    for (int round = 1; round < rounds; ++round) {
      period_.result.status = law_.dual.run(times, dual_u_, law_.dual_state, dual_f_);
      if (period_.result.status != Status::ok) return;
    }
    std::size_t place = 0;
    for (std::size_t i = 0; i < period_.nodes.size(); ++i) {
      const Response<WideDual> there =
          law_.dual.step(law_.dual_state, dual_u_[i], times[i], law_.dual_state);
      if (there.status != Status::ok) {
        period_.result.status = there.status;
        return;
      }
      if (!period_.nodes[i].counts()) continue;
      const WideDual force = period_.rate_dependent
                                 ? law_.dual.force(law_.dual_state, dual_velocity_[i]).force
                                 : there.force;
      period_.result.jacobian.middleCols(chunk, width) +=
          period_.loop.weight[place++] *
          period_.basis.row(static_cast<Eigen::Index>(i)).transpose() *
          force.v.head(width).transpose();
    }
  }
  // Fourier sums: 1/(2π) for the mean, 1/π for the others.
  period_.result.jacobian /= pi;
  period_.result.jacobian.row(0) /= 2;
}

}  // namespace microslip::dynamics
