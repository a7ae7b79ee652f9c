#include "first_day.hpp"

namespace cli {
namespace first_day_structures_test {

TEST_F(FirstDay, errors_of_a_file_say_where_before_any_result_is_written) {
  const std::string begin =
      "M = [1.0]\n[[spring]]\nbetween = [0, 1]\nk = 1.0\n[[analysis]]\nkind = \"time\"\n"
      "until = 1.0\nstep = 0.5\nx0 = [1.0]\noutput = \"a.csv\"\n";
  // What is added to a structure whose first analysis is fine, and what is said of it.
  const std::vector<std::pair<std::string, std::string>> structures{
      {"[[analysis]]\nkind = \"tme\"\n", "s.toml, line 12, column 8"},
      {"[[analysis]]\nkind = \"frequency-response\"\nomega = [0.5, 2.0]\noutput = \"b.csv\"\n",
       "s.toml, line 11: nothing shakes the structure"},
      {"[[analysis]]\nkind = \"nonlinear-mode\"\nmode = 3\namplitude = [0.1, 1.0]\n"
       "output = \"b.csv\"\n",
       "s.toml, line 11: mode = 3 must be from 1 to 1"},
      {"[[analysis]]\nkind = \"time\"\nuntil = 1.0\nmethod = \"newmark\"\noutput = \"b.csv\"\n",
       "s.toml, line 11: method = 'newmark' needs 'step'"},
      {"[[analysis]]\nkind = \"time\"\nuntil = 1.0\nat = [2.0]\noutput = \"b.csv\"\n",
       "s.toml, line 11: at = 2 must lie in [0, 1]"},
      {"[[analysis]]\nkind = \"averaging\"\nomega = [0.5, 2.0]\noutput = \"b.csv\"\n",
       "s.toml, line 11: averaging over omega needs a harmonic load"},
      {"[[joint]]\nmodel = \"jenkin\"\nbetween = [0, 1]\n", "s.toml, line 12, column 9"},
      {"[[joint]]\nmodel = \"jenkins\"\nbetween = [0, 1]\nset = { k = -1 }\n",
       "s.toml, line 14, column 7: [[joint]] 1: jenkins.k = -1"},
      {"[[joint]]\nparams = \"none.json\"\nbetween = [0, 1]\n",
       "s.toml, line 12, column 10: [[joint]] 1: cannot read 'none.json'"},
      {"[[joint]]\nparams = \"p.json\"\nbetween = [0, 1]\n",
       "s.toml, line 12, column 10: [[joint]] 1: p.json, line 3: jenkins.phi = -2"},
      {"[joints]\nfile = \"j.csv\"\n", "j.csv, line 2, column 4"},
      {"[joints]\nfile = \"none.csv\"\n",
       "s.toml, line 12, column 8: joints: cannot read 'none.csv': it does not exist"},
      {"[[load]]\nkind = \"record\"\ndof = 1\nfile = \"none.csv\"\n",
       "s.toml, line 14, column 8: [[load]] 1: cannot read 'none.csv'"}};
  write("p.json", "{\"model\": \"jenkins\",\n \"parameters\": {\"k\": 1,\n  \"phi\": -2}}\n");
  write("j.csv", "model,from,to,k\njenkins,0,1,x\n");
  for (const auto& [added, said] : structures) {
    write("s.toml", begin + added);
    const Outcome o = run({"respond", "s.toml"});
    EXPECT_EQ(o.code, 2) << added;
    EXPECT_TRUE(contains(o.err, said)) << said << "\n" << o.err;
    EXPECT_FALSE(exists("a.csv")) << added;
  }
  // The files of other commands: a line is replaced.
  const auto changed = [&](const std::string& example, const std::string& key,
                           const std::string& value) {
    std::istringstream lines(content_of(fs::path(microslip::source_dir) / "examples" / example));
    std::string text;
    for (std::string line; std::getline(lines, line);)
      text += (line.starts_with(key + " = ") ? key + " = " + value : line) + "\n";
    write("e.toml", text);
  };
  const std::vector<std::vector<std::string>> examples{
      {"joint", "joints/axial.toml", "E", "-1", "e.toml, line 8: plates.E = -1"},
      {"joint", "joints/axial.toml", "nu", "-1", "e.toml, line 9: plates.nu = -1"},
      {"joint", "joints/axial.toml", "pressure", "\"abc\"", "e.toml, line 14: expression 'abc'"},
      {"joint", "joints/axial.toml", "until", "-1", "e.toml, line 18: until = -1"},
      {"joint", "joints/axial.toml", "mu", "0", "e.toml, line 13: contact.mu = 0 must be positive"},
      {"cracks", "cracks/random.toml", "E", "0", "e.toml, line 4: plate.E = 0"},
      {"cracks", "cracks/random.toml", "signal", "\"abc\"", "e.toml, line 11: expression 'abc'"},
      {"cracks", "cracks/random.toml", "nodes", "0", "e.toml, line 15: options.nodes = 0"},
      {"reduce", "reduce/random.toml", "model", "\"abc\"", "e.toml, line 30: unknown reduced"},
      {"reduce", "reduce/random.toml", "step", "0", "e.toml, line 14: step = 0"},
      {"respond", "structures/two-masses.toml", "damping", "[1, 2, 3]",
       "e.toml, line 4: damping has 3 ratios"},
      {"respond", "structures/modal-joints.toml", "k", "1e308", "e.toml, line 8, column 5"}};
  for (const auto& e : examples) {
    changed(e[1], e[2], e[3]);
    const Outcome o = run({e[0], "e.toml"});
    EXPECT_EQ(o.code, 2) << e[1];
    EXPECT_TRUE(contains(o.err, e[4])) << e[4] << "\n" << o.err;
  }
  const std::vector<std::pair<std::string, std::string>> parameters{
      {"model = \"jenkins\"\n[parameters]\nk = 1\nphi = -2\n", "p.toml, line 4: jenkins.phi"},
      {"model = \"jenkins\"\n[parameters]\nk = 1\nfi = 2\n", "p.toml, line 4: unknown parameter"},
      {"model = \"jenkins\"\n[parameters]\nk = \"x\"\n", "p.toml, line 3: jenkins.k = x"},
      {"model = \"jenkin\"\n", "p.toml, line 1: unknown model 'jenkin'"},
      {"model = \"jenkins\n", "p.toml, line 1, column"},
      {"kind = \"matrices\"\nK = [[2, -1], [-1, 2]]\nmu = [1, -1]\nb = [1, 1]\n",
       "p.toml, line 3: mu(2) = -1 must be positive"},
      {"kind = \"matrices\"\nK = [[2, -1], [-1, 2]]\nmu = [1, 1]\nb = [1, 1, 1]\n",
       "p.toml, line 4: b has 3 entries"},
      {"kind = \"matrices\"\nK = \"none.mtx\"\nmu = [1, 1]\nb = [1, 1]\n",
       "p.toml, line 2: cannot read 'none.mtx'"}};
  for (const auto& [text, said] : parameters) {
    write("p.toml", text);
    const Outcome o = run({"simulate", "--params", "p.toml", "--signal", "sin(t)", "--until", "1",
                           "--step", "0.1", "-o", "a.csv"});
    EXPECT_EQ(o.code, 2) << text;
    EXPECT_TRUE(contains(o.err, said)) << said << "\n" << o.err;
    EXPECT_FALSE(exists("a.csv"));
  }
  // What --set says is not the fault of the file.
  write("p.toml", "model = \"jenkins\"\n[parameters]\nk = 1\nphi = 2\n");
  const Outcome o = run({"simulate", "--params", "p.toml", "--set", "phi=-3", "--signal", "sin(t)",
                         "--until", "1", "--step", "0.1"});
  EXPECT_FALSE(contains(o.err, "p.toml")) << o.err;
}

TEST_F(FirstDay, the_ring_down_of_a_point_far_from_the_blow) {
  const std::string structure =
      "M = [1.0, 1.0]\nK = [[2.0, -1.0], [-1.0, 1.5]]\n[[joint]]\nmodel = \"iwan4\"\n"
      "set = { Fs = 1, KT = 0.2 }\nbetween = [0, 2]\n[[load]]\nkind = \"impulse\"\ndof = 2\n"
      "amplitude = 1.0\nduration = 0.1\n[[analysis]]\nkind = \"time\"\nuntil = 100.0\n"
      "step = 0.05\noutput = \"a.csv\"\n";
  write("s.toml", structure);
  const Outcome o = run({"respond", "s.toml"});
  EXPECT_EQ(o.code, 0) << o.err;
  // Two modes beat: no frequency, no damping ratio, and above all no negative one.
  EXPECT_TRUE(contains(o.out, "ring-down of x2: several modes beat")) << o.out;
}

TEST_F(FirstDay, frequency_responses_in_a_logarithmic_scale_per_load) {
  // A linear structure, k = 1, m = 1, c = 0.02, under a load of 0.5: |x/F| = 1/c at ω = 1.
  const auto structure = [](const std::string& keys) {
    return "M = [1.0]\nK = [1.0]\nC = [0.02]\n[[load]]\nkind = \"harmonic\"\ndof = 1\n"
           "amplitude = 0.5\n[[analysis]]\nkind = \"frequency-response\"\nomega = [0.5, 2.0]\n"
           "output = \"r.csv\"\nplot = \"r.svg\"\n" +
           keys;
  };
  write("plain.toml", structure(""));
  const Outcome plain = run({"respond", "plain.toml"});
  ASSERT_EQ(plain.code, 0) << plain.err;
  EXPECT_TRUE(contains(read("r.svg"), "amplitude of the first harmonic"));
  // One line for each resonance: where it is and how large.
  EXPECT_TRUE(contains(plain.err + plain.out, "resonance")) << plain.err << plain.out;
  EXPECT_TRUE(contains(plain.err + plain.out, "x1")) << plain.err << plain.out;
  write("log.toml", structure("scale = \"logarithmic\"\nquantity = \"receptance\"\n"));
  ASSERT_EQ(run({"respond", "log.toml", "-q"}).code, 0);
  const std::string svg = read("r.svg");
  EXPECT_TRUE(contains(svg, "receptance"));
  // The scale changes the picture and nothing else.
  const std::string table = read("r.csv");
  write("linear.toml", structure("quantity = \"receptance\"\n"));
  ASSERT_EQ(run({"respond", "linear.toml", "-q"}).code, 0);
  EXPECT_TRUE(contains(read("r.svg"), "receptance"));
  EXPECT_NE(read("r.svg"), svg);
  EXPECT_EQ(column(read("r.csv"), "x1"), column(table, "x1"));
  // The phase is drawn finely where it turns fast.
  const std::vector<double> phase = column(read("r.csv"), "phase1");
  double largest = 0;
  for (std::size_t i = 1; i < phase.size(); ++i)
    largest = std::max(largest, std::abs(phase[i] - phase[i - 1]));
  EXPECT_LT(largest, 0.35);
  write("wrong.toml", structure("scale = \"log\"\n"));
  const Outcome wrong = run({"respond", "wrong.toml"});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_TRUE(contains(wrong.err, "wrong.toml, line 13")) << wrong.err;
  EXPECT_TRUE(contains(wrong.err, "logarithmic")) << wrong.err;
}

}  // namespace first_day_structures_test
}  // namespace cli
