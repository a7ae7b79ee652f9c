#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

/// Parameters that bring a curve as near as possible to a given one: how damping laws are tuned to
/// one another (Mathis et al. 2020, section 6.3), at a point or over an interval with a weight.
namespace microslip::loops {

struct Matching {
  std::vector<double> start, lower, upper;  ///< of each free parameter; bounds may be infinite
  std::vector<double> target;
  std::vector<double> weight;  ///< ρ ΔA of each value; the sum of ρ ΔA (value − target)² falls
  /// The curve for given parameters; empty where they are not allowed.
  std::function<std::vector<double>(std::span<const double> parameters)> curve;
  std::size_t starts = 12;  ///< tried until one matches exactly; the best is kept
  /// Where as many further starts lie as around the first one; from = to = 0: that is not known.
  std::vector<double> from{}, to{};
};

struct Matched {
  std::vector<double> parameters;
  double rms = 0;  ///< weighted root mean square of value − target
  /// Standard errors of the parameters from what is left of the differences; 0 at a bound and where there are
  /// only as many values as parameters. NaN: not determined, by itself or together with others, because another
  /// value of the size of the parameter would be as good.
  std::vector<double> errors{};
  std::size_t curves = 0;
  bool converged = false;
};

/// Levenberg–Marquardt with bounds by projection, derivatives by differences: a handful of unknowns
/// and a curve that costs little. Throws Error when lengths differ or the start is not allowed.
Matched match(const Matching& problem);

}  // namespace microslip::loops
