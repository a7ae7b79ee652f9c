#pragma once

#include <functional>
#include <string>
#include <vector>

#include "microslip/fit/problem.hpp"

namespace microslip::fit {

/// Numbers that change nothing anywhere, such as those of a kernel that was not chosen, are pinned
/// at the law's own values. Their names; none if it was stopped.
std::vector<std::string> pin_inert(Problem& problem,
                                   const std::vector<std::vector<double>>& everywhere,
                                   const std::function<bool()>& stop);

/// Numbers of a law that only act together: along p_i → p_i r^{w_i} nothing changes. One of them is
/// pinned at the law's own value.
///
/// Found, not declared: the Jacobian has a null space wherever it is looked at, all over the region
/// of starts; at a few points near each other it may have one by accident (no slip, say). The
/// points to start from are moved along that direction, so that they still stand for the same law.
struct Redundancy {
  std::string pinned;
  std::vector<std::string> others;
};
std::vector<Redundancy> pin_redundant(Problem& problem, std::vector<std::vector<double>> everywhere,
                                      std::vector<std::vector<double>>& points,
                                      const std::function<bool()>& stop);

}  // namespace microslip::fit
