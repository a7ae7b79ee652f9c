#include "dynamics/periodic/fineness.hpp"

#include <algorithm>
#include <cmath>

#include "microslip/dynamics/periodic/periodic_analysis.hpp"

namespace microslip::dynamics {
namespace {

constexpr int most_falls = 4;   ///< to fewer harmonics
constexpr int most_levels = 2;  ///< of refinement of the integrals
/// What errors of the integrals, relative to the largest force, may be of the tolerance: at a resonance
/// of some per mille of damping they grow by as much.
constexpr double quadrature_of_tolerance = 1e-3;

}  // namespace

Fineness::Fineness(const Wanted& wanted, int at_least)
    : given_(wanted.harmonics),
      tolerance_(wanted.tolerance > 0 ? wanted.tolerance : usual_truncation),
      most_quadrature_(wanted.quadrature),
      usual_(!(wanted.tolerance > 0)) {
  if (given_ <= 0)
    most_quadrature_ = std::max(most_quadrature_, quadrature_of_tolerance * tolerance_);
  while (tried_ + 1 < harmonics_tried.size() &&
         harmonics_tried[tried_] < std::max(at_least, wanted.least))
    ++tried_;
  while (least_ < tried_ && harmonics_tried[least_] < wanted.least) ++least_;
  largest_ = tried_;
}

/// Harmonics above a lower number that are a small part of the tolerance for some points, one after the
/// other.
bool Fineness::has_too_many(const HarmonicBalance& balance, const Eigen::VectorXd& y) {
  constexpr double small = 0.05;
  constexpr int enough_points = 4;
  constexpr std::size_t at_least_by = 2;
  if (given_ > 0 || tried_ < at_least_by || falls_ == most_falls) return false;
  const BalanceScales& scales = balance.scales();
  const double most = small * tolerance_ * scales.largest_vibration(y);
  std::size_t needed = least_;
  while (needed < tried_ && scales.largest_in_units(y, 2 * harmonics_tried[needed] + 1) > most)
    ++needed;
  if (needed + at_least_by > tried_) {
    rich_ = 0;
    return false;
  }
  needed_ = rich_++ == 0 ? needed : std::max(needed_, needed);
  return rich_ == enough_points;
}

Fineness::Verdict Fineness::judge(const HarmonicBalance& balance, const Eigen::VectorXd& y,
                                  const Truncation& truncation, double quadrature) {
  if (truncation.motion > most_truncation() || truncation.damping > most_of_damping()) {
    largest_ = std::max(largest_, ++tried_);
    rich_ = 0;
    return Verdict::too_coarse;
  }
  if (judge_neighbour(quadrature) == Verdict::too_coarse) return Verdict::too_coarse;
  truncation_.motion = std::max(truncation_.motion, truncation.motion);
  truncation_.damping = std::max(truncation_.damping, truncation.damping);
  if (!has_too_many(balance, y)) return Verdict::right;
  tried_ = needed_;
  rich_ = 0;
  ++falls_;
  return Verdict::too_fine;
}

Fineness::Verdict Fineness::judge_neighbour(double quadrature) {
  if (level_ < most_levels && quadrature > most_quadrature_) {
    ++level_;
    return Verdict::too_coarse;
  }
  quadrature_ = std::max(quadrature_, quadrature);
  return Verdict::right;
}

bool Fineness::goes_back() {
  if (tried_ >= largest_) return false;
  tried_ = largest_;
  falls_ = most_falls;
  rich_ = 0;
  return true;
}

}  // namespace microslip::dynamics
