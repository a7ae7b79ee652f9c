#pragma once

/// Modes of a structure with joints: frequency, damping and shape against amplitude.
///
/// Extended periodic motion concept (Krack, Computers and Structures 154 (2015) 59–71): the free
/// motion is kept periodic by a negative damping that makes up for what is lost,
///     M x″ + (C − 2ζω M) x′ + K x + Σ w f = 0,
/// so that ζ = D/(2πω²a²) for a motion of one harmonic. This is not the logarithmic decrement,
/// which divides by the change of energy with amplitude; the two differ by up to 43 % just past the
/// onset of slip.
///
/// Quasi-static modal analysis: the structure is pushed along M φ of the linear mode through one
/// loop of modal amplitude ±a; the secant of that loop gives ω², its area ζ. Fast, and within some
/// per cent.
///
/// Amplitude is that of the first harmonic X with Xᴴ M X = a².

#include <functional>
#include <vector>

#include "microslip/dynamics/periodic/periodic_analysis.hpp"
#include "microslip/dynamics/structure/structure.hpp"

namespace microslip::dynamics {

struct ModeOptions {
  int mode = 1;  ///< of the structure with joints as stiff as at rest, counted from 1
  double from = 0, to = 0;
  std::vector<double> at{};
  int harmonics = 0;  ///< 0: as many as `tolerance` asks for
  /// Of the harmonics left out, relative to the amplitude; 0: usual_truncation.
  double tolerance = 0;
  /// Of the Fourier integrals, relative to the largest force; at least a thousandth of the tolerance
  /// where that chooses the harmonics.
  double quadrature = 1e-9;
  double largest_step = 0.02;  ///< of arc length: the range of ln a and the mode shape are 1
  PeriodicOptions periodic{};
  /// Go on with a curve from its end, `unknowns` and `tangent`.
  Eigen::VectorXd start{}, direction{};
  std::function<bool(double)> progress{};
  /// When the branch goes on with another number of harmonics.
  std::function<void(int)> on_harmonics{};
};

struct ModePoint {
  double amplitude = 0, omega = 0, zeta = 0;
  std::vector<Phasor> first;   ///< of each degree of freedom
  std::vector<double> energy;  ///< of each joint and period
};

struct ModeCurve {
  int harmonics = 0;              ///< 0 for quasi-static
  std::vector<ModePoint> points;  ///< with the amplitudes asked for in their places
  std::vector<ModePoint> at;
  std::size_t hardest_joint = 0;  ///< where the mode could not be followed, counted from 1
  CurveEnd end = CurveEnd::reached;
  std::vector<double> leaps;  ///< amplitudes where the curve goes on beyond a jump of the force
  double residual = 0, truncation = 0, quadrature = 0;
  double truncation_of_damping = 0;   ///< relative to it
  Eigen::VectorXd unknowns, tangent;  ///< of the equations, at the end
};

ModeCurve nonlinear_mode(const Structure& structure, const ModeOptions& options);
ModeCurve quasi_static_mode(const Structure& structure, const ModeOptions& options);

}  // namespace microslip::dynamics
