#include "microslip/identify/motion.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "microslip/core/error.hpp"
#include "microslip/detail/numerics/dense.hpp"
#include "microslip/detail/numerics/spline.hpp"
#include "microslip/dynamics/structure/modes.hpp"

namespace microslip::identify {
namespace {

using Index = Eigen::Index;
using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;

/// u(θ) from values and slopes (times the step) at θ = 0 and 1.
struct Cubic {
  double u0, s0, u1, s1;
  double operator()(double x) const {
    const double y = 1 - x;
    return y * y * ((1 + 2 * x) * u0 + x * s0) + x * x * ((3 - 2 * x) * u1 - y * s1);
  }
  /// Where it comes from below `level` · sign to above; it does so between 0 and 1.
  double reaches(double level, double sign) const {
    double low = 0, high = 1;
    for (int i = 0; i < 50; ++i) {
      const double middle = 0.5 * (low + high);
      (sign * ((*this)(middle)-level) < 0 ? low : high) = middle;
    }
    return 0.5 * (low + high);
  }
};

/// One motion: the state, the joints and their derivatives.
class Integrator {
 public:
  Integrator(const System& system, const MotionTask& task, const Vector& start, bool derivatives)
      : s_(system),
        task_(task),
        n_(system.size),
        joints_(system.W.cols()),
        loads_(static_cast<Index>(task.forces.size())),
        unknowns_(static_cast<Index>(system.unknowns ? system.unknowns->size() : 0)),
        directions_(derivatives ? unknowns_ + task.start_unknowns() : 0) {
    const Matrix inverse = dense::inverse(s_.M);
    A0_ = -inverse * s_.K;
    A1_ = -inverse * s_.C;
    AW_ = -inverse * s_.W;
    AB_.resize(n_, loads_);
    for (Index l = 0; l < loads_; ++l)
      AB_.col(l) = inverse * s_.loads[static_cast<std::size_t>(l)].direction;
    x_ = Vector::Zero(n_);
    v_ = Vector::Zero(n_);
    if (task.basis.cols() > 0) {
      x_ = task.basis * start.head(task.basis.cols());
      v_ = task.basis * start.tail(task.basis.cols());
    }
    if (directions_ > 0) begin_derivatives(inverse);
    for (Index j = 0; j < joints_; ++j) begin_joint(j);
    scale_.setZero(joints_);
    for (Stage& stage : stage_) {
      stage.x.setZero(n_);
      stage.v.setZero(n_);
      stage.a.setZero(n_);
      stage.f.setZero(joints_);
      stage.force.setZero(loads_);
      if (directions_ == 0) continue;
      stage.X.setZero(n_, directions_);
      stage.V.setZero(n_, directions_);
      stage.A.setZero(n_, directions_);
    }
    du_.setZero(directions_);
    dF_.setZero(joints_, directions_);
  }

  bool run(Motion& out) {
    const auto rows = static_cast<Index>(task_.t.size());
    const auto places = static_cast<Index>(task_.places.size());
    out.y.resize(rows, places);
    if (directions_ > 0) out.derivatives.resize(rows * places, directions_);
    Stage& first = stage_[0];
    interval_ = 0;
    forces_at(0, first);
    if (!start_joints(first)) return fail(out, 0);
    write(out, 0);
    for (Index row = 0; row + 1 < rows; ++row) {
      const auto i = static_cast<std::size_t>(row);
      interval_ = i;
      span_ = task_.t[i + 1] - task_.t[i];
      for (int k = 0; k < task_.substeps; ++k)
        if (!piece(static_cast<double>(k) / task_.substeps,
                   static_cast<double>(k + 1) / task_.substeps))
          return fail(out, row + 1);
      write(out, row + 1);
    }
    return true;
  }

 private:
  struct Stage {
    Vector x, v, a, f, force;
    Matrix X, V, A;  ///< derivatives
  };
  struct Joint {
    AnyState at{}, next{}, trial{};
    int direction = 0;  ///< of its motion, since it turned
    std::vector<AnyDualModel> dual{};
    std::vector<AnyState> dual_at{}, dual_next{};
  };

  bool fail(Motion& out, Index row) const {
    out.failure =
        "the motion has no end after t = " + std::to_string(task_.t[static_cast<std::size_t>(row)]);
    return false;
  }

  void begin_derivatives(const Matrix& inverse) {
    for (Index i = 0; i < unknowns_; ++i) {
      const auto k = static_cast<std::size_t>(i);
      // a = M⁻¹(F − C v − K x − W f): what a change of the matrices does to it.
      const auto add = [&](const std::vector<Matrix>& of, std::vector<Part>& to) {
        if (of[k].size() > 0) to.push_back({i, -inverse * of[k]});
      };
      add(s_.dM, dM_);
      add(s_.dC, dC_);
      add(s_.dK, dK_);
      if (s_.d_loads[k].empty()) continue;
      Matrix B(n_, loads_);
      // Of a load whose force is given by rows, the direction alone can depend on an unknown.
      for (Index l = 0; l < loads_; ++l) {
        const auto& change = s_.d_loads[k][static_cast<std::size_t>(l)];
        const bool amplitude = change.direction == s_.loads[static_cast<std::size_t>(l)].direction;
        B.col(l) = amplitude ? Vector(Vector::Zero(n_)) : Vector(inverse * change.direction);
      }
      dB_.push_back({i, std::move(B)});
    }
    X_.setZero(n_, directions_);
    V_.setZero(n_, directions_);
    if (task_.basis.cols() > 0) {
      X_.middleCols(unknowns_, task_.basis.cols()) = task_.basis;
      V_.rightCols(task_.basis.cols()) = task_.basis;
    }
  }

  void begin_joint(Index j) {
    const auto k = static_cast<std::size_t>(j);
    Joint joint;
    joint.at = s_.joints[k].law.rest();
    joint.next = joint.at;
    joint.trial = joint.at;
    for (Index first = 0; first < directions_; first += dual_width) {
      joint.dual.push_back(s_.dual(k, first));
      joint.dual_at.push_back(joint.dual.back().rest());
      joint.dual_next.push_back(joint.dual_at.back());
    }
    joint_.push_back(std::move(joint));
  }

  void forces_at(double part, Stage& stage) const {
    for (Index l = 0; l < loads_; ++l)
      stage.force[l] = task_.forces[static_cast<std::size_t>(l)].at(interval_, part);
  }

  void accelerate(Stage& s) const {
    s.a.noalias() = A0_ * s.x;
    s.a.noalias() += A1_ * s.v;
    if (joints_ > 0) s.a.noalias() += AW_ * s.f;
    if (loads_ > 0) s.a.noalias() += AB_ * s.force;
  }

  /// Derivatives of the acceleration, those of the joint forces standing in dF_.
  void accelerate_derivatives(Stage& s) {
    s.A.noalias() = A0_ * s.X;
    s.A.noalias() += A1_ * s.V;
    if (joints_ > 0) s.A.noalias() += AW_ * dF_;
    for (const Part& part : dM_) s.A.col(part.unknown).noalias() += part.matrix * s.a;
    for (const Part& part : dC_) s.A.col(part.unknown).noalias() += part.matrix * s.v;
    for (const Part& part : dK_) s.A.col(part.unknown).noalias() += part.matrix * s.x;
    for (const Part& part : dB_) s.A.col(part.unknown).noalias() += part.matrix * s.force;
  }

  /// Forces of the joints at a stage, from where they stand; `to` is where their states go.
  bool joint_forces(Stage& s, double dt, AnyState Joint::*to) {
    for (Index j = 0; j < joints_; ++j) {
      Joint& joint = joint_[static_cast<std::size_t>(j)];
      const double u = s_.W.col(j).dot(s.x);
      const auto reply =
          s_.joints[static_cast<std::size_t>(j)].law.step(joint.at, u, dt, joint.*to);
      if (reply.status != Status::ok || !std::isfinite(reply.force)) return false;
      s.f[j] = reply.force;
    }
    return true;
  }

  bool joint_derivatives(const Stage& s, double dt) {
    for (Index j = 0; j < joints_; ++j) {
      Joint& joint = joint_[static_cast<std::size_t>(j)];
      const double u = s_.W.col(j).dot(s.x);
      du_.noalias() = s_.W.col(j).transpose() * s.X;
      for (std::size_t pass = 0; pass < joint.dual.size(); ++pass) {
        const Index first = static_cast<Index>(pass) * dual_width;
        const Index count = std::min<Index>(dual_width, directions_ - first);
        WideDual moved(u);
        for (Index d = 0; d < count; ++d) moved.v[static_cast<int>(d)] = du_[first + d];
        const auto reply =
            joint.dual[pass].step(joint.dual_at[pass], moved, dt, joint.dual_next[pass]);
        if (reply.status != Status::ok) return false;
        for (Index d = 0; d < count; ++d) dF_(j, first + d) = reply.force.v[static_cast<int>(d)];
      }
    }
    return true;
  }

  /// Joints go from rest to where the motion starts.
  bool start_joints(Stage& s) {
    s.x = x_;
    s.v = v_;
    if (!joint_forces(s, 0, &Joint::next)) return false;
    if (directions_ > 0) {
      s.X = X_;
      s.V = V_;
      if (!joint_derivatives(s, 0)) return false;
    }
    for (Joint& joint : joint_) {
      std::swap(joint.at, joint.next);
      std::swap(joint.dual_at, joint.dual_next);
    }
    accelerate(s);
    if (directions_ > 0) accelerate_derivatives(s);
    for (Index j = 0; j < joints_; ++j) turn(j);
    return true;
  }

  /// The direction in which a joint moves on.
  void turn(Index j) {
    Joint& joint = joint_[static_cast<std::size_t>(j)];
    const double rate = s_.W.col(j).dot(stage_[0].v);
    joint.direction = rate > 0 ? 1 : rate < 0 ? -1 : 0;
  }

  /// From one part of the interval between two rows to another.
  bool piece(double from, double to) {
    double at = from;
    for (int count = 0; at < to; ++count) {
      // Laws of many kinks have some in each step; more are events found again by rounding.
      if (count > most_events) return false;
      double next = to;
      int turned = -1;
      if (!trial(at, next)) return false;
      if (joints_ > 0) {
        double part = 1;
        turned = first_event(part);
        if (part < 1) {
          next = at + part * (to - at);
          if (!(next > at)) next = to, turned = -1;
          if (!trial(at, next)) return false;
        }
      }
      if (!accept(at, next)) return false;
      if (turned >= 0)
        joint_[static_cast<std::size_t>(turned)].direction =
            -joint_[static_cast<std::size_t>(turned)].direction;
      at = next;
    }
    return true;
  }

  /// The four stages and the end of a step, which stands in stage_[4].
  bool trial(double at, double next) {
    h_ = (next - at) * span_;
    const double middle = 0.5 * (at + next);
    Stage &k1 = stage_[0], &k2 = stage_[1], &k3 = stage_[2], &k4 = stage_[3], &end = stage_[4];
    const auto stage = [&](Stage& to, const Stage& from, double h, double part, double dt) {
      to.x = k1.x + h * from.v;
      to.v = k1.v + h * from.a;
      forces_at(part, to);
      if (!joint_forces(to, dt, &Joint::trial)) return false;
      accelerate(to);
      return true;
    };
    if (!stage(k2, k1, 0.5 * h_, middle, 0.5 * h_) || !stage(k3, k2, 0.5 * h_, middle, 0.5 * h_) ||
        !stage(k4, k3, h_, next, h_))
      return false;
    end.x = k1.x + h_ / 6 * (k1.v + 2 * k2.v + 2 * k3.v + k4.v);
    end.v = k1.v + h_ / 6 * (k1.a + 2 * k2.a + 2 * k3.a + k4.a);
    forces_at(next, end);
    if (!joint_forces(end, h_, &Joint::next)) return false;
    accelerate(end);
    return std::isfinite(end.x.squaredNorm());
  }

  /// The first part of the step at which a joint turns or comes to a kink; which one turns, or −1.
  int first_event(double& part) {
    const Stage &k1 = stage_[0], &end = stage_[4];
    int turned = -1;
    for (Index j = 0; j < joints_; ++j) {
      Joint& joint = joint_[static_cast<std::size_t>(j)];
      const auto w = s_.W.col(j);
      const Cubic u{w.dot(k1.x), h_ * w.dot(k1.v), w.dot(end.x), h_ * w.dot(end.v)};
      double& scale = scale_[j];
      scale = std::max({scale, std::abs(u.u0), std::abs(u.u1)});
      if (joint.direction == 0) joint.direction = u.u1 > u.u0 ? 1 : u.u1 < u.u0 ? -1 : 0;
      const double sign = joint.direction;
      if (sign == 0) continue;
      double limit = 1;
      if (sign * u.s1 < 0) {
        const Cubic rate{u.s0, h_ * w.dot(k1.a), u.s1, h_ * w.dot(end.a)};
        const double found = Cubic{-rate.u0, -rate.s0, -rate.u1, -rate.s1}.reaches(0, sign);
        if (found > least_part && found < part) {
          part = found;
          turned = static_cast<int>(j);
        } else if (found <= least_part) {
          joint.direction = -joint.direction;  // it turned at the start
        }
        limit = found;
      }
      const double kink =
          s_.joints[static_cast<std::size_t>(j)].law.next_kink(joint.at, joint.direction);
      const double way = joint.direction * (kink - u.u0);
      if (std::isfinite(kink) && way > 1e-9 * scale &&
          joint.direction * (u(std::min(limit, 1.0)) - kink) > 0) {
        const double found = u.reaches(kink, joint.direction);
        if (found > least_part && found < part) {
          part = found;
          turned = -1;
        }
      }
    }
    return turned;
  }

  bool accept(double at, double next) {
    Stage &k1 = stage_[0], &k2 = stage_[1], &k3 = stage_[2], &k4 = stage_[3], &end = stage_[4];
    static_cast<void>(at);
    static_cast<void>(next);
    if (directions_ > 0) {
      const auto stage = [&](Stage& to, const Stage& from, double h, double dt) {
        to.X = k1.X + h * from.V;
        to.V = k1.V + h * from.A;
        if (!joint_derivatives(to, dt)) return false;
        accelerate_derivatives(to);
        return true;
      };
      if (!stage(k2, k1, 0.5 * h_, 0.5 * h_) || !stage(k3, k2, 0.5 * h_, 0.5 * h_) ||
          !stage(k4, k3, h_, h_))
        return false;
      end.X = k1.X + h_ / 6 * (k1.V + 2 * k2.V + 2 * k3.V + k4.V);
      end.V = k1.V + h_ / 6 * (k1.A + 2 * k2.A + 2 * k3.A + k4.A);
      if (!joint_derivatives(end, h_)) return false;
      accelerate_derivatives(end);
    }
    for (Joint& joint : joint_) {
      std::swap(joint.at, joint.next);
      std::swap(joint.dual_at, joint.dual_next);
    }
    std::swap(stage_[0], stage_[4]);
    return true;
  }

  void write(Motion& out, Index row) const {
    const Stage& s = stage_[0];
    const Index rows = out.y.rows();
    for (Index p = 0; p < out.y.cols(); ++p) {
      const Place& place = task_.places[static_cast<std::size_t>(p)];
      const Vector& of = place.order == 0 ? s.x : place.order == 1 ? s.v : s.a;
      out.y(row, p) = place.w.dot(of);
      if (directions_ == 0) continue;
      const Matrix& derivative = place.order == 0 ? s.X : place.order == 1 ? s.V : s.A;
      out.derivatives.row(row + rows * p).noalias() = place.w.transpose() * derivative;
    }
  }

  static constexpr int most_events = 400;
  static constexpr double least_part = 1e-6;  ///< of a step; nearer events are those of its start

  struct Part {
    Index unknown;
    Matrix matrix;
  };

  const System& s_;
  const MotionTask& task_;
  Index n_, joints_, loads_, unknowns_, directions_;
  Matrix A0_, A1_, AW_, AB_;
  std::vector<Part> dM_, dC_, dK_, dB_;
  Vector x_, v_, scale_;
  Matrix X_, V_, dF_;
  Eigen::RowVectorXd du_;
  std::vector<Joint> joint_;
  std::array<Stage, 5> stage_;
  std::size_t interval_ = 0;
  double span_ = 0, h_ = 0;
};

}  // namespace

ForceHistory::ForceHistory(const std::vector<double>& t, std::vector<double> values, bool spline)
    : values_(std::move(values)) {
  if (values_.size() != t.size() || t.size() < 2)
    throw Error("a force needs a value for each of at least two times");
  if (!spline) return;
  curvature_ = spline_curvature(t, values_);
  for (std::size_t i = 0; i + 1 < t.size(); ++i) step_.push_back(t[i + 1] - t[i]);
}

Motion motion(const System& system, const MotionTask& task, const Vector& start, bool derivatives) {
  Motion out;
  Integrator(system, task, start, derivatives).run(out);
  return out;
}

bool choose_substeps(const System& system, MotionTask& task, const Vector& start, double tolerance,
                     int most) {
  // Explicit steps of fourth order are stable up to 2.78/ω.
  Matrix stuck = system.K;
  for (Index j = 0; j < system.W.cols(); ++j)
    stuck += system.joints[static_cast<std::size_t>(j)].stiffness * system.W.col(j) *
             system.W.col(j).transpose();
  const dynamics::Modes modes = dynamics::linear_modes(system.M, stuck);
  double longest = 0;
  for (std::size_t i = 0; i + 1 < task.t.size(); ++i)
    longest = std::max(longest, task.t[i + 1] - task.t[i]);
  const double highest = modes.omega.size() ? modes.omega.tail(1)[0] : 0;
  const double need = std::ceil(highest * longest / 1.5);
  if (!(need <= most)) return false;
  task.substeps = std::max(1, static_cast<int>(need));
  Motion coarse = motion(system, task, start, false);
  for (;;) {
    const int now = task.substeps;
    if (2 * now > 2 * most) return false;
    task.substeps = 2 * now;
    const Motion fine = motion(system, task, start, false);
    if (!fine.failure.empty()) return false;
    bool good = coarse.failure.empty();
    for (Index p = 0; good && p < fine.y.cols(); ++p)
      good = (fine.y.col(p) - coarse.y.col(p)).norm() <= 15 * tolerance * fine.y.col(p).norm();
    if (good) return true;
    coarse = fine;
  }
}

}  // namespace microslip::identify
