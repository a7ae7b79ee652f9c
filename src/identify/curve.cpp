#include "microslip/identify/curve.hpp"

#include <algorithm>
#include <cmath>

#include "microslip/detail/numerics/constants.hpp"
#include "microslip/dynamics/structure/modes.hpp"

namespace microslip::identify {
namespace {

using Index = Eigen::Index;
using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;

/// A joint that swings as U cos θ: f ≈ a cos θ − b sin θ, and its force at the turn.
struct Cycle {
  bool ok = false;
  double a = 0, b = 0, at_turn = 0;
};

Cycle cycle_of(const AnyModel& law, double amplitude, double omega) {
  constexpr int samples = 256, most_periods = 12;
  Cycle cycle;
  AnyState at = law.rest(), to = at;
  const double dt = 2 * pi / (omega * samples);
  double last = 0;
  for (int period = 0; period < most_periods; ++period) {
    double a = 0, b = 0, largest = 0, turn = 0;
    for (int n = 1; n <= samples; ++n) {
      const double angle = 2 * pi * n / samples;
      const auto reply = law.step(at, amplitude * std::cos(angle), dt, to);
      if (reply.status != Status::ok || !std::isfinite(reply.force)) return cycle;
      std::swap(at, to);
      a += reply.force * std::cos(angle) * 2 / samples;
      b -= reply.force * std::sin(angle) * 2 / samples;
      largest = std::max(largest, std::abs(reply.force));
      turn = reply.force;
    }
    cycle = {true, a, b, turn};
    if (period > 0 && std::abs(a - last) <= 1e-10 * largest) break;
    last = a;
  }
  return cycle;
}

/// The mode that is most like a shape.
Index like(const dynamics::Modes& modes, const Matrix& M, const Vector& shape) {
  Index best = 0;
  (modes.shapes.transpose() * (M * shape)).cwiseAbs().maxCoeff(&best);
  return best;
}

}  // namespace

Curve curve(const System& system, const CurveTask& task) {
  const auto count = static_cast<Index>(task.amplitude.size());
  const Index joints = system.W.cols();
  Curve out{Vector(count), Vector(count)};
  Matrix stuck = system.K;
  for (Index j = 0; j < joints; ++j)
    stuck += system.joints[static_cast<std::size_t>(j)].stiffness * system.W.col(j) *
             system.W.col(j).transpose();
  const dynamics::Modes at_rest = dynamics::linear_modes(system.M, stuck);
  if (task.mode >= at_rest.omega.size()) {
    out.failure = "there is no such mode";
    return out;
  }
  for (Index i = 0; i < count; ++i) {
    Vector shape = at_rest.shapes.col(task.mode);
    double omega = at_rest.omega[task.mode], amplitude = 0;
    std::vector<Cycle> cycles(static_cast<std::size_t>(joints));
    for (int round = 0; round < 60; ++round) {
      const double seen = std::abs(task.place.w.dot(shape)) * std::pow(omega, task.place.order);
      if (!(seen > 0)) {
        out.failure = "the mode does not move where its amplitude was measured";
        return out;
      }
      amplitude = task.amplitude[static_cast<std::size_t>(i)] / seen;
      Matrix K = system.K;
      for (Index j = 0; j < joints; ++j) {
        const double u = amplitude * std::abs(system.W.col(j).dot(shape));
        Cycle& cycle = cycles[static_cast<std::size_t>(j)];
        double k = system.joints[static_cast<std::size_t>(j)].stiffness;
        cycle = {true, 0, 0, 0};
        if (u > 0) {
          cycle = cycle_of(system.joints[static_cast<std::size_t>(j)].law, u, omega);
          if (!cycle.ok) {
            out.failure = "a joint has no cycle";
            return out;
          }
          k = cycle.a / u;
        }
        K += k * system.W.col(j) * system.W.col(j).transpose();
      }
      const dynamics::Modes modes = dynamics::linear_modes(system.M, K);
      const Index mode = like(modes, system.M, shape);
      const double before = omega;
      shape = modes.shapes.col(mode);
      omega = modes.omega[mode];
      if (!(omega > 0)) {
        out.failure = "the mode has no frequency";
        return out;
      }
      if (std::abs(omega - before) <= 1e-12 * omega) break;
    }
    double lost = pi * omega * amplitude * amplitude * shape.dot(system.C * shape);
    double change = amplitude * shape.dot(system.K * shape);  // of energy with amplitude
    for (Index j = 0; j < joints; ++j) {
      const Cycle& cycle = cycles[static_cast<std::size_t>(j)];
      const double way = std::abs(system.W.col(j).dot(shape));
      lost += pi * amplitude * way * cycle.b;
      change += way * cycle.at_turn;
    }
    out.omega[i] = omega;
    out.zeta[i] = lost / (2 * pi * amplitude * (task.energy ? omega * omega * amplitude : change));
  }
  return out;
}

LoopForces loop(const System& system, const LoopTask& task, bool derivatives) {
  const auto rows = static_cast<Index>(task.u.size());
  const System::Joint& joint = system.joints[task.joint];
  LoopForces out{Vector(rows), Matrix()};
  const auto dt = [&](std::size_t i) { return task.dt.empty() ? 1.0 : task.dt[i]; };
  const int passes = task.periodic ? 3 : 1;
  AnyState at = joint.law.rest(), to = at;
  for (int pass = 0; pass < passes; ++pass)
    for (std::size_t i = 0; i < task.u.size(); ++i) {
      const auto reply = joint.law.step(at, task.u[i], dt(i), to);
      if (reply.status != Status::ok || !std::isfinite(reply.force)) {
        out.failure = "the law has no force";
        return out;
      }
      std::swap(at, to);
      out.f[static_cast<Index>(i)] = reply.force;
    }
  if (!derivatives) return out;
  const auto unknowns = static_cast<Index>(system.unknowns->size());
  out.derivatives.setZero(rows, unknowns);
  for (Index first = 0; first < unknowns; first += dual_width) {
    const Index count = std::min<Index>(dual_width, unknowns - first);
    const AnyDualModel law = system.dual(task.joint, first);
    AnyState from = law.rest(), next = from;
    for (int pass = 0; pass < passes; ++pass)
      for (std::size_t i = 0; i < task.u.size(); ++i) {
        const auto reply = law.step(from, WideDual(task.u[i]), dt(i), next);
        if (reply.status != Status::ok) {
          out.failure = "the law has no force";
          return out;
        }
        std::swap(from, next);
        for (Index d = 0; d < count; ++d)
          out.derivatives(static_cast<Index>(i), first + d) = reply.force.v[static_cast<int>(d)];
      }
  }
  return out;
}

}  // namespace microslip::identify
