#include "microslip/identify/motion.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "identify/modal_step.hpp"
#include "microslip/core/error.hpp"
#include "microslip/detail/numerics/dense.hpp"
#include "microslip/detail/numerics/spline.hpp"
#include "microslip/dynamics/structure/modes.hpp"

namespace microslip::identify {
namespace {

using Index = Eigen::Index;
using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;
using Array = Eigen::ArrayXd;
using Array2 = Eigen::ArrayXXd;

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

/// One motion: the state, the joints and their derivatives, in the modes of the structure with stuck joints. These go
/// as q″ + γ q′ + λ q = p(t) with p from loads, from the joints beyond their stiffness and from damping between
/// modes.
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
    stiffness_.resize(joints_);
    for (Index j = 0; j < joints_; ++j)
      stiffness_[j] = s_.joints[static_cast<std::size_t>(j)].stiffness;
    const Matrix stuck = s_.K + s_.W * stiffness_.asDiagonal() * s_.W.transpose();
    shapes_ = dynamics::linear_modes(s_.M, stuck).shapes;
    lambda_ = (shapes_.transpose() * stuck * shapes_).diagonal().array();
    between_ = shapes_.transpose() * s_.C * shapes_;
    gamma_ = between_.diagonal().array();
    between_.diagonal().setZero();
    coupled_ = between_.cwiseAbs().maxCoeff() > 1e-12 * gamma_.abs().maxCoeff();
    W_ = shapes_.transpose() * s_.W;
    B_.resize(n_, loads_);
    for (Index l = 0; l < loads_; ++l)
      B_.col(l) = shapes_.transpose() * s_.loads[static_cast<std::size_t>(l)].direction;
    for (const Place& place : task.places) places_.emplace_back(shapes_.transpose() * place.w);
    for (Stage& stage : stage_) {
      stage.q = stage.v = stage.p = Array::Zero(n_);
      stage.u.setZero(joints_);
      stage.rate.setZero(joints_);
      stage.f.setZero(joints_);
      stage.force.setZero(loads_);
      if (directions_ > 0) stage.Q = stage.V = stage.P = Array2::Zero(n_, directions_);
    }
    if (directions_ > 0) begin_derivatives();
    if (task.basis.cols() > 0) {
      const Matrix to_modes = shapes_.transpose() * s_.M * task.basis;
      stage_[0].q = (to_modes * start.head(task.basis.cols())).array();
      stage_[0].v = (to_modes * start.tail(task.basis.cols())).array();
      if (directions_ > 0) {
        stage_[0].Q.middleCols(unknowns_, task.basis.cols()) = to_modes.array();
        stage_[0].V.rightCols(task.basis.cols()) = to_modes.array();
      }
    }
    for (Index j = 0; j < joints_; ++j) begin_joint(j);
    scale_.setZero(joints_);
    dF_.setZero(joints_, directions_);
    dU_.setZero(joints_, directions_);
    dR_.setZero(joints_, directions_);
  }

  bool run(Motion& out) {
    const auto all = static_cast<Index>(task_.t.size()), lead = static_cast<Index>(task_.lead);
    const Index rows = all - lead;
    const auto places = static_cast<Index>(task_.places.size());
    out.y.resize(rows, places);
    if (directions_ > 0) out.derivatives.resize(rows * places, directions_);
    interval_ = 0;
    span_ = task_.t[1] - task_.t[0];
    if (!start_joints()) return fail(out, 0);
    if (lead == 0) write(out, 0);
    for (Index row = 0; row + 1 < all; ++row) {
      const auto i = static_cast<std::size_t>(row);
      interval_ = i;
      span_ = task_.t[i + 1] - task_.t[i];
      for (int k = 0; k < task_.substeps; ++k)
        if (!piece(static_cast<double>(k) / task_.substeps,
                   static_cast<double>(k + 1) / task_.substeps))
          return fail(out, row + 1);
      if (row + 1 >= lead) write(out, row + 1 - lead);
    }
    return true;
  }

 private:
  struct Stage {
    Array q, v, p;
    Vector u, rate, f, force;  ///< of joints; of loads
    Array2 Q, V, P;            ///< derivatives
  };
  struct Joint {
    AnyState at{}, next{}, trial{};
    int direction = 0;  ///< of its motion, since it turned
    bool rate_dependent = false;
    std::vector<AnyDualModel> dual{};
    std::vector<AnyState> dual_at{}, dual_next{};
  };
  struct Part {
    Index unknown;
    Matrix matrix;
  };
  struct Steps {
    ModalStep half, whole;
  };

  bool fail(Motion& out, Index row) const {
    out.failure =
        "the motion has no end after t = " + std::to_string(task_.t[static_cast<std::size_t>(row)]);
    return false;
  }

  void begin_derivatives() {
    for (Index i = 0; i < unknowns_; ++i) {
      const auto k = static_cast<std::size_t>(i);
      const auto add = [&](const std::vector<Matrix>& of, std::vector<Part>& to) {
        if (of[k].size() > 0) to.push_back({i, shapes_.transpose() * of[k] * shapes_});
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
        B.col(l) =
            amplitude ? Vector(Vector::Zero(n_)) : Vector(shapes_.transpose() * change.direction);
      }
      dB_.push_back({i, std::move(B)});
    }
  }

  void begin_joint(Index j) {
    const auto k = static_cast<std::size_t>(j);
    Joint joint;
    joint.at = s_.joints[k].law.rest();
    joint.next = joint.trial = joint.at;
    joint.rate_dependent = s_.joints[k].law.rate_dependent();
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

  /// Forces of the joints at a stage, from where they stand, and p; `to` is where their states go.
  bool excite(Stage& s, double dt, AnyState Joint::*to) {
    s.p.setZero();
    if (joints_ > 0) {
      s.u.noalias() = W_.transpose() * s.q.matrix();
      for (Index j = 0; j < joints_; ++j) {
        Joint& joint = joint_[static_cast<std::size_t>(j)];
        const AnyModel& law = s_.joints[static_cast<std::size_t>(j)].law;
        const auto reply = law.step(joint.at, s.u[j], dt, joint.*to);
        ForceInMotion<double> now{reply.force, 0, reply.status};
        // The step answers its mean velocity.
        if (reply.status == Status::ok && joint.rate_dependent) {
          s.rate[j] = W_.col(j).dot(s.v.matrix());
          now = law.force(joint.*to, s.rate[j]);
        }
        if (now.status != Status::ok || !std::isfinite(now.force)) return false;
        s.f[j] = now.force;
      }
      s.p.matrix().noalias() += W_ * (stiffness_.cwiseProduct(s.u) - s.f);
    }
    if (loads_ > 0) s.p.matrix().noalias() += B_ * s.force;
    if (coupled_) s.p.matrix().noalias() -= between_ * s.v.matrix();
    return true;
  }

  /// Derivatives of p from those of q and v.
  bool excite_derivatives(Stage& s, double dt) {
    s.P.setZero();
    if (joints_ > 0) {
      dU_.noalias() = W_.transpose() * s.Q.matrix();
      dR_.noalias() = W_.transpose() * s.V.matrix();
      for (Index j = 0; j < joints_; ++j) {
        Joint& joint = joint_[static_cast<std::size_t>(j)];
        for (std::size_t pass = 0; pass < joint.dual.size(); ++pass)
          if (!pass_of(joint, j, static_cast<Index>(pass), s, dt)) return false;
      }
      s.P.matrix().noalias() += W_ * (stiffness_.asDiagonal() * dU_ - dF_);
    }
    if (coupled_) s.P.matrix().noalias() -= between_ * s.V.matrix();
    if (!dM_.empty()) {
      const Vector a = (s.p - gamma_ * s.v - lambda_ * s.q).matrix();
      for (const Part& part : dM_) s.P.col(part.unknown).matrix().noalias() -= part.matrix * a;
    }
    for (const Part& part : dC_)
      s.P.col(part.unknown).matrix().noalias() -= part.matrix * s.v.matrix();
    for (const Part& part : dK_)
      s.P.col(part.unknown).matrix().noalias() -= part.matrix * s.q.matrix();
    for (const Part& part : dB_) s.P.col(part.unknown).matrix().noalias() += part.matrix * s.force;
    return true;
  }

  bool pass_of(Joint& joint, Index j, Index number, const Stage& s, double dt) {
    const auto pass = static_cast<std::size_t>(number);
    const Index first = number * dual_width;
    const Index count = std::min<Index>(dual_width, directions_ - first);
    WideDual moved(s.u[j]);
    for (Index d = 0; d < count; ++d) moved.v[static_cast<int>(d)] = dU_(j, first + d);
    const auto reply = joint.dual[pass].step(joint.dual_at[pass], moved, dt, joint.dual_next[pass]);
    ForceInMotion<WideDual> now{reply.force, WideDual(0), reply.status};
    if (reply.status == Status::ok && joint.rate_dependent) {
      WideDual rate(s.rate[j]);
      for (Index d = 0; d < count; ++d) rate.v[static_cast<int>(d)] = dR_(j, first + d);
      now = joint.dual[pass].force(joint.dual_next[pass], rate);
    }
    if (now.status != Status::ok) return false;
    for (Index d = 0; d < count; ++d) dF_(j, first + d) = now.force.v[static_cast<int>(d)];
    return true;
  }

  /// Joints go from rest, slowly, to where the motion starts.
  bool start_joints() {
    Stage& s = stage_[0];
    const double slow = 1e6 * span_;
    forces_at(0, s);
    if (!excite(s, slow, &Joint::next)) return false;
    if (directions_ > 0 && !excite_derivatives(s, slow)) return false;
    for (Joint& joint : joint_) {
      std::swap(joint.at, joint.next);
      std::swap(joint.dual_at, joint.dual_next);
    }
    for (Index j = 0; j < joints_; ++j) {
      const double rate = W_.col(j).dot(s.v.matrix());
      joint_[static_cast<std::size_t>(j)].direction = rate > 0 ? 1 : rate < 0 ? -1 : 0;
    }
    return true;
  }

  /// From one part of the interval between two rows to another.
  bool piece(double from, double to) {
    double at = from;
    for (int count = 0; at < to; ++count) {
      // Laws of many kinks have some in each step; more are events found again by rounding.
      if (count > most_events) return false;
      double next = to;
      int turned = -1;
      if (!trial(at, next, at == from)) return false;
      if (joints_ > 0) {
        double part = 1;
        turned = first_event(part);
        if (part < 1) {
          next = at + part * (to - at);
          if (!(next > at)) next = to, turned = -1;
          if (!trial(at, next, at == from && next == to)) return false;
        }
      }
      if (!accept()) return false;
      if (turned >= 0)
        joint_[static_cast<std::size_t>(turned)].direction =
            -joint_[static_cast<std::size_t>(turned)].direction;
      at = next;
    }
    return true;
  }

  /// The middle, twice, and the end of a step, which stands in stage_[3].
  bool trial(double at, double next, bool whole) {
    h_ = (next - at) * span_;
    steps_ = whole ? &regular_ : &other_;
    steps_->half.set(lambda_, gamma_, 0.5 * h_);
    steps_->whole.set(lambda_, gamma_, h_);
    const ModalStep &half = steps_->half, &full = steps_->whole;
    const double middle = 0.5 * (at + next), s = 2 / h_;
    const Stage& start = stage_[0];
    Stage &first = stage_[1], &mid = stage_[2], &end = stage_[3];
    // p constant, then straight from the start to the first guess of the middle.
    first.q = half.a * start.q + half.h * start.v + half.r0 * start.p;
    first.v = half.l * start.q + half.d * start.v + half.h * start.p;
    forces_at(middle, first);
    if (!excite(first, 0.5 * h_, &Joint::trial)) return false;
    mid.force = first.force;
    mid.q = first.q + half.r1 * (first.p - start.p) * s;
    mid.v = first.v + half.r0 * (first.p - start.p) * s;
    if (!excite(mid, 0.5 * h_, &Joint::trial)) return false;
    // Straight from the start over the middle, then a parabola through all three.
    free_q_ = full.a * start.q + full.h * start.v + full.r0 * start.p;
    free_v_ = full.l * start.q + full.d * start.v + full.h * start.p;
    end.q = free_q_ + full.r1 * (mid.p - start.p) * s;
    end.v = free_v_ + full.r0 * (mid.p - start.p) * s;
    forces_at(next, end);
    if (!excite(end, h_, &Joint::trial)) return false;
    const Array slope = (4 * mid.p - 3 * start.p - end.p) / h_;
    const Array bend = (start.p - 2 * mid.p + end.p) * (4 / (h_ * h_));
    end.q = free_q_ + full.r1 * slope + full.r2 * bend;
    end.v = free_v_ + full.r0 * slope + full.r1 * bend;
    return excite(end, h_, &Joint::next) && std::isfinite(end.q.matrix().squaredNorm());
  }

  Array acceleration(const Stage& s) const { return s.p - gamma_ * s.v - lambda_ * s.q; }

  /// The first part of the step at which a joint turns or comes to a kink; which one turns, or −1.
  int first_event(double& part) {
    const Stage &start = stage_[0], &end = stage_[3];
    int turned = -1;
    for (Index j = 0; j < joints_; ++j) {
      Joint& joint = joint_[static_cast<std::size_t>(j)];
      const auto w = W_.col(j);
      const Cubic u{start.u[j], h_ * w.dot(start.v.matrix()), end.u[j], h_ * w.dot(end.v.matrix())};
      double& scale = scale_[j];
      scale = std::max({scale, std::abs(u.u0), std::abs(u.u1)});
      if (joint.direction == 0) joint.direction = u.u1 > u.u0 ? 1 : u.u1 < u.u0 ? -1 : 0;
      const double sign = joint.direction;
      if (sign == 0) continue;
      double limit = 1;
      if (sign * u.s1 < 0) {
        const Cubic rate{u.s0, h_ * h_ * w.dot(acceleration(start).matrix()), u.s1,
                         h_ * h_ * w.dot(acceleration(end).matrix())};
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

  /// The derivatives obey the same equations, linear ones: one middle and one end are enough for them.
  bool accept() {
    if (directions_ > 0) {
      const ModalStep &half = steps_->half, &full = steps_->whole;
      const Stage& start = stage_[0];
      Stage &mid = stage_[2], &end = stage_[3];
      const double s = 2 / h_;
      for (Index d = 0; d < directions_; ++d) {
        mid.Q.col(d) = half.a * start.Q.col(d) + half.h * start.V.col(d) + half.r0 * start.P.col(d);
        mid.V.col(d) = half.l * start.Q.col(d) + half.d * start.V.col(d) + half.h * start.P.col(d);
      }
      if (!excite_derivatives(mid, 0.5 * h_)) return false;
      for (Index d = 0; d < directions_; ++d) {
        const auto slope = (mid.P.col(d) - start.P.col(d)) * s;
        end.Q.col(d) = full.a * start.Q.col(d) + full.h * start.V.col(d) +
                       full.r0 * start.P.col(d) + full.r1 * slope;
        end.V.col(d) = full.l * start.Q.col(d) + full.d * start.V.col(d) + full.h * start.P.col(d) +
                       full.r0 * slope;
      }
      if (!excite_derivatives(end, h_)) return false;
      for (Index d = 0; d < directions_; ++d) {
        // What the parabola has beyond the straight line.
        const auto slope = (2 * mid.P.col(d) - start.P.col(d) - end.P.col(d)) / h_;
        const auto bend = (start.P.col(d) - 2 * mid.P.col(d) + end.P.col(d)) * (4 / (h_ * h_));
        end.Q.col(d) += full.r1 * slope + full.r2 * bend;
        end.V.col(d) += full.r0 * slope + full.r1 * bend;
      }
    }
    for (Joint& joint : joint_) {
      std::swap(joint.at, joint.next);
      std::swap(joint.dual_at, joint.dual_next);
    }
    std::swap(stage_[0], stage_[3]);
    return true;
  }

  void write(Motion& out, Index row) const {
    const Stage& s = stage_[0];
    const Index rows = out.y.rows();
    for (Index p = 0; p < out.y.cols(); ++p) {
      const int order = task_.places[static_cast<std::size_t>(p)].order;
      const Vector& w = places_[static_cast<std::size_t>(p)];
      out.y(row, p) = order == 0   ? w.dot(s.q.matrix())
                      : order == 1 ? w.dot(s.v.matrix())
                                   : w.dot(acceleration(s).matrix());
      if (directions_ == 0) continue;
      auto to = out.derivatives.row(row + rows * p);
      if (order == 0)
        to.noalias() = w.transpose() * s.Q.matrix();
      else if (order == 1)
        to.noalias() = w.transpose() * s.V.matrix();
      else
        // The derivative of M adds to p, so this holds for all unknowns.
        to.noalias() = w.transpose() * s.P.matrix() -
                       w.cwiseProduct(gamma_.matrix()).transpose() * s.V.matrix() -
                       w.cwiseProduct(lambda_.matrix()).transpose() * s.Q.matrix();
    }
  }

  static constexpr int most_events = 400;
  static constexpr double least_part = 1e-6;  ///< of a step; nearer events are those of its start

  const System& s_;
  const MotionTask& task_;
  Index n_, joints_, loads_, unknowns_, directions_;
  Matrix shapes_, W_, B_, between_;
  Array lambda_, gamma_, free_q_, free_v_;
  Vector stiffness_, scale_;
  std::vector<Vector> places_;
  bool coupled_ = false;
  std::vector<Part> dM_, dC_, dK_, dB_;
  Matrix dF_, dU_, dR_;
  std::vector<Joint> joint_;
  std::array<Stage, 4> stage_;
  Steps regular_, other_;
  Steps* steps_ = nullptr;
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
  // Steps are exact for the linear part: they have to show what moves between rows, and the joints' forces.
  Matrix stuck = system.K;
  for (Index j = 0; j < system.W.cols(); ++j)
    stuck += system.joints[static_cast<std::size_t>(j)].stiffness * system.W.col(j) *
             system.W.col(j).transpose();
  const dynamics::Modes modes = dynamics::linear_modes(system.M, stuck);
  double longest = 0;
  for (std::size_t i = 0; i + 1 < task.t.size(); ++i)
    longest = std::max(longest, task.t[i + 1] - task.t[i]);
  const double highest = modes.omega.size() ? modes.omega.tail(1)[0] : 0;
  task.substeps = std::clamp(static_cast<int>(std::ceil(highest * longest / 1.5)), 1, 2);
  // Halved steps leave a fifteenth of the difference with fourth order, a third with second.
  const bool slow = std::any_of(system.joints.begin(), system.joints.end(),
                                [](const System::Joint& j) { return j.law.rate_dependent(); });
  const double allowed = (slow ? 3 : 15) * tolerance;
  Motion coarse = motion(system, task, start, false);
  for (;;) {
    const int now = task.substeps;
    if (2 * now > 2 * most) return false;
    task.substeps = 2 * now;
    const Motion fine = motion(system, task, start, false);
    if (!fine.failure.empty()) return false;
    bool good = coarse.failure.empty();
    for (Index p = 0; good && p < fine.y.cols(); ++p)
      good = (fine.y.col(p) - coarse.y.col(p)).norm() <= allowed * fine.y.col(p).norm();
    if (good) return true;
    coarse = fine;
  }
}

}  // namespace microslip::identify
