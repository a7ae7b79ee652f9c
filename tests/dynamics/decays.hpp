#pragma once

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "microslip/detail/numerics/constants.hpp"
#include "microslip/dynamics/time/ringdown_modes.hpp"

/// Random decays whose frequency and damping are known functions of the amplitude: Runge–Kutta of
/// ln a and the phase, which shares nothing with the analysis.
namespace microslip::dynamics::decays {

/// With ω₀ = 2π; the frequency is lower by at most `shift` of itself at large amplitude.
struct Decay {
  double shift, power, knee;  ///< of the frequency
  double least, most, phase;  ///< damping at rest, what amplitude adds
  bool has_maximum;           ///< the damping, as of a slider; or it saturates
  double noise, rows_per_period, periods;

  double omega(double a) const {
    const double p = std::pow(a / knee, power);
    return 2 * pi * (1 - shift * p / (1 + p));
  }
  double zeta(double a) const {
    const double r = a / knee;
    return least + most * (has_maximum ? 2 * r / (1 + r * r) : r / (1 + r));
  }
};

inline Decay random_decay(std::mt19937& random) {
  std::uniform_real_distribution<double> part;
  Decay d{};
  d.shift = std::pow(10, -4 + part(random) * (std::log10(0.3) + 4));
  d.power = 0.5 + 1.5 * part(random);
  d.knee = 0.05 * std::pow(10, part(random));
  d.least = std::pow(10, -3.3 + 1.2 * part(random));
  d.most = d.least * 3 * part(random);
  d.phase = 2 * pi * part(random);
  d.has_maximum = part(random) < 0.5;
  d.noise = part(random) < 0.3 ? 0 : 0.05 * part(random);
  d.rows_per_period = 15 + 15 * part(random);
  d.periods = 200 + 400 * part(random);
  return d;
}

struct Motion {
  double step;
  std::vector<double> x, amplitude;
};

inline Motion motion_of(const Decay& d, std::mt19937& random) {
  std::normal_distribution<double> normal;
  Motion m{1 / d.rows_per_period, {}, {}};
  const auto rows = static_cast<std::size_t>(d.periods * d.rows_per_period);
  double level = 0, phase = d.phase;
  const double h = m.step / 2;
  for (std::size_t i = 0; i < rows; ++i) {
    m.amplitude.push_back(std::exp(level));
    m.x.push_back(std::exp(level) * std::cos(phase) + d.noise * normal(random));
    for (int half = 0; half < 2; ++half) {
      double slope[4], turn[4];
      for (int j = 0; j < 4; ++j) {
        const double at = level + (j == 0 ? 0 : j == 3 ? h : h / 2) * (j == 0 ? 0 : slope[j - 1]);
        const double a = std::exp(at), w = d.omega(a), z = d.zeta(a);
        slope[j] = -z * w;
        turn[j] = w * std::sqrt(1 - z * z);
      }
      level += h / 6 * (slope[0] + 2 * slope[1] + 2 * slope[2] + slope[3]);
      phase += h / 6 * (turn[0] + 2 * turn[1] + 2 * turn[2] + turn[3]);
    }
  }
  return m;
}

/// Part of a normal distribution within two standard deviations.
inline constexpr double within_two = 0.9545;

/// The least share that is expected of `draws` independent ones: two standard deviations of the
/// binomial distribution below `share`. Points of one record are related, so a draw is a record.
inline double least_share(double share, double draws) {
  return share - 2 * std::sqrt(share * (1 - share) / draws);
}

/// Shares of the points within two of the printed errors, means over the records.
struct Coverage {
  double omega = 0, zeta = 0;
  int records = 0, without_points = 0, worst = 0;  ///< worst: those with fewer than 80 % of either
};

inline Coverage coverage_of(int records, unsigned first_seed) {
  Coverage c;
  for (int i = 0; i < records; ++i) {
    std::mt19937 random(first_seed + static_cast<unsigned>(i));
    const Decay d = random_decay(random);
    const Motion m = motion_of(d, random);
    const std::vector<std::vector<double>> motions{m.x};
    const auto modes = ringdown_modes(m.step, motions, {.most_modes = 1});
    if (modes.empty() || modes[0].points.empty()) {
      ++c.without_points;
      continue;
    }
    double omega = 0, zeta = 0;
    for (const RingdownPoint& p : modes[0].points) {
      const double a = m.amplitude[static_cast<std::size_t>(std::lround(p.t / m.step))];
      const double z = d.zeta(a), w = d.omega(a) * std::sqrt(1 - z * z);
      omega += std::abs(p.omega - w) <= 2 * p.omega_error ? 1 : 0;
      zeta += std::abs(p.zeta - z) <= 2 * p.zeta_error ? 1 : 0;
    }
    const auto count = static_cast<double>(modes[0].points.size());
    c.omega += omega / count;
    c.zeta += zeta / count;
    c.worst += std::min(omega, zeta) < 0.8 * count ? 1 : 0;
    ++c.records;
  }
  c.omega /= c.records;
  c.zeta /= c.records;
  return c;
}

/// Two steady modes at 1 and 1.02 periods in a unit of time, seen by some sensors with random shapes.
inline std::vector<std::vector<double>> close_pair(std::size_t sensors, double noise, unsigned seed,
                                                   double step) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> part;
  std::normal_distribution<double> normal;
  std::vector<std::vector<double>> x(sensors, std::vector<double>(9000));
  std::vector<double> first(sensors), second(sensors);
  for (std::size_t c = 0; c < sensors; ++c) {
    first[c] = std::cos(0.5 + 1.1 * static_cast<double>(c) + part(random));
    second[c] = 0.7 * std::sin(0.5 + 1.1 * static_cast<double>(c) + part(random));
  }
  for (std::size_t i = 0; i < x[0].size(); ++i) {
    const double t = static_cast<double>(i) * step;
    for (std::size_t c = 0; c < sensors; ++c) {
      const auto mode = [&](double omega, double zeta) {
        return std::exp(-zeta * omega * t) * std::cos(omega * std::sqrt(1 - zeta * zeta) * t);
      };
      x[c][i] = first[c] * mode(2 * pi, 0.002) + second[c] * mode(2.04 * pi, 0.003) +
                noise * normal(random);
    }
  }
  return x;
}

/// What is reported of such pairs.
struct PairCoverage {
  double share = 0;  ///< of the points within two of both errors, mean over the modes
  int records = 0, modes = 0, refused = 0,
      wrong = 0;  ///< wrong: a mode with less than half of them
};

inline PairCoverage pair_coverage(std::size_t sensors, double noise, unsigned first_seed,
                                  unsigned records) {
  PairCoverage c;
  for (unsigned seed = first_seed; seed < first_seed + records; ++seed) {
    bool is_reported = false, is_wrong = false;
    for (const RingdownMode& mode : ringdown_modes(0.05, close_pair(sensors, noise, seed, 0.05))) {
      if (mode.points.empty()) continue;
      is_reported = true;
      const bool first = std::abs(mode.points[0].omega - 2 * pi) < 0.02 * pi;
      const double omega = first ? 2 * pi : 2.04 * pi, zeta = first ? 0.002 : 0.003;
      double inside = 0;
      for (const RingdownPoint& p : mode.points)
        inside += std::abs(p.omega - omega * std::sqrt(1 - zeta * zeta)) <= 2 * p.omega_error &&
                          std::abs(p.zeta - zeta) <= 2 * p.zeta_error
                      ? 1
                      : 0;
      inside /= static_cast<double>(mode.points.size());
      c.share += inside;
      is_wrong |= inside < 0.5;
      ++c.modes;
    }
    ++c.records;
    c.refused += is_reported ? 0 : 1;
    c.wrong += is_wrong ? 1 : 0;
  }
  if (c.modes > 0) c.share /= c.modes;
  return c;
}

}  // namespace microslip::dynamics::decays
