#pragma once

#include <Eigen/Core>
#include <variant>
#include <vector>

#include "microslip/detail/numerics/expression.hpp"

/// External forces in time.
namespace microslip::dynamics {

/// amplitude · cos(ω t + phase). In a periodic analysis ω is `harmonic` times its fundamental; in
/// time it is `omega`.
struct Tone {
  double amplitude = 0;
  double phase = 0;
  int harmonic = 1;
  double omega = 0;
};

struct Tones {
  std::vector<Tone> list;
};

struct Constant {
  double value = 0;
};

/// A sine whose frequency runs from one value to another in `duration`, linearly or by a constant
/// number of octaves a second; silent afterwards.
struct Sweep {
  double amplitude = 0, omega_from = 0, omega_to = 0, duration = 0;
  bool logarithmic = false;
};

/// Sines of one frequency after another, each for whole cycles, so that the force is continuous:
/// level i is sin ωᵢ(t − startᵢ). Silent after the last.
struct SteppedSine {
  double amplitude = 0;
  std::vector<double> omega;
  std::vector<double> start;  ///< of each level, and the end of the last
};
SteppedSine stepped_sine(double amplitude, std::vector<double> omega,
                         const std::vector<int>& cycles);

/// A half sine of the given impulse (force × time); with duration 0 a jump of velocity at `start`.
struct Impulse {
  double impulse = 0, start = 0, duration = 0;
};

/// Given values, zero outside; between them linear, or a cubic spline.
struct SampledLoad {
  std::vector<double> t, values;
  std::vector<double> curvature{};  ///< second derivatives of the spline at t; empty: linear
};

/// A formula in the time t.
struct Formula {
  Expression force;
};

using Signal = std::variant<Tones, Constant, Sweep, SteppedSine, Impulse, SampledLoad, Formula>;

struct Load {
  Eigen::VectorXd direction;
  Signal signal;
};

double value(const Signal& signal, double t);
/// Times after `t` at which a signal is not smooth; infinity if there is none.
double next_break(const Signal& signal, double t);

}  // namespace microslip::dynamics
