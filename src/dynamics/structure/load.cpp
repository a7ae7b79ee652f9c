#include "microslip/dynamics/structure/load.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <string>
#include <utility>

#include "microslip/core/error.hpp"
#include "microslip/core/text.hpp"
#include "microslip/detail/numerics/constants.hpp"
#include "microslip/detail/numerics/spline.hpp"

namespace microslip::dynamics {
namespace {

double at(const Tones& tones, double t) {
  double sum = 0;
  for (const Tone& tone : tones.list) sum += tone.amplitude * std::cos(tone.omega * t + tone.phase);
  return sum;
}
double at(const Constant& constant, double) { return constant.value; }

double at(const Sweep& sweep, double t) {
  if (t < 0 || t > sweep.duration) return 0;
  const double ratio = sweep.omega_to / sweep.omega_from;
  const double rate = std::log(ratio) / sweep.duration;
  const double phase =
      sweep.logarithmic && ratio != 1
          ? sweep.omega_from * std::expm1(rate * t) / rate
          : t * (sweep.omega_from + 0.5 * (sweep.omega_to - sweep.omega_from) * t / sweep.duration);
  return sweep.amplitude * std::sin(phase);
}

double at(const SteppedSine& sine, double t) {
  const auto after = std::upper_bound(sine.start.begin(), sine.start.end(), t);
  if (after == sine.start.begin() || after == sine.start.end()) return 0;
  const auto level = static_cast<std::size_t>(after - sine.start.begin()) - 1;
  return sine.amplitude * std::sin(sine.omega[level] * (t - sine.start[level]));
}

double at(const Impulse& impulse, double t) {
  const double part = (t - impulse.start) / impulse.duration;
  if (!(impulse.duration > 0) || part < 0 || part > 1) return 0;
  return impulse.impulse * pi / (2 * impulse.duration) * std::sin(pi * part);
}

double at(const SampledLoad& samples, double t) {
  const auto after = std::upper_bound(samples.t.begin(), samples.t.end(), t);
  if (after == samples.t.begin()) return 0;
  if (after == samples.t.end()) return t == samples.t.back() ? samples.values.back() : 0;
  const auto i = static_cast<std::size_t>(after - samples.t.begin());
  const double part = (t - samples.t[i - 1]) / (samples.t[i] - samples.t[i - 1]);
  const double line = samples.values[i - 1] + part * (samples.values[i] - samples.values[i - 1]);
  if (samples.curvature.empty()) return line;
  return line + spline_bow(samples.t[i] - samples.t[i - 1], part, samples.curvature[i - 1],
                           samples.curvature[i]);
}

double at(const Formula& formula, double t) { return formula.force(t); }

double first_after(double t, std::initializer_list<double> times) {
  double first = infinity;
  for (const double x : times)
    if (x > t) first = std::min(first, x);
  return first;
}
double break_after(const Tones&, double) { return infinity; }
double break_after(const Constant&, double) { return infinity; }
double break_after(const Formula&, double) { return infinity; }
double break_after(const Sweep& sweep, double t) { return first_after(t, {sweep.duration}); }
double break_after(const SteppedSine& sine, double t) {
  const auto after = std::upper_bound(sine.start.begin(), sine.start.end(), t);
  return after == sine.start.end() ? infinity : *after;
}
double break_after(const Impulse& impulse, double t) {
  return first_after(t, {impulse.start, impulse.start + impulse.duration});
}
double break_after(const SampledLoad& samples, double t) {
  const auto after = std::upper_bound(samples.t.begin(), samples.t.end(), t);
  return after == samples.t.end() ? infinity : *after;
}

}  // namespace

SteppedSine stepped_sine(double amplitude, std::vector<double> omega,
                         const std::vector<int>& cycles) {
  if (omega.empty() || cycles.size() != omega.size())
    throw Error("a stepped sine needs a number of cycles for each of its frequencies");
  SteppedSine sine{amplitude, std::move(omega), {0}};
  for (std::size_t i = 0; i < cycles.size(); ++i) {
    if (!(sine.omega[i] > 0))
      throw Error("omegas: " + number_text(sine.omega[i]) + " must be positive");
    if (cycles[i] < 1) throw Error("cycles = " + std::to_string(cycles[i]) + " must be positive");
    sine.start.push_back(sine.start.back() + cycles[i] * 2 * pi / sine.omega[i]);
  }
  return sine;
}

double value(const Signal& signal, double t) {
  return std::visit([t](const auto& s) { return at(s, t); }, signal);
}
double next_break(const Signal& signal, double t) {
  return std::visit([t](const auto& s) { return break_after(s, t); }, signal);
}

}  // namespace microslip::dynamics
