#pragma once

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "microslip/core/error.hpp"
#include "microslip/detail/numerics/parallel.hpp"
#include "microslip/field/one_joint.hpp"

namespace microslip {

/// m x'' + c x' + k x + f[x] = load, f the force of a joint: a robot's drive, a mistuned blade.
struct Oscillator {
  double m, c = 0, k = 0;
};

struct Motion {
  double x = 0, v = 0;
};

namespace fields {

/// One step of Newmark's method of average acceleration, which conserves the energy of linear structures; Newton's
/// method with the tangent of the law. The same on a processor and on a GPU. `a` is the acceleration.
template <class Law>
constexpr Status newmark(const Oscillator& body, const Law& law, Motion& at, double& a,
                         typename Law::State& joint, double load, double dt,
                         double& lost) noexcept {
  const double mass = 4 * body.m / (dt * dt), damping = 2 * body.c / dt;
  double x = at.x + dt * (at.v + 0.5 * dt * a);
  typename Law::State to = joint;
  for (int i = 0; i < 50; ++i) {
    const Response<double> reply = step(law, joint, x, dt, to);
    if (reply.status != Status::ok) return reply.status;
    const double way = x - at.x;
    const double residual = mass * (way - dt * at.v) - body.m * a + damping * way - body.c * at.v +
                            body.k * x + reply.force - load;
    const double change = residual / (mass + damping + body.k + reply.tangent);
    const double size = std::max(std::abs(x), std::abs(way));
    if (std::abs(change) <= 1e-14 * size || residual == 0) {
      a = 4 / (dt * dt) * (way - dt * at.v) - a;
      at = {x, 2 / dt * way - at.v};
      joint = to;
      lost += reply.dissipated;
      return Status::ok;
    }
    // Rounding ends where the last digit flips.
    if (i > 8 && std::abs(change) <= 1e-12 * size) {
      x -= 0.5 * change;
      continue;
    }
    x -= change;
  }
  return Status::not_converged;
}

}  // namespace fields

/// What remains of the motions; an empty span is not filled.
struct OscillatorSums {
  std::span<double> largest_x, lost{};
};

/// Many copies of an oscillator with a joint, each with its own numbers, in lockstep under one load, times a factor of
/// each: a Monte Carlo study, mistuned blades, the drives of many robots.
template <FieldLaw Law>
class Oscillators {
 public:
  Oscillators(std::span<const Oscillator> bodies, std::span<const Law> laws,
              std::size_t threads = 0)
      : bodies_(bodies.begin(), bodies.end()),
        laws_(laws.begin(), laws.end()),
        at_(bodies.size()),
        a_(bodies.size(), std::numeric_limits<double>::quiet_NaN()),
        threads_(threads) {
    if (laws.size() != bodies.size())
      throw Error("oscillators: " + std::to_string(laws.size()) + " laws for " +
                  std::to_string(bodies.size()) + " bodies");
    for (const Oscillator& body : bodies_)
      if (!(body.m > 0)) throw Error("oscillators: m must lie in (0, inf)");
    for (const Law& law : laws_) joints_.push_back(law.rest());
  }

  std::size_t size() const noexcept { return bodies_.size(); }
  Motion& motion(std::size_t i) noexcept {
    a_[i] = std::numeric_limits<double>::quiet_NaN();  // follows from the motion and the load
    return at_[i];
  }
  const typename Law::State& joint(std::size_t i) const noexcept { return joints_[i]; }

  /// `load` at the rows, dt apart, the first of them now; times `scale` of each, if it is not empty.
  Status run(std::span<const double> load, double dt, const OscillatorSums& sums,
             std::span<const double> scale = {}) {
    for (const std::size_t length : {sums.largest_x.size(), sums.lost.size(), scale.size()})
      if (length != 0 && length != size())
        throw Error("oscillators: an array has " + std::to_string(length) + " numbers for " +
                    std::to_string(size()) + " bodies");
    if (!(dt > 0)) throw Error("oscillators: dt must lie in (0, inf)");
    std::atomic<int> worst{0};
    constexpr std::size_t share = 64;
    in_parallel((size() + share - 1) / share, thread_count(threads_), [&](std::size_t part) {
      for (std::size_t i = part * share; i < std::min(size(), (part + 1) * share); ++i) {
        const Status status = run_one(i, load, dt, scale.empty() ? 1 : scale[i], sums);
        if (status != Status::ok) worst = static_cast<int>(status);
      }
    });
    return static_cast<Status>(worst.load());
  }

 private:
  Status run_one(std::size_t i, std::span<const double> load, double dt, double factor,
                 const OscillatorSums& sums) noexcept {
    double largest = std::abs(at_[i].x), lost = 0;
    const Oscillator& body = bodies_[i];
    if (!load.empty() && std::isnan(a_[i])) {
      if (joints_[i].u != at_[i].x) {  // a joint at rest is taken to the place, slowly
        const auto reply = fields::step(laws_[i], joints_[i], at_[i].x,
                                        std::numeric_limits<double>::infinity(), joints_[i]);
        if (reply.status != Status::ok) return reply.status;
      }
      a_[i] = (factor * load[0] - body.c * at_[i].v - body.k * at_[i].x - joints_[i].f) / body.m;
    }
    Status status = Status::ok;
    for (std::size_t row = 1; row < load.size() && status == Status::ok; ++row) {
      status =
          fields::newmark(body, laws_[i], at_[i], a_[i], joints_[i], factor * load[row], dt, lost);
      largest = std::max(largest, std::abs(at_[i].x));
    }
    if (!sums.largest_x.empty()) sums.largest_x[i] = largest;
    if (!sums.lost.empty()) sums.lost[i] = lost;
    return status;
  }

  std::vector<Oscillator> bodies_;
  std::vector<Law> laws_;
  std::vector<typename Law::State> joints_;
  std::vector<Motion> at_;
  std::vector<double> a_;
  std::size_t threads_;
};

}  // namespace microslip
