#include "microslip/fit/prediction.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "coverage_study.hpp"

/// How often a predicted force, and the energy of a loop, has the truth within 1.96 of its errors.
namespace microslip::fit {
namespace prediction_test {

/// What the recorder adds to the truth, in both records.
struct Recorder {
  double offset = 0, delay = 0;  ///< over the range of the force; in rows
  std::vector<std::string> free{};
};

struct Share {
  double rows = 0, energies = 0;  ///< covered, means over the records
};

Data recorded(const AnyModel& law, std::vector<double> u, const Recorder& recorder, double range) {
  // Finely, so that a delay may be a part of a row.
  constexpr int fine = 10;
  std::vector<double> path{u.front()};
  for (std::size_t i = 1; i < u.size(); ++i)
    for (int k = 1; k <= fine; ++k)
      path.push_back(u[i - 1] + (u[i] - u[i - 1]) * k / static_cast<double>(fine));
  const std::vector<double> f = law.run({{}, path, {}}).f;
  Data data{"record", {}, std::move(u), {}};
  for (std::size_t i = 0; i < data.u.size(); ++i) {
    const auto at = static_cast<std::ptrdiff_t>(i * fine) -
                    static_cast<std::ptrdiff_t>(std::lround(recorder.delay * fine));
    data.f.push_back(f[static_cast<std::size_t>(std::max<std::ptrdiff_t>(at, 0))] +
                     recorder.offset * range);
  }
  return data;
}

/// Another motion than that of the study, `factor` times as large.
std::vector<double> other_motion(const CoverageStudy& study, double factor) {
  std::vector<double> u;
  for (int i = 0; i < study.rows; ++i) {
    const double t = 4.0 * i / (study.rows - 1) * 2 * std::numbers::pi;
    u.push_back(factor * study.amplitude * std::sin(t) * (0.7 + 0.3 * std::cos(0.6 * t)));
  }
  return u;
}

Share coverage_of_predictions(const CoverageStudy& study, double factor, int records,
                              const Recorder& recorder = {}) {
  const AnyModel law = catalog::make({study.law, study.truth, {}});
  std::vector<Share> shares(static_cast<std::size_t>(records));
  in_parallel(shares.size(), thread_count(0), [&](std::size_t i) {
    const std::vector<double> pure = law.run({{}, motion_of(study), {}}).f;
    const auto [low, high] = std::minmax_element(pure.begin(), pure.end());
    const double range = *high - *low;
    Data data = recorded(law, motion_of(study), recorder, range);
    microslip::testing::Rng rng(microslip::testing::seed_for(23, study.title, i));
    for (double& f : data.f) f += study.noise * range * normal(rng);
    Settings settings;
    settings.threads = 1;
    settings.starts = 8;
    settings.setup.beginning = Beginning::virgin;
    settings.setup.free = recorder.free;
    settings.guesses.push_back(law.parameters());
    const Fit found = fit(law, {data}, catalog::with_hints(std::move(settings), law, {data}));
    const Data other = recorded(law, other_motion(study, factor), recorder, range);
    const Prediction p = predict(law, found, {}, other);
    Share& share = shares[i];
    for (std::size_t row = 0; row < other.rows(); ++row)
      share.rows += std::abs(p.force[row] - other.f[row]) <= 1.96 * p.deviation[row] + 1e-9 * range;
    share.rows /= static_cast<double>(other.rows());
    share.energies = std::abs(p.energy - p.measured_energy) <= 1.96 * p.energy_deviation;
  });
  Share mean;
  for (const Share& share : shares) {
    mean.rows += share.rows / records;
    mean.energies += share.energies / records;
  }
  return mean;
}

/// 95 % of n records vary by √(0.95·0.05/n), rows of one record together at most.
void expect_covered(const CoverageStudy& study, double factor, const Recorder& recorder = {}) {
  constexpr int records = 40;
  const double least = 0.95 - 3 * std::sqrt(0.95 * 0.05 / records);
  const Share share = coverage_of_predictions(study, factor, records, recorder);
  std::printf("%s x %g: rows %.1f %%, energy %.1f %%\n", study.title.c_str(), factor,
              100 * share.rows, 100 * share.energies);
  EXPECT_GE(share.rows, least) << study.title;
  EXPECT_GE(share.energies, least) << study.title;
}

const CoverageStudy bouc_wen{
    "bouc-wen",
    "bouc-wen",
    {{"A", 1.0}, {"beta", 0.5}, {"gamma", 0.2}, {"n", 1.5}, {"k", 2.0}, {"a", 0.1}},
    3.0};
const CoverageStudy iwan{
    "iwan4", "iwan4", {{"Fs", 1.0}, {"KT", 2.0}, {"chi", -0.5}, {"beta", 1.0}}, 2.0};
const CoverageStudy jenkins{"jenkins", "jenkins", {{"k", 2.0}, {"phi", 0.7}}};

TEST(PredictionCoverage, smaller_and_larger_motions) {
  for (const double factor : {0.6, 1.4}) {
    expect_covered(bouc_wen, factor);
    expect_covered(iwan, factor);
    expect_covered(jenkins, factor);
  }
}

TEST(PredictionCoverage, an_offset_and_a_delay_that_were_fitted_are_part_of_the_error) {
  // Their errors were left out: 1 % of the range of the force in each row.
  CoverageStudy noisy = jenkins;
  noisy.noise = 0.1;
  expect_covered(noisy, 0.8, {0.2, 1.3, {"offset", "delay"}});
}

TEST(PredictionCoverage, a_drift_may_come_again) {
  const AnyModel law = catalog::make({"jenkins", {{"k", 2.0}, {"phi", 0.7}}, {}});
  Data data{"record", {}, motion_of(jenkins), {}};
  data.f = law.run({{}, data.u, {}}).f;
  for (std::size_t i = 0; i < data.f.size(); ++i) data.f[i] += 0.004 * static_cast<double>(i);
  Settings settings;
  settings.setup.beginning = Beginning::virgin;
  settings.setup.free = {"drift"};
  const Fit found = fit(law, {data}, catalog::with_hints(std::move(settings), law, {data}));
  Data other{"other", {}, other_motion(jenkins, 1), {}};
  other.f = law.run({{}, other.u, {}}).f;
  const Prediction p = predict(law, found, {}, other);
  EXPECT_LT(p.rms_relative, 1e-6);  // not the drift of the first record
  EXPECT_NEAR(p.deviation[50], 0.004 * 50, 1e-4);
}

TEST(PredictionCoverage, offsets_of_each_record_scatter) {
  const AnyModel law = catalog::make({"jenkins", {{"k", 2.0}, {"phi", 0.7}}, {}});
  std::vector<Data> records;
  for (const double offset : {0.1, 0.2, 0.6}) {
    records.push_back({"record", {}, motion_of(jenkins), {}});
    records.back().f = law.run({{}, records.back().u, {}}).f;
    for (double& f : records.back().f) f += offset;
  }
  Settings settings;
  settings.setup.beginning = Beginning::virgin;
  settings.setup.free = {"offset"};
  settings.setup.separate = {"offset"};
  const Fit found = fit(law, records, catalog::with_hints(std::move(settings), law, records));
  const Prediction p = predict(law, found, {}, records.front());
  EXPECT_NEAR(p.force.front(), 0.3, 1e-6);
  EXPECT_NEAR(p.deviation.front(), std::sqrt(0.07), 1e-5);  // of 0.1, 0.2 and 0.6 about 0.3
}

TEST(PredictionCoverage, a_held_offset_was_left_out) {
  const AnyModel law = catalog::make({"jenkins", {{"k", 2.0}, {"phi", 0.7}}, {}});
  Data data{"record", {}, motion_of(jenkins), {}};
  data.f = law.run({{}, data.u, {}}).f;
  for (double& f : data.f) f += 0.25;
  Settings settings;
  settings.setup.beginning = Beginning::virgin;
  settings.setup.fixed = {{"offset", 0.25}};
  const Fit found = fit(law, {data}, catalog::with_hints(std::move(settings), law, {data}));
  EXPECT_LT(predict(law, found, {}, data).rms_relative, 1e-6);
}

TEST(FalseConfidence, numbers_smaller_than_their_errors_were_called_determined) {
  // Fs = 0.18 ± 0.54, converged, of a record without macroslip.
  const AnyModel law = catalog::make({"iwan4+linear",
                                      {{"iwan4.Fs", 1.0},
                                       {"iwan4.KT", 1.0},
                                       {"iwan4.chi", -0.5},
                                       {"iwan4.beta", 0.1},
                                       {"linear.k", 0.1}},
                                      {}});
  for (int seed = 1; seed <= 4; ++seed) {
    Data data{"record", {}, {}, {}};
    for (int i = 0; i <= 250; ++i) data.u.push_back((0.2 + 0.004 * i) * std::sin(0.12 * i));
    data.f = law.run({{}, data.u, {}}).f;
    microslip::testing::Rng rng(static_cast<std::uint64_t>(seed));
    for (double& f : data.f) f += 0.01 * normal(rng);
    Settings settings;
    settings.threads = 1;
    settings.setup.beginning = Beginning::virgin;
    const Fit found = fit(law, {data}, catalog::with_hints(std::move(settings), law, {data}));
    EXPECT_EQ(found.outcome, Outcome::undetermined) << found.message;
    EXPECT_NE(found.message.find("the data do not determine"), std::string::npos) << found.message;
    for (const Estimate& e : found.estimates) {
      if (!e.error || e.unit == "1") continue;
      EXPECT_LT(*e.error, std::abs(e.value)) << e.name;
    }
  }
}

}  // namespace prediction_test
}  // namespace microslip::fit
