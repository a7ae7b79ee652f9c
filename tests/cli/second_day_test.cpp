#include <cmath>
#include <nlohmann/json.hpp>

#include "command.hpp"
#include "microslip/io/csv.hpp"

namespace cli {
namespace second_day_test {

class SecondDay : public CommandTest {
 protected:
  microslip::io::Table table(const std::string& name, std::vector<std::string> columns) const {
    return microslip::io::read_table(read(name), name, {std::move(columns), {}, {}});
  }
};

/// Two unit masses between two walls by three unit springs: ω² = 1 and 3; a joint beside the first spring.
constexpr const char* matrices = R"(M = "M.mtx"
K = "K.mtx"
C = [[0.02, 0], [0, 0.02]]
[[joint]]
model = "jenkins"
set = { k = 1.0, phi = 0.3 }
between = [0, 1]
)";
constexpr const char* M = "%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n1 1 1\n2 2 1\n";
constexpr const char* K =
    "%%MatrixMarket matrix coordinate real symmetric\n2 2 3\n1 1 2\n2 2 2\n2 1 -1\n";

TEST_F(SecondDay, linear_modes_are_an_analysis) {
  write("M.mtx", M);
  write("K.mtx", K);
  write("s.toml", std::string(matrices) + "[[sensor]]\nname = \"gap\"\nbetween = [1, 2]\n" +
                      "[[analysis]]\nkind = \"modes\"\nmodes = 2\noutput = \"m.csv\"\n");
  const Outcome outcome = run({"respond", "s.toml"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto t = table("m.csv", {"joints", "mode", "omega", "frequency", "zeta", "x1", "phase1",
                                 "x2", "phase2", "x_gap", "phase_gap"});
  ASSERT_EQ(t.rows(), 4u);
  // Stuck: diagonal 3 and 2, ω² = (5 ∓ √5)/2.
  const std::vector<double> squares{1, 3, (5 - std::sqrt(5.0)) / 2, (5 + std::sqrt(5.0)) / 2};
  for (std::size_t i = 0; i < 4; ++i) {
    const double omega = std::sqrt(squares[i]);
    EXPECT_EQ(t.at("joints").values[i], i < 2 ? 0 : 1);
    EXPECT_EQ(t.at("mode").values[i], 1 + static_cast<double>(i % 2));
    EXPECT_NEAR(t.at("omega").values[i], omega, 1e-12);
    EXPECT_NEAR(t.at("frequency").values[i], omega / 6.283185307179586, 1e-12);
    EXPECT_NEAR(t.at("zeta").values[i], 0.01 / omega, 1e-12);
  }
  EXPECT_NEAR(t.at("x1").values[0], std::sqrt(0.5), 1e-12);
  EXPECT_NEAR(t.at("x_gap").values[0], 0, 1e-12);
  EXPECT_NEAR(t.at("x_gap").values[1], std::sqrt(2.0), 1e-12);
  // Asked for, they are not told twice.
  EXPECT_EQ(outcome.err.find("linear modes"), std::string::npos);
}

TEST_F(SecondDay, a_model_with_matrices_tells_its_modes_before_other_analyses) {
  write("M.mtx", M);
  write("K.mtx", K);
  const std::string analysis =
      "[[load]]\nkind = \"harmonic\"\ndof = 1\namplitude = 0.1\n"
      "[[analysis]]\nkind = \"frequency-response\"\nomega = [0.3, 0.4]\nharmonics = 1\n"
      "output = \"f.csv\"\n";
  write("s.toml", matrices + analysis);
  const Outcome outcome = run({"respond", "s.toml"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("linear modes"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("1.732051"), std::string::npos) << outcome.err;
  const Outcome json = run({"respond", "s.toml", "--json", "-q"});
  EXPECT_EQ(json.err, "");
  const auto modes = nlohmann::json::parse(json.out).at("modes");
  EXPECT_NEAR(modes.at(1).at("omega").get<double>(), std::sqrt(3.0), 1e-12);
  write("plain.toml", "M = [1.0]\n[[spring]]\nbetween = [0, 1]\nk = 1.0\n" + analysis);
  EXPECT_EQ(run({"respond", "plain.toml"}).err, "");
}

TEST_F(SecondDay, springs_are_a_table_like_joints) {
  const std::string rest = "[[analysis]]\nkind = \"modes\"\noutput = \"";
  write("springs.csv",
        "name, from, to, k, c\nleft, 0, 1, 1, 0.02\nmiddle, 1, 2, 2,\nright, 2, 0, , 0.1\n");
  write("table.toml", "M = [1.0, 1.0]\nsprings = \"springs.csv\"\n" + rest + "table.csv\"\n");
  write("each.toml",
        "M = [1.0, 1.0]\n[[spring]]\nbetween = [0, 1]\nk = 1.0\n[[spring]]\nbetween = [1, 2]\nk = "
        "2.0\n"
        "[[damper]]\nbetween = [0, 1]\nc = 0.02\n[[damper]]\nbetween = [2, 0]\nc = 0.1\n" +
            rest + "each.csv\"\n");
  const Outcome outcome = run({"respond", "table.toml"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  ASSERT_EQ(run({"respond", "each.toml"}).code, 0);
  EXPECT_EQ(without_comments(read("table.csv")), without_comments(read("each.csv")));
  write("springs.csv", "from, to, k\n0, 1, 1\n1, 2, stiff\n");
  const Outcome refused = run({"respond", "table.toml"});
  EXPECT_EQ(refused.code, 2);
  EXPECT_NE(refused.err.find("springs.csv, line 3, column 3: k = 'stiff' must be a number"),
            std::string::npos)
      << refused.err;
}

TEST_F(SecondDay, simulate_takes_the_columns_that_fit_takes) {
  write("r.csv", "Zeit,Weg A,Weg B,Kraft\n0,0,5,9\n1,1,5,9\n2,-0.5,5,9\n");
  const std::vector<std::string> law{"simulate", "jenkins", "--set", "k=1", "--set", "phi=0.5"};
  auto call = law;
  call.insert(call.end(), {"--input", "r.csv", "--u", "Weg A", "--t", "Zeit", "--f", "4"});
  const Outcome outcome = run(call);
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto named = microslip::io::read_table(outcome.out, "out", {{"u", "f"}, {}, {}});
  EXPECT_EQ(named.at("u").values, (std::vector<double>{0, 1, -0.5}));
  EXPECT_EQ(named.at("f").values, (std::vector<double>{0, 0.5, -0.5}));
  write("r.json", R"({"columns": {"t": [0, 1, 2], "u [mm]": [0, 1, -0.5]}})");
  call = law;
  call.insert(call.end(), {"--input", "r.json"});
  const Outcome json = run(call);
  ASSERT_EQ(json.code, 0) << json.err;
  EXPECT_EQ(microslip::io::read_table(json.out, "out", {{"u", "f"}, {}, {}}).at("f").values,
            named.at("f").values);
  EXPECT_NE(json.out.find("u [mm]"), std::string::npos);
}

/// A fit of a record in mm and kN, as `microslip fit` writes it.
constexpr const char* fit = R"({"data": {"file": "r.csv", "u_unit": "mm", "f_unit": "kN"},
  "fits": [{"model": "jenkins", "status": "converged", "parameters": {"k": 2.0, "phi": 0.5}}]})";

TEST_F(SecondDay, a_fit_in_kilonewtons_and_millimetres_is_converted_to_the_units_of_the_structure) {
  write("fit.json", fit);
  const std::string structure =
      "M = [1.0]\nK = [1e6]\n[[joint]]\nparams = \"fit.json\"\nbetween = [0, 1]\n"
      "[[analysis]]\nkind = \"modes\"\noutput = \"m.csv\"\n";
  write("s.toml", "units = \"N, m, s\"\n" + structure);
  const Outcome outcome = run({"respond", "s.toml"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  // 2 kN/mm = 2e6 N/m.
  EXPECT_NEAR(table("m.csv", {"omega"}).at("omega").values.at(1), std::sqrt(3e6), 1e-6);
  write("s.toml", structure);
  const Outcome told = run({"respond", "s.toml"});
  ASSERT_EQ(told.code, 0) << told.err;
  EXPECT_NE(told.err.find("fit.json is in kN, mm, and the structure is taken to be"),
            std::string::npos)
      << told.err;
  write("s.toml", "units = \"N, m\"\n" + structure);
  const Outcome refused = run({"respond", "s.toml"});
  EXPECT_EQ(refused.code, 2);
  EXPECT_NE(refused.err.find("must name one force, one length and one time"), std::string::npos);
}

TEST_F(SecondDay, a_history_in_other_units_than_the_fit_is_refused) {
  write("fit.json", fit);
  write("h.csv", "u [m]\n0\n0.001\n");
  const Outcome outcome = run({"simulate", "--params", "fit.json", "--input", "h.csv"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.err.find("the displacement of the fitted record is in mm, that of h.csv in m"),
            std::string::npos)
      << outcome.err;
}

TEST_F(SecondDay, a_load_from_a_file_is_in_the_units_of_its_headings) {
  write("l.json", R"({"time [ms]": [0, 1000, 2000], "Kraft [kN]": [0, 1, 0]})");
  write("s.toml",
        "units = \"N, mm, s\"\nM = [1.0]\nK = [1e6]\nC = [2000]\n[[load]]\nkind = \"record\"\ndof "
        "= 1\n"
        "file = \"l.json\"\ncolumn = \"Kraft [kN]\"\n[[analysis]]\nkind = \"time\"\nuntil = 1\n"
        "step = 0.5\noutput = \"t.csv\"\n");
  const Outcome outcome = run({"respond", "s.toml"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  // A slow ramp to 1000 N on 1e6 N/mm, critically damped: x = (F(t) − c F'/k)/k.
  EXPECT_NEAR(table("t.csv", {"x1"}).at("x1").values.at(2), (1000 - 2000 * 1000 / 1e6) / 1e6, 1e-9);
}

TEST_F(SecondDay, a_load_goes_on_over_rows_without_a_number) {
  write("l.csv", "t,f\n0,0\n1,\n2,2\n3,NaN\n4,4\n");
  const std::string begin =
      "M = [1.0]\nK = [1.0]\nC = [2.0]\n[[load]]\nkind = \"record\"\ndof = 1\n";
  const std::string end =
      "[[analysis]]\nkind = \"time\"\nuntil = 4\nstep = 0.5\noutput = \"t.csv\"\n";
  write("gaps.toml", begin + "file = \"l.csv\"\n" + end);
  const Outcome outcome = run({"respond", "gaps.toml", "--json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(
      contains(outcome.err, "2 of 5 rows have no number in f (the first is line 3) and are filled"))
      << outcome.err;
  EXPECT_TRUE(contains(nlohmann::json::parse(outcome.out)["notes"].dump(), "2 of 5 rows"));
  const auto gaps = table("t.csv", {"x1"}).at("x1").values;
  write("line.toml", begin + "t = [0, 4]\nf = [0, 4]\n" + end);
  ASSERT_EQ(run({"respond", "line.toml"}).code, 0);
  const auto line = table("t.csv", {"x1"}).at("x1").values;
  ASSERT_EQ(gaps.size(), line.size());
  for (std::size_t i = 0; i < gaps.size(); ++i) EXPECT_NEAR(gaps[i], line[i], 1e-6);
}

TEST_F(SecondDay, a_quiet_fit_showed_its_progress) {
  const std::string record =
      (fs::path(microslip::source_dir) / "data" / "bolted-joint.csv").string();
  const auto call = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {"fit", record, "--time-budget", "5", "-o", "f.json"});
    return run(words);
  };
  EXPECT_TRUE(contains(call({}).err, "microslip: ")) << "without -q";
  EXPECT_EQ(call({"-q"}).err, "");
}

}  // namespace second_day_test
}  // namespace cli
