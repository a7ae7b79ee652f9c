#include "first_day.hpp"

#include <array>
#include <cstdint>
#include <set>

namespace cli {
namespace first_day_test {

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

TEST_F(FirstDay, exact_records_depended_on_the_rate_and_did_not_close) {
  // No noise, laws that follow Masing's rules, several frequencies: nothing to warn of.
  const std::string tones = "sin(2*pi*t)+0.5*sin(2*pi*3.7*t)+0.3*sin(2*pi*11.3*t)";
  const std::string beats = "(1+t/60)*(sin(2*pi*t)+0.6*sin(2*pi*2.3*t))";
  const std::string ramps = "2*sin(2*pi*t)*sin(pi*t/30)";
  const std::string sweep = "0.05*t*sin(2*pi*t*(1+t/50))";
  struct Case {
    std::string law, signal, until, step;
  };
  // Many rows; test_cli_slow has a million.
  std::vector<Case> cases{{"iwan4", tones, "100", "0.0005"}};
  for (const char* law : {"jenkins", "iwan4", "two-state", "jenkins+iwan4"})
    for (const std::string& signal : {tones, beats, ramps, sweep})
      cases.push_back({law, signal, "30", "0.001"});
  for (const Case& c : cases) {
    ASSERT_EQ(run({"simulate", c.law, "--signal", c.signal, "--until", c.until, "--step", c.step,
                   "-o", "r.csv", "-q"})
                  .code,
              0);
    const Outcome o = run({"loops", "r.csv", "--json"});
    EXPECT_EQ(o.code, 0);
    EXPECT_EQ(Json::parse(o.out)["warnings"], Json::array()) << c.law << " " << c.signal;
  }
}

TEST_F(FirstDay, laws_that_depend_on_the_rate_still_say_so) {
  // Loops of equal amplitude at two frequencies.
  ASSERT_EQ(
      run({"simulate", "jenkins+viscous", "--set", "viscous.c=0.1", "--signal",
           "2*sin(2*pi*t*(1+step(t-10)))", "--until", "20", "--step", "0.005", "-o", "r.csv", "-q"})
          .code,
      0);
  const std::string notes = on_one_line(run({"loops", "r.csv"}).err);
  EXPECT_TRUE(contains(notes, "the joint depends on the rate")) << notes;
  EXPECT_FALSE(contains(notes, "pinched")) << notes;
  ASSERT_EQ(run({"simulate", "jenkins", "--signal", "2*sin(2*pi*t)+0.02*t", "--until", "20",
                 "--step", "0.005", "-o", "r.csv", "-q"})
                .code,
            0);
  EXPECT_TRUE(
      contains(on_one_line(run({"loops", "r.csv"}).err), "mean displacement drifts by 0.3"));
}

TEST_F(FirstDay, the_row_at_the_tip_of_rigid_friction_was_taken_for_the_tip) {
  // Friction of 1 that turns with the velocity, sampled as a recorder does: the row at a tip shows
  // the force before or after the turn.
  std::string csv = "t,u,f\n";
  for (int i = 0; i <= 1000; ++i) {
    const double t = 0.01 * i;
    csv += std::to_string(t) + "," + std::to_string(std::sin(6 * t)) + "," +
           (std::cos(6 * t + 1e-3) > 0 ? "1" : "-1") + "\n";
  }
  write("r.csv", csv);
  const Outcome o = run({"loops", "r.csv", "--json"});
  // Its stiffness after a reversal is infinite, of which rows show a lower bound; there is no other note.
  const std::string notes = on_one_line(o.err);
  EXPECT_EQ(notes.find("note: The rows after reversals do not show the initial stiffness"), 0u)
      << notes;
  EXPECT_EQ(notes.find("note:", 1), std::string::npos) << notes;
  const Json json = Json::parse(o.out);
  EXPECT_TRUE(json["initial_stiffness_error"].is_null());
  EXPECT_NEAR(json["center"]["f"], 0, 1e-9);
  EXPECT_NEAR(json["half_gap"], 1, 1e-2);
  for (const Json& cycle : json["cycles"])
    EXPECT_NEAR(cycle["damping"], 2 / std::numbers::pi, 0.01);  // 4A/(4π · ½ · 1/A · A²)
}

TEST_F(FirstDay, energies_that_underflow) {
  for (const double size : {1e200, 1e-200}) {
    std::ostringstream csv;
    csv << "u,f\n";
    for (int i = 0; i <= 400; ++i)
      csv << size * std::sin(0.06 * i) << "," << size * std::cos(0.06 * i) << "\n";
    write("r.csv", csv.str());
    for (const auto& words : std::vector<std::vector<std::string>>{
             {"loops", "r.csv"}, {"fit", "r.csv", "--model", "jenkins"}}) {
      const Outcome o = run(words);
      EXPECT_EQ(o.code, 1) << o.out;
      EXPECT_TRUE(contains(o.err, "cannot be computed; write them in")) << o.err;
    }
  }
}

TEST_F(FirstDay, thousands_of_loops_filled_the_screen) {
  ASSERT_EQ(run({"simulate", "jenkins", "--signal", "2*sin(2*pi*t)", "--until", "300", "--step",
                 "0.02", "-o", "r.csv", "-q"})
                .code,
            0);
  const Outcome o = run({"loops", "r.csv", "-o", "cycles.csv"});
  EXPECT_LT(std::count(o.out.begin(), o.out.end(), '\n'), 100);
  EXPECT_TRUE(contains(o.out, "loops are not shown here; -o FILE.csv")) << o.out;
  EXPECT_GT(column(read("cycles.csv"), "amplitude").size(), 290u);
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
    EXPECT_TRUE(contains(o.out, "\n# microslip: ") || o.out.starts_with("{")) << o.out;
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
  for (const char* command : {"respond", "joint", "cracks", "reduce"}) {
    const Outcome o = run(Call{{command, "-"}, "a = 1\n"});
    EXPECT_EQ(o.code, 2) << command;
    EXPECT_TRUE(contains(o.err, "standard input, line 1")) << o.err;
  }
  // A result goes from one command to the next.
  for (const char* pipe :
       {"microslip loops r.csv -o - | microslip damping jenkins --match - --free k",
        "microslip fit r.csv --model jenkins -o - | microslip simulate --params - --input r.csv",
        "microslip simulate jenkins --input r.csv -o x.csv --save-state - | microslip simulate "
        "--resume - --signal 'sin(t)' --until 12 --step 0.5",
        "gzip -c r.csv | microslip loops -"}) {
    const Outcome o = shell(pipe);
    EXPECT_EQ(o.code, 0) << pipe << o.err;
  }
  for (const auto& words : std::vector<std::vector<std::string>>{
           {"fit", "-", "-", "--model", "jenkins"},
           {"simulate", "jenkins", "--params", "-", "--input", "-"}}) {
    const Outcome o = run(Call{words, record});
    EXPECT_EQ(o.code, 2);
    EXPECT_TRUE(contains(o.err, "two inputs would be read from standard input") ||
                contains(o.err, "standard input"))
        << o.err;
  }
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

/// A matrix in a MAT file of version 4: five whole numbers, the name, the columns.
std::string mat4(const std::string& name, std::size_t columns, const std::vector<double>& values) {
  const std::array<std::int32_t, 5> head{0, static_cast<std::int32_t>(values.size() / columns),
                                         static_cast<std::int32_t>(columns), 0,
                                         static_cast<std::int32_t>(name.size() + 1)};
  std::string bytes(reinterpret_cast<const char*>(head.data()), sizeof head);
  bytes += name + '\0';
  bytes.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(double));
  return bytes;
}

TEST_F(FirstDay, records_in_mat_files) {
  write_record("r.csv");
  const std::string csv = read("r.csv");
  const std::vector<double> t = column(csv, "t"), u = column(csv, "u"), f = column(csv, "f");
  write("r.mat", mat4("time", 1, t) + mat4("disp_lvdt", 1, u) + mat4("cell", 1, f));
  const Outcome missing = run({"loops", "r.mat"});
  EXPECT_EQ(missing.code, 2);
  EXPECT_TRUE(contains(missing.err, "r.mat has no variable 'f'")) << missing.err;
  EXPECT_TRUE(contains(missing.err, "'time', 'disp_lvdt', 'cell'; --f NAME says")) << missing.err;
  const Outcome o = run({"loops", "r.mat", "--f", "cell", "-o", "a.csv"});
  EXPECT_EQ(o.code, 0) << o.err;
  EXPECT_TRUE(contains(o.out, "u is disp_lvdt, f is cell, t is time")) << o.out;
  ASSERT_EQ(run({"loops", "r.csv", "-o", "b.csv", "-q"}).code, 0);
  EXPECT_EQ(without_comments(read("a.csv")), without_comments(read("b.csv")));
  EXPECT_EQ(run({"fit", "r.mat", "--f", "cell", "--model", "jenkins", "-q"}).code, 0);

  // A matrix alone is read like a table without headings.
  std::vector<double> all = t;
  all.insert(all.end(), u.begin(), u.end());
  all.insert(all.end(), f.begin(), f.end());
  write("matrix.mat", mat4("data", 3, all));
  ASSERT_EQ(run({"loops", "matrix.mat", "--rows", "100:400", "-o", "a.csv", "-q"}).code, 0);
  ASSERT_EQ(run({"loops", "r.csv", "--rows", "100:400", "-o", "b.csv", "-q"}).code, 0);
  EXPECT_EQ(without_comments(read("a.csv")), without_comments(read("b.csv")));
  EXPECT_EQ(run({"simulate", "jenkins", "--input", "matrix.mat", "-o", "c.csv", "-q"}).code, 0);

  write("short.mat", mat4("u", 1, u) + mat4("f", 1, {1, 2, 3}));
  EXPECT_TRUE(contains(run({"loops", "short.mat"}).err, "'f' has 3 rows, but 'u' has 601"));
  write("hole.mat", mat4("u", 1, {0, 1, 2}) + mat4("f", 1, {0, NAN, 1}));
  EXPECT_TRUE(contains(run({"loops", "hole.mat", "--missing", "refuse"}).err, "row 2"));
  write("text.mat", "no such thing");
  EXPECT_EQ(run({"loops", "text.mat"}).code, 2);
}

TEST_F(FirstDay, a_suggestion_for_pinched_loops) {
  const std::string record = (fs::path(microslip::source_dir) / "data" / "pinched.csv").string();
  EXPECT_TRUE(
      contains(on_one_line(run({"fit", record, "--model", "jenkins", "--time-budget", "1"}).err),
               "try --free backlash"));
  ASSERT_EQ(run({"simulate", "backlash(jenkins(k=10,phi=1),gap=1)", "--signal", "2*sin(2*pi*t)",
                 "--until", "3", "--step", "0.005", "-o", "r.csv", "-q"})
                .code,
            0);
  EXPECT_TRUE(contains(on_one_line(run({"loops", "r.csv"}).err), "try --free backlash"));
  for (const char* name :
       {"friction_damper_1Hz_36lb_0.5in.csv", "friction_damper_2Hz_30lb_0.5in.csv"})
    if (const fs::path file = fs::path(microslip::source_dir) / ".." / "shared" / "data" / name;
        fs::exists(file)) {
      EXPECT_TRUE(contains(on_one_line(run({"loops", file.string()}).err), "try --free backlash"));
    }
  // Loops without a clearance.
  for (const char* law : {"jenkins", "iwan4", "bouc-wen", "lugre", "kelvin-voigt"}) {
    ASSERT_EQ(run({"simulate", law, "--signal", "(1+t/4)*sin(2*pi*t)", "--until", "6", "--step",
                   "0.005", "-o", "r.csv", "-q"})
                  .code,
              0);
    EXPECT_FALSE(contains(run({"loops", "r.csv"}).err, "pinched")) << law;
  }
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

}  // namespace first_day_test
}  // namespace cli
