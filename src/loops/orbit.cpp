#include "microslip/loops/orbit.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "microslip/core/error.hpp"
#include "microslip/core/text.hpp"

namespace microslip::loops {
namespace {

using std::numbers::pi;

/// Small circles of bouc-wen-planar settle over thousands of cycles; they are reported as not closed.
constexpr std::size_t most_settling = 200;

void check(const AnyModel& model, const Orbit& orbit, double amplitude) {
  const Description& law = model.description();
  if (law.directions.empty())
    throw Error(law.name + " is a scalar law: it moves on a line, without an orbit");
  if (!(amplitude > 0) || !std::isfinite(amplitude))
    throw Error("amplitude = " + number_text(amplitude) + " must be positive");
  const bool plane = law.directions[0] == "x", normal = law.directions.back() == "n";
  if (!(orbit.ratio >= 0 && orbit.ratio <= 1))
    throw Error("ratio = " + number_text(orbit.ratio) + " must lie in [0, 1]");
  if (!plane && (orbit.ratio != 0 || orbit.angle != 0))
    throw Error(law.name + " has one tangential direction: it takes no ratio and no angle");
  if (!normal && (orbit.normal != 0 || orbit.normal_mean != 0))
    throw Error(law.name + " has no normal direction");
  if (!(orbit.normal >= 0) || !std::isfinite(orbit.normal))
    throw Error("normal = " + number_text(orbit.normal) + " must not be negative");
}

class Follower {
 public:
  Follower(const AnyModel& model, const Orbit& orbit, double amplitude,
           const HarmonicOptions& options)
      : model_(model),
        orbit_(orbit),
        A_(amplitude),
        most_cycles_(std::min(options.most_cycles, most_settling)),
        // Below it, error-controlled steps differ from cycle to cycle without an end.
        repeats_to_(1e-3 * options.tolerance),
        size_(static_cast<Eigen::Index>(model.directions().size())),
        plane_(model.directions()[0] == "x"),
        normal_(model.directions().back() == "n"),
        turn_(orbit.angle * pi / 180) {}

  /// The state where the orbit begins.
  AnyState beginning() const {
    AnyState state = model_.rest();
    FirstHarmonic ignored;
    // To the mean of the normal motion first: a contact is pressed before it rubs.
    AnyVec<double> start = AnyVec<double>::Zero(size_);
    if (normal_) start[size_ - 1] = orbit_.normal_mean;
    step(start, state, ignored);
    step(at(0), state, ignored);
    return state;
  }

  /// The steady cycle in `steps` straight pieces; goes on from a state at the beginning of the orbit.
  FirstHarmonic cycle(int steps, AnyState& state) const {
    FirstHarmonic result;
    result.amplitude = A_;
    AnyVec<double> force = AnyVec<double>::Zero(size_);
    double before = -1;
    for (result.cycles = 1; result.cycles <= most_cycles_; ++result.cycles) {
      Sums sums;
      AnyVec<double> end = force;
      for (int i = 1; i <= steps && result.status == Status::ok; ++i) {
        const double theta = 2 * pi * i / steps;
        const AnyVec<double> u = at(theta);
        const AnyResponse<double> reply = step(u, state, result);
        add(reply, u, i, steps, sums);
        end = reply.force;
      }
      if (result.status != Status::ok) return result;
      const double size = std::max(end.norm(), sums.energy / A_);
      result.closed = std::abs(sums.energy - before) <= repeats_to_ * size * A_ &&
                      (end - force).norm() <= repeats_to_ * size;
      force = end;
      before = sums.energy;
      const double share = 1 + orbit_.ratio * orbit_.ratio;
      result.energy = sums.energy;
      result.a1 = sums.energy / (pi * A_ * share);
      result.b1 = sums.in_phase * 2 * pi / steps / (pi * A_ * share);
      result.mean = sums.mean / steps;
      result.secant = (sums.top - sums.bottom) / (2 * A_);
      if (result.closed) break;
    }
    return result;
  }

 private:
  struct Sums {
    double energy = 0, in_phase = 0, mean = 0, top = 0, bottom = 0;
  };

  AnyVec<double> at(double theta) const {
    AnyVec<double> u = AnyVec<double>::Zero(size_);
    const double major = A_ * std::sin(theta), minor = A_ * orbit_.ratio * std::cos(theta);
    const double c = std::cos(turn_), s = std::sin(turn_);
    u[0] = plane_ ? c * major - s * minor : major;
    if (plane_) u[1] = s * major + c * minor;
    if (normal_)
      u[size_ - 1] = orbit_.normal_mean +
                     orbit_.normal * A_ * std::sin(theta + orbit_.normal_phase * pi / 180);
    return u;
  }

  AnyResponse<double> step(const AnyVec<double>& u, AnyState& state, FirstHarmonic& result) const {
    AnyResponse<double> reply = model_.step(state, u, state);
    if (reply.status != Status::ok) result.status = reply.status;
    return reply;
  }

  void add(const AnyResponse<double>& reply, const AnyVec<double>& u, int i, int steps,
           Sums& sums) const {
    const Eigen::Index tangential = plane_ ? 2 : 1;
    sums.energy += reply.dissipated;
    sums.in_phase += reply.force.head(tangential).dot(u.head(tangential));
    const double along = plane_
                             ? std::cos(turn_) * reply.force[0] + std::sin(turn_) * reply.force[1]
                             : reply.force[0];
    sums.mean += along;
    if (4 * i == steps) sums.top = along;
    if (4 * i == 3 * steps) sums.bottom = along;
  }

  const AnyModel& model_;
  Orbit orbit_;
  double A_;
  std::size_t most_cycles_;
  double repeats_to_;
  Eigen::Index size_;
  bool plane_, normal_;
  double turn_;
};

}  // namespace

FirstHarmonic first_harmonic(const AnyModel& model, const Orbit& orbit, double amplitude,
                             const HarmonicOptions& options) {
  check(model, orbit, amplitude);
  const Follower follower(model, orbit, amplitude, options);
  // Finer steps go on from the steady cycle of coarser ones: what is slow to settle settles once.
  AnyState state = follower.beginning();
  FirstHarmonic coarse = follower.cycle(128, state), best = coarse;
  for (int steps = 256; coarse.status == Status::ok && coarse.closed && steps <= (1 << 15);
       steps *= 2) {
    const FirstHarmonic fine = follower.cycle(steps, state);
    if (fine.status != Status::ok) return fine;
    best = fine;
    const auto limit = [](double a, double b) { return b + (b - a) / 3; };
    best.energy = limit(coarse.energy, fine.energy);
    best.a1 = limit(coarse.a1, fine.a1);
    best.b1 = limit(coarse.b1, fine.b1);
    best.mean = limit(coarse.mean, fine.mean);
    const double size = std::max({std::abs(fine.a1), std::abs(fine.b1), 1e-300});
    best.error =
        std::max(std::abs(fine.a1 - coarse.a1), std::abs(fine.b1 - coarse.b1)) / (3 * size);
    if (best.error <= options.tolerance) break;
    coarse = fine;
  }
  return best;
}

}  // namespace microslip::loops
