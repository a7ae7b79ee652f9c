#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>

#include "command.hpp"

/// What went wrong on the first day with real data. Each test is named after it.
namespace cli {
namespace {

using Json = nlohmann::json;

class FirstDay : public CommandTest {
 protected:
  /// Loops of a slider, k = 10, φ = 1, at amplitude 2.
  void write_record(const std::string& name, const std::string& head = "t,u,f\n",
                    double shift = 0) const {
    std::string csv = head;
    double u = 0, f = 0;
    for (int i = 0; i <= 600; ++i) {
      const double t = 0.01 * i, next = 2 * std::sin(2 * std::numbers::pi * t);
      f = std::clamp(f + 10 * (next - u), -1.0, 1.0);
      u = next;
      csv += std::to_string(t) + "," + std::to_string(u + shift) + "," + std::to_string(f) + "\n";
    }
    write(name, csv);
  }
};

TEST_F(FirstDay, loops_of_falling_amplitude_were_cut_on_the_unloading_branch) {
  ASSERT_EQ(
      run({"simulate", "jenkins", "--set", "k=10", "--set", "phi=1", "--signal",
           "2*exp(-0.05*t)*sin(2*pi*t)", "--until", "12", "--step", "0.005", "-o", "r.csv", "-q"})
          .code,
      0);
  const Outcome o = run({"loops", "r.csv", "--json"});
  EXPECT_EQ(o.code, 0);
  EXPECT_EQ(o.err, "");  // no drift, no dependence on the rate
  const Json json = Json::parse(o.out);
  EXPECT_NEAR(json["largest_force"], 1, 1e-12);
  EXPECT_NEAR(json["normalization"]["a0"], 1, 1e-9);
  EXPECT_NEAR(json["half_gap"], 1, 1e-9);
  // 4φ(A − φ/k)/(2πφA) at the amplitude of each loop.
  for (const Json& cycle : json["cycles"]) {
    const double A = cycle["amplitude"];
    EXPECT_NEAR(cycle["damping"], 4 * (A - 0.1) / (2 * std::numbers::pi * A), 1e-3);
    EXPECT_NEAR(cycle["secant"], 1 / A, 1e-9);
  }
}

TEST_F(FirstDay, a_minus_sign_became_a_file) {
  write_record("r.csv");
  for (const auto& words : std::vector<std::vector<std::string>>{
           {"loops", "r.csv", "-o", "-"},
           {"loops", "r.csv", "--backbone", "-"},
           {"fit", "r.csv", "--model", "jenkins", "-o", "-"},
           {"damping", "jenkins", "--amplitudes", "1:2:3", "-o", "-"},
           {"simulate", "jenkins", "--input", "r.csv", "-o", "x.csv", "--save-state", "-", "-q"}}) {
    const Outcome o = run(words);
    EXPECT_EQ(o.code, 0) << words[0] << o.err;
    EXPECT_FALSE(exists("-")) << words[0];
    EXPECT_TRUE(o.out.starts_with("# microslip") || o.out.starts_with("{")) << o.out;
  }
  const Outcome twice = run({"loops", "r.csv", "-o", "-", "--json"});
  EXPECT_EQ(twice.code, 2);
  EXPECT_TRUE(contains(twice.err, "two results would go to standard output"));
  EXPECT_EQ(run({"simulate", "jenkins", "--input", "r.csv", "--save-state", "-"}).code, 2);
}

TEST_F(FirstDay, standard_input_was_a_file_called_minus) {
  write_record("r.csv");
  const std::string record = read("r.csv");
  for (const auto& words :
       std::vector<std::vector<std::string>>{{"loops", "-"},
                                             {"fit", "-", "--model", "jenkins"},
                                             {"simulate", "jenkins", "--input", "-"}}) {
    const Outcome o = run(Call{words, record});
    EXPECT_EQ(o.code, 0) << words[0] << ": " << o.err;
  }
  const Outcome structure =
      run(Call{{"respond", "-"},
               "M = [1.0]\n[[spring]]\nbetween = [0, 1]\nk = 1.0\n[[analysis]]\n"
               "kind = \"time\"\nuntil = 1.0\nstep = 0.5\nx0 = [1.0]\n"});
  EXPECT_EQ(structure.code, 0) << structure.err;
  EXPECT_TRUE(contains(run(Call{{"loops", "-"}, "u,f\n0,0\n1,a\n"}).err,
                       "standard input, line 3, column 2"));
}

TEST_F(FirstDay, a_missing_picture_was_no_failure) {
  write_record("r.csv");
  for (const auto& words : std::vector<std::vector<std::string>>{
           {"loops", "r.csv", "--plot", "p.png", "-o", "x.csv"},
           {"simulate", "jenkins", "--input", "r.csv", "-o", "x.csv", "--plot", "p.png"},
           {"damping", "jenkins", "--amplitudes", "1:2:3", "-o", "x.csv", "--plot", "p.png"}}) {
    Call call{words};
    call.environment = {"PATH=/nowhere"};
    const Outcome o = run(call);
    EXPECT_EQ(o.code, 1) << words[0];
    EXPECT_TRUE(contains(o.err, "gnuplot")) << o.err;
    EXPECT_TRUE(exists("x.csv")) << words[0];  // the other results are there
    fs::remove(folder / "x.csv");
  }
}

TEST_F(FirstDay, full_disks_differed_by_the_way_they_were_named) {
  write_record("r.csv");
  for (const char* where : {"> /dev/full", "-o /dev/full", "-o - > /dev/full"}) {
    const Outcome o = shell(std::string("microslip loops r.csv ") + where);
    EXPECT_EQ(o.code, 1) << where;
    EXPECT_TRUE(contains(o.err, "No space left on device")) << where << o.err;
  }
}

TEST_F(FirstDay, raw_filesystem_errors) {
  const std::string word(5000, 'a');
  for (const auto& words :
       std::vector<std::vector<std::string>>{{"fit", word, "--model", "jenkins"},
                                             {"loops", word},
                                             {"loops", "r.csv", "-o", word},
                                             {"respond", word},
                                             {"simulate", "jenkins", "--input", word}}) {
    const Outcome o = run(words);
    EXPECT_EQ(o.code, 2) << words[0];
    EXPECT_FALSE(contains(o.err, "filesystem error")) << o.err.substr(0, 200);
  }
}

TEST_F(FirstDay, infinite_damping_in_a_table) {
  // A loop of viscous friction has no secant: its damping ratio does not exist.
  std::string csv = "t,u,f\n";
  for (int i = 0; i <= 400; ++i) {
    const double phase = 2 * std::numbers::pi * i / 100;
    csv += std::to_string(0.01 * i) + "," + std::to_string(std::sin(phase)) + "," +
           std::to_string(std::cos(phase)) + "\n";
  }
  write("viscous.csv", csv);
  for (const auto& words : std::vector<std::vector<std::string>>{
           {"damping", "viscous", "--amplitudes", "1:2:3"},
           {"damping", "viscous", "--amplitudes", "1:2:3", "-o", "-"}}) {
    const Outcome o = run(words);
    EXPECT_EQ(o.code, 0);
    EXPECT_FALSE(contains(o.out, "inf") || contains(o.out, "nan")) << o.out;
  }
  const Outcome o = run({"loops", "viscous.csv", "-o", "cycles.csv"});
  EXPECT_EQ(o.code, 0) << o.err;
  EXPECT_FALSE(contains(o.out, " inf") || contains(o.out, "nan")) << o.out;
}

TEST_F(FirstDay, tables_as_people_have_them) {
  write_record("r.csv", "Running Time,Lead Actuator Displacement,Lead Actuator Force\ns,mm,kN\n",
               100);
  const Outcome o = run({"loops", "r.csv"});
  EXPECT_EQ(o.code, 0) << o.err;
  EXPECT_TRUE(contains(o.out, "u is column 2 (Lead Actuator Displacement)")) << o.out;
  EXPECT_TRUE(contains(o.out, "kN/mm")) << o.out;
  const Outcome fit = run({"fit", "r.csv", "--model", "jenkins", "--time-budget", "5"});
  EXPECT_TRUE(contains(fit.out, "u is column 2 (Lead Actuator Displacement)")) << fit.out;
  EXPECT_TRUE(contains(fit.err, "--free offset_u")) << fit.err;
}

TEST_F(FirstDay, compressed_records) {
  write_record("r.csv");
  const Outcome o = shell(
      "gzip -k r.csv && microslip loops r.csv.gz -o a.csv -q && microslip loops r.csv -o b.csv -q");
  EXPECT_EQ(o.code, 0) << o.err;
  EXPECT_EQ(without_comments(read("a.csv")), without_comments(read("b.csv")));
}

TEST_F(FirstDay, a_part_of_a_record) {
  write_record("r.csv");
  const auto rows = [&](const std::vector<std::string>& options) {
    std::vector<std::string> words{"loops", "r.csv", "--json"};
    words.insert(words.end(), options.begin(), options.end());
    const Outcome o = run(words);
    EXPECT_EQ(o.code, 0) << o.err;
    return Json::parse(o.out)["rows"].get<int>();
  };
  EXPECT_EQ(rows({"--rows", "100:400"}), 301);
  EXPECT_EQ(rows({"--rows", ":400"}), 400);
  EXPECT_EQ(rows({"--from", "1", "--to", "3"}), 201);
  for (const char* bad : {"400:100", "0:5", "5", "a:b", "1.5:7"}) {
    const Outcome o = run({"loops", "r.csv", "--rows", bad});
    EXPECT_EQ(o.code, 2) << bad;
    EXPECT_TRUE(contains(o.err, "--rows")) << o.err;
  }
  EXPECT_EQ(run({"loops", "r.csv", "--rows", "700:"}).code, 2);
}

TEST_F(FirstDay, help_of_a_command) {
  EXPECT_EQ(run({"help"}).out, run({"--help"}).out);
  EXPECT_EQ(run({"help", "fit"}).out, run({"fit", "--help-all"}).out);
  const Outcome o = run({"help", "fitt"});
  EXPECT_EQ(o.code, 2);
  EXPECT_TRUE(contains(o.err, "did you mean 'fit'?"));
  for (const char* part :
       {".TH MICROSLIP-FIT 1", ".SH OPTIONS", "\\-\\-time\\-budget", ".SH EXAMPLES"})
    EXPECT_TRUE(contains(run({"help", "fit", "--man"}).out, part)) << part;
}

TEST_F(FirstDay, the_default_method_was_unknown_by_its_name) {
  for (const char* law : {"jenkins", "iwan4", "two-state", "lugre", "jenkins+iwan4"}) {
    const Outcome o = run({"simulate", law, "--method", "exact", "--signal", "sin(t)", "--until",
                           "1", "--step", "0.5", "-q"});
    EXPECT_EQ(o.code, 0) << law << ": " << o.err;
  }
}

TEST_F(FirstDay, the_force_unit_was_lost_through_a_fit) {
  write_record("r.csv", "t [s],u [mm],f [kN]\n");
  ASSERT_EQ(run({"fit", "r.csv", "--model", "jenkins", "-o", "fit.json", "-q"}).code, 0);
  const Outcome o = run({"simulate", "--params", "fit.json", "--signal", "sin(t)", "--until", "1",
                         "--step", "0.1", "-o", "a.csv"});
  EXPECT_EQ(o.code, 0) << o.err;
  EXPECT_TRUE(contains(read("a.csv"), "u [mm],f [kN],energy [kN mm]")) << read("a.csv");
  write("m.csv", "t,u [m]\n0,0\n1,1\n");
  EXPECT_TRUE(contains(run({"simulate", "--params", "fit.json", "--input", "m.csv"}).err,
                       "is in mm, that of m.csv in m"));
}

TEST_F(FirstDay, corners_of_a_law_were_cut_in_pictures) {
  write("load.csv", "u\n0\n1\n-1\n1\n");
  ASSERT_EQ(run({"simulate", "jenkins", "--set", "k=10", "--set", "phi=1", "--input", "load.csv",
                 "-o", "a.csv", "--plot", "a.svg", "-q"})
                .code,
            0);
  // The slider slips at u = 0.1: with four rows alone the curve of the loop has four points.
  const Outcome points = shell("grep -c . a.svg");
  EXPECT_EQ(column(read("a.csv"), "u").size(), 4u);
  EXPECT_GT(std::stoi(points.out), 10);
}

TEST_F(FirstDay, completion_after_a_comma) {
  const auto complete = [&](const std::string& words, int position) {
    const Outcome o = shell("source <(microslip completion bash)\ncompopt() { :; }\nCOMP_WORDS=(" +
                            words + ") COMP_CWORD=" + std::to_string(position) +
                            "\n_microslip\necho \"${COMPREPLY[*]}\"");
    EXPECT_EQ(o.err, "");
    return o.out;
  };
  EXPECT_EQ(complete("microslip fit --model iwan4,two-state-", 3), "iwan4,two-state-normalized\n");
  EXPECT_EQ(complete("microslip fit --model iwan-u", 3), "iwan-uniform\n");
  EXPECT_EQ(complete("microslip fit --free offset,ba", 3), "offset,backlash\n");
  EXPECT_EQ(complete("microslip help res", 2), "respond\n");
}

TEST_F(FirstDay, the_time_budget_was_doubled) {
  write_record("r.csv");
  const auto begin = std::chrono::steady_clock::now();
  const Outcome o = run({"fit", "r.csv", "--time-budget", "2", "-o", "fit.json", "-q"});
  const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin;
  EXPECT_EQ(o.code, 0) << o.err;
  const double seconds = Json::parse(read("fit.json"))["seconds"];
  EXPECT_LT(seconds, 4) << passed.count();  // was twice the budget and more
}

/// Status, standard errors and message of a fit must say the same.
void expect_no_contradiction(const Json& fit) {
  const std::string message = fit["message"], status = fit["status"];
  if (status == "failed") return;
  bool any_missing = false;
  for (const auto& [name, error] : fit["standard_errors"].items()) {
    const bool at_limit = contains(message, name + " = ");
    const bool missing = error.is_null();
    any_missing = any_missing || (missing && !at_limit);
    if (contains(message, "do not determine " + name + ";") ||
        contains(message, "do not determine " + name + " and")) {
      EXPECT_TRUE(missing) << name << ": " << message;
    }
  }
  if (status == "converged") {
    EXPECT_FALSE(any_missing) << fit.dump(1);
    EXPECT_FALSE(contains(message, "do not determine")) << message;
  }
}

TEST_F(FirstDay, fits_contradicted_themselves) {
  // Microslip alone determines Fs and beta of iwan4 only together.
  ASSERT_EQ(run({"simulate", "iwan4", "--signal", "0.1*sin(t)*(1+t/60)", "--until", "60", "--step",
                 "0.1", "-o", "r.csv", "-q"})
                .code,
            0);
  std::vector<std::string> files{"r.csv"};
  const fs::path measured = fs::path(microslip::source_dir) / ".." / "shared" / "data" /
                            "friction_damper_1Hz_36lb_0.5in.csv";
  if (fs::exists(measured)) files.push_back(fs::canonical(measured).string());
  for (const std::string& file : files) {
    const Outcome o = run({"fit", file, "--model", "iwan4,bouc-wen,jenkins", "--free",
                           "backlash,offset", "--time-budget", "6", "-o", "fit.json", "-q"});
    EXPECT_EQ(o.code, 0) << o.err;
    for (const Json& fit : Json::parse(read("fit.json"))["fits"]) expect_no_contradiction(fit);
  }
}

TEST_F(FirstDay, general_laws_ended_worse_than_their_special_cases) {
  // Loops that do not degrade: the degrading law can do what the hardening one does.
  ASSERT_EQ(run({"simulate", "bouc-wen-hardening", "--set", "fp=3", "--set", "uy=0.2", "--signal",
                 "sin(t)*(1+t/40)", "--until", "40", "--step", "0.1", "-o", "r.csv", "-q"})
                .code,
            0);
  const Outcome o = run(
      {"fit", "r.csv", "--model", "bouc-wen-degrading", "--starts", "1", "-o", "fit.json", "-q"});
  EXPECT_EQ(o.code, 0) << o.err;
  EXPECT_LT(Json::parse(read("fit.json"))["fits"][0]["rms_relative"], 0.005);
}

}  // namespace
}  // namespace cli
