#include <gtest/gtest.h>

#include <algorithm>

#include "coverage_study.hpp"
#include "microslip/fit/prediction.hpp"

/// What a fit calls sure has to be so. slow_coverage_test.cpp has more laws and records.
namespace microslip::fit {
namespace coverage_test {

/// A share of 95 % out of n records varies by √(0.95·0.05/n): no less than three of these below.
void expect_covered(const CoverageStudy& study, int records) {
  for (const auto& [name, c] : coverage_of(study, 0, records)) {
    if (c.determined == 0) continue;
    EXPECT_GE(c.share(), 0.95 - 3 * std::sqrt(0.95 * 0.05 / c.determined))
        << study.title << ": " << name << ", " << c.determined << " records";
  }
}

TEST(Coverage, residuals_that_follow_each_other_made_errors_too_small) {
  // 60 % were covered.
  expect_covered({"jenkins, correlated", "jenkins", {{"k", 2.0}, {"phi", 0.7}}, 1, 91, 0.03, 0.9},
                 60);
}

TEST(Coverage, numbers_at_a_limit_made_the_others_too_sure) {
  // chi and beta end at their limits in many of these records: KT was covered in 65 %, chi in 69 %.
  expect_covered(
      {"iwan4 inside", "iwan4", {{"Fs", 1.0}, {"KT", 2.0}, {"chi", -0.5}, {"beta", 1.0}}, 2.0}, 60);
}

Data swing(const AnyModel& law, double amplitude, int rows, double noise, int seed) {
  Data data{"record", {}, {}, {}};
  for (int i = 0; i < rows; ++i) data.u.push_back(amplitude * std::sin(0.06 * i));
  data.f = law.run({{}, data.u, {}}).f;
  microslip::testing::Rng rng(static_cast<std::uint64_t>(seed));
  for (double& f : data.f) f += noise * normal(rng);
  return data;
}

Fit fitted(const AnyModel& law, const std::vector<Data>& records) {
  Settings settings;
  settings.starts = 8;
  settings.threads = 1;
  settings.setup.beginning = Beginning::virgin;
  return fit(law, records, catalog::with_hints(std::move(settings), law, records));
}

TEST(Prediction, numbers_that_are_not_determined_are_part_of_the_error) {
  // Without macroslip Fs and beta of iwan4 are not determined; beyond it they are all that counts.
  const AnyModel law =
      catalog::make({"iwan4", {{"Fs", 2.0}, {"KT", 10.0}, {"chi", -0.3}, {"beta", 0.5}}, {}});
  int covered = 0, count = 0;
  for (int seed = 1; seed <= 10; ++seed) {
    const Fit found = fitted(law, {swing(law, 0.08, 200, 0.002, seed)});
    EXPECT_EQ(found.outcome, Outcome::undetermined) << found.message;
    const Data far = swing(law, 1, 200, 0, seed);
    const Prediction predicted = predict(law, found, {}, far);
    covered += predicted.rms_relative < 2 * predicted.deviation_relative;
    covered +=
        std::abs(predicted.energy - predicted.measured_energy) < 2 * predicted.energy_deviation;
    count += 2;
  }
  // 19 of 20 expected; fewer than 15 happens once in 3000 times.
  EXPECT_GE(covered, 15) << "of " << count;
}

TEST(Prediction, what_the_law_misses_from_record_to_record_is_part_of_the_error) {
  // The force limit of each record is another one (standard deviation 15 %); one law is fitted to
  // four of them and predicts a fifth.
  const AnyModel law = catalog::make({"jenkins", {{"k", 5.0}, {"phi", 1.0}}, {}});
  int covered = 0;
  constexpr int draws = 40;
  for (int draw = 0; draw < draws; ++draw) {
    microslip::testing::Rng rng(static_cast<std::uint64_t>(100 + draw));
    std::vector<Data> records;
    for (int r = 0; r < 5; ++r)
      records.push_back(swing(law.with({{"k", 5.0}, {"phi", 1 + 0.15 * normal(rng)}}), 1, 150,
                              0.005, 1000 * draw + r));
    const Data fifth = records.back();
    records.pop_back();
    Settings settings;
    settings.setup.beginning = Beginning::virgin;
    const Fit found = fitted(law, records);
    const Misfit misfit = misfit_of(law, records, settings, found);
    EXPECT_EQ(misfit.records, 4u);
    const Prediction predicted = predict(law, found, misfit, fifth);
    EXPECT_LT(predicted.energy_deviation, predicted.energy_misfit);
    covered +=
        std::abs(predicted.energy - predicted.measured_energy) < 2 * predicted.energy_total();
  }
  // A standard deviation from four numbers: Student's 2 is 86 % of draws, 34 of 40; three standard
  // deviations of the count are 7.
  EXPECT_GE(covered, 27) << "of " << draws;
}

Fit made_up(const char* name, Outcome outcome, double rms, std::size_t numbers, double aicc) {
  Fit fit;
  fit.model = name;
  fit.outcome = outcome;
  fit.rms_relative = rms;
  fit.free = numbers;
  fit.aicc = aicc;
  fit.effective_rows = 100;
  return fit;
}

std::string order_of(const std::vector<Fit>& fits) {
  std::vector<const Fit*> pointers;
  for (const Fit& fit : fits) pointers.push_back(&fit);
  std::string text;
  for (const std::size_t i : ranking(pointers)) text += fits[i].model + " ";
  return text;
}

TEST(Ranking, equals_stand_in_the_order_of_their_numbers) {
  // 10000 rows, worth 100 independent ones: 0.04 % of the error is nothing, 5 % are something.
  EXPECT_EQ(order_of({made_up("lugre", Outcome::undetermined, 0.05, 7, -60000),
                      made_up("dahl", Outcome::converged, 0.05 * 1.0004, 3, -59990),
                      made_up("jenkins", Outcome::converged, 0.06, 2, -57000)}),
            "dahl lugre jenkins ");
}

TEST(Ranking,
     residuals_that_follow_each_other_do_not_make_a_law_equal_that_misses_three_times_as_much) {
  // Of a joint with clearance two-state missed 5.83 % and linear 17.9 %: residuals of the shape of a loop
  // were worth one row, so that linear was an equal, the simplest one, and the winner.
  std::vector<Fit> fits{made_up("two-state", Outcome::undetermined, 0.0583, 7, -12489),
                        made_up("linear", Outcome::converged, 0.179, 1, -7570)};
  for (Fit& fit : fits) fit.effective_rows = 1;
  EXPECT_EQ(order_of(fits), "two-state linear ");
}

TEST(Ranking, a_search_that_was_not_finished_stands_behind_those_that_were) {
  EXPECT_EQ(order_of({made_up("slow", Outcome::budget, 2.1, 5, 100),
                      made_up("none", Outcome::failed, 0, 0, 0),
                      made_up("linear", Outcome::converged, 0.24, 1, -100),
                      made_up("late", Outcome::stalled, 0.1, 5, -90)}),
            "linear late slow none ");
  EXPECT_EQ(order_of({made_up("early", Outcome::budget, 0.01, 5, -1000),
                      made_up("linear", Outcome::converged, 0.24, 1, -100)}),
            "early linear ");
}

}  // namespace coverage_test
}  // namespace microslip::fit
