#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "command.hpp"

namespace cli {
namespace identify_test {

using Json = nlohmann::json;

class IdentifyCommand : public CommandTest {
 protected:
  /// m = 2, c = 0.4, k = 30 and a joint of 20 that slides at 1.5, by Verlet's rule.
  static std::string record() {
    std::string text = "t,f,x1\n";
    double x = 0, v = 0, joint = 0;
    const auto force = [](double t) { return 4 * (std::sin(3.1 * t) + std::sin(5.3 * t + 1)); };
    for (int i = 0; i < 300; ++i) {
      const double row = 0.05 * i, h = 0.05 / 50;
      // The noise of a record that is read to three digits behind the point.
      char line[80];
      std::snprintf(line, sizeof line, "%.4f,%.9f,%.3f\n", row, force(row), x);
      text += line;
      for (int k = 0; k < 50; ++k) {
        const double t = row + h * k;
        const auto a = [&](double at) { return (force(at) - 0.4 * v - 30 * x - joint) / 2; };
        v += 0.5 * h * a(t);
        x += h * v;
        joint = std::clamp(joint + 20 * h * v, -1.5, 1.5);
        v += 0.5 * h * a(t + h);
      }
    }
    return text;
  }
  static std::string structure(const std::string& unknown, const std::string& data) {
    return "M = [2.0]\n[[spring]]\nbetween = [0, 1]\nk = 50\n[[damper]]\nbetween = [0, 1]\nc = "
           "0.4\n"
           "[[joint]]\nmodel = \"jenkins\"\nbetween = [0, 1]\n[[load]]\nkind = \"harmonic\"\ndof = "
           "1\n"
           "amplitude = 4\nomega = 3\n[unknown]\n" +
           unknown + "[[data]]\n" + data + "[[analysis]]\nkind = \"time\"\nuntil = 1\nstep = 0.1\n";
  }
};

/// Headings with units other than those of the structure were read as they are: a loop in kN and mm gave kN/mm for N/m.
TEST_F(IdentifyCommand, units_of_headings_become_those_of_the_structure) {
  std::string loop = "u [mm],f [kN]\n", decay = "t [ms],a1 [mm/s^2]\n";
  double force = 0, before = 0;
  for (int i = 0; i < 200; ++i) {
    const double u = std::sin(0.1 * i);
    force = std::clamp(force + 2 * (u - before), -0.5, 0.5);
    before = u;
    loop += std::to_string(u) + "," + std::to_string(force) + "\n";
    // x = exp(−0.02 t) cos t, in mm and s; its second derivative.
    const double t = 0.1 * i,
                 a = std::exp(-0.02 * t) * ((0.0004 - 1) * std::cos(t) + 0.04 * std::sin(t));
    decay += std::to_string(1000 * t) + "," + std::to_string(1000 * a) + "\n";
  }
  write("loop.csv", loop);
  write("decay.csv", decay);
  const std::string head = "units = \"N, m, s\"\nM = [1.0]\nK = [1.3]\nC = [0.04]\n";
  const std::string joint = "[[joint]]\nmodel = \"jenkins\"\nbetween = [0, 1]\n";
  const auto found = [&](const std::string& text) {
    write("as.toml", text);
    const Outcome o = run({"identify", "as.toml", "--json"});
    EXPECT_EQ(o.code, 0) << o.err;
    return o.code == 0 ? Json::parse(o.out)["fits"][0]["parameters"] : Json();
  };
  const Json slider = found(head + joint +
                            "[unknown]\n\"joint[1].k\" = {}\n\"joint[1].phi\" = {}\n"
                            "[[data]]\nkind = \"loop\"\nfile = \"loop.csv\"\n");
  EXPECT_NEAR(slider["joint[1].k"].get<double>(), 2e6, 10);
  EXPECT_NEAR(slider["joint[1].phi"].get<double>(), 500, 1e-3);
  const std::string ring_down =
      "[unknown]\n\"K[1]\" = {}\n[[data]]\nkind = \"ring-down\"\nfile = \"";
  EXPECT_NEAR(found(head + ring_down + "decay.csv\"\n")["K[1]"].get<double>(), 1.0004, 1e-4);
  write("odd.csv", "t [fortnight],x1 [mm]\n0,1\n1,0\n2,-1\n");
  write("as.toml", head + ring_down + "odd.csv\"\n");
  const Outcome refused = run({"identify", "as.toml"});
  EXPECT_EQ(refused.code, 2);
  EXPECT_TRUE(contains(refused.err, "column t: 'fortnight' is no unit of time")) << refused.err;
}

/// A wild row was larger than all the rest: the structure missed 96 % of the measurement.
TEST_F(IdentifyCommand, a_wild_row_of_a_long_decay_is_left_out) {
  // x = exp(-0.02 t) cos t solves x'' + 0.04 x' + 1.0004 x = 0.
  std::string decay = "t,x1\n";
  for (int i = 0; i < 3000; ++i) {
    const double t = 0.1 * i;
    char line[60];
    std::snprintf(line, sizeof line, "%.1f,%.9f\n", t,
                  i == 1200 ? 40.0 : std::exp(-0.02 * t) * std::cos(t));
    decay += line;
  }
  write("decay.csv", decay);
  write("as.toml",
        "M = [1.0]\nK = [3.0]\nC = [0.1]\n[unknown]\n\"K[1]\" = {}\n\"C[1]\" = {}\n[[data]]\n"
        "kind = \"ring-down\"\nfile = \"decay.csv\"\n");
  const Outcome o = run({"identify", "as.toml", "-o", "found.json"});
  ASSERT_EQ(o.code, 0) << o.err;
  EXPECT_TRUE(contains(o.err, "decay.csv: x1: row 1201 jumps away and back")) << o.err;
  const Json numbers = Json::parse(read("found.json"))["fits"][0]["parameters"];
  EXPECT_NEAR(numbers["K[1]"].get<double>(), 1.0004, 1e-5);
  EXPECT_NEAR(numbers["C[1]"].get<double>(), 0.04, 1e-5);
}

TEST_F(IdentifyCommand, a_record_gives_numbers_that_respond_runs) {
  write("record.csv", record());
  write("s.toml", structure("\"spring[1].k\" = {}\n\"joint[1].k\" = { start = 10 }\n"
                            "\"joint[1].phi\" = { start = 3, bounds = [0.1, 10] }\n",
                            "kind = \"record\"\nfile = \"record.csv\"\n"));
  const Outcome o = run({"identify", "s.toml", "-o", "result.json"});
  ASSERT_EQ(o.code, 0) << o.err;
  const Json result = Json::parse(read("result.json"));
  EXPECT_EQ(result["schema"], "microslip.fit/1");
  const Json& fit = result["fits"][0];
  EXPECT_EQ(fit["status"], "converged");
  const std::pair<const char*, double> known[] = {
      {"spring[1].k", 30}, {"joint[1].k", 20}, {"joint[1].phi", 1.5}};
  for (const auto& [name, value] : known) {
    const double error = fit["standard_errors"][name];
    EXPECT_LT(std::abs(fit["parameters"][name].get<double>() - value), 4 * error) << name;
    EXPECT_LT(error, 0.1 * value) << name;
  }
  const Outcome page =
      run({"identify", "s.toml", "--starts", "0", "--write", "opensees", "--report", "s.html"});
  ASSERT_EQ(page.code, 0) << page.err;
  EXPECT_NE(page.out.find("uniaxialMaterial ElasticPP 1 "), std::string::npos) << page.out;
  EXPECT_NE(read("s.html").find("joint[1].phi"), std::string::npos);
  const Outcome none = run({"identify", "s.toml", "--starts", "0", "--write", "mujoco"});
  EXPECT_NE(none.out.find("mujoco has no law 'jenkins'"), std::string::npos) << none.out;
  const Outcome there = run({"respond", "s.toml", "--params", "result.json"});
  ASSERT_EQ(there.code, 0) << there.err;
  EXPECT_NE(there.out, run({"respond", "s.toml"}).out);
}

TEST_F(IdentifyCommand, what_is_wrong_is_said_with_its_place) {
  write("record.csv", record());
  const std::string data = "kind = \"record\"\nfile = \"record.csv\"\n";
  const std::string fine = "\"spring[1].k\" = {}\n";
  const std::pair<std::string, std::string> refused[] = {
      {structure("\"spring[2].k\" = {}\n", data), "they are 1 to 1"},
      {structure("\"spring[1].k\" = { start = 5, bounds = [10, 20] }\n", data),
       "must lie in the bounds"},
      {structure("\"spring[1].k\" = 3\n", data), "must be a table"},
      {structure(fine, "kind = \"recrod\"\nfile = \"record.csv\"\n"),
       "unknown kind of data 'recrod'"},
      {structure(fine, "kind = \"loop\"\nfile = \"record.csv\"\n"), "no column 'u'"},
      {structure(fine, "kind = \"modal-curve\"\nfile = \"record.csv\"\n"), "needs 'at'"},
      {structure(fine, data + "band = [2, 1]\n"), "the lower one first"},
      {structure(fine, data + "band = [0.1, 200]\n"), "beyond half the rate"},
      {structure(fine, data + "holdout = true\n"), "every [[data]] is held out"},
      {structure(fine, data + "mode = 1\n"), "unknown key 'mode'"},
      {structure(fine, "kind = \"frequency-response\"\nfile = \"record.csv\"\n"),
       "no column 'frequency'"},
      {structure(fine, data + "channels = [\"x1\"]\n"), "channels need 'at'"},
      {structure("", data), "nothing is unknown"}};
  for (const auto& [file, sentence] : refused) {
    write("s.toml", file);
    const Outcome o = run({"identify", "s.toml"});
    EXPECT_EQ(o.code, 2) << sentence << "\n" << o.err;
    EXPECT_NE(o.err.find(sentence), std::string::npos) << o.err;
  }
  write(
      "s.toml",
      "M = [1.0]\n[[joint]]\nmodel = \"coulomb\"\nbetween = [0, 1]\n[[load]]\nkind = \"harmonic\"\n"
      "dof = 1\namplitude = 1\n[unknown]\n\"M[1]\" = {}\n[[data]]\n" +
          data);
  const Outcome rigid = run({"identify", "s.toml"});
  EXPECT_EQ(rigid.code, 2);
  EXPECT_NE(rigid.err.find("no rigid friction"), std::string::npos) << rigid.err;
}

}  // namespace identify_test
}  // namespace cli
