#include <cmath>
#include <nlohmann/json.hpp>

#include "command.hpp"
#include "microslip/version.hpp"

namespace cli {
namespace loops_test {

using Json = nlohmann::json;

class LoopsCommand : public CommandTest {
 protected:
  /// A slider of k = 2, φ = 1 at amplitude 2 and then 1, straight from turn to turn.
  static std::string record(const std::string& head, bool exchanged = false, double sign = 1) {
    std::string csv = head + "0,0,0\n";
    double u = 0, f = 0;
    int row = 0;
    for (const double turn : {2.0, -2.0, 2.0, -2.0, 2.0, -1.0, 1.0, -1.0, 1.0, -1.0, 0.0}) {
      const double start = u;
      for (int k = 1; k <= 40; ++k) {
        const double next = start + (turn - start) * k / 40;
        f = std::clamp(f + 2 * (next - u), -1.0, 1.0);
        u = next;
        const std::string a = std::to_string(u), b = std::to_string(sign * f);
        csv += std::to_string(++row) + "," + (exchanged ? b + "," + a : a + "," + b) + "\n";
      }
    }
    return csv;
  }
};

TEST_F(LoopsCommand, a_table_for_people) {
  write("joint.csv", record("t [s],u [mm],f [kN]\n"));
  const Outcome o = run({"loops", "joint.csv"});
  EXPECT_EQ(o.code, 0) << o.err;
  EXPECT_TRUE(contains(o.out, "joint.csv: 441 rows; u is column 2, f is column 3, t is column 1"));
  EXPECT_TRUE(contains(o.out, "amplitude"));
  EXPECT_TRUE(contains(o.out, "initial stiffness   2 kN/mm"));
  EXPECT_TRUE(contains(o.out, "half gap            1 kN"));
}

TEST_F(LoopsCommand, the_density_runs_as_a_law) {
  write("joint.csv", record("t,u,f\n"));
  const Outcome o = run({"loops", "joint.csv", "--law", "law.json", "-q"});
  ASSERT_EQ(o.code, 0) << o.err;
  EXPECT_TRUE(contains(read("law.json"), "iwan-table"));
  write("path.csv", "u\n0.2\n2\n1.8\n-2\n");
  const Outcome again =
      run({"simulate", "--params", "law.json", "--input", "path.csv", "-o", "again.csv"});
  ASSERT_EQ(again.code, 0) << again.err;
  // The slider itself, k = 2 and φ = 1, as far as bars of a twentieth of the amplitude tell.
  const auto f = column(read("again.csv"), "f");
  const double slider[] = {0.4, 1, 0.6, -1};
  ASSERT_EQ(f.size(), 4u);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(f[i], slider[i], 0.03) << i;
  // A record without hysteresis has no density.
  write("spring.csv", "u,f\n0,0\n1,1\n2,2\n1,1\n0,0\n-1,-1\n-2,-2\n-1,-1\n0,0\n1,1\n2,2\n");
  const Outcome none = run({"loops", "spring.csv", "--law", "none.json", "-q"});
  EXPECT_EQ(none.code, 2) << none.out;
  EXPECT_TRUE(contains(none.err, "there is no Iwan density to write")) << none.err;
}

TEST_F(LoopsCommand, one_row_for_each_loop) {
  write("joint.csv", record("t,u,f\n"));
  const Outcome o = run({"loops", "joint.csv", "-o", "cycles.csv"});
  EXPECT_EQ(o.code, 0) << o.err;
  const std::string csv = read("cycles.csv");
  EXPECT_TRUE(contains(csv, "\n# microslip: " + std::string(microslip::version)));
  EXPECT_TRUE(contains(csv, "# command: microslip loops joint.csv -o cycles.csv\n"));
  const auto amplitude = column(csv, "amplitude"), energy = column(csv, "energy");
  ASSERT_EQ(amplitude.size(), 4u);  // 2, 2, then 1, 1; before and after are parts of loops
  for (std::size_t i = 0; i < amplitude.size(); ++i) {
    EXPECT_NEAR(amplitude[i], i < 2 ? 2 : 1, 1e-9);
    // 4φ(A − φ/k); the corner of a slider falls on a row, as each leg has 40 equal steps.
    EXPECT_NEAR(energy[i], 4 * (amplitude[i] - 0.5), 1e-5);
  }
}

TEST_F(LoopsCommand, columns_by_name_and_by_number) {
  write("plain.csv", record("Scan,Cell,LVDT 2\n", true));
  const Outcome unknown = run({"loops", "plain.csv"});
  EXPECT_EQ(unknown.code, 2);
  EXPECT_TRUE(contains(unknown.err, "plain.csv"));
  write("lab.csv", record("Scan,Cell (kN),LVDT 2 (mm)\n", true));
  const Outcome by_name = run({"loops", "lab.csv", "--u", "LVDT 2", "--f", "Cell", "--json"});
  EXPECT_EQ(by_name.code, 0) << by_name.err;
  const Json json = Json::parse(by_name.out);
  EXPECT_EQ(json["units"]["u"], "mm");
  EXPECT_EQ(json["units"]["f"], "kN");
  EXPECT_EQ(json["cycles"].size(), 4u);
  EXPECT_NEAR(json["initial_stiffness"], 2, 1e-5);
  const Outcome by_number = run({"loops", "lab.csv", "--u", "3", "--f", "2", "--json"});
  EXPECT_EQ(Json::parse(by_number.out)["cycles"], json["cycles"]);
}

TEST_F(LoopsCommand, either_order_of_columns) {
  write("joint.csv", record("Time,Force (kN),Displacement [mm]\n", true));
  const Outcome o = run({"loops", "joint.csv", "--json"});
  EXPECT_EQ(o.code, 0) << o.err;
  EXPECT_NEAR(Json::parse(o.out)["cycles"][0]["energy"], 6, 1e-5);
}

TEST_F(LoopsCommand, a_flipped_sign_is_repaired_and_said) {
  write("joint.csv", record("t,u,f\n", false, -1));
  const Outcome o = run({"loops", "joint.csv", "--json"});
  EXPECT_EQ(o.code, 0) << o.err;
  EXPECT_TRUE(contains(o.err, "opposite sign"));
  const Json json = Json::parse(o.out);
  EXPECT_EQ(json["sign_flipped"], true);
  EXPECT_NEAR(json["cycles"][0]["energy"], 6, 1e-5);
}

TEST_F(LoopsCommand, a_slip_front_loses_energy_with_the_cube_of_the_force) {
  ASSERT_EQ(run({"simulate", "slip-front", "--signal", "(0.1+0.02*t)*sin(2*pi*t)", "--until", "20",
                 "--step", "0.005", "-o", "front.csv"})
                .code,
            0);
  const Outcome o = run({"loops", "front.csv"});
  EXPECT_EQ(o.code, 0) << o.err;
  EXPECT_TRUE(contains(o.out, "energy ~ force^m, m = ")) << o.out;
  const Outcome j = run({"loops", "front.csv", "--json"});
  const Json json = Json::parse(j.out);
  EXPECT_EQ(json["driven"], "force");
  EXPECT_NEAR(json["dissipation_by_force"]["exponent"].get<double>(), 3, 0.02);
  EXPECT_NEAR(json["dissipation"]["exponent"].get<double>(), 1.5, 0.02);  // u ∝ F²
  for (const Json& cycle : json["cycles"]) EXPECT_GT(cycle["energy"].get<double>(), 0);
}

TEST_F(LoopsCommand, a_file_driven_by_force_is_exchanged) {
  write("joint.csv", record("# driven: force\nt,u,f\n", true));
  const Outcome o = run({"loops", "joint.csv", "--json"});
  EXPECT_EQ(o.code, 0) << o.err;
  const Json json = Json::parse(o.out);
  EXPECT_EQ(json["driven"], "force");
  EXPECT_NEAR(json["cycles"][0]["energy"], 6, 1e-5);
}

TEST_F(LoopsCommand, backbone_normalized_record_and_picture) {
  write("joint.csv", record("t,u,f\n"));
  const Outcome o = run({"loops", "joint.csv", "--backbone", "g.csv", "--normalized", "n.csv",
                         "--plot", "p.svg", "--bars", "10", "-q"});
  EXPECT_EQ(o.code, 0) << o.err;
  EXPECT_EQ(o.out, "");
  EXPECT_EQ(column(read("g.csv"), "f").front(), 0);
  EXPECT_NEAR(column(read("g.csv"), "f").back(), 1, 1e-6);
  const auto f = column(read("n.csv"), "f");
  EXPECT_EQ(f.size(), 441u);
  EXPECT_NEAR(*std::max_element(f.begin(), f.end()), 1, 1e-5);
  EXPECT_TRUE(contains(read("n.csv"), "# a0: 1\n") || contains(read("n.csv"), "# a0: 0.99") ||
              contains(read("n.csv"), "# a0: 1.0"));
  EXPECT_TRUE(exists("p.svg"));
}

TEST_F(LoopsCommand, pictures_name_their_curves_and_units) {
  write("joint.csv", record("t [s],u [mm],f [kN]\n"));
  ASSERT_EQ(run({"loops", "joint.csv", "--plot", "p.svg", "-q"}).code, 0);
  // Two large loops and two small ones; what normalisation does to the largest one is seen.
  for (const char* text : {"2 mm: 2 loops", "minor: 2", "before and after the loops",
                           "before: a0 f", "after: a0 f - a1 u", "density [kN/mm²]"})
    EXPECT_TRUE(contains(read("p.svg"), text)) << text;
}

TEST_F(LoopsCommand, bad_input_is_one_sentence) {
  write("joint.csv", record("t,u,f\n"));
  write("hole.csv", "u,f\n0,0\n1,\n");
  write("short.csv", "u,f\n0,0\n1,1\n");
  write("other.csv", "slip,pull\n0,0\n1,1\n");
  const std::vector<std::pair<std::vector<std::string>, std::string>> calls{
      {{"loops"}, "FILE.csv is required: a record"},
      {{"loops", "nothing.csv"}, "nothing.csv"},
      {{"loops", "hole.csv", "--missing", "refuse"}, "hole.csv, line 3"},
      {{"loops", "other.csv"}, "--u NAME says which one it is"},
      {{"loops", "other.csv", "--u", "slip"}, "--f NAME says which one it is"},
      {{"loops", "short.csv"}, "at least 3"},
      {{"loops", "joint.csv", "--threshold", "-1"}, "threshold"},
      {{"loops", "joint.csv", "--threshold", "much"}, "--threshold = much"},
      {{"loops", "joint.csv", "--bars", "0"}, "--bars"},
      {{"loops", "joint.csv", "--u", "9"}, "joint.csv"},
      {{"loops", "joint.csv", "-o", "joint.csv"}, "would be overwritten"}};
  for (const auto& [words, part] : calls) {
    const Outcome o = run(words);
    EXPECT_EQ(o.code, 2) << o.err;
    EXPECT_TRUE(contains(o.err, part)) << o.err;
    EXPECT_EQ(std::count(o.err.begin(), o.err.end(), '\n'), 1) << o.err;
    EXPECT_EQ(o.out, "");
  }
}

TEST_F(LoopsCommand, no_loop_is_no_failure) {
  write("up.csv", "u,f\n0,0\n1,1\n2,1.5\n3,1.7\n");
  const Outcome o = run({"loops", "up.csv"});
  EXPECT_EQ(o.code, 0);
  EXPECT_TRUE(contains(o.err, "never turns"));
  EXPECT_EQ(run({"loops", "up.csv", "--normalized", "n.csv"}).code, 1);
  EXPECT_FALSE(exists("n.csv"));
}

}  // namespace loops_test
}  // namespace cli
