#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "microslip/fit/holdout.hpp"
#include "two_state_cases.hpp"

namespace microslip::fit {
namespace fit_test {

double value(const Fit& fit, const std::string& name) {
  return std::get<double>(fit.parameters.front().at(name));
}

Fit fit_law(const char* law, const Data& data, Settings settings = {}) {
  const AnyModel model = catalog::make({law, {}, {}});
  return fit(model, {data}, catalog::with_hints(std::move(settings), model, {data}));
}

TEST(Fit, recovers_the_two_state_tables_in_canonical_form) {
  for (const TwoStateCase& c : thesis_cases()) {
    if (std::string(c.name) == "E.1-2" || std::string(c.name) == "E.1-3") continue;
    const AnyModel law = law_of(c);
    const Data data = record_of(law, two_frequencies());
    const ParameterValues truth = catalog::canonical(law, law.parameters());
    const Fit found = fit_law("two-state", data, {.seed = 5});
    EXPECT_EQ(found.outcome, Outcome::converged) << c.name << ": " << found.message;
    EXPECT_LT(found.rms_relative, 1e-12) << c.name;
    for (const auto& [name, v] : truth) {
      const double x = std::get<double>(v);
      EXPECT_NEAR(value(found, name), x, 1e-6 * std::max(1.0, std::abs(x))) << c.name << name;
    }
  }
}

TEST(Fit, says_what_the_data_do_not_determine) {
  // Table E.1, cases 2 and 3: b is nearly an eigenvector of A, so one state is hardly seen.
  // From the starts of seed 3 none of the searches has reached it before the last digits.
  for (const auto& [i, seed] : {std::pair{1u, 1u}, {1u, 3u}, {2u, 1u}}) {
    const TwoStateCase& c = thesis_cases()[i];
    const Fit found = fit_law("two-state", record_of(law_of(c), two_frequencies()), {.seed = seed});
    EXPECT_EQ(found.outcome, Outcome::undetermined) << c.name << ": " << found.message;
    EXPECT_LT(found.rms_relative, 1e-12) << c.name;
    EXPECT_TRUE(std::any_of(found.estimates.begin(), found.estimates.end(),
                            [](const Estimate& e) { return !e.error; }));
    EXPECT_FALSE(found.combinations.back().determined);
    EXPECT_TRUE(found.combinations.front().determined);
  }
}

TEST(Fit, pins_what_is_redundant_and_says_so) {
  const Fit found =
      fit_law("two-state", record_of(law_of(thesis_cases()[0]), two_frequencies()), {.seed = 2});
  EXPECT_DOUBLE_EQ(value(found, "mu"), 1);
  EXPECT_NE(found.message.find("mu only acts together with alpha, b1 and b2"), std::string::npos)
      << found.message;
  EXPECT_TRUE(found.estimates.front().pinned);
  EXPECT_EQ(found.free, 5u);  // 2m parameters of m = 2 states, and the spring
}

TEST(Fit, does_not_depend_on_units_of_the_data) {
  // The same joint in metres and newtons: 20 MN/m, 12 kN.
  const AnyModel law =
      catalog::make({"iwan4", {{"Fs", 12e3}, {"KT", 2e7}, {"chi", -0.4}, {"beta", 0.3}}, {}});
  const Data data = record_of(law, two_frequencies(400, 1.5e-3));
  const Fit found = fit_law("iwan4", data);
  EXPECT_EQ(found.outcome, Outcome::converged) << found.message;
  EXPECT_NEAR(value(found, "Fs"), 12e3, 12e3 * 1e-6);
  EXPECT_NEAR(value(found, "KT"), 2e7, 2e7 * 1e-6);
  EXPECT_NEAR(value(found, "chi"), -0.4, 1e-6);
  EXPECT_NEAR(value(found, "beta"), 0.3, 1e-6);
}

TEST(Fit, same_seed_same_result_whatever_the_threads) {
  const Data data = record_of(law_of(thesis_cases()[0]), two_frequencies(100));
  const Fit one = fit_law("bouc-wen-hardening", data, {.starts = 8, .seed = 3, .threads = 1});
  const Fit two = fit_law("bouc-wen-hardening", data, {.starts = 8, .seed = 3, .threads = 2});
  ASSERT_EQ(one.x.size(), two.x.size());
  for (std::size_t i = 0; i < one.x.size(); ++i) EXPECT_EQ(one.x[i], two.x[i]);
}

TEST(Fit, offset_and_gain_and_unknown_past) {
  const AnyModel law = catalog::make({"bouc", {}, {}});
  std::vector<double> u = two_frequencies(300);
  for (double& x : u) x = x * 2 + 0.7;
  Data data = record_of(law, u);
  // The record begins in the middle of the motion, and the force has an offset.
  const auto cut = [](std::vector<double>& x) { x.erase(x.begin(), x.begin() + 130); };
  cut(data.u);
  cut(data.f);
  for (double& f : data.f) f += 3;
  Settings settings;
  settings.setup.free = {"offset"};
  settings.setup.beginning = Beginning::unknown;
  const Fit found = fit_law("bouc", data, settings);
  for (const Estimate& e : found.estimates) {
    if (e.name == "offset") {
      EXPECT_NEAR(e.value, 3, 1e-6);
    }
  }
  for (const auto& [name, v] : law.parameters())
    EXPECT_NEAR(value(found, name), std::get<double>(v), 1e-6) << found.message;
}

TEST(Fit, elements_that_hardly_slip_are_not_held) {
  // At small amplitudes most points of the design have elements that never slip. They were taken
  // for redundant, held at a value far off, and the law missed the record by 8 % of its range.
  const AnyModel truth = catalog::make(
      {"iwan-series-parallel",
       {{"k0", 67.0}, {"k", std::vector{850.0, 370.0}}, {"phi", std::vector{0.5, 1.5}}},
       {}});
  std::vector<double> u = two_frequencies(150);
  for (double& x : u) x *= 0.02;
  const Data data = record_of(truth, u);
  const AnyModel law = catalog::with_elements(truth, 4);
  const Fit found = fit(law, {data}, catalog::with_hints({.starts = 8}, law, {data}));
  EXPECT_LT(found.rms_relative, 1e-3);
  for (const Estimate& e : found.estimates) EXPECT_FALSE(e.pinned) << e.name;
}

TEST(Fit, an_unknown_past_does_not_make_the_law_undetermined) {
  const AnyModel law = catalog::make({"jenkins", {{"k", 2.0}, {"phi", 0.5}}, {}});
  const Data data = record_of(law, two_frequencies(200));
  Settings settings;
  settings.setup.beginning = Beginning::unknown;
  const Fit found = fit_law("jenkins", data, settings);
  // Of two reversals before the first row one is wiped out by the other, whatever it was.
  EXPECT_TRUE(std::any_of(found.combinations.begin(), found.combinations.end(),
                          [](const Combination& c) { return !c.determined; }));
  EXPECT_EQ(text_of(found.outcome), "converged") << found.message;
}

TEST(Fit, a_limit_reached_by_chance_does_not_determine) {
  // Far below macroslip Fs and beta act through one number. A search that began at beta = 0 stayed
  // there and was called converged; from elsewhere the same record was undetermined.
  const AnyModel law =
      catalog::make({"iwan4", {{"Fs", 1.0}, {"KT", 2.0}, {"chi", -0.4}, {"beta", 0.5}}, {}});
  const Data data = record_of(law, two_frequencies(300, 0.05));
  for (const double beta : {0.0, 0.5}) {
    // R = Fs (χ+1)/(φ^(χ+2) (β+c)) with φ = Fs (1+β)/(KT (β+c)), c = (χ+1)/(χ+2), as for beta = ½.
    const double c = 0.375;
    const double fs = std::pow((1 + beta) / 1.5, -1.6 / 0.6) * (beta + c) / (0.5 + c);
    Settings settings{.starts = 1};
    settings.guesses = {{{"Fs", fs}, {"KT", 2.0}, {"chi", -0.4}, {"beta", beta}}};
    const Fit found = fit(law, {data}, settings);
    EXPECT_LT(found.rms_relative, 1e-6);
    EXPECT_EQ(text_of(found.outcome), "undetermined") << found.message;
    EXPECT_FALSE(found.estimates[3].at_limit);
    EXPECT_FALSE(found.estimates[3].error);
  }
}

TEST(Fit, fewer_rows_are_the_same_problem) {
  const AnyModel law = catalog::make({"iwan4", {}, {}});
  const Data data = record_of(law, two_frequencies(6000));
  const Problem all(law, {data}, {});
  const Problem few = all.thinned(300);
  EXPECT_LT(few.rows(), 700u);
  EXPECT_GE(few.rows(), 300u);
  ASSERT_EQ(few.unknowns().size(), all.unknowns().size());
  std::vector<double> x;
  for (const Unknown& u : all.unknowns()) x.push_back(0.3 * u.from + 0.7 * u.to);
  Eigen::VectorXd r_all, r_few;
  ASSERT_TRUE(all.evaluate(x, r_all));
  ASSERT_TRUE(few.evaluate(x, r_few));
  // The law is exact for any step: each residual is one of the whole record.
  Eigen::Index i = 0;
  for (const double r : r_few) {
    while (i < r_all.size() && std::abs(r_all[i] - r) > 1e-12) ++i;
    ASSERT_LT(i, r_all.size());
  }
  EXPECT_EQ(all.thinned(4000).rows(), all.rows());  // not worth it
}

TEST(Fit, sliders_start_on_the_backbone) {
  // Twelve elements that slip one after the other, and laws of four. From starts spread over the
  // region alone, `masing` ended at 1.5 times its best error.
  std::vector<double> k, phi;
  for (int i = 0; i < 12; ++i) {
    k.push_back(1 + 0.3 * std::sin(5.0 * i));
    phi.push_back(k.back() * 0.1 * (i + 1));
  }
  Data data =
      record_of(catalog::make({"masing", {{"k", k}, {"phi", phi}}, {}}), two_frequencies(600, 1.0));
  for (std::size_t i = 0; i < data.rows(); ++i) data.t.push_back(0.01 * static_cast<double>(i));
  for (const char* name : {"masing", "masing-smooth", "prandtl-ishlinskii", "iwan-series-parallel",
                           "leuven", "lampaert"}) {
    const AnyModel law = catalog::with_elements(catalog::make({name, {}, {}}), 4);
    const Settings settings = catalog::with_hints({}, law, {data});
    const Problem problem(law, {data}, settings.setup);
    double best = 1;
    for (const ParameterValues& guess : settings.guesses) {
      std::vector<double> middle;
      for (const Unknown& u : problem.unknowns()) middle.push_back(0.5 * (u.from + u.to));
      Eigen::VectorXd r;
      if (problem.evaluate(problem.coordinates(guess, middle), r))
        best = std::min(best, std::sqrt(r.squaredNorm() / static_cast<double>(data.rows())));
    }
    EXPECT_LT(best, 0.03) << name;
  }
}

TEST(Fit, fixed_and_bounded_numbers_stay_there) {
  const AnyModel law = catalog::make({"jenkins", {{"k", 2.0}, {"phi", 0.7}}, {}});
  const Data data = record_of(law, two_frequencies(200));
  Settings fixed;
  fixed.setup.fixed = {{"phi", 0.5}};
  EXPECT_EQ(value(fit_law("jenkins", data, fixed), "phi"), 0.5);
  Settings bounded;
  bounded.setup.bounds = {{"phi", closed_interval(0.1, 0.6)}};
  const Fit at_limit = fit_law("jenkins", data, bounded);
  EXPECT_NEAR(value(at_limit, "phi"), 0.6, 1e-9);  // the truth, 0.7, lies beyond
  EXPECT_NE(at_limit.message.find("at the limit"), std::string::npos);
}

TEST(Fit, bad_set_up_is_refused) {
  const AnyModel law = catalog::make({"jenkins", {}, {}});
  Data data = record_of(law, two_frequencies(100));
  const auto refused = [&](Settings settings) { EXPECT_THROW(fit(law, {data}, settings), Error); };
  refused({.setup = {.fixed = {{"K", 1.0}}}});
  refused({.setup = {.fixed = {{"k", -1.0}}}});
  refused({.setup = {.fixed = {{"k", 1.0}, {"phi", 1.0}}}});
  refused({.setup = {.bounds = {{"k", closed_interval(2, 1)}}}});
  refused({.setup = {.free = {"ofset"}}});
  EXPECT_THROW(fit(catalog::make({"viscous", {}, {}}), {data}, {}), Error);  // no time
  data.f.assign(data.f.size(), 1.0);
  refused({});
}

TEST(Fit, outliers_count_less_with_the_robust_loss) {
  const AnyModel law = catalog::make({"iwan-uniform", {{"k", 2.0}, {"u_max", 0.8}}, {}});
  Data data = record_of(law, two_frequencies(300));
  std::mt19937 random(7);
  std::normal_distribution<double> noise(0, 0.005);
  for (double& f : data.f) f += noise(random);
  for (std::size_t i = 5; i < data.f.size(); i += 17) data.f[i] += 1.5;
  const double plain = value(fit_law("iwan-uniform", data), "u_max");
  const double robust = value(fit_law("iwan-uniform", data, {.robust = true}), "u_max");
  EXPECT_LT(std::abs(robust - 0.8), 0.02);
  EXPECT_LT(std::abs(robust - 0.8), std::abs(plain - 0.8) / 3);
}

TEST(Fit, stops_when_told) {
  const Data data = record_of(law_of(thesis_cases()[1]), two_frequencies());
  int calls = 0;
  Settings settings;
  settings.progress = [&](const Progress&) { return ++calls < 3; };
  const Fit found = fit_law("two-state", data, settings);
  EXPECT_EQ(found.outcome, Outcome::budget);
  EXPECT_LT(found.rms_relative, 0.1);  // the best so far is kept
}

TEST(Fit, shared_and_separate_parameters_of_several_records) {
  // One stiffness, two strengths.
  const auto law = [](double phi) {
    return catalog::make({"jenkins", {{"k", 2.0}, {"phi", phi}}, {}});
  };
  const std::vector<Data> records{record_of(law(0.5), two_frequencies(200)),
                                  record_of(law(0.9), two_frequencies(200))};
  Settings settings;
  settings.setup.separate = {"phi"};
  const Fit found = fit(law(1), records, settings);
  EXPECT_EQ(found.free, 3u);
  EXPECT_NEAR(std::get<double>(found.parameters[0].at("k")), 2, 1e-6);
  EXPECT_NEAR(std::get<double>(found.parameters[0].at("phi")), 0.5, 1e-6);
  EXPECT_NEAR(std::get<double>(found.parameters[1].at("phi")), 0.9, 1e-6);
}

TEST(Fit, standard_errors_cover_the_truth) {
  // 2 % noise; 95 % intervals of two numbers in 20 records: 38 of 40 expected, and fewer than 33
  // happens once in 500 times. Seeds are fixed, so it does not.
  const AnyModel law = catalog::make({"bouc", {}, {}});
  const Data clean = record_of(law, two_frequencies(150, 2));
  const auto [low, high] = std::minmax_element(clean.f.begin(), clean.f.end());
  int covered = 0, count = 0;
  for (unsigned trial = 0; trial < 20; ++trial) {
    Data data = clean;
    std::mt19937 random(trial + 1);
    std::normal_distribution<double> noise(0, 0.02 * (*high - *low));
    for (double& f : data.f) f += noise(random);
    const Fit found = fit_law("bouc", data, {.starts = 4});
    for (const Estimate& e : found.estimates) {
      if (e.name == "k") continue;
      ASSERT_TRUE(e.error);
      covered +=
          std::abs(e.value - std::get<double>(law.parameters().at(e.name))) < 1.96 * *e.error;
      ++count;
    }
  }
  EXPECT_EQ(count, 40);
  EXPECT_GE(covered, 33);
  EXPECT_LE(covered, 40);
}

TEST(Fit, profile_agrees_with_the_standard_error_of_a_linear_law) {
  // f = k u with noise: the likelihood is a parabola, and the 95 % interval is ±1.96 errors. They are
  // Student's, whose quantile of 399 squares is 1.965927 (from a quadrature of his density).
  const AnyModel law = catalog::make({"linear", {{"k", 3.0}}, {}});
  Data data = record_of(law, two_frequencies(400));
  std::mt19937 random(11);
  std::normal_distribution<double> noise(0, 0.2);
  for (double& f : data.f) f += noise(random);
  const Fit found = fit(law, {data});
  ASSERT_EQ(found.estimates.size(), 1u);
  const double k = found.estimates[0].value, error = found.estimates[0].error.value();
  double uu = 0, uf = 0, ff = 0;
  for (std::size_t i = 0; i < data.rows(); ++i) {
    uu += data.u[i] * data.u[i];
    uf += data.u[i] * data.f[i];
    ff += data.f[i] * data.f[i];
  }
  // The search ends when the sum of squares changes by 1e-14: a millionth of the error.
  EXPECT_NEAR(k, uf / uu, 1e-5 * error);
  EXPECT_NEAR(1.9599640 * error, 1.9659273 * std::sqrt((ff - uf * uf / uu) / 399 / uu),
              1e-6 * error);
  // Burnham and Anderson's formulas, in which the variance counts as a number: 2 of them.
  const auto [low, high] = std::minmax_element(data.f.begin(), data.f.end());
  const double squares = (ff - uf * uf / uu) / ((*high - *low) * (*high - *low));
  EXPECT_NEAR(found.rms_relative, std::sqrt(squares / 400), 1e-9);
  EXPECT_NEAR(found.aicc, 400 * std::log(squares / 400) + 2 * 2 + 2.0 * 2 * 3 / (400 - 2 - 1),
              1e-6);
  EXPECT_NEAR(found.bic, 400 * std::log(squares / 400) + 2 * std::log(400.0), 1e-6);
  const Profile curve = profile(law, {data}, {}, found, "k");
  EXPECT_NEAR(curve.low.value(), k - 1.96 * error, 0.05 * error);
  EXPECT_NEAR(curve.high.value(), k + 1.96 * error, 0.05 * error);
  EXPECT_THROW(profile(law, {data}, {}, found, "c"), Error);
}

TEST(Fit, hold_out_sees_only_rows_that_were_not_fitted) {
  const AnyModel law = catalog::make({"jenkins", {{"k", 2.0}, {"phi", 0.7}}, {}});
  Data data = record_of(law, two_frequencies(200));
  data.held_out.assign(data.rows(), false);
  for (std::size_t i = 150; i < 200; ++i) {
    data.held_out[i] = true;
    data.f[i] += 0.1;  // wrong where the fit does not look
  }
  const Fit found = fit(law, {data});
  EXPECT_NEAR(std::get<double>(found.parameters[0].at("phi")), 0.7, 1e-9);
  const auto [low, high] = std::minmax_element(data.f.begin(), data.f.end());
  EXPECT_NEAR(holdout_error(law, {data}, {}, found), 0.1 / (*high - *low), 1e-9);
  // What has no weight is not predicted either.
  data.weight.assign(data.rows(), 3);
  data.f[160] = 1e6;
  data.weight[160] = 0;
  EXPECT_NEAR(holdout_error(law, {data}, {}, fit(law, {data})), 0.1 / (*high - *low), 1e-9);
}

TEST(Fit, a_few_rows_of_a_minor_loop_are_no_prediction) {
  // Three cycles of 1000 rows, and a minor loop of a given number of rows in the first one.
  const auto held = [](int minor_rows, const std::string& how) {
    std::vector<double> u;
    const auto go = [&](double to, int rows) {
      const double from = u.empty() ? 0 : u.back();
      for (int i = 1; i <= rows; ++i) u.push_back(from + (to - from) * i / rows);
    };
    go(0.4, 100);
    go(0.2, minor_rows / 2);
    go(0.4, minor_rows - minor_rows / 2);
    go(1, 150);
    for (int cycle = 0; cycle < 3; ++cycle) {
      go(-1, 500);
      go(1, 500);
    }
    const Data data = record_of(catalog::make({"bouc", {}, {}}), u);
    const std::vector<bool> rows = held_out_rows(data, how);
    return std::count(rows.begin(), rows.end(), true);
  };
  EXPECT_LT(held(8, "minor"), 20);
  EXPECT_GT(held(8, "auto"), 900);   // the last cycle instead
  EXPECT_GE(held(100, "auto"), 90);  // enough of them
  EXPECT_LE(held(100, "auto"), 110);
}

TEST(Fit, weights_are_those_of_weighted_least_squares) {
  const AnyModel law = catalog::make({"linear", {}, {}});
  Data data = record_of(law, two_frequencies(100));
  std::mt19937_64 random(3);
  std::normal_distribution<double> noise(0, 0.05);
  double uu = 0, uf = 0, sum = 0;
  for (std::size_t i = 0; i < data.rows(); ++i) {
    data.weight.push_back(i % 3 == 0 ? 0.25 : 4.0);  // 16 times the variance
    data.f[i] += noise(random) / std::sqrt(data.weight[i]);
  }
  const auto [low, high] = std::minmax_element(data.f.begin(), data.f.end());
  const double range = *high - *low;
  data.f[50] = 1e9;  // a spike that counts for nothing, neither here nor in the range
  data.weight[50] = 0;
  for (std::size_t i = 0; i < data.rows(); ++i) {
    uu += data.weight[i] * data.u[i] * data.u[i];
    uf += data.weight[i] * data.u[i] * data.f[i];
    sum += data.weight[i];
  }
  const double k = uf / uu;
  double squares = 0;
  for (std::size_t i = 0; i < data.rows(); ++i)
    squares += data.weight[i] * (data.f[i] - k * data.u[i]) * (data.f[i] - k * data.u[i]);
  const Fit found = fit(law, {data});
  // 99 rows, one number: Student's quantile of 98 squares. The search ends when the sum of squares changes
  // by 1e-14.
  const double error = std::sqrt(squares / 98 / uu) * 1.9844675 / 1.9599640;
  EXPECT_NEAR(value(found, "k"), k, 1e-5 * error);
  EXPECT_NEAR(found.estimates[0].error.value(), error, 1e-6 * error);
  EXPECT_NEAR(found.rms, std::sqrt(squares / sum), 1e-9);
  EXPECT_NEAR(found.rms_relative, std::sqrt(squares / sum) / range, 1e-9);
  // Their unit does not matter, however large.
  Data scaled = data;
  for (double& w : scaled.weight) w *= 0.25e308;
  const Fit same = fit(law, {scaled});
  EXPECT_NEAR(value(same, "k"), k, 1e-5 * error);
  EXPECT_NEAR(same.estimates[0].error.value(), error, 1e-6 * error);
  EXPECT_NEAR(same.aicc, found.aicc, 1e-6);
  EXPECT_NEAR(same.combinations[0].sensitivity, found.combinations[0].sensitivity, 1e-9);
  EXPECT_EQ(same.outcome, found.outcome);
}

TEST(Fit, weights_of_several_records_are_compared) {
  // Two stiffnesses, 1 and 3, of equal records: the mean, weighted by 1 and 3 per row; residuals
  // are relative to the ranges, which are as 1 to 3, so that the second counts a ninth.
  Data a{"a", {}, two_frequencies(50), {}}, b = a;
  a.f = a.u;
  b.f = a.u;
  for (double& f : b.f) f *= 3;
  b.weight.assign(b.rows(), 3);
  const Fit found = fit(catalog::make({"linear", {}, {}}), {a, b});
  EXPECT_NEAR(value(found, "k"), (1 + 3 * 3 / 9.0) / (1 + 3 / 9.0), 1e-7);  // √1e-14
  b.weight.assign(b.rows(), 0);
  EXPECT_THROW(fit(catalog::make({"linear", {}, {}}), {a, b}), Error);
}

}  // namespace fit_test
}  // namespace microslip::fit
