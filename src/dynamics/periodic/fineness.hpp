#pragma once

#include <Eigen/Core>
#include <array>
#include <cstddef>
#include <limits>

#include "dynamics/balance/harmonic_balance.hpp"
#include "microslip/dynamics/periodic/periodic_analysis.hpp"

namespace microslip::dynamics {

/// How many harmonics are tried, one after the other, until those left out do not matter.
inline constexpr std::array harmonics_tried{
    3, 5, 7, 11, 15, 23, most_usual_harmonics, 47, most_harmonics};

/// The number of harmonics and the fineness of the integrals along a branch. A branch is followed in
/// pieces: where a point is not good enough, or has far more harmonics than it needs, another piece goes
/// on with another number of them.
class Fineness {
 public:
  enum class Verdict { right, too_coarse, too_fine };

  /// What the harmonics left out change of the motion (of its first harmonic and of the frequency where these are
  /// judged alone), and of the damping of a mode, relative to them.
  struct Truncation {
    double motion = 0, damping = 0;
  };

  struct Wanted {
    int harmonics = 0;      ///< 0: by the tolerance
    double tolerance = 0;   ///< of the harmonics left out, relative to the motion; 0: the usual one
    double quadrature = 0;  ///< of the integrals, relative to the largest force
    int least = 0;          ///< never fewer, because the loads have as many
  };

  /// Begins with at least so many harmonics.
  explicit Fineness(const Wanted& wanted, int at_least = 0);

  int harmonics() const { return given_ > 0 ? given_ : harmonics_tried[tried_]; }
  int level() const { return level_; }
  /// What the harmonics left out may change; infinite if no more can be taken.
  double most_truncation() const { return may_grow() ? tolerance() : infinite; }
  /// The same of damping; a tolerance that is given counts for the motion.
  double most_of_damping() const {
    if (!usual_ || !may_grow()) return infinite;
    return late() ? most_usual_of_damping : tolerance_;
  }

  /// Of a point with these errors. If it is not right, harmonics() or level() has changed, and another
  /// piece goes on.
  Verdict judge(const HarmonicBalance& balance, const Eigen::VectorXd& y,
                const Truncation& truncation, double quadrature);
  /// The same for its neighbours, of which only a lower bound of the error by quadrature is known.
  Verdict judge_neighbour(double quadrature);
  /// Newton's method failed: whether it had more harmonics before, which are tried again.
  bool goes_back();

  /// No tolerance was asked for: what counts is what tables and pictures show, the first harmonic and damping.
  bool judges_first_harmonic() const { return usual_; }
  /// Neighbours on a branch are alike: one of so many points speaks for them.
  std::size_t every() const { return most_truncation() < infinite ? 3 : 9; }

  /// The largest errors of the points that were good enough.
  const Truncation& truncation() const { return truncation_; }
  double quadrature() const { return quadrature_; }

 private:
  static constexpr double infinite = std::numeric_limits<double>::infinity();

  bool may_grow() const {
    return given_ <= 0 && harmonics() < (usual_ ? most_usual_harmonics : most_harmonics);
  }
  bool late() const { return usual_ && harmonics() >= enough_for_more; }
  double tolerance() const { return late() ? most_usual_truncation : tolerance_; }
  bool has_too_many(const HarmonicBalance& balance, const Eigen::VectorXd& y);

  int given_;
  double tolerance_, most_quadrature_;
  bool usual_;  ///< no tolerance was asked for
  std::size_t tried_ = 0, largest_ = 0;
  int level_ = 0, falls_ = 0;
  Truncation truncation_;
  double quadrature_ = 0;
  int rich_ = 0;  ///< points with too many harmonics, one after the other
  std::size_t needed_ = 0, least_ = 0;
};

}  // namespace microslip::dynamics
