#pragma once

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <string>
#include <vector>

#include "microslip/catalog/catalog.hpp"
#include "microslip/catalog/fitting/fit_hints.hpp"
#include "microslip/detail/numerics/parallel.hpp"
#include "support/random.hpp"

/// How often the truth lies inside the intervals that a fit prints.
namespace microslip::fit {

struct CoverageStudy {
  std::string title, law;
  ParameterValues truth;
  double amplitude = 1;
  int rows = 91;
  double noise = 0.03;     ///< standard deviation over the range of the force
  double correlation = 0;  ///< of the noise of one row with that of the next
  bool growing = true;     ///< a sine whose amplitude grows, else one with smaller loops
  Settings settings{};
};

/// Of one parameter over the records of a study.
struct Coverage {
  int determined = 0;  ///< records with a standard error
  int covered = 0;     ///< of them, those with the truth inside value ± 1.96 errors
  std::vector<double> errors;

  double share() const { return determined > 0 ? double(covered) / determined : 1; }
  double median_error() const {
    std::vector<double> sorted = errors;
    std::sort(sorted.begin(), sorted.end());
    return sorted.empty() ? 0 : sorted[sorted.size() / 2];
  }
};

inline double normal(microslip::testing::Rng& rng) {
  return std::sqrt(-2 * std::log(rng.uniform(1e-300, 1))) *
         std::cos(2 * std::numbers::pi * rng.uniform(0, 1));
}

inline std::vector<double> motion_of(const CoverageStudy& study) {
  std::vector<double> u;
  for (int i = 0; i < study.rows; ++i) {
    const double t = 3.0 * i / (study.rows - 1) * 2 * std::numbers::pi;
    u.push_back(study.amplitude * (study.growing ? std::sin(t) * (0.4 + 0.6 * i / (study.rows - 1))
                                                 : (std::sin(t) + 0.5 * std::sin(4 * t)) / 1.3));
  }
  return u;
}

/// The force of the law with stationary noise, white or of one correlation.
inline Data drawn_record(const CoverageStudy& study, const AnyModel& law, int trial) {
  Data data{"record", {}, motion_of(study), {}};
  if (law.description().family == Family::rate_dependent)
    for (int i = 0; i < study.rows; ++i) data.t.push_back(0.1 * i);
  data.f = law.run({data.t, data.u, {}}).f;
  const auto [low, high] = std::minmax_element(data.f.begin(), data.f.end());
  const double range = *high - *low;
  microslip::testing::Rng rng(microslip::testing::seed_for(17, study.title, std::size_t(trial)));
  const double rho = study.correlation;
  double e = normal(rng);
  for (double& f : data.f) {
    f += study.noise * range * e;
    e = rho * e + std::sqrt(1 - rho * rho) * normal(rng);
  }
  return data;
}

inline std::map<std::string, Coverage> coverage_of(const CoverageStudy& study, int first,
                                                   int records) {
  const AnyModel law = catalog::make({study.law, study.truth, {}});
  std::vector<Fit> fits(static_cast<std::size_t>(records));
  in_parallel(fits.size(), thread_count(0), [&](std::size_t i) {
    const Data data = drawn_record(study, law, first + int(i));
    Settings settings = study.settings;
    settings.threads = 1;
    settings.starts = std::min<std::size_t>(settings.starts, 8);
    settings.setup.beginning = Beginning::virgin;
    settings.guesses.push_back(law.parameters());
    fits[i] = fit(law, {data}, catalog::with_hints(std::move(settings), law, {data}));
  });
  std::map<std::string, Coverage> result;
  for (const Fit& found : fits)
    for (const Estimate& e : found.estimates) {
      if (e.pinned) continue;
      const double truth = std::get<double>(law.parameters().at(e.name));
      Coverage& mine = result[e.name];
      if (!e.error) continue;
      ++mine.determined;
      mine.covered += std::abs(e.value - truth) <= 1.96 * *e.error * (1 + 1e-9);
      mine.errors.push_back(*e.error);
    }
  return result;
}

}  // namespace microslip::fit
