#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <map>
#include <numbers>

#include "microslip/catalog/catalog.hpp"
#include "microslip/jobs/fit.hpp"
#include "support/random.hpp"

/// Records whose displacement is measured with noise, which the fit smooths away: how often the truth lies
/// inside value ± 1.96 errors.
namespace microslip::jobs {
namespace slow_noisy_displacement_test {

double normal(testing::Rng& rng) {
  return std::sqrt(-2 * std::log(rng.uniform(1e-300, 1))) *
         std::cos(2 * std::numbers::pi * rng.uniform(0, 1));
}

struct Study {
  std::string law;
  ParameterValues truth;
  double amplitude, noise_u, noise_f;  ///< of the amplitude and of the range of the force
  int rows;
};

TEST(SlowNoisyDisplacement, intervals_of_95_percent_cover_the_truth) {
  const ParameterValues bouc_wen{{"A", 1.0}, {"beta", 0.5}, {"gamma", 0.3},
                                 {"n", 1.5}, {"k", 2.0},    {"a", 0.1}};
  constexpr int records = 60;
  for (const Study& study : {Study{"jenkins", {{"k", 2.0}, {"phi", 0.7}}, 1, 0.005, 0.002, 1500},
                             Study{"jenkins", {{"k", 2.0}, {"phi", 0.7}}, 1, 0.01, 0.02, 600},
                             Study{"bouc-wen", bouc_wen, 2, 0.003, 0.001, 2000},
                             Study{"iwan4",
                                   {{"Fs", 1.0}, {"KT", 2.0}, {"chi", -0.5}, {"beta", 1.0}},
                                   2,
                                   0.005,
                                   0.005,
                                   1500}}) {
    const AnyModel law = catalog::make({study.law, study.truth, {}});
    std::map<std::string, std::pair<int, int>> covered;
    std::map<std::string, double> squares, sums;
    for (int trial = 0; trial < records; ++trial) {
      testing::Rng rng(testing::seed_for(23, study.law, std::size_t(trial)));
      Record record;
      for (int i = 0; i < study.rows; ++i) {
        const double t = 5.0 * i / (study.rows - 1) * 2 * std::numbers::pi;
        record.u.push_back(study.amplitude * std::sin(t) * (0.4 + 0.6 * i / (study.rows - 1)));
      }
      record.f = law.run({{}, record.u, {}}).f;
      double largest = 0;
      for (const double f : record.f) largest = std::max(largest, std::abs(f));
      for (double& f : record.f) f += study.noise_f * 2 * largest * normal(rng);
      for (double& u : record.u) u += study.noise_u * study.amplitude * normal(rng);
      FitRequest request;
      request.records = {record};
      request.models = {study.law};
      request.starts = 6;
      request.holdout = "none";
      request.start = fit::Beginning::virgin;
      if (study.law == "bouc-wen") request.fix = {{"A", 1.0}};
      const FitResult result = fit(request);
      for (const fit::Estimate& e : result.fits[0].fit.estimates) {
        if (e.pinned || !e.error || *e.error == 0) continue;
        const double truth = std::get<double>(study.truth.at(e.name));
        auto& [inside, determined] = covered[e.name];
        ++determined;
        inside += std::abs(e.value - truth) <= 1.96 * *e.error;
        const double pull = (e.value - truth) / *e.error;
        sums[e.name] += pull;
        squares[e.name] += pull * pull;
      }
    }
    for (const auto& [name, count] : covered) {
      const auto& [inside, determined] = count;
      const double n = determined;
      std::printf("%-10s %-6s %5.1f %% of %d, pulls %.2f ± %.2f\n", study.law.c_str(), name.c_str(),
                  100 * inside / n, determined, sums[name] / n, std::sqrt(squares[name] / n));
      if (determined < 20) continue;
      EXPECT_GE(inside / n, 0.95 - 3 * std::sqrt(0.95 * 0.05 / n)) << study.law << ": " << name;
    }
    std::fflush(stdout);
  }
}

}  // namespace slow_noisy_displacement_test
}  // namespace microslip::jobs
