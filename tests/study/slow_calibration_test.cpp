#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "microslip/catalog/catalog.hpp"
#include "microslip/core/history.hpp"
#include "microslip/jobs/simulate.hpp"
#include "microslip/study/design.hpp"
#include "microslip/study/posterior.hpp"

namespace microslip::study {
namespace slow_calibration_test {

/// Simulation-based calibration: truths are drawn from the prior, and their ranks among the samples have to be
/// uniform (χ² of ten bins, 200 draws; 21.67 is exceeded once in a hundred).
void calibrate(const std::string& model,
               const std::vector<std::pair<std::string, Distribution>>& priors,
               const jobs::Named<double>& fixed = {}) {
  constexpr int truths = 200, bins = 10;
  std::vector<std::vector<int>> counts(priors.size(), std::vector<int>(bins, 0));
  for (std::uint64_t n = 0; n < truths; ++n) {
    jobs::SimulateRequest motion;
    jobs::SimulatedLaw law;
    law.model = model;
    std::vector<double> truth;
    for (std::size_t k = 0; k < priors.size(); ++k) {
      truth.push_back(priors[k].second.quantile(uniform(17, 3, n, static_cast<std::uint32_t>(k))));
      law.parameters[priors[k].first] = truth.back();
    }
    motion.laws = {law};
    for (int i = 0; i < 150; ++i) motion.u.push_back((1 + 0.01 * i) * std::sin(0.2 * i));
    const jobs::SimulateResult answer = jobs::simulate(motion);
    jobs::FitRequest request;
    jobs::Record record;
    record.u = motion.u;
    record.f = answer.results[0].history.f;
    for (std::size_t i = 0; i < record.f.size(); ++i) {
      const double a = uniform(18, 4, n * 1000 + i, 0), b = uniform(18, 4, n * 1000 + i, 1);
      record.f[i] += 0.05 * std::sqrt(-2 * std::log(a)) * std::cos(2 * std::numbers::pi * b);
    }
    request.records = {record};
    request.models = {model};
    request.fix = fixed;
    request.starts = 6;
    request.holdout = "none";
    request.start = fit::Beginning::virgin;
    request.sign = jobs::Sign::keep;
    request.time_budget = 10;
    PosteriorSettings settings;
    settings.priors = priors;
    settings.draws = 250;
    const PosteriorResult result = posterior(request, jobs::fit(request), settings);
    const PosteriorSamples& samples = result.fits[0].samples;
    for (std::size_t k = 0; k < priors.size(); ++k) {
      const auto place = static_cast<std::size_t>(
          std::find(samples.names.begin(), samples.names.end(), priors[k].first) -
          samples.names.begin());
      ASSERT_LT(place, samples.names.size());
      double below = 0;
      for (const auto& row : samples.rows) below += row[place] < truth[k] ? 1 : 0;
      const double rank = below / static_cast<double>(samples.rows.size() + 1);
      ++counts[k][static_cast<std::size_t>(rank * bins)];
    }
  }
  for (std::size_t k = 0; k < priors.size(); ++k) {
    double chi = 0;
    for (const int count : counts[k]) chi += std::pow(count - truths / bins, 2) / (truths / bins);
    EXPECT_LT(chi, 21.67) << model << " " << priors[k].first;
  }
}

Distribution lognormal(double median, double deviation) {
  Distribution d;
  d.kind = Distribution::Kind::lognormal;
  d.a = median;
  d.b = deviation;
  return d;
}

TEST(calibration, of_a_smooth_law) {
  calibrate("bouc-wen(n=1.5,gamma=0)", {{"k", lognormal(1.5, 0.2)}, {"beta", lognormal(0.7, 0.2)}},
            {{"A", 1}, {"n", 1.5}, {"gamma", 0}, {"a", 0.1}});
}

TEST(calibration, of_a_law_with_kinks) {
  calibrate("jenkins", {{"k", lognormal(1.5, 0.3)}, {"phi", lognormal(0.7, 0.3)}});
}

}  // namespace slow_calibration_test
}  // namespace microslip::study
