#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "coverage_study.hpp"
#include "microslip/catalog/catalog.hpp"
#include "microslip/catalog/fitting/fit_hints.hpp"
#include "microslip/fit/fit.hpp"
#include "microslip/fit/prediction.hpp"
#include "support/message_of.hpp"

/// What belongs to the recorder and not to the law: a delay between the channels, zeros that drift.
namespace microslip::fit {
namespace measurement_test {

double motion(double t) { return std::sin(t) * (1 + 0.02 * t); }

/// A slider (k = 2, 0.5) beside a spring (0.3), by its own few lines: force at any time, not at rows alone.
class Device {
 public:
  explicit Device(double until) {
    constexpr double step = 1e-4;
    double slider = 0, before = 0;
    for (double t = 0; t < until; t += step) {
      const double u = motion(t);
      slider = std::clamp(slider + 2 * (u - before), -0.5, 0.5);
      before = u;
      force_.push_back(slider + 0.3 * u);
    }
  }
  double operator()(double t) const {
    if (t <= 0) return 0;
    const double place = t / 1e-4;
    const auto i = static_cast<std::size_t>(place);
    return force_.at(i) + (place - static_cast<double>(i)) * (force_.at(i + 1) - force_.at(i));
  }

 private:
  std::vector<double> force_;
};

struct Recorder {
  double delay = 0, drift = 0, drift_u = 0, noise = 0;
};

Data record(const Device& device, const Recorder& recorder, int seed, bool times = true) {
  microslip::testing::Rng rng(static_cast<std::uint64_t>(seed));
  Data data{"record", {}, {}, {}};
  for (int i = 0; i < 600; ++i) {
    const double t = 0.05 * i;
    if (times) data.t.push_back(t);
    data.u.push_back(motion(t) + recorder.drift_u * t);
    data.f.push_back(device(t - recorder.delay) + recorder.drift * t +
                     recorder.noise * normal(rng));
  }
  return data;
}

Fit fitted(const Data& data, std::vector<std::string> free, Setup setup = {}) {
  const AnyModel law = catalog::make({"jenkins+linear", {}, {}});
  Settings settings;
  settings.setup = std::move(setup);
  settings.setup.free = std::move(free);
  settings.setup.beginning = Beginning::virgin;
  settings.starts = 8;
  settings.threads = 1;
  return fit(law, {data}, catalog::with_hints(std::move(settings), law, {data}));
}

const Estimate& estimate(const Fit& fit, const std::string& name) {
  return *std::find_if(fit.estimates.begin(), fit.estimates.end(),
                       [&](const Estimate& e) { return e.name == name; });
}

TEST(Measurement, five_rows_of_delay_made_the_energy_wrong) {
  const Device device(40);
  const Data data = record(device, {.delay = 0.25}, 1);
  const Fit without = fitted(data, {});
  EXPECT_GT(without.rms_relative, 0.02);
  const Fit with = fitted(data, {"delay"});
  EXPECT_EQ(with.outcome, Outcome::converged) << with.message;
  // Between rows the true motion is no straight line: off by h²ü/8 = 3e-4 of the amplitude.
  EXPECT_NEAR(estimate(with, "delay").value, 0.25, 0.02 * 0.05);
  EXPECT_NEAR(estimate(with, "jenkins.phi").value, 0.5, 1e-3);
  EXPECT_NEAR(estimate(with, "linear.k").value, 0.3, 2e-3);
  EXPECT_LT(with.rms_relative, 2e-3);
}

TEST(Measurement, a_delay_in_rows_where_there_is_no_time_and_held) {
  const Device device(40);
  const Data data = record(device, {.delay = -0.16}, 1, false);
  const Fit found = fitted(data, {"delay"});
  EXPECT_NEAR(estimate(found, "delay").value, -3.2, 0.01);
  EXPECT_EQ(estimate(found, "delay").unit, "rows");
  const Fit held = fitted(data, {}, {.fixed = {{"delay", -3.2}}});
  EXPECT_LT(held.rms_relative, 2e-3);
  EXPECT_EQ(held.free, 3u);
  const Fit bounded = fitted(data, {"delay"}, {.bounds = {{"delay", closed_interval(-2, 2)}}});
  EXPECT_TRUE(estimate(bounded, "delay").at_limit) << bounded.message;
  EXPECT_NEAR(estimate(bounded, "delay").value, -2, 1e-6);
  EXPECT_NE(microslip::testing::message_of([&] {
              fitted(data, {"delay"}, {.fixed = {{"delay", 1}}});
            }).find("delay"),
            std::string::npos);
}

TEST(Measurement, zeros_that_drift) {
  const Device device(40);
  const Fit found =
      fitted(record(device, {.drift = 0.02, .drift_u = -0.01}, 1), {"drift", "drift_u"});
  EXPECT_EQ(found.outcome, Outcome::converged) << found.message;
  EXPECT_NEAR(estimate(found, "drift").value, 0.02, 1e-4);
  EXPECT_NEAR(estimate(found, "drift_u").value, -0.01, 1e-4);
  EXPECT_EQ(estimate(found, "drift").unit, "F/T");
}

class Covered : public ::testing::TestWithParam<double> {};

TEST_P(Covered, errors_of_delay_and_drift_cover) {
  const Device device(40);
  int delay = 0, drift = 0, phi = 0;
  constexpr int records = 60;
  for (int seed = 0; seed < records; ++seed) {
    const double late = 0.003 * seed - 0.09;
    const Fit found =
        fitted(record(device, {.delay = late, .drift = 0.01, .noise = GetParam()}, seed),
               {"delay", "drift"});
    const auto covers = [&](const char* name, double truth) {
      const Estimate& e = estimate(found, name);
      return e.error && std::abs(e.value - truth) <= 1.96 * *e.error;
    };
    delay += covers("delay", late);
    drift += covers("drift", 0.01);
    phi += covers("jenkins.phi", 0.5);
  }
  // 95 % of 60 is 57; three standard deviations of that count are 5.
  EXPECT_GE(delay, 52);
  EXPECT_GE(drift, 52);
  EXPECT_GE(phi, 52);
}

/// 2 % and 0.3 % of the range of the force.
INSTANTIATE_TEST_SUITE_P(Measurement, Covered, ::testing::Values(0.03, 0.005));

TEST(Measurement, a_delay_and_a_dashpot_are_one_under_a_steady_sine) {
  const AnyModel law = catalog::make({"kelvin-voigt", {}, {}});
  Data data{"sine", {}, {}, {}};
  for (int i = 0; i < 600; ++i) {
    data.t.push_back(0.05 * i);
    data.u.push_back(std::sin(0.05 * i));
  }
  data.f = law.run({data.t, data.u, {}}).f;
  microslip::testing::Rng rng(1);
  for (double& f : data.f) f += 0.01 * normal(rng);
  Settings settings;
  settings.setup.free = {"delay"};
  settings.starts = 8;
  const Fit found = fit(law, {data}, catalog::with_hints(std::move(settings), law, {data}));
  // One of the two is held, and it is said.
  EXPECT_NE(found.message.find("only acts together with delay"), std::string::npos)
      << found.message;
}

TEST(Measurement, a_prediction_is_that_of_the_same_recorder) {
  const Device device(40);
  const Data data = record(device, {.delay = 0.25}, 1);
  const AnyModel law = catalog::make({"jenkins+linear", {}, {}});
  const Fit found = fitted(data, {"delay"});
  EXPECT_LT(predict(law, found, {}, data).rms_relative, 3e-3);
}

}  // namespace measurement_test
}  // namespace microslip::fit
