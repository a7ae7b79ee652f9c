#include <algorithm>
#include <cmath>

#include "assess.hpp"
#include "microslip/fit/fit.hpp"

namespace microslip::fit {
namespace {

/// AICc counts a difference of 2 as none (K. P. Burnham, D. R. Anderson 2002, section 2.6).
constexpr double no_difference = 2;
/// Residuals of a law that misses the shape of the loops are worth a handful of independent rows, which
/// would not tell it from one that misses three times as much. A fifth more is seen by anybody.
constexpr double no_equal = 1.2;

bool finished(const Fit& fit) {
  return fit.outcome == Outcome::converged || fit.outcome == Outcome::undetermined;
}

/// Whether `other` describes the record as well as the best one.
bool as_good(const Fit& best, const Fit& other) {
  const double ratio =
      std::max(other.rms_relative, rounding_rms) / std::max(best.rms_relative, rounding_rms);
  if (ratio > no_equal) return false;
  const double worse = 2 * std::max(best.effective_rows, 1.0) * std::log(ratio);
  const double saved = 2 * (static_cast<double>(best.free) - static_cast<double>(other.free));
  return worse <= saved + no_difference;
}

bool simpler(const Fit& a, const Fit& b) {
  if ((a.outcome == Outcome::converged) != (b.outcome == Outcome::converged))
    return a.outcome == Outcome::converged;
  if (a.free != b.free) return a.free < b.free;
  return a.aicc < b.aicc;
}

}  // namespace

std::vector<std::size_t> ranking(const std::vector<const Fit*>& fits) {
  std::vector<std::size_t> left(fits.size()), order;
  for (std::size_t i = 0; i < left.size(); ++i) left[i] = i;
  std::stable_sort(left.begin(), left.end(),
                   [&](std::size_t a, std::size_t b) { return better(*fits[a], *fits[b]); });
  while (!left.empty()) {
    const Fit& best = *fits[left.front()];
    std::size_t first = 0;
    for (std::size_t k = 1; k < left.size() && finished(best); ++k) {
      const Fit& other = *fits[left[k]];
      if (finished(other) && as_good(best, other) && simpler(other, *fits[left[first]])) first = k;
    }
    order.push_back(left[first]);
    left.erase(left.begin() + static_cast<std::ptrdiff_t>(first));
  }
  if (!order.empty())
    std::stable_partition(order.begin() + 1, order.end(),
                          [&](std::size_t i) { return finished(*fits[i]); });
  // Those that failed have no numbers at all.
  std::stable_partition(order.begin(), order.end(),
                        [&](std::size_t i) { return fits[i]->outcome != Outcome::failed; });
  return order;
}

bool describes(const Fit& fit) {
  constexpr double most_error = 0.1, most_energy_error = 0.5;
  return fit.outcome != Outcome::failed && fit.rms_relative <= most_error &&
         fit.energy_error <= most_energy_error;
}

}  // namespace microslip::fit
