#include <bit>
#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <random>

#include "command.hpp"
#include "microslip/io/csv.hpp"

/// Records and loads as MAT files and as JSON give what they give as text; units that are wrong are refused.
namespace cli {
namespace records_test {

/// A matrix by columns, as MATLAB's version 4 stores it: five integers, the name, the numbers.
std::string mat_variable(const std::string& name, std::int32_t rows, std::int32_t columns,
                         const std::vector<double>& numbers) {
  std::string bytes;
  for (const std::int32_t value : {std::int32_t{0}, rows, columns, std::int32_t{0},
                                   static_cast<std::int32_t>(name.size() + 1)})
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
  bytes += name + '\0';
  bytes.append(reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(double));
  return bytes;
}

std::string csv_of(const std::string& heading, const std::vector<std::vector<double>>& columns) {
  std::string text = heading + "\n";
  for (std::size_t row = 0; row < columns[0].size(); ++row)
    for (std::size_t i = 0; i < columns.size(); ++i)
      text += microslip::io::exact_text(columns[i][row]) + (i + 1 < columns.size() ? "," : "\n");
  return text;
}

class Records : public CommandTest {
 protected:
  /// A ramp up and down on a spring with a dashpot, and what the mass does under it.
  std::string motion_under(const std::string& load) const {
    write("s.toml",
          "M = [1.0]\nK = [1e6]\nC = [2000]\n[[load]]\nkind = \"record\"\ndof = 1\n" + load +
              "[[analysis]]\nkind = \"time\"\nuntil = 2\nstep = 0.25\noutput = \"t.csv\"\n");
    const Outcome o = run({"respond", "s.toml", "-q"});
    EXPECT_EQ(o.code, 0) << load << o.err;
    return o.code == 0 ? without_comments(read("t.csv")) : o.err;
  }

  void SetUp() override {
    CommandTest::SetUp();
    for (int i = 0; i <= 20; ++i) {
      t.push_back(0.1 * i);
      f.push_back(1000 * (i <= 10 ? 0.1 * i : 2 - 0.1 * i));
    }
    for (int i = 0; i < 300; ++i) u.push_back(std::sin(0.04 * i) * (1 + 0.002 * i));
    double force = 0;
    for (std::size_t i = 0; i < u.size(); ++i) {  // jenkins, k = 2, phi = 0.5
      force = std::clamp(force + 2 * (u[i] - (i > 0 ? u[i - 1] : 0)), -0.5, 0.5);
      forces.push_back(force);
    }
  }

  std::vector<double> t, f;       ///< a load
  std::vector<double> u, forces;  ///< a record
};

TEST_F(Records, a_load_in_a_mat_file_is_the_load_of_a_table) {
  if constexpr (std::endian::native != std::endian::little) GTEST_SKIP();
  write("l.csv", csv_of("t,f", {t, f}));
  const std::string expected = motion_under("file = \"l.csv\"\n");
  // At the end of the ramp x = (F - c F'/k)/k = (1000 - 2)/1e6.
  EXPECT_NEAR(column(expected, "x1").at(4), 998e-6, 1e-12);
  const auto n = static_cast<std::int32_t>(t.size());
  write("columns.mat", mat_variable("t", n, 1, t) + mat_variable("f", n, 1, f));
  write("rows.mat", mat_variable("t", 1, n, t) + mat_variable("f", 1, n, f));
  std::vector<double> by_rows,
      by_columns(t);  // of one matrix: channels as rows, channels as columns
  for (std::size_t i = 0; i < t.size(); ++i) by_rows.insert(by_rows.end(), {t[i], f[i]});
  by_columns.insert(by_columns.end(), f.begin(), f.end());
  write("lying.mat", mat_variable("data", 2, n, by_rows));
  write("standing.mat", mat_variable("data", n, 2, by_columns));
  for (const std::string load :
       {"file = \"columns.mat\"\n", "file = \"rows.mat\"\n",
        "file = \"lying.mat\"\ntime = \"data(1,:)\"\ncolumn = \"data(2,:)\"\n",
        "file = \"lying.mat\"\ntime = \"1\"\ncolumn = \"2\"\n",
        "file = \"standing.mat\"\ntime = \"data(:,1)\"\ncolumn = \"data(:,2)\"\n"})
    EXPECT_EQ(motion_under(load), expected) << load;
  write("s.toml",
        "M = [1.0]\nK = [1.0]\n[[load]]\nkind = \"record\"\ndof = 1\nfile = \"lying.mat\"\n"
        "time = \"data(1,:)\"\ncolumn = \"data(3,:)\"\n[[analysis]]\nkind = \"time\"\nuntil = 1\n");
  const Outcome refused = run({"respond", "s.toml"});
  EXPECT_EQ(refused.code, 2);
  EXPECT_TRUE(
      contains(refused.err,
               "s.toml, line 8: lying.mat has no variable 'data(3,:)', which was to be f; it "
               "has 2 variables: 'data(1,:)', 'data(2,:)'"))
      << refused.err;
}

TEST_F(Records, fits_and_loops_of_json_and_mat_are_those_of_a_table) {
  if constexpr (std::endian::native != std::endian::little) GTEST_SKIP();
  write("r.csv", csv_of("Displacement [mm],Kraft [kN]", {u, forces}));
  write("r.json",
        nlohmann::json{{"Kraft [kN]", forces}, {"Displacement [mm]", u}, {"n", 300}}.dump());
  write("inside.json",
        nlohmann::json{{"seed", {1, 2, 3}},
                       {"columns", {{"Displacement [mm]", u}, {"Kraft [kN]", forces}}}}
            .dump());
  const auto n = static_cast<std::int32_t>(u.size());
  write("r.mat", mat_variable("weg", 1, n, u) + mat_variable("kraft", n, 1, forces));
  const auto numbers = [&](const std::string& command, const std::string& file) {
    std::vector<std::string> words{command,  file, "--f", file == "r.mat" ? "kraft" : "Kraft",
                                   "--json", "-q"};
    if (file == "r.mat") words.insert(words.end(), {"--u", "weg"});
    if (command == "fit") words.insert(words.end(), {"--model", "jenkins", "--starts", "2"});
    const Outcome o = run(words);
    EXPECT_EQ(o.code, 0) << file << o.err;
    if (o.code != 0) return nlohmann::json();
    const auto all = nlohmann::json::parse(o.out);
    return command == "fit" ? all.at("fits").at(0).at("parameters") : all.at("cycles");
  };
  for (const std::string command : {"fit", "loops"}) {
    const auto expected = numbers(command, "r.csv");
    if (command == "fit") {
      EXPECT_NEAR(expected.at("phi").get<double>(), 0.5, 1e-9);
    }
    for (const std::string file : {"r.json", "inside.json", "r.mat"})
      EXPECT_EQ(numbers(command, file), expected) << command << file;
  }
  const auto units =
      nlohmann::json::parse(run({"loops", "r.json", "--f", "Kraft", "--json", "-q"}).out)
          .at("units");
  EXPECT_EQ(units.at("u"), "mm");
  EXPECT_EQ(units.at("f"), "kN");
}

/// One row of ten times the force was larger than all that a law missed elsewhere, and no law described the record.
TEST_F(Records, a_wild_row_is_left_out_of_a_fit_and_of_a_decay) {
  const auto fitted = [&](const std::string& file) {
    const Outcome o = run({"fit", file, "--model", "jenkins", "-o", "fit.json", "-q"});
    EXPECT_EQ(o.code, 0) << o.err;
    return nlohmann::json::parse(read("fit.json"));
  };
  std::vector<double> wild = forces;
  wild[120] = 5000;
  wild[200] = -7;
  write("wild.csv", csv_of("u,f", {u, wild}));
  const nlohmann::json found = fitted("wild.csv");
  EXPECT_EQ(found["data"]["rows"], 300);
  EXPECT_NEAR(found["fits"][0]["parameters"]["k"].get<double>(), 2, 1e-9);
  EXPECT_NEAR(found["fits"][0]["parameters"]["phi"].get<double>(), 0.5, 1e-9);
  EXPECT_NE(found["notes"].dump().find("row 121 and 1 more jump away and back"), std::string::npos)
      << found["notes"];
  std::vector<double> times, x;
  for (int i = 0; i < 4000; ++i) {
    times.push_back(1e-3 * i);
    x.push_back(std::exp(-1.2 * times.back()) * std::cos(125.0 * times.back()));
  }
  write("decay.csv", csv_of("t,x", {times, x}));
  x[1500] = 40;
  write("spike.csv", csv_of("t,x", {times, x}));
  const auto zeta = [&](const std::string& file) {
    const Outcome o = run({"ringdown", file, "-o", "modes.csv"});
    EXPECT_EQ(o.code, 0) << o.err;
    EXPECT_EQ(o.err.find("row 1501 jumps") != std::string::npos, file == "spike.csv") << o.err;
    const microslip::io::Table modes =
        microslip::io::read_csv(folder / "modes.csv", {{"omega", "zeta"}, {}, {}});
    return modes.at("zeta").values.front();
  };
  // Of a motion exp(-1.2 t) cos 125 t, zeta is 1.2 over the size of its exponent; linear modes are read to 1e-5.
  EXPECT_NEAR(zeta("decay.csv"), 1.2 / std::hypot(1.2, 125), 1e-5);
  EXPECT_NEAR(zeta("spike.csv"), zeta("decay.csv"), 1e-9);
}

/// Laws took noise of the displacement for motion: k was 1.939 ± 0.004 where it is 2.
TEST_F(Records, noise_of_the_displacement_is_no_motion) {
  std::mt19937_64 random(3);
  std::normal_distribution<double> normal;
  std::vector<double> at, noisy, answer;
  double force = 0, before = 0;
  for (int i = 0; i < 2000; ++i) {
    at.push_back(0.02 * i);
    const double x = (1 + 0.02 * at.back()) * std::sin(1.5 * at.back());
    force = std::clamp(force + 2 * (x - before), -0.5, 0.5);
    before = x;
    noisy.push_back(x + 0.01 * normal(random));
    answer.push_back(force + 0.004 * normal(random));
  }
  write("noisy.csv", csv_of("t,u,f", {at, noisy, answer}));
  const Outcome o = run({"fit", "noisy.csv", "--model", "jenkins", "-o", "fit.json"});
  ASSERT_EQ(o.code, 0) << o.err;
  EXPECT_NE(o.err.find("noise of the displacement"), std::string::npos) << o.err;
  const nlohmann::json fit = nlohmann::json::parse(read("fit.json"))["fits"][0];
  EXPECT_NEAR(fit["parameters"]["k"].get<double>(), 2, 0.01);
  EXPECT_NEAR(fit["parameters"]["phi"].get<double>(), 0.5, 0.001);
  // Without noise nothing is smoothed, and all digits are there.
  write("clean.csv", csv_of("u,f", {u, forces}));
  EXPECT_EQ(run({"fit", "clean.csv", "--model", "jenkins"}).err.find("noise"), std::string::npos);
}

TEST_F(Records, json_that_holds_no_record_is_refused_with_the_place) {
  for (const auto& [text, sentence] : std::vector<std::pair<std::string, std::string>>{
           {"{\"u\": [0, 1], \"f\": [0, 1", "r.json is not JSON"},
           {"{\"u\": [0, 1], \"f\": [0, \"x\"]}", "r.json: entry 2 of 'f' must be a number"},
           {"{\"u\": [0, 1], \"f\": [0]}", "r.json: 'f' has 1 rows, but 'u' has 2"},
           {"{\"u\": [0, 1]}", "r.json has no list 'f'"},
           {"[1, 2]", "r.json holds no lists of numbers; columns are lists by name"}}) {
    write("r.json", text);
    const Outcome o = run({"loops", "r.json"});
    EXPECT_EQ(o.code, 2) << text;
    EXPECT_TRUE(contains(o.err, sentence)) << text << "\n" << o.err;
  }
}

TEST_F(Records, tables_of_this_program_are_records_again) {
  // Notes stand below the headings, and are read there.
  ASSERT_EQ(run({"simulate", "slip-front", "--signal", "0.5*sin(t)", "--until", "20", "--step",
                 "0.1", "--drive", "force", "-o", "force.csv", "-q"})
                .code,
            0);
  const std::string text = read("force.csv");
  EXPECT_TRUE(text.starts_with("t,f,u,energy\n# microslip: ") ||
              text.starts_with("t,u,f,energy\n# microslip: "))
      << text.substr(0, 100);
  const Outcome o = run({"loops", "force.csv", "--json", "-q"});
  ASSERT_EQ(o.code, 0) << o.err;
  EXPECT_EQ(nlohmann::json::parse(o.out).at("driven"),
            contains(text, "\n# driven: force\n") ? "force" : "displacement");
}

TEST_F(Records, units_of_a_structure_that_make_no_sense_are_refused) {
  const std::string rest =
      "M = [1.0]\nK = [1e6]\n[[analysis]]\nkind = \"modes\"\noutput = \"m.csv\"\n";
  for (const auto& [units, sentence] : std::vector<std::pair<std::string, std::string>>{
           {"\"N, m\"", "must name one force, one length and one time"},
           {"\"\"", "is not known; give a force"},
           {"\"N, N, s\"", "must name one force, one length and one time"},
           {"\"N, m, s, kg\"", "'kg' is not known; give a force"},
           {"\"N, furlong, s\"", "'furlong' is not known; give a force"},
           {"3", "s.toml, line 1, column 9: units must be a text in quotes"},
           {"[\"N\", \"m\", \"s\"]", "units must be a text in quotes"}}) {
    write("s.toml", "units = " + units + "\n" + rest);
    const Outcome o = run({"respond", "s.toml"});
    EXPECT_EQ(o.code, 2) << units << o.out;
    EXPECT_TRUE(contains(o.err, "s.toml, line 1") && contains(o.err, sentence)) << units << "\n"
                                                                                << o.err;
  }
}

TEST_F(Records, a_table_of_ringdown_is_no_curve_of_a_joint_and_the_sentence_says_what_makes_one) {
  write("modes.csv",
        "mode,t,amplitude,omega,frequency,zeta,omega_error,zeta_error\n"
        "1,0,1,3,0.477,0.01,0.001,0.001\n1,1,0.5,3,0.477,0.01,0.001,0.001\n");
  for (const std::string quantity : {"", "damping", "a1,b1"}) {
    std::vector<std::string> words{"damping", "iwan4", "--match", "modes.csv"};
    if (!quantity.empty()) words.insert(words.end(), {"--quantity", quantity});
    const Outcome o = run(words);
    EXPECT_EQ(o.code, 2);
    EXPECT_TRUE(contains(o.err, "modes.csv is a table of 'microslip ringdown'")) << o.err;
    EXPECT_TRUE(contains(o.err, "joint_of_modes.py modes.csv joint.csv --mass M --stiffness K"))
        << o.err;
  }
}

}  // namespace records_test
}  // namespace cli
