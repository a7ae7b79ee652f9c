#pragma once

#include <algorithm>
#include <numbers>
#include <vector>

#include "dynamics/joint/periodic_element.hpp"

namespace microslip::dynamics {

/// What disturbances of a joint that slides meet on their way through the period.
struct SlidingCourse {
  using Stop = LinearisedLoop::Stop;
  struct Rest {
    double from, to;  ///< angles
  };
  /// Slopes of the friction at the nodes of slip.
  struct Slope {
    double theta, wrt_u, wrt_v;
  };
  std::vector<Stop> stops;
  std::vector<Rest> rests;
  std::vector<Slope> slopes;
  bool slips_on = false, slips_back = false;

  bool rests_at(double theta) const {
    return std::any_of(rests.begin(), rests.end(),
                       [&](const Rest& rest) { return theta >= rest.from && theta < rest.to; });
  }
  bool ends_at_rest() const {
    return !rests.empty() && rests.back().to >= 2 * std::numbers::pi * (1 - 1e-12);
  }
  /// Whether it rests for good, but for what the start has left of motion.
  bool comes_to_rest() const { return ends_at_rest() && rests.size() == 1; }
  /// Whether it slips to one side only if at all, and so repeats itself only at rest.
  bool only_moves_on() const { return ends_at_rest() && !(slips_on && slips_back); }
  Slope slope_at(double theta) const {
    const auto after = std::lower_bound(slopes.begin(), slopes.end(), theta,
                                        [](const Slope& s, double x) { return s.theta < x; });
    if (after == slopes.end()) return slopes.empty() ? Slope{theta, 0, 0} : slopes.back();
    return *after;
  }
};

}  // namespace microslip::dynamics
