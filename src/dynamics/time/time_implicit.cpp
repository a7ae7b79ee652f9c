#include <algorithm>
#include <cmath>
#include <optional>

#include "dynamics/rigid/nearest_forces.hpp"
#include "dynamics/rigid/sliding_inertia.hpp"
#include "dynamics/time/motion.hpp"
#include "microslip/core/text.hpp"
#include "microslip/dynamics/rigid/rigid_friction.hpp"

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

/// Solves with the tangent: dense when small, sparse when large.
class Tangent {
 public:
  explicit Tangent(Eigen::Index size) : small_(size <= 60) {}
  /// Every iteration factors anew, so that a copy needs no factors.
  Tangent(const Tangent& other) : small_(other.small_) {}

  void factor(const SparseMatrix& fixed, const Structure& s, const std::vector<double>& slopes) {
    if (small_) {
      Eigen::MatrixXd matrix = fixed;
      for (std::size_t j = 0; j < slopes.size(); ++j)
        matrix.noalias() += slopes[j] * s.joints[j].w * s.joints[j].w.transpose();
      dense_.compute(matrix);
    } else {
      SparseMatrix matrix = fixed;
      std::vector<Eigen::Triplet<double>> entries;
      for (std::size_t j = 0; j < slopes.size(); ++j) {
        const Eigen::SparseVector<double> w = s.joints[j].w.sparseView();
        using Entry = Eigen::SparseVector<double>::InnerIterator;
        for (Entry a(w); a; ++a)
          for (Entry b(w); b; ++b)
            entries.emplace_back(a.index(), b.index(), slopes[j] * a.value() * b.value());
      }
      SparseMatrix joints(matrix.rows(), matrix.cols());
      joints.setFromTriplets(entries.begin(), entries.end());
      matrix += joints;
      sparse_.compute(matrix);
    }
  }
  Eigen::VectorXd solve(const Eigen::VectorXd& b) const {
    return small_ ? Eigen::VectorXd(dense_.solve(b)) : Eigen::VectorXd(sparse_.solve(b));
  }

 private:
  bool small_;
  Eigen::PartialPivLU<Eigen::MatrixXd> dense_;
  mutable Eigen::SparseLU<SparseMatrix> sparse_;
};

class ImplicitMotion final : public Motion {
 public:
  ImplicitMotion(TimeRun run, const Eigen::VectorXd& x, const Eigen::VectorXd& v)
      : Motion(std::move(run)),
        s_(run_.structure),
        x_(x),
        v_(v),
        t_(run_.t0),
        slopes_(s_.joints.size()),
        forces_(s_.joints.size()),
        held_(s_.joints.size()),
        place_(s_.joints.size()),
        side_(s_.joints.size(), Side::any),
        laws_(s_.joints.size()),
        tangent_(s_.size()) {
    for (std::size_t j = 0; j < side_.size(); ++j) {
      place_[j] = run_.joint_motion(j, x_);
      if (!s_.joints[j].model.rigid()) continue;
      rigid_ = true;
      side_[j] = Side::stuck;
      laws_[j].emplace(s_.joints[j].model);
    }
    tied_ = rigid_ && has_tied_joints(s_);
    acceleration_ =
        run_.mass.solve(run_.load(t_) - s_.C * v_ - s_.K * x_ - joint_force(run_.force));
  }

  std::unique_ptr<Motion> clone() const override { return std::make_unique<ImplicitMotion>(*this); }
  double t() const override { return t_; }
  Eigen::VectorXd x() const override { return x_; }
  Eigen::VectorXd v() const override { return v_; }
  double next_stop() const override { return run_.next_jump(t_); }

  bool step(double stop) override {
    if (!advance(stop - t_)) return fail("Newton's method failed");
    t_ = stop;
    ++run_.result.steps;
    run_.apply_impulses(t_, v_);
    return true;
  }

 private:
  enum class Side { down = -1, stuck = 0, up = 1, any = 2 };  ///< any: not rigid

  Eigen::VectorXd joint_force(const std::vector<double>& forces) const {
    Eigen::VectorXd sum = Eigen::VectorXd::Zero(s_.size());
    for (std::size_t j = 0; j < forces.size(); ++j) sum += forces[j] * s_.joints[j].w;
    return sum;
  }

  double scale() const {
    return (s_.K * x_).lpNorm<Eigen::Infinity>() +
           joint_force(run_.force).lpNorm<Eigen::Infinity>() +
           run_.load(t_).lpNorm<Eigen::Infinity>() +
           (s_.M * v_).lpNorm<Eigen::Infinity>() / run_.options.step * 1e-2;
  }

  Eigen::VectorXd mean_load(double h) const {
    // The mean of the load over the step, by Simpson's rule.
    return (run_.load(t_) + 4 * run_.load(t_ + 0.5 * h) + run_.load(t_ + h)) / 6;
  }

  bool ask(std::size_t j, double u, double h, Response<double>& reply) {
    reply = s_.joints[j].model.step(run_.state[j], u, h, run_.scratch[j]);
    if (reply.status != Status::ok) run_.result.status = reply.status;
    return reply.status == Status::ok;
  }

  /// The mean force on the way from the committed state to u: work over distance. Where the
  /// distance is too small for a quotient the mean of both ends serves.
  bool mean_force(std::size_t j, double u, double h) {
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

  bool end_force(std::size_t j, double u, double h) {
    Response<double> reply{};
    if (!ask(j, u, h, reply)) return false;
    forces_[j] = reply.force;
    slopes_[j] = reply.tangent;
    return true;
  }

  bool of_midpoint() const { return run_.options.method == Method::midpoint; }

  void commit(double h) {
    for (std::size_t j = 0; j < s_.joints.size(); ++j) {
      const bool stuck = side_[j] == Side::stuck;
      if (!stuck) place_[j] = run_.joint_motion(j, x_);
      const Response<double> reply =
          s_.joints[j].model.step(run_.state[j], place_[j], h, run_.state[j]);
      run_.force[j] = stuck ? held_[j] : reply.force;
      run_.result.joint_energy[j] += reply.dissipated;
      run_.result.audit.joints += reply.dissipated;
    }
  }

  // Rigid friction: over a step such a joint slips one way or the other, or is stuck and holds the
  // force that keeps it so, as long as that is within its limits. Which of them is found by trying.

  /// The force at the onset of slip towards that side.
  double limit(std::size_t j, Side side, double h) {
    laws_[j]->measure(std::abs(place_[j]) + h * v_.lpNorm<Eigen::Infinity>(), h);
    return laws_[j]->force({run_.state[j], place_[j], static_cast<int>(side)}, place_[j], 0, h);
  }

  void guess_sides(const Eigen::VectorXd& mean) {
    for (std::size_t j = 0; j < side_.size(); ++j) {
      if (side_[j] == Side::any) continue;
      const double velocity = run_.joint_motion(j, mean);
      if (side_[j] != Side::stuck) side_[j] = velocity > 0 ? Side::up : Side::down;
      if (velocity == 0) side_[j] = Side::stuck;
      held_[j] = run_.force[j];
    }
  }

  /// Changes the sides that the solution contradicts; true if there are none.
  bool sides_hold(double h, const Eigen::VectorXd& mean) {
    bool hold = true;
    const auto change = [&](std::size_t j, Side side) {
      side_[j] = side;
      hold = false;
    };
    const std::vector<int> slips = tied_ ? shared_slips(h) : std::vector<int>();
    for (std::size_t j = 0; j < side_.size(); ++j) {
      if (side_[j] == Side::any) continue;
      const double velocity = run_.joint_motion(j, mean);
      if (side_[j] == Side::stuck && tied_) {
        if (slips[j] != 0) change(j, slips[j] > 0 ? Side::up : Side::down);
      } else if (side_[j] == Side::stuck) {
        if (held_[j] > limit(j, Side::up, h))
          change(j, Side::up);
        else if (held_[j] < limit(j, Side::down, h))
          change(j, Side::down);
      } else if (velocity * static_cast<double>(side_[j]) < 0) {
        change(j, Side::stuck);
      }
    }
    return hold;
  }

  std::vector<std::size_t> stuck_joints() const {
    std::vector<std::size_t> stuck;
    for (std::size_t j = 0; j < side_.size(); ++j)
      if (side_[j] == Side::stuck) stuck.push_back(j);
    return stuck;
  }
  Eigen::MatrixXd directions_of(const std::vector<std::size_t>& joints) const {
    Eigen::MatrixXd w(s_.size(), static_cast<Eigen::Index>(joints.size()));
    for (std::size_t i = 0; i < joints.size(); ++i)
      w.col(static_cast<Eigen::Index>(i)) = s_.joints[joints[i]].w;
    return w;
  }

  /// Where more joints stick than are needed they share what they hold; the sides to which they
  /// slip if no shares are within all limits.
  std::vector<int> shared_slips(double h) {
    std::vector<int> slips(side_.size());
    const std::vector<std::size_t> stuck = stuck_joints();
    if (stuck.empty()) return slips;
    const Eigen::MatrixXd w = directions_of(stuck);
    Eigen::VectorXd held(w.cols()), low(w.cols()), high(w.cols());
    for (Eigen::Index i = 0; i < w.cols(); ++i) {
      const std::size_t j = stuck[static_cast<std::size_t>(i)];
      held[i] = held_[j];
      low[i] = limit(j, Side::down, h);
      high[i] = limit(j, Side::up, h);
    }
    const Eigen::VectorXd shares = nearest_forces(w, w * held, low, high);
    const Eigen::VectorXd left = w * (held - shares);
    const bool enough = left.norm() <= 1e-12 * w.norm() * (held.norm() + low.norm() + high.norm());
    for (Eigen::Index i = 0; i < w.cols(); ++i) {
      const std::size_t j = stuck[static_cast<std::size_t>(i)];
      const double along = w.col(i).dot(left);
      if (!enough && std::abs(along) > 1e-9 * w.col(i).norm() * left.norm())
        slips[j] = along > 0 ? 1 : -1;
      else
        held_[j] = shares[i];
    }
    return slips;
  }

  /// Forces of the joints on the way to `next`, held or slipping on their side.
  bool ask_joints(const Eigen::VectorXd& next, double h) {
    for (std::size_t j = 0; j < s_.joints.size(); ++j) {
      const double u = run_.joint_motion(j, next);
      slopes_[j] = 0;
      if (side_[j] == Side::stuck)
        forces_[j] = held_[j];
      else if (side_[j] != Side::any && (u - place_[j]) * static_cast<double>(side_[j]) <= 0)
        forces_[j] = limit(j, side_[j], h);
      else if (!(of_midpoint() ? mean_force(j, u, h) : end_force(j, u, h)))
        return false;
    }
    return true;
  }

  /// Newton's step for z; stuck joints change their force, which counts by a part, so that they do
  /// not move: wᵀ(z + by) = 0.
  void correct(const Eigen::VectorXd& residual, double part, const Eigen::VectorXd& by,
               Eigen::VectorXd& z) {
    z -= tangent_.solve(residual);
    const std::vector<std::size_t> stuck = stuck_joints();
    if (stuck.empty()) return;
    const Eigen::MatrixXd w = directions_of(stuck);
    const Eigen::Index count = w.cols();
    Eigen::MatrixXd moved(s_.size(), count);
    for (Eigen::Index k = 0; k < count; ++k)
      moved.col(k) = tangent_.solve(Eigen::VectorXd(w.col(k)));
    const Eigen::MatrixXd flexibility = w.transpose() * moved;
    const Eigen::VectorXd more =
        flexibility.fullPivLu().solve(Eigen::VectorXd(w.transpose() * (z + by)));
    z -= moved * more;
    for (Eigen::Index k = 0; k < count; ++k)
      held_[stuck[static_cast<std::size_t>(k)]] += more[k] / part;
  }

  /// A joint that came to rest inside the step left its velocity at the end reversed; it stands,
  /// and friction takes what was left of the motion.
  void stop_stuck_joints() {
    const double before = 0.5 * v_.dot(s_.M * v_);
    double stuck = 0;
    // One joint after the other, until none moves: they may share degrees of freedom.
    for (int round = 0; round < 20; ++round) {
      double moving = 0;
      stuck = 0;
      for (std::size_t j = 0; j < side_.size(); ++j) {
        if (side_[j] != Side::stuck) continue;
        ++stuck;
        const double velocity = run_.joint_motion(j, v_);
        const Eigen::VectorXd push = run_.mass.solve(s_.joints[j].w);
        v_ -= velocity / s_.joints[j].w.dot(push) * push;
        acceleration_ -= run_.joint_motion(j, acceleration_) / s_.joints[j].w.dot(push) * push;
        moving = std::max(moving, std::abs(velocity));
      }
      if (moving <= 1e-15 * v_.lpNorm<Eigen::Infinity>()) break;
    }
    const double lost = before - 0.5 * v_.dot(s_.M * v_);
    if (stuck == 0) return;
    run_.result.audit.joints += lost;
    for (std::size_t j = 0; j < side_.size(); ++j)
      if (side_[j] == Side::stuck) run_.result.joint_energy[j] += lost / stuck;
  }

  bool solve_midpoint(double h, const Eigen::VectorXd& load, Eigen::VectorXd& mean) {
    const SparseMatrix fixed = (2 / h) * s_.M + s_.C + (h / 2) * s_.K;
    const double size = scale();
    bool converged = false;
    for (int iteration = 0; iteration < 60; ++iteration) {
      const Eigen::VectorXd next = x_ + h * mean;
      // Rounding of the momentum, over a step that may be short.
      noise_ = 1e-15 * (2 / h) * (s_.M * mean).lpNorm<Eigen::Infinity>();
      if (!ask_joints(next, h)) return false;
      const Eigen::VectorXd residual = (2 / h) * (s_.M * (mean - v_)) + s_.C * mean +
                                       s_.K * (x_ + 0.5 * h * mean) + joint_force(forces_) - load;
      const double error = residual.lpNorm<Eigen::Infinity>();
      // A first step is due where joints are stuck: the guess may move them.
      const bool corrected = iteration > 0 || !rigid_;
      if (corrected && (error <= 1e-14 * size || (converged && error <= 1e-11 * size + noise_)))
        return mean.allFinite();
      converged = error <= 1e-11 * size + noise_;  // once more, towards rounding
      for (double& slope : slopes_) slope *= h;
      tangent_.factor(fixed, s_, slopes_);
      correct(residual, 1, Eigen::VectorXd::Zero(s_.size()), mean);
    }
    return converged && mean.allFinite();
  }

  /// Whether a slipping joint ends the step with the velocity of the other side.
  bool turned() const {
    for (std::size_t j = 0; j < side_.size(); ++j)
      if ((side_[j] == Side::up || side_[j] == Side::down) &&
          run_.joint_motion(j, v_) * static_cast<double>(side_[j]) < 0)
        return true;
    return false;
  }

  /// One step, in halves where rigid joints stop, start or turn, so that this happens in a step too
  /// small to matter.
  bool advance(double h) {
    if (!rigid_) return one_step(h);
    const std::vector<Side> sides = side_;
    const Eigen::VectorXd x = x_, v = v_, acceleration = acceleration_;
    const std::vector<double> held = held_, place = place_, force = run_.force;
    const std::vector<double> joint_energy = run_.result.joint_energy;
    const std::vector<AnyState> state = run_.state;
    const EnergyAudit audit = run_.result.audit;
    const double t = t_;
    const bool done = one_step(h);
    if (done && side_ == sides && !turned()) {
      t_ = t + h;
      return true;
    }
    if (h <= 1e-4 * run_.options.step) {
      t_ = t + h;
      return done;
    }
    side_ = sides;
    x_ = x;
    v_ = v;
    acceleration_ = acceleration;
    held_ = held;
    place_ = place;
    run_.force = force;
    run_.result.joint_energy = joint_energy;
    run_.state = state;
    run_.result.audit = audit;
    run_.result.status = Status::ok;
    return advance(0.5 * h) && advance(0.5 * h);
  }

  bool one_step(double h) {
    const bool done = of_midpoint() ? midpoint(h) : alpha(h);
    if (done && rigid_) stop_stuck_joints();
    return done;
  }

  /// The mean velocity of a step, by Newton's method from a guess; as long as the solution
  /// contradicts the sides of rigid joints, with other sides.
  template <class Solve>
  bool find_sides(double h, const Eigen::VectorXd& guess, Eigen::VectorXd& mean,
                  const Solve& solve) {
    guess_sides(guess);
    for (int attempt = 0; attempt <= 50; ++attempt) {
      mean = guess;
      if (!solve()) return false;
      if (sides_hold(h, mean)) return true;
    }
    return false;
  }

  bool midpoint(double h) {
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

  bool alpha(double h) {
    const Alpha p = alpha_of(run_.options);
    const Eigen::VectorXd load = (1 - p.f) * run_.load(t_ + h) + p.f * run_.load(t_);
    const Eigen::VectorXd old_force = joint_force(run_.force);
    const double bh2 = p.beta * h * h;
    const double gh = p.gamma * h;
    const SparseMatrix fixed = (1 - p.m) * s_.M + (1 - p.f) * (gh * s_.C + bh2 * s_.K);
    const Eigen::VectorXd way = h * v_ + (0.5 - p.beta) * h * h * acceleration_;
    const Eigen::VectorXd v_part = v_ + (1 - p.gamma) * h * acceleration_;
    const double size = scale();
    Eigen::VectorXd mean, next, next_v, a;
    const auto solve = [&] {
      a = (h * mean - way) / bh2;
      for (int iteration = 0; iteration < 60; ++iteration) {
        next = x_ + way + bh2 * a;
        next_v = v_part + gh * a;
        if (!ask_joints(next, h)) return false;
        const Eigen::VectorXd residual = s_.M * ((1 - p.m) * a + p.m * acceleration_) +
                                         s_.C * ((1 - p.f) * next_v + p.f * v_) +
                                         s_.K * ((1 - p.f) * next + p.f * x_) +
                                         (1 - p.f) * joint_force(forces_) + p.f * old_force - load;
        // A first step is due where joints are stuck: the guess may move them.
        if ((iteration > 0 || !rigid_) && residual.lpNorm<Eigen::Infinity>() <= 1e-12 * size) break;
        if (iteration == 59) return false;
        for (double& slope : slopes_) slope *= (1 - p.f) * bh2;
        tangent_.factor(fixed, s_, slopes_);
        correct(residual, 1 - p.f, way / bh2, a);
      }
      mean = (way + bh2 * a) / h;
      return a.allFinite();
    };
    if (!find_sides(h, (way + bh2 * acceleration_) / h, mean, solve)) return false;
    // The audit of these methods is by the trapezoidal rule: their energy balance is not exact.
    const double input_rate = run_.load(t_).dot(v_) + run_.load(t_ + h).dot(next_v);
    run_.result.audit.input += 0.5 * h * input_rate;
    run_.result.audit.viscous += 0.5 * h * (v_.dot(s_.C * v_) + next_v.dot(s_.C * next_v));
    x_ = next;
    v_ = next_v;
    acceleration_ = a;
    commit(h);
    return true;
  }

  const Structure& s_;
  Eigen::VectorXd x_, v_, acceleration_;
  double t_;
  std::vector<double> slopes_, forces_;
  std::vector<double> held_;   ///< force of stuck joints
  std::vector<double> place_;  ///< displacement of the joints, committed
  std::vector<Side> side_;
  std::vector<std::optional<RigidFriction>> laws_;  ///< of rigid joints
  bool rigid_ = false;                              ///< one of the joints is
  bool tied_ = false;  ///< rigid ones of which some move only as others do
  double noise_ = 0;   ///< of the mean forces
  Tangent tangent_;
};

}  // namespace

std::unique_ptr<Motion> motion_by_implicit_steps(TimeRun run, const Eigen::VectorXd& x,
                                                 const Eigen::VectorXd& v) {
  return std::make_unique<ImplicitMotion>(std::move(run), x, v);
}

}  // namespace microslip::dynamics
