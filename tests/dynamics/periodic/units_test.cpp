#include "dynamics/units.hpp"

#include <gtest/gtest.h>

#include "support/random.hpp"

/// One seeded draw; test_dynamics_slow goes through all of it.
namespace microslip::dynamics::units {
namespace units_test {

TEST(Units, factors_of_units) {
  const Units u{2, 3, 5};
  EXPECT_DOUBLE_EQ(factor("F T/L", u, {}), 3 * 5 / 2.0);
  EXPECT_DOUBLE_EQ(factor("1/L", u, {}), 0.5);
  EXPECT_DOUBLE_EQ(factor("1", u, {}), 1);
  EXPECT_DOUBLE_EQ(factor("F^2", u, {}), 9);
  EXPECT_DOUBLE_EQ(factor("L^-n", u, {{"n", 3.0}}), 1 / 8.0);
  EXPECT_DOUBLE_EQ(factor("L/T", u, {}), 2 / 5.0);
}

TEST(Units, do_not_matter_in_one_draw_of_laws_and_analyses) {
  testing::Rng rng(testing::seed_for(testing::base_seed(), "units", 0));
  const std::vector<Analysis> all = analyses();
  for (const catalog::Law& entry : catalog::laws()) {
    if (!is_joint(entry.description)) continue;
    // Takes minutes with many harmonics; the sweep draws it.
    if (entry.description.name == "maxwell-slip") continue;
    const std::vector<ParameterValues> sets = sets_of(entry);
    const Analysis& analysis = all[rng.below(all.size())];
    const ParameterValues& set = sets[rng.below(sets.size())];
    const Units units{std::pow(10, rng.uniform(-6, 6)), std::pow(10, rng.uniform(-6, 6)),
                      std::pow(10, rng.uniform(-6, 6))};
    const Result expected = result_of(analysis, law(entry.description.name, set), {});
    const Result found = result_of(analysis, law_in(entry.description, set, units), units);
    EXPECT_LE(distance(expected, found), analysis.tolerance)
        << entry.description.name << " (" << text_of(set) << "), " << analysis.name << ", "
        << units.text();
  }
}

}  // namespace units_test
}  // namespace microslip::dynamics::units
