#include "microslip/dynamics/time/ringdown_modes.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string>

#include "microslip/core/error.hpp"
#include "microslip/core/text.hpp"
#include "microslip/detail/numerics/constants.hpp"
#include "ringdown_band.hpp"
#include "ringdown_errors.hpp"
#include "ringdown_peaks.hpp"

namespace microslip::dynamics {
namespace {

constexpr std::size_t most_separated = 3;  ///< modes in one band
/// Over two and a half lengths of the window, so that its changes can be seen.
constexpr std::size_t enough_points = 13;
constexpr double good_enough = 0.05;  ///< error of ζ; no narrower band is tried then
/// What is known worse, and might decay unseen, may be anything: one mode, or two that beat within the noise.
constexpr double barely_known = 0.5;
constexpr double widest_of_omega = 0.9;  ///< a band does not reach to the frequency zero
constexpr double clearly = 0.7;  ///< a narrower band sees less, so it must be that much better

double median_error(const RingdownMode& mode) {
  std::vector<double> errors;
  for (const RingdownPoint& point : mode.points) errors.push_back(point.zeta_error);
  return median_of(errors);
}

/// Not known to be something else than one mode. A mode that hardly decays is known by what its error
/// of ζ lets it decay in the whole record.
bool is_one_mode(const RingdownMode& mode) {
  const bool is_known = mode.points.empty() || mode.precision < barely_known ||
                        median_error(mode) < barely_known * smallest_damping(mode);
  return !(mode.widened > 1.5 && mode.precision > 0.2) && is_known && mode.rising < 0.05;
}

bool is_good(const RingdownMode& mode) {
  return !mode.points.empty() && is_one_mode(mode) && mode.off_shape < 0.1 &&
         mode.precision <= good_enough && mode.widened <= 1.5;
}

/// Median of its errors of ζ over those of another band at the same times.
double errors_over(const RingdownMode& one, const RingdownMode& other) {
  std::vector<double> ratios;
  std::size_t j = 0;
  for (const RingdownPoint& p : one.points) {
    while (j + 1 < other.points.size() && other.points[j + 1].t <= p.t) ++j;
    if (p.t >= other.points.front().t && p.t <= other.points.back().t)
      ratios.push_back(p.zeta_error / other.points[j].zeta_error);
  }
  return ratios.empty() ? median_error(one) / median_error(other) : median_of(ratios);
}

bool is_better(const RingdownMode& one, const RingdownMode& other) {
  if (other.points.empty() || one.points.empty()) return other.points.empty();
  if (is_one_mode(one) != is_one_mode(other)) return is_one_mode(one);
  const bool on_shape = one.off_shape < 0.1;
  if (on_shape != (other.off_shape < 0.1)) return on_shape;
  return errors_over(one, other) < clearly;
}

/// Frequencies that a mode has, with what it moves on in the half windows that are cut off.
std::pair<double, double> range_of(const RingdownMode& mode) {
  double low = mode.points.front().omega, high = low;
  for (const RingdownPoint& p : mode.points) {
    low = std::min(low, p.omega);
    high = std::max(high, p.omega);
  }
  const std::size_t n = mode.points.size(), half = std::min<std::size_t>(4, n - 1);
  for (const double moved : {mode.points[0].omega - mode.points[half].omega,
                             mode.points[n - 1].omega - mode.points[n - 1 - half].omega}) {
    low += 2 * std::min(0.0, moved);
    high += 2 * std::max(0.0, moved);
  }
  return {low, high};
}

/// Modes that were separated by their shapes have frequencies that differ by more than they move: a
/// single mode whose shape changes with its amplitude has none.
bool is_separated(const RingdownMode& mode) {
  const std::pair<double, double> range = range_of(mode);
  return std::all_of(mode.separated.begin(), mode.separated.end(), [&](double other) {
    return std::min(std::abs(other - range.first), std::abs(other - range.second)) >
           range.second - range.first;
  });
}

/// Whether two tracks are the same motion: their frequencies agree where both are seen.
bool is_same(const RingdownMode& one, const RingdownMode& other) {
  if (one.points.empty() || other.points.empty()) return false;
  std::size_t j = 0, together = 0, alike = 0;
  for (const RingdownPoint& p : one.points) {
    while (j + 1 < other.points.size() && other.points[j + 1].t <= p.t) ++j;
    const RingdownPoint& q = other.points[j];
    if (p.t < other.points.front().t || p.t > other.points.back().t) continue;
    ++together;
    alike += std::abs(p.omega - q.omega) <= 4 * std::hypot(p.omega_error, q.omega_error) ? 1 : 0;
  }
  return 2 * alike > together;
}

class Search {
 public:
  Search(double step, Motions motions, const RingdownOptions& options)
      : step_(step), motions_(motions), options_(options), peaks_(ringdown_peaks(step, motions)) {
    duration_ = step * static_cast<double>(motions.front().size() - 1);
  }

  std::vector<RingdownMode> modes() const {
    std::vector<RingdownMode> modes;
    if (!options_.omegas.empty()) {
      for (const double omega : options_.omegas) modes.push_back(mode_at(omega));
      return modes;
    }
    for (std::size_t i = 0; i < peaks_.high && modes.size() < options_.most_modes; ++i)
      if (!is_seen(modes, peaks_.omegas[i])) add(mode_at(peaks_.omegas[i]), modes);
    return modes;
  }

 private:
  /// A mode, and those that were found in its band and have no peak of their own.
  void add(const RingdownMode& mode, std::vector<RingdownMode>& modes) const {
    if (modes.size() == options_.most_modes ||
        std::any_of(modes.begin(), modes.end(), [&](const auto& m) { return is_same(mode, m); }))
      return;
    modes.push_back(mode);
    for (const double omega : mode.separated)
      if (omega > 0 && omega < 0.9 * pi / step_ && !is_seen(modes, omega))
        add(mode_at(omega, false), modes);
  }

  /// The spectrum of a mode whose frequency moves has many peaks.
  bool is_seen(const std::vector<RingdownMode>& modes, double omega) const {
    return std::any_of(modes.begin(), modes.end(), [&](const RingdownMode& mode) {
      if (mode.points.empty()) return std::abs(omega - mode.omega) < mode.band;
      const auto [low, high] = range_of(mode);
      return omega > low - resolution() && omega < high + resolution();
    });
  }

  double resolution() const { return 4 * pi / duration_; }

  /// The widest band in which the damping is known well, or else the one in which it is known best. Bands begin at
  /// half of the frequency. Where the decay is too short for that, or gone too soon, they begin at nine tenths.
  RingdownMode mode_at(double omega, bool is_peak = true) const {
    if (!(omega > 0 && omega < 0.9 * pi / step_))
      throw Error("the frequency " + hertz(omega) + " must lie between 0 and " +
                  hertz(0.9 * pi / step_) + ", 0.45 of the rows in a unit of time");
    if (options_.band > 0) return mode_from(options_.band, omega, is_peak);
    const double beside = 0.99 * (pi / step_ - omega);
    const RingdownMode usual = mode_from(std::min(omega / 2, beside), omega, is_peak);
    if (!usual.points.empty() || !usual.resolved) return usual;
    return mode_from(std::min(widest_of_omega * omega, beside), omega, is_peak);
  }

  static std::string hertz(double omega) { return number_text(omega / (2 * pi)); }

  RingdownMode mode_from(double band, double omega, bool is_peak) const {
    if (!(band <= widest_of_omega * omega))
      throw Error("the band " + hertz(band) + " around the frequency " + hertz(omega) +
                  " must be at most 0.9 of it, so that it does not reach to zero");
    if (!(omega + band < pi / step_))
      throw Error("the band " + hertz(band) + " around the frequency " + hertz(omega) +
                  " must end below " + hertz(pi / step_) + ", half of the rows in a unit of time");
    const std::pair<double, double> place =
        is_peak ? peak_near(omega) : std::pair{omega, resolution()};
    const double near = place.first, tolerance = place.second;  // lambdas capture no bindings
    // Each band is half of the one before last, and is compared with the next.
    const auto band_of = [&](int i) { return band / std::pow(2.0, 0.5 * i); };
    std::map<std::pair<int, std::size_t>, RingdownMode> cached;
    const auto mode_in = [&](int i, std::size_t rank) -> const RingdownMode& {
      const auto [entry, is_new] = cached.try_emplace({i, rank});
      if (is_new && 8 * pi / band_of(i) < duration_) {
        entry->second = mode_in_band(step_, motions_, {near, band_of(i), rank}, options_.quantity);
        entry->second.omega = omega;
      }
      return entry->second;
    };
    const auto is_track = [&](const RingdownMode& mode) {
      return mode.points.size() >= enough_points && passes(mode, near, tolerance) &&
             is_separated(mode);
    };
    std::map<std::size_t, double> free_of;  // by rank: how far other modes are
    bool beats = false;
    RingdownMode best;
    best.omega = omega;
    best.band = band;
    best.window = 8 * pi / band;
    const std::size_t most_ranks = std::min(most_separated, motions_.size());
    for (int i = 0; 8 * pi / band_of(i) < duration_ && !is_good(best); ++i) {
      for (std::size_t rank = 1; rank <= most_ranks && !is_good(best); ++rank) {
        RingdownMode mode = mode_in(i, rank);
        const bool given = options_.band > 0 && rank == 1;
        if (!given && !is_track(mode)) continue;
        // What beats in a wide band is outside of one that is narrower than the distance.
        double& distance = free_of.try_emplace(rank, band).first->second;
        if (mode.beat > 0) distance = std::min(distance, mode.beat);
        if (!given && mode.band > 1.05 * distance) {
          beats = true;
          continue;
        }
        const RingdownMode& narrower = mode_in(i + 1, rank);
        if (!mode.points.empty() && narrower.points.size() >= 5 &&
            passes(narrower, near, tolerance) && is_separated(narrower))
          widen_to_reach(narrower, mode);
        if (is_better(mode, best)) best = mode;
      }
      if (options_.band > 0) break;
    }
    const bool beats_in_band = best.beat > 0 && best.band > 1.05 * best.beat;
    best.resolved = best.points.empty() ? !beats : is_one_mode(best) && !beats_in_band;
    if (!best.resolved && options_.band == 0) best.points.clear();
    return best;
  }

  /// The peak that is meant, and how far the mode may lie beside it: a frequency that a person gives
  /// may be 5 % wrong.
  std::pair<double, double> peak_near(double omega) const {
    const double wide = std::max(0.05 * omega, resolution());
    double found = omega, distance = wide;
    for (const double peak : peaks_.omegas) {
      if (std::abs(peak - omega) >= distance) continue;
      distance = std::abs(peak - omega);
      found = peak;
    }
    for (const double other : options_.omegas)
      if (other != omega && std::abs(found - other) < std::abs(found - omega)) found = omega;
    return {found, distance < wide ? resolution() : wide};
  }

  static bool passes(const RingdownMode& mode, double omega, double tolerance) {
    const auto [low, high] = range_of(mode);
    return omega > low - tolerance && omega < high + tolerance;
  }

  double step_;
  Motions motions_;
  const RingdownOptions& options_;
  RingdownPeaks peaks_;
  double duration_;
};

}  // namespace

std::vector<RingdownMode> ringdown_modes(double step, std::span<const std::vector<double>> motions,
                                         const RingdownOptions& options) {
  std::vector<std::vector<double>> centred(motions.begin(), motions.end());
  for (std::vector<double>& x : centred) {
    double mean = 0;
    for (const double value : x) mean += value / static_cast<double>(x.size());
    for (double& value : x) value -= mean;
  }
  return Search(step, centred, options).modes();
}

}  // namespace microslip::dynamics
