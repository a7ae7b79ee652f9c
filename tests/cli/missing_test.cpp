#include <cmath>
#include <nlohmann/json.hpp>

#include "command.hpp"
#include "microslip/io/csv.hpp"

/// Records with missing numbers and with a delay, through the command.
namespace cli {
namespace missing_test {

using Json = nlohmann::json;

/// Notes are wrapped to the width of a terminal.
std::string unwrapped(const std::string& text) {
  std::string line;
  for (const char c : text)
    if (c != '\n' && !(c == ' ' && (line.empty() || line.back() == ' ')))
      line += c;
    else if (!line.empty() && line.back() != ' ')
      line += ' ';
  return line;
}

class MissingNumbers : public CommandTest {
 protected:
  /// A slider (k = 2, 0.5) under two sines; the force `late` rows later; every 37th force is missing.
  std::string record(int late, const std::string& gap) const {
    std::vector<double> u, f;
    double force = 0;
    for (int i = 0; i < 800; ++i) {
      u.push_back(std::sin(0.05 * i) + 0.3 * std::sin(0.017 * i));
      force = std::clamp(force + 2 * (u.back() - (i > 0 ? u[u.size() - 2] : 0)), -0.5, 0.5);
      f.push_back(force);
    }
    std::string text = "Time [s],Piston Displacment [mm],Force [N]\n";
    for (int i = 0; i < 800; ++i)
      text +=
          microslip::io::exact_text(0.01 * i) + "," +
          microslip::io::exact_text(u[static_cast<std::size_t>(i)]) + "," +
          (i % 37 == 20
               ? gap
               : microslip::io::exact_text(f[static_cast<std::size_t>(std::max(i - late, 0))])) +
          "\n";
    return text;
  }
  Json json(std::vector<std::string> words) const {
    words.emplace_back("--json");
    const Outcome o = run(std::move(words));
    EXPECT_EQ(o.code, 0) << o.err;
    return o.code == 0 ? Json::parse(o.out) : Json();
  }
};

TEST_F(MissingNumbers, loops_are_found_without_them_and_say_so) {
  write("all.csv", record(0, "0"));
  write("r.csv", record(0, "NaN"));
  const Outcome o = run({"loops", "r.csv"});
  ASSERT_EQ(o.code, 0) << o.err;
  EXPECT_TRUE(contains(o.out, "778 rows; u is column 2 (Piston Displacment)")) << o.out;
  EXPECT_TRUE(
      contains(unwrapped(o.err),
               "22 of 800 rows have no number in f (the first is line 22) and are left out"))
      << o.err;
  EXPECT_TRUE(contains(json({"loops", "r.csv"})["warnings"].dump(), "22 of 800"));
  EXPECT_EQ(json({"loops", "r.csv", "--missing", "interpolate"})["rows"], 800);
  const Outcome refused = run({"loops", "r.csv", "--missing", "refuse"});
  EXPECT_EQ(refused.code, 2);
  EXPECT_TRUE(contains(refused.err, "line 22, column 3")) << refused.err;
}

TEST_F(MissingNumbers, a_fit_goes_on_without_them) {
  write("r.csv", record(0, ""));
  const Json fit = json({"fit", "r.csv", "--model", "jenkins", "--start", "virgin"});
  EXPECT_NEAR(fit["fits"][0]["parameters"]["phi"].get<double>(), 0.5, 1e-4);
  EXPECT_TRUE(contains(fit["notes"].dump(), "22 of 800")) << fit["notes"];
}

/// Histories that files of joints, cracks and reductions name go through the same reader.
TEST_F(MissingNumbers, histories_of_files_leave_them_out_and_say_so) {
  const auto history = [](double size) {
    std::string text = "u,f\n";
    for (int i = 0; i < 60; ++i)
      text += i % 20 == 7 ? ",NaN\n"
                          : std::to_string(size * std::sin(0.3 * i)) + "," +
                                std::to_string(std::sin(0.3 * i)) + "\n";
    return text;
  };
  const std::string joint =
      "[plates]\nlength = 40.0\noverlap = 20.0\nthickness = 3.0\nwidth = 10.0\nE = 70e3\nnu = "
      "0.33\n"
      "mesh = [6, 2]\n[contact]\nmu = 0.3\npressure = \"20\"\nnormal = \"tied\"\n[load]\n"
      "input = \"history.csv\"\n";
  const std::string cracks =
      "[plate]\nE = 210e3\nnu = 0.3\nlength = 10.0\n[[crack]]\nat = [0.0, 0.0]\nhalf_length = "
      "1.0\nangle = 0.7\nmu = 0.3\n[load]\nstress = [30.0, -100.0, 0.0]\ninput = \"history.csv\"\n";
  const std::string reduction =
      "[system]\nkind = \"random\"\nn = 20\nseed = 1\n[[load]]\nfile = \"history.csv\"\n[reduce]\n"
      "modes = 2\nmodel = \"zonotope\"\ndirections = 1000\n";
  const std::pair<std::string, std::string> files[] = {
      {"joint", joint}, {"cracks", cracks}, {"reduce", reduction}};
  for (const auto& [command, text] : files) {
    write("history.csv", history(command == "reduce" ? 1 : 0.02));
    write("as.toml", text);
    const Outcome o = run({command, "as.toml"});
    ASSERT_EQ(o.code, 0) << command << o.err;
    const std::string said = "3 of 60 rows have no number in ";
    EXPECT_TRUE(contains(unwrapped(o.err), "note: history.csv: " + said)) << command << o.err;
    EXPECT_TRUE(contains(json({command, "as.toml"})["notes"].dump(), said)) << command;
    const bool is_last = command == "reduce";
    const auto with = [&](const std::string& how) {
      const std::string key = "missing = \"" + how + "\"\n";
      std::string changed = text;
      if (is_last)
        changed.insert(changed.find("[reduce]"), key);
      else
        changed += key;
      write("as.toml", changed);
    };
    with("refuse");
    const Outcome refused = run({command, "as.toml"});
    EXPECT_EQ(refused.code, 2) << command;
    EXPECT_TRUE(contains(refused.err, "history.csv, line 9, column")) << command << refused.err;
    with("interpolate");
    EXPECT_TRUE(contains(json({command, "as.toml"})["notes"].dump(), "filled by a straight line"))
        << command;
    with("ignore");
    EXPECT_TRUE(contains(run({command, "as.toml"}).err, "unknown missing 'ignore'")) << command;
  }
}

/// A column with an empty cell was taken for one that is not there, or stopped the command.
TEST_F(MissingNumbers, measured_data_of_a_structure_leave_them_out_and_say_so) {
  std::string rows = "t,x1\n";
  for (int i = 0; i < 400; ++i)
    rows +=
        std::to_string(0.05 * i) + "," +
        (i % 50 == 9 ? std::string()
                     : microslip::io::exact_text(std::exp(-0.02 * 0.05 * i) * std::cos(0.05 * i))) +
        "\n";
  write("decay.csv", rows);
  const std::string text =
      "M = [1.0]\nK = [1.3]\nC = [0.04]\n[unknown]\n\"K[1]\" = {}\n[[data]]\nkind = \"ring-down\"\n"
      "file = \"decay.csv\"\n";
  write("as.toml", text);
  const Outcome o = run({"identify", "as.toml"});
  ASSERT_EQ(o.code, 0) << o.err;
  EXPECT_TRUE(
      contains(unwrapped(o.err),
               "note: decay.csv: 8 of 400 rows have no number in x1 (the first is row 10) and "
               "are left out"))
      << o.err;
  const Json found = json({"identify", "as.toml"});
  // x'' + 0.04 x' + K x = 0 rings as exp(−0.02 t) cos t where K = 1 + 0.02².
  EXPECT_NEAR(found["fits"][0]["parameters"]["K[1]"].get<double>(), 1.0004, 1e-5);
  EXPECT_TRUE(contains(found["notes"].dump(), "8 of 400"));
  write("as.toml", text + "missing = \"refuse\"\n");
  const Outcome refused = run({"identify", "as.toml"});
  EXPECT_EQ(refused.code, 2);
  EXPECT_TRUE(contains(refused.err, "decay.csv: row 10 has no number in x1")) << refused.err;
}

TEST_F(MissingNumbers, a_delay_is_proposed_and_found) {
  write("late.csv", record(6, "NA"));
  const Json without =
      json({"fit", "late.csv", "--model", "linear", "jenkins", "--start", "virgin"});
  EXPECT_TRUE(contains(without["notes"].dump(), "--free delay")) << without["notes"];
  const Json with = json({"fit", "late.csv", "--model", "jenkins", "--start", "virgin", "--free",
                          "delay", "-o", "late.json"});
  const Json& best = with["fits"][0];
  EXPECT_NEAR(best["measurement"]["delay"]["value"].get<double>(), 0.06, 1e-3);
  EXPECT_TRUE(best["measurement"]["delay"]["standard_error"].is_number());
  EXPECT_NEAR(best["parameters"]["phi"].get<double>(), 0.5, 1e-3);
  const Outcome again =
      run({"simulate", "--params", "late.json", "--input", "late.csv", "-o", "s.csv"});
  EXPECT_TRUE(contains(unwrapped(again.err), "the fitted delay of")) << again.err;
  const Outcome no = run({"fit", "late.csv", "--model", "jenkins", "--bounds", "delay=0:1"});
  EXPECT_EQ(no.code, 2);
  EXPECT_TRUE(contains(no.err, "--bounds delay needs --free delay")) << no.err;
  EXPECT_EQ(
      run({"fit", "late.csv", "--model", "jenkins", "--fix", "offset=1", "--free", "offset"}).code,
      2);
}

TEST_F(MissingNumbers, a_fixed_offset_was_ignored) {
  write("r.csv", record(0, ""));
  const Json fit =
      json({"fit", "r.csv", "--model", "jenkins", "--start", "virgin", "--fix", "offset=1"});
  EXPECT_GT(fit["fits"][0]["rms_relative"].get<double>(), 0.1);
}

TEST_F(MissingNumbers, a_decay_with_holes_is_filled) {
  // 2 % of critical damping at 1 Hz, 100 rows a second.
  const auto decay = [](auto&& row) {
    std::string text = "t [s],a [m/s^2]\n";
    for (int i = 0; i < 2000; ++i) {
      const double t = 0.01 * i, w = 2 * 3.141592653589793;
      text += row(i, microslip::io::exact_text(t),
                  microslip::io::exact_text(std::exp(-0.02 * w * t) *
                                            std::cos(w * std::sqrt(1 - 4e-4) * t)));
    }
    return text;
  };
  using Text = const std::string&;
  write("nan.csv",
        decay([](int i, Text t, Text a) { return t + "," + (i % 50 == 30 ? "NaN" : a) + "\n"; }));
  write("absent.csv",
        decay([](int i, Text t, Text a) { return i % 50 == 30 ? "" : t + "," + a + "\n"; }));
  write("long.csv", decay([](int i, Text t, Text a) {
          return t + "," + (i >= 300 && i < 360 ? "" : a) + "\n";
        }));
  for (const char* file : {"nan.csv", "absent.csv"}) {
    const Json result = json({"ringdown", file});
    ASSERT_EQ(result["modes"].size(), 1u) << file;
    const Json& mode = result["modes"][0];
    for (std::size_t i = 0; i < mode["zeta"].size(); ++i)
      EXPECT_NEAR(mode["zeta"][i].get<double>(), 0.02, 1e-4) << file;
    EXPECT_TRUE(contains(result["notes"].dump(), "filled by cubics")) << result["notes"];
  }
  const Outcome longer = run({"ringdown", "long.csv"});
  EXPECT_EQ(longer.code, 2) << longer.out;
  EXPECT_TRUE(contains(longer.err, "no number in 60 rows from t = 3 on, too many to be filled"))
      << longer.err;
  EXPECT_EQ(run({"ringdown", "long.csv", "--from", "3.6"}).code, 0);
  EXPECT_TRUE(
      contains(run({"ringdown", "nan.csv", "--missing", "refuse"}).err, "row 31 has no number"));
}

TEST_F(MissingNumbers, a_history_is_followed_without_them) {
  write("h.csv", "t,u\n0,0\n1,\n2,0.2\n3,0.1\n");
  const Outcome o = run({"simulate", "jenkins", "--input", "h.csv"});
  EXPECT_EQ(o.code, 0) << o.err;
  EXPECT_TRUE(contains(unwrapped(o.err),
                       "1 of 4 rows has no number in u (the first is line 3) and is left out"))
      << o.err;
}

}  // namespace missing_test
}  // namespace cli
