#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

#include "fit_command.hpp"

namespace cli {
namespace fit_directions_test {

/// Sliders in the plane by projections of the elastic trial over very small steps.
class FitDirections : public FitCommandTest {
 protected:
  static constexpr double kt = 3, kn = 4, mu = 0.5, N0 = 1.2;

  static std::array<double, 3> motion(double t) {
    return {std::sin(t) + 0.2 * std::sin(3 * t), 0.9 * std::sin(0.7 * t), 0.2 * std::sin(1.3 * t)};
  }

  /// `normal`: the limit is μ (N0 + kn un), and there are columns un, fn.
  void write_record(const std::string& name, bool normal) const {
    constexpr int rows = 300, steps = 400;
    std::string text = std::string("t [s],ux [mm],uy [mm]") + (normal ? ",un [mm]" : "") +
                       ",fx [N],fy [N]" + (normal ? ",fn [N]\n" : "\n");
    std::array<double, 2> f{};
    std::array<double, 3> before{};
    for (int row = 0; row < rows; ++row) {
      const std::array<double, 3> to = motion(0.05 * row);
      for (int step = 1; step <= steps && row > 0; ++step) {
        const double part = static_cast<double>(step) / steps;
        const double un = before[2] + part * (to[2] - before[2]);
        for (std::size_t i = 0; i < 2; ++i) f[i] += kt * (to[i] - before[i]) / steps;
        const double limit = mu * (N0 + (normal ? kn * un : 0)), size = std::hypot(f[0], f[1]);
        if (size > limit)
          for (double& one : f) one *= limit / size;
      }
      before = to;
      char line[200];
      if (normal)
        std::snprintf(line, sizeof line, "%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g\n", 0.05 * row,
                      to[0], to[1], to[2], f[0], f[1], kn * to[2]);
      else
        std::snprintf(line, sizeof line, "%.17g,%.17g,%.17g,%.17g,%.17g\n", 0.05 * row, to[0],
                      to[1], f[0], f[1]);
      text += line;
    }
    write(name, text);
  }
};

TEST_F(FitDirections, records_in_the_plane) {
  write_record("plane.csv", false);
  const Json one = fit({"plane.csv", "--model", "jenkins-planar"})["fits"][0];
  EXPECT_NEAR(one["parameters"]["k"].get<double>(), kt, 2e-3 * kt);
  EXPECT_NEAR(one["parameters"]["phi"].get<double>(), mu * N0, 2e-3 * mu * N0);
  EXPECT_LT(one["rms_relative"].get<double>(), 1e-3);
  EXPECT_EQ(one["status"], "converged");
}

TEST_F(FitDirections, records_with_a_normal_force) {
  write_record("space.csv", true);
  const Json one = fit({"space.csv", "--model", "contact-planar", "-o", "fit.json"})["fits"][0];
  EXPECT_NEAR(one["parameters"]["kt"].get<double>(), kt, 2e-3 * kt);
  EXPECT_NEAR(one["parameters"]["kn"].get<double>(), kn, 2e-3 * kn);
  EXPECT_NEAR(one["parameters"]["mu"].get<double>(), mu, 2e-3 * mu);
  EXPECT_NEAR(one["parameters"]["N0"].get<double>(), N0, 2e-3 * N0);
}

TEST_F(FitDirections, what_a_record_lacks_is_named) {
  write_record("plane.csv", false);
  const auto refused = [&](const std::vector<std::string>& words, const std::string& part) {
    std::vector<std::string> call{"fit"};
    call.insert(call.end(), words.begin(), words.end());
    const Outcome outcome = run(call);
    EXPECT_EQ(outcome.code, 2) << outcome.out;
    EXPECT_NE(outcome.err.find(part), std::string::npos) << outcome.err;
  };
  refused({"plane.csv", "--model", "contact-planar"}, "un");
  refused({"plane.csv", "--model", "jenkins-planar", "--free", "delay"},
          "--free delay is for records with one direction");
  refused({"plane.csv", "--model", "jenkins-planar", "--predict", "plane.csv"},
          "--predict is for records with one direction");
}

/// A law that cannot take part does not stop the others.
TEST_F(FitDirections, a_law_with_one_direction_stands_aside) {
  write_record("plane.csv", false);
  const Outcome outcome = run({"fit", "plane.csv", "--model", "jenkins-planar", "jenkins"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(
      (outcome.out + outcome.err).find("plane.csv, x has several directions; jenkins has one"),
      std::string::npos)
      << outcome.out;
}

}  // namespace fit_directions_test
}  // namespace cli
