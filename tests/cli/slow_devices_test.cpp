#include <cmath>
#include <nlohmann/json.hpp>

#include "command.hpp"

/// Ten records of devices whose truth is no law of microslip, the whole way: fit, prediction of another record, and
/// the fitted law under it once more.
namespace cli {
namespace slow_devices_test {

using Json = nlohmann::json;

struct Device {
  const char* name;
  std::vector<std::string> options;
  double most_error;  ///< of the prediction; the noise and what the law leaves out
};

class SlowDevices : public CommandTest {};

TEST_F(SlowDevices, what_is_said_of_them_holds) {
  if (shell("command -v python3").code != 0) GTEST_SKIP() << "python3 is not installed";
  const std::string script =
      (fs::path(microslip::source_dir) / "examples/records/devices.py").string();
  ASSERT_EQ(shell("python3 '" + script + "' .").code, 0);
  const std::vector<Device> devices{
      {"friction-damper", {"--model", "jenkins,dahl,bouc-wen", "--free", "backlash"}, 0.04},
      {"robot-joint", {"--model", "dahl,lugre,maxwell-slip"}, 0.06},
      {"mr-damper", {"--model", "bouc-wen+viscous,coulomb-viscous", "--free", "offset"}, 0.12},
      {"piezo", {"--f", "2", "--model", "masing+linear,bouc", "--free", "offset,offset_u"}, 0.01},
      {"steel", {"--model", "chaboche,menegotto-pinto,bouc-wen"}, 0.015},
      {"wood-wall", {"--model", "baber-noori,bouc-wen-degrading,bouc-wen"}, 0.15},
      {"isolator", {"--model", "bouc-wen-asymmetric,bouc-wen,bouc"}, 0.1},
      {"bolt", {"--model", "iwan4+linear,jenkins+linear", "--free", "drift"}, 0.02},
      {"rocking", {"--model", "rocking,flag,jenkins"}, 0.01},
      {"rubber", {"--model", "bouc-wen,valanis,bouc"}, 0.05}};
  int inside = 0, predictions = 0;
  for (const Device& device : devices) {
    const std::string name = device.name;
    std::vector<std::string> words{"fit",           name + ".csv", "--predict",
                                   name + "-2.csv", "-o",          "f.json",
                                   "--time-budget", "60",          "-q"};
    words.insert(words.end(), device.options.begin(), device.options.end());
    const Outcome o = run(words);
    ASSERT_EQ(o.code, 0) << name << o.err;
    EXPECT_EQ(o.err, "") << name;
    const Json result = Json::parse(read("f.json"));
    for (const Json& fit : result["fits"]) {
      const std::string law = name + ", " + fit["model"].get<std::string>();
      if (fit["status"] == "converged")
        for (const auto& [parameter, value] : fit["parameters"].items()) {
          const Json& error = fit["standard_errors"][parameter];
          if (value.is_number() && error.is_number() && value != 0.0)
            EXPECT_LE(error.get<double>(), 3 * std::abs(value.get<double>())) << law << parameter;
        }
      const Json& p = fit["predictions"][0];
      const double miss = std::abs(p["energy"].get<double>() - p["measured_energy"].get<double>());
      if (!p["energy_standard_deviation"].is_number() || !p["energy_misfit"].is_number()) continue;
      const double error = std::hypot(p["energy_standard_deviation"].get<double>(),
                                      p["energy_misfit"].get<double>());
      std::printf("%-32s %-12s rms %6.2f %%  energy %10.4g, measured %10.4g ± %.3g\n", law.c_str(),
                  fit["status"].get<std::string>().c_str(), 100 * p["rms_relative"].get<double>(),
                  p["energy"].get<double>(), p["measured_energy"].get<double>(), error);
      ++predictions;
      inside += miss <= 2 * error;
    }
    EXPECT_LT(result["fits"][0]["predictions"][0]["rms_relative"].get<double>(), device.most_error)
        << name;
    EXPECT_EQ(run({"simulate", "--params", "f.json", "--input", name + "-2.csv", "-o", "s.csv",
                   "-q", "--missing", "interpolate"})
                  .code,
              name == "piezo" ? 2 : 0)  // its columns have to be named again
        << name;
  }
  // Errors of one record for laws that are not its truth: no more than some.
  EXPECT_GE(inside, predictions * 3 / 4) << "of " << predictions;
}

}  // namespace slow_devices_test
}  // namespace cli
