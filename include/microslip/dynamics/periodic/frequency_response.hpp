#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "microslip/dynamics/periodic/periodic_analysis.hpp"
#include "microslip/dynamics/structure/structure.hpp"

/// The steady response of a structure over a range of frequencies, of load levels or of amplitudes:
/// harmonic balance followed by arc length.
namespace microslip::dynamics {

/// What runs along the branch. A level is a factor of the periodic loads at one frequency; for
/// every amplitude the level that it takes is found.
enum class Along { frequency, level, amplitude };

struct FrequencyResponseOptions {
  Along along = Along::frequency;
  double from = 0, to = 0;  ///< of what runs
  double omega = 0;         ///< of the load, when it does not run
  /// The motion may take so many periods of the load to repeat itself. Harmonics are then those of the load over
  /// `periods`, and the branch begins with the motion that settles in time. Along the frequency only.
  int periods = 1;
  Eigen::Index dof = 0;  ///< has the amplitude; the peaks, if there are many degrees of freedom
  int harmonics = 0;     ///< 0: as many as `tolerance` asks for
  /// Of the harmonics left out, relative to the amplitude; 0: usual_truncation.
  double tolerance = 0;
  /// Of the Fourier integrals, relative to the largest force; at least a thousandth of the tolerance
  /// where that chooses the harmonics.
  double quadrature = 1e-9;
  std::vector<double> at{};  ///< frequencies (levels, amplitudes) wanted besides the branch
  bool stability = true;
  bool peaks = true;
  double largest_step = 0.05;  ///< of arc length: the range of ω and the largest motion are 1
  PeriodicOptions periodic{};
  /// Go on with a branch from its last point, `unknowns` and `tangent`; needs the same harmonics.
  Eigen::VectorXd start{}, direction{};
  /// After every point: part of the way done; false stops and keeps the branch.
  std::function<bool(double)> progress{};
  /// When the branch goes on with another number of harmonics.
  std::function<void(int)> on_harmonics{};
};

/// Whether a small disturbance of a motion dies out. Unknown where it was not asked for, and where a
/// joint is infinitely stiff after each reversal (Rigidity::infinite_stiffness). Doubling: unstable by a
/// disturbance that changes its sign from period to period, so that the motion takes two to repeat itself.
enum class Stability { unknown, stable, unstable, doubling };

struct ResponsePoint {
  double omega = 0;
  double level = 1;            ///< factor of the periodic loads
  Eigen::VectorXd y;           ///< Fourier coefficients and ω; of several periods, ω over these
  Eigen::VectorXd unknowns;    ///< of the equations: y, or with the level or amplitude for ω
  Eigen::VectorXd tangent;     ///< of the branch
  std::vector<Phasor> first;   ///< of each degree of freedom, at the frequency of the load
  double subharmonic = 0;      ///< largest amplitude of what does not repeat itself every period
  std::vector<double> energy;  ///< of each joint and period
  double input = 0;            ///< work of the loads in a period
  double lost = 0;             ///< in a period, in joints and dashpots
  double balance = 0;  ///< input − viscous − joints over a period, relative to the input
  Stability stability = Stability::unknown;
  bool closed = true;  ///< every joint repeats its loop
};

struct FrequencyResponse {
  int harmonics = 0;
  Eigen::Index dofs = 0;  ///< of the unknowns: with the forces on bodies that joints slide on
  std::vector<ResponsePoint> branch;  ///< with the frequencies asked for in their places
  std::vector<ResponsePoint> at;
  std::vector<std::vector<ResponsePoint>> peaks;  ///< of each degree of freedom
  CurveEnd end = CurveEnd::reached;
  std::size_t hardest_joint = 0;  ///< where the branch could not be followed, counted from 1
  std::vector<double> leaps;      ///< where the branch goes on beyond a jump of the force
  double residual = 0;            ///< largest, relative
  double truncation = 0;          ///< estimate of what the next harmonics would change, relative
  double quadrature = 0;      ///< largest change of the Fourier integrals on refinement, relative
  double energy_balance = 0;  ///< largest
  /// The point whose energy balance fails by more than the equations were solved for, if there is one:
  /// the response is wrong there.
  std::optional<ResponsePoint> unbalanced;
  bool loops_closed = true;
};

/// Throws Error for bad input; a branch that could not be followed says so in `end`.
FrequencyResponse frequency_response(const Structure& structure,
                                     const FrequencyResponseOptions& options);

/// The loops of the joints at a point of such a response, one for each joint.
std::vector<JointLoop> joint_loops(const Structure& structure,
                                   const FrequencyResponseOptions& options, int harmonics,
                                   const ResponsePoint& point);

}  // namespace microslip::dynamics
