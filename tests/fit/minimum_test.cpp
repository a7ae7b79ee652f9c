#include <gtest/gtest.h>

#include <chrono>
#include <random>
#include <thread>

#include "two_state_cases.hpp"

namespace microslip::fit {
namespace minimum_test {

Fit fit_law(const char* law, const Data& data, Settings settings = {}) {
  const AnyModel model = catalog::make({law, {}, {}});
  return fit(model, {data}, catalog::with_hints(std::move(settings), model, {data}));
}

/// One pull of a Jenkins element with k = 2: f = 2u up to u = 0.35, one row at u = 0.4 that is far
/// too high, 1.1, and twelve rows of 0.79 after it.
Data pull_with_an_outlier() {
  Data data{"pull", {}, {}, {}};
  for (int i = 0; i <= 20; ++i) {
    data.u.push_back(0.05 * i);
    data.f.push_back(i < 8 ? 0.1 * i : i == 8 ? 1.1 : 0.79);
  }
  return data;
}

TEST(Minimum, at_a_kink_is_found_and_called_one) {
  // With k = 2 held, the slope of ½ Σ r² is 12 (phi − 0.79) above phi = 0.8, where the row u = 0.4
  // sticks, and 12 (phi − 0.79) + phi − 1.1 below: 0.12 and −0.18 at 0.8, which is the minimum.
  const Data data = pull_with_an_outlier();
  Settings settings;
  settings.setup.fixed["k"] = 2;
  settings.setup.beginning = Beginning::virgin;
  const Fit found = fit_law("jenkins", data, settings);
  EXPECT_EQ(found.outcome, Outcome::converged) << found.message;
  EXPECT_NE(found.message.find("kink"), std::string::npos) << found.message;
  // A thousandth of a standard error, √(Σr²/20)/√12 = 0.02: nearer is as good.
  EXPECT_NEAR(std::get<double>(found.parameters[0].at("phi")), 0.8, 2e-5);
}

TEST(Minimum, no_step_from_a_kink_leads_down) {
  // An independent check where both numbers are free: steps of any direction and many lengths.
  const Data data = pull_with_an_outlier();
  Settings settings;
  settings.setup.beginning = Beginning::virgin;
  const Fit found = fit_law("jenkins", data, settings);
  EXPECT_EQ(found.outcome, Outcome::converged) << found.message;
  EXPECT_NE(found.message.find("kink"), std::string::npos) << found.message;
  const Problem problem(catalog::make({"jenkins", {}, {}}), {data}, settings.setup);
  Eigen::VectorXd r;
  ASSERT_TRUE(problem.evaluate(found.x, r));
  const double least = r.squaredNorm();
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  for (int i = 0; i < 2000; ++i) {
    const double length = std::pow(10.0, -1 - i % 5);
    const std::vector<double> x{found.x[0] + length * normal(random),
                                found.x[1] + length * normal(random)};
    ASSERT_TRUE(problem.evaluate(x, r));
    // A slope of 1e-3 over a standard error is 1e-6 of the variance, of 20 rows.
    EXPECT_GT(r.squaredNorm(), least * (1 - 1e-7)) << length;
  }
}

TEST(Minimum, at_a_limit_of_the_only_number) {
  Data data{"spring", {}, two_frequencies(100), {}};
  data.f = data.u;
  Settings settings;
  settings.setup.bounds["k"] = closed_interval(0.1, 0.5);
  const Fit found = fit_law("linear", data, settings);
  EXPECT_EQ(found.outcome, Outcome::converged) << found.message;
  EXPECT_TRUE(found.estimates[0].at_limit);
  EXPECT_NEAR(found.estimates[0].value, 0.5, 1e-9);
}

TEST(Minimum, numbers_that_do_nothing_are_held) {
  // c and a belong to kernels other than the exponentials.
  Data data{"relaxing", {}, two_frequencies(200), {}};
  for (std::size_t i = 0; i < data.rows(); ++i) data.t.push_back(0.05 * static_cast<double>(i));
  const AnyModel law = catalog::make({"convolution", {}, {}});
  data.f = law.run({data.t, data.u, {}}).f;
  const Fit found = fit_law("convolution", data);
  EXPECT_EQ(found.outcome, Outcome::converged) << found.message;
  EXPECT_EQ(found.free, 2u);
  EXPECT_NE(found.message.find("c and a change nothing and are held"), std::string::npos)
      << found.message;
}

TEST(Minimum, what_an_undetermined_number_takes_with_it_is_not_determined_either) {
  // Without macroslip only Fs (chi + 2)/φmax^(chi + 2)/(beta + (chi + 1)/(chi + 2)) of the Iwan-4
  // law is seen: Fs follows beta, even if beta happens to be zero, where the slope is none.
  const AnyModel law =
      catalog::make({"iwan4", {{"Fs", 10.0}, {"KT", 10.0}, {"chi", -0.3}, {"beta", 0.0}}, {}});
  Data data = record_of(law, two_frequencies(400, 0.5));
  std::mt19937 random(3);
  std::normal_distribution<double> noise(0, 0.01);
  for (double& f : data.f) f += noise(random);
  const Fit found = fit_law("iwan4", data, {.starts = 1, .guesses = {law.parameters()}});
  EXPECT_EQ(found.outcome, Outcome::undetermined) << found.message;
  EXPECT_NE(found.message.find("do not determine beta and Fs"), std::string::npos) << found.message;
  for (const Estimate& e : found.estimates)
    EXPECT_EQ(e.error.has_value(), e.name == "KT" || e.name == "chi") << e.name << found.message;
}

TEST(Minimum, without_time_the_best_so_far_is_an_answer) {
  Data data{"spring", {}, two_frequencies(100), {}};
  data.f = data.u;
  const Fit found = fit_law("jenkins", data, {.seconds = 1e-9});
  EXPECT_EQ(found.outcome, Outcome::budget) << found.message;
}

TEST(Minimum, time_that_runs_out_after_the_work_is_no_excuse) {
  Data data{"spring", {}, two_frequencies(100), {}};
  data.f = data.u;
  Settings settings;
  settings.seconds = 1.5;
  settings.threads = 1;
  settings.progress = [](const Progress& p) {
    // The first four starts are followed together, and each of them leads to the truth.
    if (p.starts_done == 4) std::this_thread::sleep_for(std::chrono::milliseconds(1600));
    return true;
  };
  EXPECT_EQ(fit(catalog::make({"linear", {}, {}}), {data}, settings).outcome, Outcome::converged);
}

}  // namespace minimum_test
}  // namespace microslip::fit
