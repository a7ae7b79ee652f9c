#include "microslip/dynamics/periodic/slow_flow.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "microslip/core/error.hpp"
#include "microslip/core/text.hpp"
#include "microslip/dynamics/periodic/averaging.hpp"

namespace microslip::dynamics {
namespace {

using Plane = std::array<double, 2>;  ///< A cos φ, A sin φ

struct Drive {
  double force = 0, phase = 0, omega = 0;
};

Drive drive_of(const Structure& structure, double omega0) {
  if (structure.loads.empty()) return {0, 0, omega0};
  const auto* tones = std::get_if<Tones>(&structure.loads.front().signal);
  if (structure.loads.size() > 1 || !tones || tones->list.size() != 1)
    throw Error("a slow flow takes no load, or one of kind harmonic");
  const Tone& tone = tones->list.front();
  if (!(tone.omega > 0)) throw Error("a harmonic load needs 'omega' in a slow flow");
  return {tone.amplitude * structure.loads.front().direction[0], tone.phase, tone.omega};
}

Plane along(const Plane& y, double h, const Plane& slope) {
  return {y[0] + h * slope[0], y[1] + h * slope[1]};
}

}  // namespace

SlowFlow slow_flow(const Structure& structure, const SlowFlowOptions& options) {
  if (structure.size() != 1)
    throw Error("a slow flow is for one degree of freedom; this structure has " +
                std::to_string(structure.size()));
  const double m = structure.M.coeff(0, 0), k = structure.K.coeff(0, 0);
  if (!(k > 0))
    throw Error("a slow flow needs a spring: k = " + number_text(k) + " must be positive");
  if (!(options.until > 0))
    throw Error("until = " + number_text(options.until) + " must be positive");
  const double omega0 = std::sqrt(k / m), unit = 1 / (2 * m * omega0);
  const Drive drive = drive_of(structure, omega0);
  const double detuning = omega0 - drive.omega;

  // The largest amplitude seen so far, below 1e-9 of which the motion counts as at rest.
  double largest = std::hypot(options.x0, options.v0 / omega0);
  const auto rate = [&](const Plane& y) -> Plane {
    const double A = std::hypot(y[0], y[1]);
    Plane slope{-detuning * y[1] + unit * drive.force * std::sin(drive.phase),
                detuning * y[0] - unit * drive.force * std::cos(drive.phase)};
    if (A > 1e-9 * largest && A > 0) {
      const AveragedPoint p = averaged(structure, A);
      slope[0] -= unit * (p.a1 * y[0] + p.b1 * y[1]) / A;
      slope[1] -= unit * (p.a1 * y[1] - p.b1 * y[0]) / A;
    }
    return slope;
  };

  SlowFlow result;
  result.omega = drive.omega;
  const double row = options.step > 0 ? options.step : std::numbers::pi / (10 * drive.omega);
  Plane y{options.x0, -options.v0 / omega0};
  double t = 0, h = std::min(row, options.until);
  const auto put = [&] {
    const double A = std::hypot(y[0], y[1]), phase = std::atan2(y[1], y[0]);
    result.t.push_back(t);
    result.amplitude.push_back(A);
    result.phase.push_back(phase);
    result.x.push_back(A * std::cos(drive.omega * t + phase));
  };
  put();
  // Steps of order 3 with an embedded 2 (Bogacki and Shampine); rows are hit exactly.
  for (long next = 1; t < options.until;) {
    const double end = std::min(options.until, static_cast<double>(next) * row);
    const double step = std::min(h, end - t);
    const Plane first = rate(y), second = rate(along(y, step / 2, first)),
                third = rate(along(y, 0.75 * step, second));
    Plane there = y;
    for (std::size_t i = 0; i < 2; ++i)
      there[i] += step * (2 * first[i] + 3 * second[i] + 4 * third[i]) / 9;
    const Plane last = rate(there);
    double error = 0;
    for (std::size_t i = 0; i < 2; ++i)
      error = std::max(error, step * std::abs(-5.0 / 72 * first[i] + second[i] / 12 + third[i] / 9 -
                                              last[i] / 8));
    const double before = std::hypot(y[0], y[1]), after = std::hypot(there[0], there[1]);
    largest = std::max(largest, after);
    // Without a load friction ends the motion: past 0 the amplitude would come back from the other
    // side.
    const bool through_zero =
        drive.force == 0 && there[0] * y[0] + there[1] * y[1] <= 0.25 * before * before;
    if (drive.force == 0 && through_zero && before < 1e-6 * largest) {
      y = {0, 0};
      result.at_rest = true;
      t = end;
    } else {
      const double ratio = error / (options.tolerance * largest + 1e-300);
      if ((ratio > 1 || through_zero) && step > 1e-12 * options.until) {
        h = step * (through_zero ? 0.25 : std::clamp(0.9 * std::pow(ratio, -1.0 / 3), 0.2, 1.0));
        continue;
      }
      y = there;
      t = step == end - t ? end : t + step;
      h = std::max(h, step) * std::clamp(0.9 * std::pow(std::max(ratio, 1e-9), -1.0 / 3), 0.2, 4.0);
    }
    if (t == end) {
      put();
      ++next;
      if (options.progress && !options.progress(t / options.until)) break;
    }
  }
  return result;
}

}  // namespace microslip::dynamics
