#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "command.hpp"
#include "microslip/detail/numerics/constants.hpp"
#include "support/paths.hpp"

namespace cli {
namespace ringdown_test {

using microslip::pi;

using Json = nlohmann::json;

class RingdownCommand : public CommandTest {
 protected:
  /// Two modes at two places after a blow at t = 1: 0.5 and 1.1 periods in a unit of time, damping
  /// ratios 0.01 and 0.005; accelerations if asked for.
  static std::string record(const std::string& headings, bool acceleration = false) {
    std::string text = headings;
    for (int i = 0; i <= 4000; ++i) {
      const double t = 0.05 * i, s = t - 1;
      double x[2] = {0, 0};
      const double omega[] = {pi, 2.2 * pi}, zeta[] = {0.01, 0.005}, size[] = {2, 0.4};
      const double shape[2][2] = {{1, 0.5}, {-0.5, 1}};
      for (int j = 0; j < 2 && s >= 0; ++j) {
        const double rate = zeta[j] * omega[j],
                     damped = omega[j] * std::sqrt(1 - zeta[j] * zeta[j]);
        const double e = size[j] * std::exp(-rate * s);
        // Second derivative: (λ²) e^(λs) with λ = −rate + i damped.
        const double re = rate * rate - damped * damped, im = -2 * rate * damped;
        const double value = acceleration
                                 ? e * (re * std::cos(damped * s) - im * std::sin(damped * s))
                                 : e * std::cos(damped * s);
        for (int c = 0; c < 2; ++c) x[c] += shape[j][c] * value;
      }
      text += std::to_string(t) + "," + std::to_string(x[0]) + "," + std::to_string(x[1]) + "\n";
    }
    return text;
  }
};

TEST_F(RingdownCommand, modes_of_a_record) {
  write("decay.csv", record("t [s],left [mm],right [mm]\n"));
  const Outcome o =
      run({"ringdown", "decay.csv", "--columns", "left,right", "--json", "-o", "modes.csv"});
  ASSERT_EQ(o.code, 0) << o.err;
  const Json json = Json::parse(o.out);
  EXPECT_EQ(json["start"]["row"], 21);  // the blow, not the rest before it
  EXPECT_EQ(json["units"]["amplitude"], "mm");
  ASSERT_EQ(json["modes"].size(), 2u);
  const double frequency[] = {0.5, 1.1}, zeta[] = {0.01, 0.005};
  for (std::size_t j = 0; j < 2; ++j) {
    const Json& mode = json["modes"][j];
    EXPECT_EQ(mode["amplitude_of"], j == 0 ? "left" : "right");
    EXPECT_NEAR(mode["shape"][1 - j], j == 0 ? 0.5 : -0.5, 1e-4);
    // Six digits are written.
    EXPECT_NEAR(mode["omega"][0], 2 * pi * frequency[j] * std::sqrt(1 - zeta[j] * zeta[j]), 1e-4);
    EXPECT_NEAR(mode["zeta"][0], zeta[j], 1e-5);
    const double t = mode["t"][0];
    EXPECT_NEAR(mode["amplitude"][0],
                (j == 0 ? 2 : 0.4) * std::exp(-zeta[j] * 2 * pi * frequency[j] * (t - 1)), 1e-3);
    EXPECT_NEAR(t - 1, mode["window"].get<double>() / 2, 1e-6);
  }
  const std::string csv = read("modes.csv");
  EXPECT_TRUE(contains(csv,
                       "mode,t [s],amplitude [mm],omega [rad/s],frequency [Hz],zeta,"
                       "omega_error [rad/s],zeta_error\n"))
      << csv.substr(0, 600);
  EXPECT_EQ(column(csv, "zeta").size(),
            json["modes"][0]["t"].size() + json["modes"][1]["t"].size());
}

TEST_F(RingdownCommand, accelerations_as_displacements) {
  write("x.csv", record("t [s],left [mm],right [mm]\n"));
  write("a.csv", record("t [s],left [mm/s^2],right [mm/s^2]\n", true));
  const std::vector<std::string> options{"--from", "1",   "--at", "0.5,1.1",
                                         "--band", "0.3", "-q",   "--json"};
  std::vector<std::string> words{"ringdown", "x.csv", "--columns", "2,3"};
  words.insert(words.end(), options.begin(), options.end());
  const Json of_x = Json::parse(run(words).out);
  words[1] = "a.csv";
  words.insert(words.end(), {"--quantity", "acceleration"});
  const Json of_a = Json::parse(run(words).out);
  EXPECT_EQ(of_a["units"]["amplitude"], "mm");
  for (std::size_t j = 0; j < 2; ++j)
    for (const char* name : {"amplitude", "omega", "zeta"})
      EXPECT_NEAR(of_a["modes"][j][name][3], of_x["modes"][j][name][3],
                  1e-3 * of_x["modes"][j][name][3].get<double>())
          << name;
}

TEST_F(RingdownCommand, a_table_and_a_picture) {
  write("decay.csv", record("Time,a1,a2\n"));
  const Outcome o = run({"ringdown", "decay.csv", "--plot", "p.svg"});
  ASSERT_EQ(o.code, 0) << o.err;
  EXPECT_TRUE(contains(o.out, "decay from t = 1 on (row 21 of 4001), step 0.05")) << o.out;
  EXPECT_TRUE(contains(o.out, "cut at each end")) << o.out;
  EXPECT_TRUE(exists("p.svg"));
  for (const char* text : {"damping ratio", "1: 0.5"}) EXPECT_TRUE(contains(read("p.svg"), text));
}

TEST_F(RingdownCommand, a_window_longer_than_the_record_is_said) {
  write("decay.csv", record("t,a,b\n"));
  const Outcome o = run({"ringdown", "decay.csv", "--at", "0.5", "--band", "0.01"});
  EXPECT_EQ(o.code, 0);
  EXPECT_TRUE(contains(o.err, "its window of 400 is longer than the decay of 199")) << o.err;
  // However narrow: no memory is asked for windows that do not fit.
  EXPECT_EQ(run({"ringdown", "decay.csv", "--at", "0.5", "--band", "1e-12", "-q"}).code, 0);
}

TEST_F(RingdownCommand, modes_of_one_band_are_named_and_refused_with_one_column) {
  std::string text = "t,left,right\n";
  for (int i = 0; i <= 9000; ++i) {
    const double t = 0.05 * i;
    const auto mode = [&](double omega, double zeta) {
      return std::exp(-zeta * omega * t) * std::cos(omega * t);
    };
    const double a = mode(2 * pi, 0.002), b = mode(2.04 * pi, 0.003);
    text += std::to_string(t) + "," + std::to_string(a + 0.5 * b) + "," +
            std::to_string(0.4 * a - b) + "\n";
  }
  write("pair.csv", text);
  const Outcome both = run({"ringdown", "pair.csv", "--columns", "left,right", "--json"});
  ASSERT_EQ(both.code, 0) << both.err;
  const Json json = Json::parse(both.out);
  ASSERT_EQ(json["modes"].size(), 2u);
  for (const Json& mode : json["modes"]) EXPECT_TRUE(mode["resolved"]);
  EXPECT_TRUE(contains(both.err, "it was separated by its shape from what vibrates at 1"))
      << both.err;
  const Outcome one = run({"ringdown", "pair.csv", "--json"});
  EXPECT_EQ(one.code, 0);
  const Json alone = Json::parse(one.out)["modes"][0];
  EXPECT_FALSE(alone["resolved"]);
  EXPECT_TRUE(alone["t"].empty());
  EXPECT_TRUE(contains(one.err, "it is not resolved")) << one.err;
}

TEST_F(RingdownCommand, a_record_without_peaks_says_that_it_was_clipped) {
  // At its limit nearly to the end: what is left has less than ten periods.
  std::string text = "t,a\n";
  for (int i = 0; i <= 400; ++i) {
    const double t = 0.05 * i;
    text += std::to_string(t) + "," +
            std::to_string(std::clamp(20 * std::exp(-0.15 * t) * std::cos(2 * pi * t), -1.0, 1.0)) +
            "\n";
  }
  write("clipped.csv", text);
  const Outcome o = run({"ringdown", "clipped.csv"});
  EXPECT_EQ(o.code, 1);
  EXPECT_TRUE(contains(o.err, "no peak of the spectrum stands out")) << o.err;
  EXPECT_TRUE(contains(o.err, "a is clipped")) << o.err;
}

TEST_F(RingdownCommand, few_periods_are_read_or_counted) {
  const auto decay = [&](double periods) {
    std::string text = "t [s],x [m]\n";
    for (double t = 0; t < periods; t += 0.025)
      text += std::to_string(t) + "," +
              std::to_string(std::exp(-0.01 * 2 * pi * t) * std::cos(2 * pi * t)) + "\n";
    write("decay.csv", text);
    const Outcome o = run({"ringdown", "decay.csv", "--columns", "x", "--json"});
    EXPECT_EQ(o.code, 0) << o.err;
    return Json::parse(o.out);
  };
  const Json read = decay(19)["modes"][0];
  ASSERT_GE(read["zeta"].size(), 13u);
  for (const double zeta : read["zeta"]) EXPECT_NEAR(zeta, 0.01, 5e-5);
  EXPECT_TRUE(contains(decay(10.5)["notes"].dump(), " periods of it; at least 12 are needed"));
}

TEST_F(RingdownCommand, columns_in_two_units_are_refused) {
  write("r.csv", record("t [s],a1 [g],a2 [m/s^2]\n", true));
  const Outcome o = run({"ringdown", "r.csv", "--columns", "a1,a2", "--quantity", "acceleration"});
  EXPECT_EQ(o.code, 2);
  EXPECT_TRUE(contains(o.err, "a1 is in g and a2 in m/s^2")) << o.err;
}

TEST_F(RingdownCommand, bad_input_is_one_sentence) {
  write("decay.csv", record("t,a,b\n"));
  write("gap.csv", "t,a\n0,1\n1,2\n2,1\n2.2,0\n4,1\n");
  write("no_time.csv", "when,a\n0,1\n1,2\n2,1\n");
  const std::vector<std::pair<std::vector<std::string>, std::string>> calls{
      {{"ringdown"}, "FILE.csv is required: a record of free vibration"},
      {{"ringdown", "nothing.csv"}, "nothing.csv"},
      {{"ringdown", "gap.csv"}, "gap.csv: row 4: t = 2.2 is not evenly spaced (3 would be)"},
      {{"ringdown", "no_time.csv"}, "--t NAME says which one it is"},
      {{"ringdown", "decay.csv", "--columns", "a,c"},
       "has no column 'c', which was to be motion 2"},
      {{"ringdown", "decay.csv", "--modes", "0"}, "--modes = 0 must be a whole number"},
      {{"ringdown", "decay.csv", "--at", "-1"}, "--at -1 must be positive"},
      {{"ringdown", "decay.csv", "--at", "20"}, "the frequency 20 must lie between 0 and 9"},
      {{"ringdown", "decay.csv", "--at", "0.5", "--modes", "1"}, "only one of them"},
      {{"ringdown", "decay.csv", "--at", "0.5", "--band", "0.5"}, "at most 0.9 of it"},
      {{"ringdown", "decay.csv", "--band", "0"}, "--band 0 must be positive"},
      {{"ringdown", "decay.csv", "--quantity", "jerk"}, "jerk"},
      {{"ringdown", "decay.csv", "-o", "decay.csv"}, "would be overwritten"}};
  for (const auto& [words, part] : calls) {
    const Outcome o = run(words);
    EXPECT_EQ(o.code, 2) << o.err;
    EXPECT_TRUE(contains(o.err, part)) << o.err;
    EXPECT_EQ(std::count(o.err.begin(), o.err.end(), '\n'), 1) << o.err;
    EXPECT_EQ(o.out, "");
  }
  write("still.csv", "t,a\n0,1\n1,1\n2,1\n3,1\n4,1\n5,1\n");
  const Outcome still = run({"ringdown", "still.csv"});
  EXPECT_EQ(still.code, 1);
  EXPECT_TRUE(contains(still.err, "no peak of the spectrum stands out")) << still.err;
}

TEST_F(RingdownCommand, a_measured_hammer_record) {
  // A bolted beam, three accelerometers; not part of the project, so used where it lies beside it.
  const fs::path file =
      fs::path(microslip::source_dir) / ".." / "shared" / "data" / "brb_hammer.mat";
  if (!fs::exists(file)) GTEST_SKIP() << "no measured record";
  const auto mode = [&](const std::string& columns) {
    const Outcome o = run({"ringdown", file.string(), "--columns", columns, "--at", "297.6",
                           "--band", "40", "--quantity", "acceleration", "--json", "-q"});
    EXPECT_EQ(o.code, 0) << o.err;
    return Json::parse(o.out)["modes"][0];
  };
  const Json all = mode("acc1,acc2,acc3");
  // The joint stiffens and damps less while the vibration decays by two orders.
  const std::size_t late = 120;
  ASSERT_GT(all["t"].size(), late);
  EXPECT_GT(all["amplitude"][0].get<double>() / all["amplitude"][late].get<double>(), 10);
  EXPECT_GT(all["omega"][late].get<double>() - all["omega"][0].get<double>(), 2 * pi * 0.2);
  EXPECT_NEAR(all["zeta"][0], 1.5e-3, 1e-4);
  EXPECT_NEAR(all["zeta"][late], 1.0e-3, 1e-4);
  EXPECT_LT(all["shape_change"].get<double>(), 0.01);
  // The accelerometers agree with one another.
  for (const char* one : {"acc1", "acc2", "acc3"}) {
    const Json alone = mode(one);
    for (const std::size_t i : {std::size_t{0}, std::size_t{20}, std::size_t{40}}) {
      EXPECT_NEAR(alone["omega"][i], all["omega"][i], 2 * pi * 0.03) << one << " " << i;
      EXPECT_NEAR(alone["zeta"][i], all["zeta"][i], 1e-4) << one << " " << i;
    }
  }
}

}  // namespace ringdown_test
}  // namespace cli
