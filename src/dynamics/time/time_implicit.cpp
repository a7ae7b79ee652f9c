#include <Eigen/LU>
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
      interface_start_(s_.interfaces.size()),
      interface_stored_(s_.interfaces.size()),
      contacts_(s_, [this](const Eigen::VectorXd& b) { return run_.mass.solve(b); }),
      stuck_force_(Eigen::VectorXd::Zero(static_cast<Eigen::Index>(contacts_.joints.size()))),
      tangent_(s_),
      linear_(std::make_shared<LinearForces>(s_)) {
  for (const std::size_t j : contacts_.joints) {
    contacts_[j].state = run_.state[j];
    contacts_[j].place = run_.joint_motion(j, x_);
  }
  note_interfaces();
  residual_ = run_.load(t_) - s_.C * v_ - s_.K * x_;
  add_forces(run_.force, run_.interface_force, -1, residual_);
  acceleration_ = run_.mass.solve(residual_);
  work_.setZero(s_.size());
}

void ImplicitMotion::visit(MotionRecord& record) {
  Motion::visit(record);
  record("t", t_);
  record("x", x_);
  record("v", v_);
  record("acceleration", acceleration_);
  contacts_.set.visit(record);
  record("held", stuck_force_);
  tangent_.visit(record);
  record("summed", summed_);
  record("sum of kinetic", sums_.kinetic);
  record("sum of viscous", sums_.viscous);
  record("sum of elastic", sums_.elastic);
  record("largest momentum", sums_.momentum);
  record("largest spring", sums_.spring);
  if (record.reading()) note_interfaces();
}

bool ImplicitMotion::step(double stop) {
  const double end = run_.ends_at_events ? before_event(stop) : stop;
  if (!advance(end - t_)) return fail("Newton's method failed");
  t_ = end;
  ++run_.result.steps;
  if (run_.apply_impulses(t_, v_)) summed_ = false;
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
  for (std::size_t i = 0; i < s_.interfaces.size(); ++i)
    if (!ask_interface(i, run_.interface_motion(i, next))) return false;
  return true;
}

bool ImplicitMotion::ask_interface(std::size_t i, const Eigen::VectorXd& u) {
  const InterfaceLaw& law = *s_.interfaces[i].law;
  InterfaceReply& reply = interface_reply_;
  law.step(run_.interface_state[i], u, run_.interface_scratch[i], reply);
  if (reply.status != Status::ok) run_.result.status = reply.status;
  if (reply.status != Status::ok) return false;
  Eigen::VectorXd& force = interface_forces_[i];
  Eigen::MatrixXd& slope = interface_slopes_[i];
  if (!of_midpoint()) {
    force = reply.force;
    slope = reply.tangent;
    return true;
  }
  const Eigen::VectorXd& before = run_.interface_force[i];
  force = 0.5 * (before + reply.force);
  slope = 0.5 * reply.tangent;
  interface_way_ = u - interface_start_[i];
  const double square = interface_way_.squaredNorm(), length = std::sqrt(square);
  const double stored = law.stored(run_.interface_scratch[i]), at_first = interface_stored_[i];
  const double rounding = 2e-16 * (std::abs(stored) + std::abs(at_first));
  // As in mean_force: where the way is too short for a quotient, the mean of both ends serves.
  if (!(rounding < 1e-9 * length * force.norm())) return true;
  const double missing = stored - at_first + reply.dissipated - force.dot(interface_way_);
  noise_ += 10 * rounding / length;
  // The force at the end is the derivative of what is stored and lost.
  const double part = missing / square;
  const auto r = interface_way_.size();
  for (Eigen::Index l = 0; l < r; ++l) {
    const double by =
        0.5 * (reply.force[l] - before[l] - reply.tangent.col(l).dot(interface_way_)) / square -
        2 * part * interface_way_[l] / square;
    for (Eigen::Index k = 0; k < r; ++k)
      slope(k, l) += interface_way_[k] * by + (k == l ? part : 0);
  }
  force += part * interface_way_;
  return true;
}

const LinearForces::Sums& ImplicitMotion::sums() {
  if (!summed_) sums_ = linear_->sums(v_, x_);
  summed_ = true;
  return sums_;
}

double ImplicitMotion::largest_force(const std::vector<double>& joints,
                                     const std::vector<Eigen::VectorXd>& interfaces) {
  // Only where a force acts: the others are zero.
  add_forces(joints, interfaces, 1, work_);
  double largest = 0;
  const auto take = [&](const Direction& direction) {
    for (Direction::InnerIterator w(direction); w; ++w) {
      largest = std::max(largest, std::abs(work_[w.index()]));
      work_[w.index()] = 0;
    }
  };
  for (std::size_t j = 0; j < joints.size(); ++j) take(s_.joints[j].w);
  for (std::size_t i = 0; i < interfaces.size(); ++i)
    for (const Direction& w : s_.interfaces[i].w) take(w);
  return largest;
}

double ImplicitMotion::scale(double h) {
  const double step = run_.options.step;
  const double forces = largest_force(run_.force, {}) + largest_force({}, run_.interface_force);
  double load =
      std::max(load_before_.lpNorm<Eigen::Infinity>(), load_after_.lpNorm<Eigen::Infinity>());
  // A load that begins with a short step is not yet as large as it will be.
  if (h < step) load = std::max(load, run_.load(t_ + step).lpNorm<Eigen::Infinity>());
  return sums().spring + 1e-2 * sums().momentum / step + forces + load;
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
  const double distance = u - place_of(j, x_, x_);
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

const std::vector<double>& ImplicitMotion::forces() {
  const auto timed = [](const JointElement& joint) { return joint.model.rate_dependent(); };
  if (std::none_of(s_.joints.begin(), s_.joints.end(), timed)) return run_.force;
  now_ = run_.force;
  for (std::size_t j = 0; j < s_.joints.size(); ++j)
    if (timed(s_.joints[j]) && !stuck(j)) now_[j] = force_now(j);
  return now_;
}

/// A rate-dependent law ends a step with the force at the velocity of the whole step. At that of its
/// end it has the force of a step too short for anything but the velocity to count; two such steps
/// leave out what counts in the first order.
double ImplicitMotion::force_now(std::size_t j) {
  const Direction& w = s_.joints[j].w;
  const double u = contacts_.is(j) ? contacts_[j].place : run_.joint_motion(j, x_);
  const double velocity = w.dot(v_);
  if (contacts_.is(j)) return contacts_[j].slip_force(u, velocity, 0);
  const double brief = 1e-3 * run_.options.step;
  const auto after = [&](double time) {
    return s_.joints[j].model.step(run_.state[j], u + velocity * time, time, run_.scratch[j]);
  };
  const Response<double> once = after(brief), twice = after(2 * brief);
  const bool known = once.status == Status::ok && twice.status == Status::ok;
  return known ? 2 * once.force - twice.force : run_.force[j];
}

void ImplicitMotion::commit(double h) {
  const Eigen::VectorXd& before = next_;  // x_ and next_ were swapped
  for (std::size_t j = 0; j < s_.joints.size(); ++j) {
    const double u = stuck(j) ? contacts_[j].place : place_of(j, before, x_);
    const Response<double> reply = s_.joints[j].model.step(run_.state[j], u, h, run_.state[j]);
    run_.force[j] = stuck(j) ? stuck_force_[contacts_.of_joint[j]] : reply.force;
    if (contacts_.is(j)) {
      contacts_[j].place = u;
      contacts_[j].state = run_.state[j];
    }
    run_.result.joint_energy[j] += reply.dissipated;
    run_.result.audit.joints += reply.dissipated;
  }
  for (std::size_t i = 0; i < s_.interfaces.size(); ++i) {
    const Eigen::VectorXd u = run_.interface_motion(i, x_);
    s_.interfaces[i].law->step(run_.interface_state[i], u, run_.interface_state[i],
                               interface_reply_);
    run_.interface_force[i] = interface_reply_.force;
    run_.result.joint_energy[s_.joints.size() + i] += interface_reply_.dissipated;
    run_.result.audit.joints += interface_reply_.dissipated;
  }
  note_interfaces();
}

void ImplicitMotion::note_interfaces() {
  for (std::size_t i = 0; i < s_.interfaces.size(); ++i) {
    interface_start_[i] = run_.interface_motion(i, x_);
    interface_stored_[i] = s_.interfaces[i].law->stored(run_.interface_state[i]);
  }
}

bool ImplicitMotion::small_with_interfaces() const {
  return tangent_.small() && s_.joints.empty() && !s_.interfaces.empty() &&
         tangent_.directions().cols() <= most_directions;
}

void ImplicitMotion::solve_interfaces_first(double part, double moves, const Eigen::VectorXd& next,
                                            const Eigen::VectorXd& residual, Eigen::VectorXd& z) {
  constexpr int most_iterations = 20;
  using Few = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, most_directions, 1>;
  using FewByFew =
      Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, most_directions, most_directions>;
  const Eigen::MatrixXd& G = tangent_.flexibility();
  const Eigen::Index count = G.rows();
  work_.noalias() = tangent_.inverse() * residual;
  Few u(count), forces(count);
  Eigen::Index row = 0;
  for (const InterfaceElement& interface : s_.interfaces)
    for (const Direction& w : interface.w) u[row++] = w.dot(next);
  Few without = u;
  row = 0;
  for (const InterfaceElement& interface : s_.interfaces)
    for (const Direction& w : interface.w) without[row++] -= moves * w.dot(work_);
  FewByFew slopes(count, count);
  for (int iteration = 0; iteration < most_iterations; ++iteration) {
    slopes.setZero();
    row = 0;
    for (std::size_t i = 0; i < s_.interfaces.size(); ++i) {
      const auto r = static_cast<Eigen::Index>(s_.interfaces[i].w.size());
      interface_motion_ = u.segment(row, r);
      if (!ask_interface(i, interface_motion_)) {
        run_.result.status = Status::ok;  // of a guess
        return;
      }
      forces.segment(row, r) = interface_forces_[i];
      slopes.block(row, row, r, r) = interface_slopes_[i];
      row += r;
    }
    const Few open = u + part * moves * (G * forces) - without;
    const double size = without.lpNorm<Eigen::Infinity>() + u.lpNorm<Eigen::Infinity>();
    if (open.lpNorm<Eigen::Infinity>() <= 1e-15 * size) break;
    FewByFew jacobian = part * moves * (G * slopes);
    jacobian.diagonal().array() += 1;
    const Few change = jacobian.partialPivLu().solve(open);
    u -= change;
    if (change.lpNorm<Eigen::Infinity>() <= 1e-15 * size) break;
  }
  z -= work_;
  z.noalias() -= tangent_.moved_by_directions() * (part * forces);
}

void ImplicitMotion::solve_joints_first(double h, double part, double moves,
                                        const Eigen::VectorXd& next,
                                        const Eigen::VectorXd& residual, Eigen::VectorXd& z) {
  constexpr int most_iterations = 12;
  const SparseMatrix& W = tangent_.directions();
  const auto count = static_cast<Eigen::Index>(s_.joints.size());
  tangent_.linear_part().forward(residual, halfway_);
  Eigen::VectorXd u = W.transpose() * next;
  const Eigen::VectorXd without = u - moves * tangent_.linear_part().along(halfway_);
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
  tangent_.linear_part().add(part * forces, halfway_);
  tangent_.linear_part().subtract_back(halfway_, z);
}

bool ImplicitMotion::solve_midpoint(double h) {
  tangent_.set_linear_part(2 / h, 1, h / 2);
  const double size = scale(h);
  mean_ = v_ + 0.5 * h * acceleration_;
  LinearForces::Sums mean_sums;
  const auto find_linear_residual = [&] {
    at_v_ = (2 / h) * (mean_ - v_);
    at_x_ = x_ + 0.5 * h * mean_;
    linear_->residual(at_v_, mean_, at_x_, load_, residual_, &mean_sums);
  };
  const auto move = [&] { next_ = x_ + h * mean_; };
  const bool guessed = large() || small_with_interfaces();
  if (guessed) {
    find_linear_residual();
    move();
    if (large())
      solve_joints_first(h, 1, h, next_, residual_, mean_);
    else
      solve_interfaces_first(1, h, next_, residual_, mean_);
  }
  const double enough = guessed ? 1e-13 : 1e-14;  // the joints were solved for already
  bool converged = false;
  for (int iteration = 0; iteration < 60; ++iteration) {
    move();
    noise_ = 0;
    if (!ask_joints(next_, h) || !ask_interfaces(next_)) return false;
    find_linear_residual();
    // Rounding of the momentum, over a step that may be short.
    noise_ += 1e-15 * (2 / h) * mean_sums.momentum;
    viscous_ = mean_sums.viscous;
    add_forces(forces_, interface_forces_, 1, residual_);
    const double error = residual_.lpNorm<Eigen::Infinity>();
    // A first step is due where joints are stuck: the guess may move them.
    const bool corrected = iteration > 0 || !rigid();
    if (corrected && (error <= enough * size || (converged && error <= 1e-11 * size + noise_)))
      return mean_.allFinite();
    converged = error <= 1e-11 * size + noise_;  // once more, towards rounding
    for (double& slope : slopes_) slope *= h;
    for (Eigen::MatrixXd& slope : interface_slopes_) slope *= h;
    tangent_.set_slopes(slopes_, interface_slopes_);
    work_.setZero();
    correct(residual_, 1, work_, 1, mean_);
  }
  return converged && mean_.allFinite();
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

void ImplicitMotion::find_mean_load(double h) {
  run_.load(t_, load_before_);
  run_.load(t_ + h, load_after_);
  run_.load(t_ + 0.5 * h, load_);
  load_ = (load_before_ + 4 * load_ + load_after_) / 6;
}

bool ImplicitMotion::midpoint(double h) {
  find_mean_load(h);
  if (!find_sides(
          h, [&] { return Eigen::VectorXd(v_ + 0.5 * h * acceleration_); },
          [&] { return solve_midpoint(h); }, [&]() -> const Eigen::VectorXd& { return mean_; }))
    return false;
  x_.swap(next_);  // of the last iteration, at mean_
  acceleration_ = (2 / h) * (mean_ - v_);
  v_ = 2 * mean_ - v_;
  summed_ = false;
  commit(h);
  run_.result.audit.input += h * load_.dot(mean_);
  run_.result.audit.viscous += h * viscous_;
  return true;
}

bool ImplicitMotion::alpha(double h) {
  const Alpha p = alpha_of(run_.options);
  run_.load(t_, load_before_);
  run_.load(t_ + h, load_after_);
  const double bh2 = p.beta * h * h;
  const double gh = p.gamma * h;
  tangent_.set_linear_part(1 - p.m, (1 - p.f) * gh, (1 - p.f) * bh2);
  way_ = h * v_ + (0.5 - p.beta) * h * h * acceleration_;
  v_part_ = v_ + (1 - p.gamma) * h * acceleration_;
  const double size = scale(h);
  const bool at_end = p.m == 0 && p.f == 0;  // the equation holds where the step ends
  if (!at_end) load_ = (1 - p.f) * load_after_ + p.f * load_before_;
  LinearForces::Sums after;
  const auto move = [&] {
    next_ = x_ + way_ + bh2 * a_;
    next_v_ = v_part_ + gh * a_;
  };
  const auto find_linear_residual = [&](bool confirm) {
    if (at_end) {
      linear_->residual(a_, next_v_, next_, load_after_, residual_, confirm ? &after : nullptr);
      return;
    }
    mean_ = (1 - p.m) * a_ + p.m * acceleration_;
    at_v_ = (1 - p.f) * next_v_ + p.f * v_;
    at_x_ = (1 - p.f) * next_ + p.f * x_;
    linear_->residual(mean_, at_v_, at_x_, load_, residual_);
    if (p.f != 0) add_forces(run_.force, run_.interface_force, p.f, residual_);
  };
  const auto solve = [&] {
    a_ = acceleration_;
    move();
    if (large() || small_with_interfaces()) {
      find_linear_residual(false);
      if (large())
        solve_joints_first(h, 1 - p.f, bh2, next_, residual_, a_);
      else
        solve_interfaces_first(1 - p.f, bh2, next_, residual_, a_);
      move();
    }
    for (int iteration = 0; iteration < 60; ++iteration) {
      if (iteration > 0) move();
      if (!ask_joints(next_, h) || !ask_interfaces(next_)) return false;
      find_linear_residual(true);
      add_forces(forces_, interface_forces_, 1 - p.f, residual_);
      // A first step is due where joints are stuck: the guess may move them.
      if ((iteration > 0 || !rigid()) && residual_.lpNorm<Eigen::Infinity>() <= 1e-12 * size)
        return a_.allFinite();
      for (double& slope : slopes_) slope *= (1 - p.f) * bh2;
      for (Eigen::MatrixXd& slope : interface_slopes_) slope *= (1 - p.f) * bh2;
      tangent_.set_slopes(slopes_, interface_slopes_);
      correct(residual_, 1 - p.f, way_, bh2, a_);
    }
    return false;
  };
  const auto mean_of = [&](const Eigen::VectorXd& a) {
    return Eigen::VectorXd((way_ + bh2 * a) / h);
  };
  if (!find_sides(
          h, [&] { return mean_of(acceleration_); }, solve, [&] { return mean_of(a_); }))
    return false;
  // The audit of these methods is by the trapezoidal rule: their energy balance is not exact.
  run_.result.audit.input += 0.5 * h * (load_before_.dot(v_) + load_after_.dot(next_v_));
  if (!at_end) after = linear_->sums(next_v_, next_);
  run_.result.audit.viscous += 0.5 * h * (sums().viscous + after.viscous);
  x_.swap(next_);
  v_.swap(next_v_);
  acceleration_.swap(a_);
  sums_ = after;
  commit(h);
  return true;
}

std::unique_ptr<Motion> motion_by_implicit_steps(TimeRun run, const Eigen::VectorXd& x,
                                                 const Eigen::VectorXd& v) {
  return std::make_unique<ImplicitMotion>(std::move(run), x, v);
}

}  // namespace microslip::dynamics
