#include <algorithm>
#include <cmath>

#include "dynamics/time/implicit_motion.hpp"
#include "microslip/core/text.hpp"

/// Midpoint rule, Newmark's method, HHT and generalised-α.
namespace microslip::dynamics {
namespace {

/// Generalised-α of Chung and Hulbert, Journal of Applied Mechanics 60 (1993) 371–375, which holds
/// Newmark's average acceleration and HHT as special cases.
struct Alpha {
  double m, f, beta, gamma;
};

Alpha alpha_of(const TimeOptions& options) {
  if (options.method == Method::newmark) return {0, 0, 0.25, 0.5};
  if (options.method == Method::hht) {
    // α = −0.05: light damping of what the step cannot resolve.
    const double f = 0.05;
    return {0, f, 0.25 * (1 + f) * (1 + f), 0.5 + f};
  }
  const double rho = options.spectral_radius;
  const double m = (2 * rho - 1) / (rho + 1);
  const double f = rho / (rho + 1);
  return {m, f, 0.25 * (1 - m + f) * (1 - m + f), 0.5 - m + f};
}

}  // namespace

ImplicitMotion::ImplicitMotion(TimeRun run, const Eigen::VectorXd& x, const Eigen::VectorXd& v)
    : Motion(std::move(run)),
      s_(run_.structure),
      x_(x),
      v_(v),
      t_(run_.t0),
      slopes_(s_.joints.size()),
      forces_(s_.joints.size()),
      interface_forces_(run_.interface_force),
      interface_slopes_(s_.interfaces.size()),
      contacts_(s_, [this](const Eigen::VectorXd& b) { return run_.mass.solve(b); }),
      held_(Eigen::VectorXd::Zero(static_cast<Eigen::Index>(contacts_.joints.size()))),
      tangent_(s_) {
  for (const std::size_t j : contacts_.joints) {
    contacts_[j].state = run_.state[j];
    contacts_[j].place = run_.joint_motion(j, x_);
  }
  residual_ = run_.load(t_) - s_.C * v_ - s_.K * x_;
  add_forces(run_.force, run_.interface_force, -1, residual_);
  acceleration_ = run_.mass.solve(residual_);
}

bool ImplicitMotion::step(double stop) {
  if (!advance(stop - t_)) return fail("Newton's method failed");
  t_ = stop;
  ++run_.result.steps;
  run_.apply_impulses(t_, v_);
  return true;
}

void ImplicitMotion::add_forces(const std::vector<double>& joints,
                                const std::vector<Eigen::VectorXd>& interfaces, double factor,
                                Eigen::VectorXd& sum) const {
  const auto add = [&](const Direction& direction, double force) {
    for (Direction::InnerIterator w(direction); w; ++w) sum[w.index()] += force * w.value();
  };
  for (std::size_t j = 0; j < joints.size(); ++j) add(s_.joints[j].w, factor * joints[j]);
  for (std::size_t i = 0; i < interfaces.size(); ++i)
    for (std::size_t k = 0; k < s_.interfaces[i].w.size(); ++k)
      add(s_.interfaces[i].w[k], factor * interfaces[i][static_cast<Eigen::Index>(k)]);
}

bool ImplicitMotion::ask_interfaces(const Eigen::VectorXd& next) {
  for (std::size_t i = 0; i < s_.interfaces.size(); ++i) {
    const InterfaceLaw& law = *s_.interfaces[i].law;
    const Eigen::VectorXd u = run_.interface_motion(i, next);
    const InterfaceReply reply = law.step(run_.interface_state[i], u, run_.interface_scratch[i]);
    if (reply.status != Status::ok) run_.result.status = reply.status;
    if (reply.status != Status::ok) return false;
    interface_forces_[i] = reply.force;
    interface_slopes_[i] = reply.tangent;
    if (!of_midpoint()) continue;
    const Eigen::VectorXd way = u - run_.interface_motion(i, x_);
    Eigen::VectorXd mean = 0.5 * (run_.interface_force[i] + reply.force);
    const double stored = law.stored(run_.interface_scratch[i]);
    const double before = law.stored(run_.interface_state[i]);
    const double rounding = 2e-16 * (std::abs(stored) + std::abs(before));
    const double size = mean.norm();
    // As in mean_force: where the way is too short for a quotient, the mean of both ends serves.
    if (rounding < 1e-9 * way.norm() * size) {
      const double missing = stored - before + reply.dissipated - mean.dot(way);
      mean += missing / way.squaredNorm() * way;
      noise_ += 10 * rounding / way.norm();
    }
    interface_forces_[i] = mean;
    interface_slopes_[i] *= 0.5;
  }
  return true;
}

double ImplicitMotion::scale() {
  work_.noalias() = s_.K * x_;
  double size = work_.lpNorm<Eigen::Infinity>();
  work_.noalias() = s_.M * v_;
  size += work_.lpNorm<Eigen::Infinity>() / run_.options.step * 1e-2;
  for (const bool joints : {true, false}) {
    work_.setZero();
    if (joints)
      add_forces(run_.force, {}, 1, work_);
    else
      add_forces({}, run_.interface_force, 1, work_);
    size += work_.lpNorm<Eigen::Infinity>();
  }
  return size + std::max(run_.load(t_).lpNorm<Eigen::Infinity>(),
                         run_.load(t_ + run_.options.step).lpNorm<Eigen::Infinity>());
}

Eigen::VectorXd ImplicitMotion::mean_load(double h) const {
  // The mean of the load over the step, by Simpson's rule.
  return (run_.load(t_) + 4 * run_.load(t_ + 0.5 * h) + run_.load(t_ + h)) / 6;
}

bool ImplicitMotion::ask(std::size_t j, double u, double h, Response<double>& reply) {
  reply = s_.joints[j].model.step(run_.state[j], u, h, run_.scratch[j]);
  if (reply.status != Status::ok) run_.result.status = reply.status;
  return reply.status == Status::ok;
}

bool ImplicitMotion::mean_force(std::size_t j, double u, double h) {
  double& force = forces_[j];
  double& slope = slopes_[j];
  const AnyModel& model = s_.joints[j].model;
  Response<double> reply{};
  if (!ask(j, u, h, reply)) return false;
  const double distance = u - run_.joint_motion(j, x_);
  const double stored = model.stored(run_.scratch[j]);
  const double before = model.stored(run_.state[j]);
  const double work = stored - before + reply.dissipated;
  const double rounding = 2e-16 * (std::abs(stored) + std::abs(before));
  const double ends = std::abs(reply.force) + std::abs(run_.force[j]);
  // Over 1e-8 of a typical displacement the two means agree to rounding.
  if (rounding >= 1e-9 * std::abs(distance) * ends) {
    force = 0.5 * (run_.force[j] + reply.force);
    slope = 0.5 * reply.tangent;
  } else {
    force = work / distance;
    slope = (reply.force - force) / distance;
    noise_ += 10 * rounding / std::abs(distance);
  }
  return true;
}

bool ImplicitMotion::end_force(std::size_t j, double u, double h) {
  Response<double> reply{};
  if (!ask(j, u, h, reply)) return false;
  forces_[j] = reply.force;
  slopes_[j] = reply.tangent;
  return true;
}

void ImplicitMotion::commit(double h) {
  for (std::size_t j = 0; j < s_.joints.size(); ++j) {
    const double u = stuck(j) ? contacts_[j].place : run_.joint_motion(j, x_);
    const Response<double> reply = s_.joints[j].model.step(run_.state[j], u, h, run_.state[j]);
    run_.force[j] = stuck(j) ? held_[contacts_.of_joint[j]] : reply.force;
    if (contacts_.is(j)) {
      contacts_[j].place = u;
      contacts_[j].state = run_.state[j];
    }
    run_.result.joint_energy[j] += reply.dissipated;
    run_.result.audit.joints += reply.dissipated;
  }
  for (std::size_t i = 0; i < s_.interfaces.size(); ++i) {
    const InterfaceReply reply = s_.interfaces[i].law->step(
        run_.interface_state[i], run_.interface_motion(i, x_), run_.interface_state[i]);
    run_.interface_force[i] = reply.force;
    run_.result.audit.joints += reply.dissipated;
  }
}

void ImplicitMotion::solve_joints_first(double h, double part, double moves,
                                        const Eigen::VectorXd& next,
                                        const Eigen::VectorXd& residual, Eigen::VectorXd& z) {
  constexpr int most_iterations = 12;
  const SparseMatrix& W = tangent_.directions();
  const auto count = static_cast<Eigen::Index>(s_.joints.size());
  Eigen::VectorXd halfway = tangent_.linear_part().forward(residual);
  Eigen::VectorXd u = W.transpose() * next;
  const Eigen::VectorXd without = u - moves * tangent_.linear_part().along(halfway);
  const Eigen::Map<const Eigen::VectorXd> forces(forces_.data(), count);
  for (int iteration = 0; iteration < most_iterations; ++iteration) {
    for (std::size_t j = 0; j < s_.joints.size(); ++j) {
      const double to = u[static_cast<Eigen::Index>(j)];
      if (!(of_midpoint() ? mean_force(j, to, h) : end_force(j, to, h))) {
        run_.result.status = Status::ok;  // of a guess
        return;
      }
      slopes_[j] *= part * moves;
    }
    const Eigen::VectorXd open = u + part * moves * (tangent_.flexibility() * forces) - without;
    tangent_.set_slopes(slopes_);
    const Eigen::VectorXd change = tangent_.solve_directions(open);
    u -= change;
    const double size = without.lpNorm<Eigen::Infinity>() + u.lpNorm<Eigen::Infinity>();
    if (change.lpNorm<Eigen::Infinity>() <= 1e-14 * size) break;
  }
  tangent_.linear_part().add(part * forces, halfway);
  z -= tangent_.linear_part().back(std::move(halfway));
}

bool ImplicitMotion::solve_midpoint(double h, const Eigen::VectorXd& load, Eigen::VectorXd& mean) {
  tangent_.set_linear_part(2 / h, 1, h / 2);
  const double size = scale();
  const auto find_linear_residual = [&] {
    work_ = (2 / h) * (mean - v_);
    residual_.noalias() = s_.M * work_;
    residual_.noalias() += s_.C * mean;
    work_ = x_ + 0.5 * h * mean;
    residual_.noalias() += s_.K * work_;
    residual_ -= load;
  };
  if (large()) {
    find_linear_residual();
    solve_joints_first(h, 1, h, x_ + h * mean, residual_, mean);
  }
  const double enough = large() ? 1e-13 : 1e-14;  // the joints were solved for already
  bool converged = false;
  for (int iteration = 0; iteration < 60; ++iteration) {
    const Eigen::VectorXd next = x_ + h * mean;
    // Rounding of the momentum, over a step that may be short.
    noise_ = 1e-15 * (2 / h) * (s_.M * mean).lpNorm<Eigen::Infinity>();
    if (!ask_joints(next, h) || !ask_interfaces(next)) return false;
    find_linear_residual();
    add_forces(forces_, interface_forces_, 1, residual_);
    const double error = residual_.lpNorm<Eigen::Infinity>();
    // A first step is due where joints are stuck: the guess may move them.
    const bool corrected = iteration > 0 || !rigid();
    if (corrected && (error <= enough * size || (converged && error <= 1e-11 * size + noise_)))
      return mean.allFinite();
    converged = error <= 1e-11 * size + noise_;  // once more, towards rounding
    for (double& slope : slopes_) slope *= h;
    for (Eigen::MatrixXd& slope : interface_slopes_) slope *= h;
    tangent_.set_slopes(slopes_, interface_slopes_);
    correct(residual_, 1, Eigen::VectorXd::Zero(s_.size()), mean);
  }
  return converged && mean.allFinite();
}

bool ImplicitMotion::in_halves(double h) {
  const double t = t_;
  if (one_step(h)) {
    t_ = t + h;
    return true;
  }
  if (h <= 1e-4 * run_.options.step) return false;
  run_.result.status = Status::ok;
  return in_halves(0.5 * h) && in_halves(0.5 * h);
}

bool ImplicitMotion::one_step(double h) {
  const bool done = of_midpoint() ? midpoint(h) : alpha(h);
  if (done && rigid()) stop_stuck_joints();
  return done;
}

bool ImplicitMotion::midpoint(double h) {
  const Eigen::VectorXd load = mean_load(h);
  Eigen::VectorXd mean;
  if (!find_sides(h, v_ + 0.5 * h * acceleration_, mean,
                  [&] { return solve_midpoint(h, load, mean); }))
    return false;
  x_ += h * mean;
  const Eigen::VectorXd next_v = 2 * mean - v_;
  acceleration_ = (next_v - v_) / h;
  v_ = next_v;
  commit(h);
  run_.result.audit.input += h * load.dot(mean);
  run_.result.audit.viscous += h * mean.dot(s_.C * mean);
  return true;
}

bool ImplicitMotion::alpha(double h) {
  const Alpha p = alpha_of(run_.options);
  const Eigen::VectorXd load_before = run_.load(t_), load_after = run_.load(t_ + h);
  const double bh2 = p.beta * h * h;
  const double gh = p.gamma * h;
  tangent_.set_linear_part(1 - p.m, (1 - p.f) * gh, (1 - p.f) * bh2);
  const Eigen::VectorXd way = h * v_ + (0.5 - p.beta) * h * h * acceleration_;
  const Eigen::VectorXd v_part = v_ + (1 - p.gamma) * h * acceleration_;
  const double size = scale();
  Eigen::VectorXd mean, next, next_v, a;
  const auto move = [&] {
    next = x_ + way + bh2 * a;
    next_v = v_part + gh * a;
  };
  const auto find_linear_residual = [&] {
    work_ = (1 - p.m) * a + p.m * acceleration_;
    residual_.noalias() = s_.M * work_;
    work_ = (1 - p.f) * next_v + p.f * v_;
    residual_.noalias() += s_.C * work_;
    work_ = (1 - p.f) * next + p.f * x_;
    residual_.noalias() += s_.K * work_;
    residual_ -= (1 - p.f) * load_after + p.f * load_before;
    if (p.f != 0) add_forces(run_.force, run_.interface_force, p.f, residual_);
  };
  const auto solve = [&] {
    a = (h * mean - way) / bh2;
    move();
    if (large()) {
      find_linear_residual();
      solve_joints_first(h, 1 - p.f, bh2, next, residual_, a);
    }
    for (int iteration = 0; iteration < 60; ++iteration) {
      move();
      if (!ask_joints(next, h) || !ask_interfaces(next)) return false;
      find_linear_residual();
      add_forces(forces_, interface_forces_, 1 - p.f, residual_);
      // A first step is due where joints are stuck: the guess may move them.
      if ((iteration > 0 || !rigid()) && residual_.lpNorm<Eigen::Infinity>() <= 1e-12 * size) break;
      if (iteration == 59) return false;
      for (double& slope : slopes_) slope *= (1 - p.f) * bh2;
      for (Eigen::MatrixXd& slope : interface_slopes_) slope *= (1 - p.f) * bh2;
      tangent_.set_slopes(slopes_, interface_slopes_);
      correct(residual_, 1 - p.f, way / bh2, a);
    }
    mean = (way + bh2 * a) / h;
    return a.allFinite();
  };
  if (!find_sides(h, (way + bh2 * acceleration_) / h, mean, solve)) return false;
  // The audit of these methods is by the trapezoidal rule: their energy balance is not exact.
  const double input_rate = load_before.dot(v_) + load_after.dot(next_v);
  run_.result.audit.input += 0.5 * h * input_rate;
  for (const Eigen::VectorXd* velocity : {&v_, &next_v}) {
    work_.noalias() = s_.C * *velocity;
    run_.result.audit.viscous += 0.5 * h * velocity->dot(work_);
  }
  x_.swap(next);
  v_.swap(next_v);
  acceleration_.swap(a);
  commit(h);
  return true;
}

std::unique_ptr<Motion> motion_by_implicit_steps(TimeRun run, const Eigen::VectorXd& x,
                                                 const Eigen::VectorXd& v) {
  return std::make_unique<ImplicitMotion>(std::move(run), x, v);
}

}  // namespace microslip::dynamics
