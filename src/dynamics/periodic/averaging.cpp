#include "microslip/dynamics/periodic/averaging.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "dynamics/balance/harmonic_balance.hpp"
#include "microslip/core/error.hpp"
#include "microslip/core/text.hpp"
#include "microslip/loops/harmonic.hpp"

namespace microslip::dynamics {
namespace {

struct Oscillator {
  double m, c, k, omega0;
};

Oscillator oscillator_of(const Structure& s) {
  check(s);
  refuse_interfaces(s, "averaging");
  if (s.size() != 1)
    throw Error("averaging is for one degree of freedom; this structure has " +
                std::to_string(s.size()));
  const double m = s.M.coeff(0, 0);
  const double k = s.K.coeff(0, 0);
  if (!(k > 0))
    throw Error("averaging needs a spring: k = " + number_text(k) + " must be positive");
  return {m, s.C.coeff(0, 0), k, std::sqrt(k / m)};
}

/// Throws Error if a law never repeats its loop of this amplitude; slow ones are let through.
void refuse_drifting_joints(Structure structure, double amplitude, double omega) {
  structure.loads.clear();
  HarmonicBalance balance(structure, 1);
  balance.elements().refuse_drifting(
      balance.starts().cosine_motion(Eigen::VectorXd::Ones(1) * amplitude, omega));
}

/// The two frequencies with this amplitude, or the resonance if the force is too small for it.
struct Pair {
  double low, high;
  bool reached;
};

Pair frequencies(const Oscillator& o, const AveragedPoint& p, double force) {
  const double middle = p.b1 / (2 * o.k * p.amplitude);
  const double square = force * force - p.a1 * p.a1;
  const double half = square > 0 ? std::sqrt(square) / (2 * o.k * p.amplitude) : 0;
  return {o.omega0 * (1 + middle - half), o.omega0 * (1 + middle + half), square >= 0};
}

}  // namespace

AveragedPoint averaged(const Structure& structure, double amplitude) {
  const Oscillator o = oscillator_of(structure);
  AveragedPoint point;
  point.amplitude = amplitude;
  point.a1 = o.c * o.omega0 * amplitude;
  for (const JointElement& joint : structure.joints) {
    const double w = std::abs(joint.w[0]);
    if (!joint.model.repeats()) refuse_drifting_joints(structure, amplitude, o.omega0);
    const loops::FirstHarmonic first = loops::first_harmonic(joint.model, w * amplitude, o.omega0);
    if (!first.closed && !first.closed_form) refuse_drifting_joints(structure, amplitude, o.omega0);
    if (first.status != Status::ok)
      throw Error(joint.model.description().name + " has no steady loop of amplitude " +
                  number_text(w * amplitude) + ": " + std::string(explain(first.status)));
    point.a1 += w * first.a1;
    point.b1 += w * first.b1;
  }
  point.omega = o.omega0 * (1 + point.b1 / (2 * o.k * amplitude));
  point.zeta = point.a1 / (2 * o.k * amplitude);
  point.force = point.a1;
  return point;
}

double harmonic_force(const Structure& structure) {
  for (const Load& load : structure.loads)
    if (const auto* tones = std::get_if<Tones>(&load.signal))
      if (!tones->list.empty()) return std::abs(tones->list.front().amplitude * load.direction[0]);
  throw Error("averaging over omega needs a harmonic load");
}

AveragedResponse averaged_response(const Structure& structure, double force, double omega_from,
                                   double omega_to, int points) {
  const Oscillator o = oscillator_of(structure);
  const double low = std::min(omega_from, omega_to);
  const double high = std::max(omega_from, omega_to);
  // Amplitudes far off resonance are those without joints; the peak is where a1 takes all force.
  double small = force / (2 * o.k * (1 + std::abs(high / o.omega0) + std::abs(low / o.omega0)));
  while (frequencies(o, averaged(structure, small), force).low > low && small > 1e-12 * force / o.k)
    small /= 2;
  double large = small;
  while (averaged(structure, large).a1 < force) {
    large *= 1.5;
    if (large > 1e12 * small)
      throw Error("the force " + number_text(force) +
                  " is larger than what the joints can dissipate at any amplitude: there is no "
                  "peak; add a damper");
  }
  double below = large / 1.5;
  for (int i = 0; i < 80; ++i) {
    const double middle = 0.5 * (below + large);
    (averaged(structure, middle).a1 < force ? below : large) = middle;
  }
  AveragedResponse result;
  result.peak_amplitude = below;
  result.peak_omega = averaged(structure, below).omega;
  struct Row {
    double omega, amplitude, phase;
  };
  std::vector<Row> left, right;
  for (int i = 0; i <= points; ++i) {
    // Dense towards both ends in amplitude: the curve is steep there.
    const double part = 0.5 * (1 - std::cos(std::numbers::pi * i / points));
    const double A = small * std::pow(below / small, part);
    const AveragedPoint p = averaged(structure, A);
    const Pair pair = frequencies(o, p, force);
    // (101) with the signs that hold: sin φ = −a1/F, cos φ = (b1 − 2αkA)/F.
    const auto phase = [&](double omega) {
      const double alpha = omega / o.omega0 - 1;
      return std::atan2(-p.a1, p.b1 - 2 * alpha * o.k * A);
    };
    left.push_back({pair.low, A, phase(pair.low)});
    right.push_back({pair.high, A, phase(pair.high)});
  }
  std::reverse(right.begin(), right.end());
  left.insert(left.end(), right.begin() + 1, right.end());
  for (const Row& row : left) {
    if (row.omega < low || row.omega > high) continue;
    result.omega.push_back(row.omega);
    result.amplitude.push_back(row.amplitude);
    result.phase.push_back(row.phase);
  }
  return result;
}

}  // namespace microslip::dynamics
