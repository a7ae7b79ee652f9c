#include <cmath>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>

#include "command.hpp"

/// Every command, option, analysis, key, method and kind of load that the command itself names is run at
/// least once. The lists are those of its help and of its refusals: what is new and not here fails.
namespace cli {
namespace every_option_test {

using Names = std::vector<std::string>;

class EveryOption : public CommandTest {
 protected:
  /// What a sentence lists behind "there are: ".
  static Names listed(const std::string& sentence) {
    const auto begin = sentence.find("there are: ");
    EXPECT_NE(begin, std::string::npos) << sentence;
    std::istringstream words(begin == std::string::npos ? "" : sentence.substr(begin + 11));
    Names names;
    for (std::string word; words >> word;) names.push_back(word.substr(0, word.find(',')));
    return names;
  }

  /// The names that respond knows in the place of a word that it does not know.
  Names known_in(const std::string& file) {
    write("unknown.toml", file);
    const Outcome o = run({"respond", "unknown.toml"});
    EXPECT_EQ(o.code, 2) << o.err;
    return listed(o.err);
  }

  /// Rows of a table; all its numbers are finite.
  std::size_t rows_of(const std::string& csv) {
    std::istringstream lines(without_comments(csv));
    std::string line;
    std::getline(lines, line);
    std::size_t rows = 0;
    for (; std::getline(lines, line); ++rows)
      EXPECT_TRUE(line.find("nan") == std::string::npos && line.find("inf") == std::string::npos)
          << line;
    return rows;
  }
};

std::string one_mass(const std::string& model, const std::string& load) {
  return "M = [1.0]\nK = [0.75]\nC = [0.05]\n[[joint]]\nmodel = \"" + model +
         "\"\nbetween = [0, 1]\n[[load]]\n" + load;
}

constexpr const char* harmonic = "kind = \"harmonic\"\ndof = 1\namplitude = 0.2\nomega = 0.9\n";

/// Keys of each analysis, in as many examples as it takes to have all of them.
const std::map<std::string, Names>& analyses() {
  static const std::map<std::string, Names> all{
      {"frequency-response",
       {"omega = [0.8, 1.0]\nharmonics = 3\nat = [0.9]\nstability = true\nlevels = [0.5, 1.0]\n"
        "dof = 1\nscale = \"logarithmic\"\nquantity = \"receptance\"\n",
        "omega = [0.8, 0.9]\nharmonics = 1\nsamples = 128\nstability = false\nscale = \"linear\"\n"
        "quantity = \"amplitude\"\n",
        "omega = [0.8, 0.9]\ntolerance = 1e-3\n",
        "omega = [0.8, 0.9]\nharmonics = 1\nperiods = 2\n"}},
      {"load-response",
       {"omega = 0.9\nlevel = [0.5, 1.0]\nharmonics = 3\nat = [0.7]\nstability = true\n"
        "scale = \"logarithmic\"\n",
        "omega = 0.9\namplitude = [0.1, 0.3]\ndof = 1\nharmonics = 1\nsamples = 128\n",
        "omega = 0.9\nlevel = [0.5, 1.0]\ntolerance = 1e-3\n"}},
      {"modal-joints",
       {"omega = [0.8, 0.9]\nmodes = 1\nharmonics = 1\ndof = 1\n",
        "omega = [0.8, 0.9]\nmodes = 1\ntolerance = 1e-2\n"}},
      {"time",
       {"until = 5\nstep = 0.5\ntolerance = 1e-7\nx0 = [0.1]\nv0 = [0.1]\nat = [1.3]\n"
        "method = \"events\"\ndof = 1\ncolumns = \"all\"\n"}},
      {"nonlinear-mode",
       {"amplitude = [0.1, 0.5]\nmode = 1\nharmonics = 3\nat = [0.3]\n",
        "amplitude = [0.1, 0.5]\ntolerance = 1e-3\n"}},
      {"quasi-static", {"amplitude = [0.1, 0.5]\nmode = 1\nat = [0.3]\n"}},
      {"averaging",
       {"amplitude = [0.1, 0.5]\nat = [0.3]\n", "omega = [0.8, 1.0]\nlevels = [0.5, 1.0]\n"}},
      {"modes", {"modes = 1\n"}},
      {"slow-flow", {"until = 20\nstep = 0.5\ntolerance = 1e-6\nx0 = [0.5]\nv0 = [0.1]\n"}}};
  return all;
}

TEST_F(EveryOption, analyses_and_their_keys) {
  const std::string base = one_mass("jenkins(k=0.25,phi=0.2)", harmonic);
  const Names kinds = known_in(base + "[[analysis]]\nkind = \"qqqqqqqqqq\"\n");
  EXPECT_GE(kinds.size(), 8u);
  for (const std::string& kind : kinds) {
    SCOPED_TRACE(kind);
    ASSERT_TRUE(analyses().contains(kind)) << "a new analysis: give an example with all its keys";
    const Names& examples = analyses().at(kind);
    std::string together;
    for (const std::string& example : examples) together += example;
    for (const std::string& key :
         known_in(base + "[[analysis]]\nkind = \"" + kind + "\"\nqqqqqqqqqq = 1\n"))
      if (key != "kind" && key != "output" && key != "plot") {
        EXPECT_TRUE(("\n" + together).find("\n" + key + " = ") != std::string::npos)
            << key << " is in no example";
      }
    std::string file = base;
    for (std::size_t i = 0; i < examples.size(); ++i)
      file += "[[analysis]]\nkind = \"" + kind + "\"\noutput = \"" + kind + std::to_string(i) +
              ".csv\"\n" + (i == 0 ? "plot = \"" + kind + ".svg\"\n" : "") + examples[i];
    write("s.toml", file);
    const Outcome o = run({"respond", "s.toml"});
    EXPECT_EQ(o.code, 0) << o.err;
    for (std::size_t i = 0; i < examples.size(); ++i)
      EXPECT_GE(rows_of(read(kind + std::to_string(i) + ".csv")), 2u) << examples[i];
    EXPECT_TRUE(exists(kind + ".svg"));
  }
}

/// cvode crashed whenever its rows went to a file: the last one was looked for where none is kept.
TEST_F(EveryOption, methods_write_the_same_motion_to_a_file_and_to_standard_output) {
  const std::string file = one_mass("jenkins(k=0.25,phi=0.2)", harmonic);
  const std::string analysis = "[[analysis]]\nkind = \"time\"\nuntil = 10\nstep = 0.01\n";
  double exact = 0;
  for (const std::string& method : known_in(file + analysis + "method = \"qqqqqqqqqq\"\n")) {
    SCOPED_TRACE(method);
    const std::string text = file + analysis + "method = \"" + method + "\"\n";
    write("stream.toml", text + "output = \"stream.csv\"\n");
    write("kept.toml", text);
    const Outcome streamed = run({"respond", "stream.toml"}), kept = run({"respond", "kept.toml"});
    ASSERT_EQ(streamed.code, 0) << streamed.err;
    ASSERT_EQ(kept.code, 0) << kept.err;
    const std::string csv = read("stream.csv");
    EXPECT_EQ(without_comments(csv), without_comments(kept.out));
    EXPECT_EQ(rows_of(csv), 1001u);
    const double end = column(csv, "x1").back();
    if (method == "events") exact = end;
    // Order two at a hundredth of a unit of time: (ω h)² / 12 of the motion, a period and a half long.
    EXPECT_NEAR(end, exact, 1e-4) << "the methods are listed with `events` first";
    for (const char* form : {"reduced", "full"}) {
      SCOPED_TRACE(form);
      write("i.toml",
            "M = [1.0, 1.0]\nK = [1.0, 1.0]\n[[interface]]\nkind = \"two-sided\"\n"
            "between = [1, 2]\nn = 4\nK_eq = 1.0\nM_eq = 0.1\nmu = 0.1\nform = \"" +
                std::string(form) +
                "\"\n[[load]]\nkind = \"harmonic\"\ndof = 1\namplitude = 0.2\nomega = 0.9\n"
                "[[analysis]]\nkind = \"time\"\nuntil = 1\nstep = 0.05\noutput = \"i.csv\"\n"
                "method = \"" +
                method + "\"\n");
      const Outcome o = run({"respond", "i.toml"});
      const bool refused = method == "cvode" && std::string(form) == "reduced";
      EXPECT_EQ(o.code, refused ? 2 : 0) << o.err;
    }
  }
}

TEST_F(EveryOption, kinds_of_load) {
  write("r.csv", "t,f,a\n0,0,0\n1,0.1,0.2\n2,-0.1,0.1\n");
  const std::map<std::string, std::string> loads{
      {"harmonic", "amplitude = 0.2\nphase = 0.3\nharmonic = 1\nomega = 0.9\n"},
      {"multisine", "amplitudes = [0.1, 0.2]\nharmonics = [1, 3]\nphases = [0, 1]\nomega = 0.9\n"},
      {"sweep", "amplitude = 0.2\nomega = [0.5, 1]\nduration = 3\nscale = \"logarithmic\"\n"},
      {"stepped", "amplitude = 0.2\nomegas = [0.8, 0.9]\ncycles = 1\n"},
      {"impulse", "amplitude = 0.2\nstart = 0.5\nduration = 0.1\n"},
      {"base", "file = \"r.csv\"\nscale = 2\n"},
      {"record", "file = \"r.csv\"\nscale = 2\n"},
      {"formula", "force = \"0.3*(1-cos(t))\"\n"},
      {"static", "amplitude = 0.1\n"}};
  const auto file = [](const std::string& kind, const std::string& keys) {
    return one_mass("jenkins",
                    "kind = \"" + kind + "\"\n" + (kind == "base" ? "" : "dof = 1\n") + keys) +
           "[[analysis]]\nkind = \"time\"\nuntil = 3\nstep = 0.5\noutput = \"o.csv\"\n";
  };
  for (const std::string& kind : known_in(file("qqqqqqqqqq", ""))) {
    SCOPED_TRACE(kind);
    ASSERT_TRUE(loads.contains(kind)) << "a new kind of load: give an example";
    write("s.toml", file(kind, loads.at(kind)));
    const Outcome o = run({"respond", "s.toml"});
    EXPECT_EQ(o.code, 0) << o.err;
    EXPECT_EQ(rows_of(read("o.csv")), 7u);
  }
}

/// Calls that have all options of a command among them.
const std::map<std::string, Names>& calls() {
  static const std::string columns =
      " --u u --f f --t t --rows 1:110 --from 0.1 --to 11 --missing interpolate";
  static const std::string history = " --signal sin(t) --until 3 --step 0.1";
  static const std::map<std::string, Names> all{
      {"fit",
       {"r.csv" + columns +
            " --model jenkins+linear --starts 2 --seed 3 --time-budget 20 --threads 1 --robust"
            " --holdout none --weight w --fix phi=0.3 --bounds jenkins.k=0.1:10 --start unknown"
            " -o fits.json --plot p.svg --report p.html --json -q",
        "r.csv r2.csv --model masing --elements 2 --starts 1 --separate k --predict r.csv"
        " --start virgin --holdout none",
        "r.csv r2.csv --model jenkins --share phi --starts 1 --covariate N=1,2 --start first-row"
        " --holdout none",
        "r.csv --model jenkins --starts 1 --free "
        "offset,gain,offset_u,delay,drift,drift_u,spring,backlash"
        " --bounds delay=-0.1:0.1 --start cycled --sign keep --holdout none",
        "r.csv --model jenkins --starts 1 --profile phi --start auto --sign auto --threshold 0.001 "
        "--holdout none --missing drop",
        "r.csv --model linear --starts 1 --holdout none --missing refuse",
        "r.csv --model jenkins --starts 2 --holdout none --posterior pn.json --sampler nuts "
        "--draws 50 "
        "--chains 2 --corner corner.svg --prior phi={normal=[0.3,1],truncated=[0.01,3]}",
        "r.csv --model jenkins --starts 2 --holdout none --posterior pt.json --sampler "
        "transitional "
        "--draws 50 -q"}},
      {"simulate",
       {"--model jenkins --set k=1 --method exact" + history,
        "--params fits.json --fit jenkins+linear --uncertainty --columns tangent,stored,states" +
            history,
        "--params bolt.json --covariate preload=20" + history,
        "two-state --method ode --input r.csv --drive displacement --start first-row -o s.csv"
        " --period 3 --plot s.svg -q --save-state state.json",
        "two-state --method ode --input later.csv --resume state.json --json --missing refuse",
        "jenkins --input r.csv -o c.csv" + columns,
        "jenkins+linear --input forces.csv --drive force --start virgin --missing drop",
        "--params sliders.toml --slip-map m.svg -o m.csv" + history}},
      {"loops",
       {"r.csv" + columns +
            " --threshold 0.001 --bars 5 -o l.csv --backbone b.csv --normalized n.csv --law "
            "law.json"
            " --preisach p.json --cells 3 --widened w.csv --plot l.svg --json -q",
        "r.csv --missing drop", "r.csv --missing refuse"}},
      {"damping",
       {"jenkins --set k=2 --method exact --amplitudes 0.1:2:3 --log --omega 2 -o d.csv"
        " --plot d.svg --json -q",
        "--params fits.json --fit jenkins+linear --amplitudes 0.1:2:3 --uncertainty",
        "--params bolt.json --covariate preload=20 --amplitudes 0.1:2:3",
        "jenkins --amplitudes 0.6:2:5 --match iwan4 --quantity zeta_eff,energy --weight A"
        " --free k,phi --bounds k=0.1:5 --relative --save-params tuned.json",
        "jenkins --match iwan4 --at 1 --free phi --quantity secant",
        "jenkins-planar --ratio 0.5 --angle 30 --amplitudes 0.1:2:3",
        "contact --set N0=2 --normal 0.5 --normal-phase 90 --normal-mean 0.1 --amplitudes "
        "0.1:2:3"}},
      {"respond",
       {"s.toml --resume --report s.html --json -q", "i.toml --params i.json --fit jenkins"}},
      {"identify",
       {"i.toml --starts 0 --seed 2 --time-budget 20 -o i.json --report i.html --json -q",
        "i.toml --model jenkins --starts 0 -q", "i.toml --starts 0 --write opensees -q"}},
      {"ringdown",
       {"decay.csv --columns x --t t --rows 1:700 --from 0 --to 6 --quantity velocity --at 1.9"
        " --band 0.5 -o rd.csv --plot rd.svg --json -q",
        "decay.csv --modes 1 --quantity displacement --missing refuse",
        "decay.csv --modes 1 --quantity acceleration --missing interpolate",
        "decay.csv --modes 1 --missing drop"}},
      {"joint", {"joint.toml -o j.csv --plot j.svg --slip-map jm.svg --sliders js.toml --json -q"}},
      {"cracks",
       {"cracks.toml -o c.csv --plot c.svg --slip-map cm.svg --strip cs.svg --field cf.csv --json "
        "-q",
        "cracks.toml --ensemble 2"}},
      {"study",
       {"st.toml --shard 2/2 --threads 1 --store two.study -q",
        "st.toml --threads 1 --store one.study --table st.csv --curve f=sc.csv --plot st.svg "
        "--report "
        "st.html -o st.json --json -q",
        "st.toml --merge two.study one.study --store all.study"}},
      {"serve", {"st.toml --port 0 --host 127.0.0.1 --threads 2 --time-limit 5 -q"}},
      {"dakota", {"params.in results.out --study st.toml"}},
      {"reduce", {"reduce.toml -o red.toml --table rt.csv --plot rp.svg --json -q"}},
      {"models", {"--json", "--relations", "jenkins"}},
      {"export-fmu",
       {"jenkins --set k=1 --fmi 2 --name n -o a.fmu -q",
        "--params fits.json --fit jenkins+linear --fmi 3 -o b.fmu",
        "two-state --method ode -o c.fmu"}},
      {"reproduce",
       {"--list", "biswas2018-eq2.2-2.3 --plot pictures --format svg --json",
        "biswas2018-eq2.2-2.3 --markdown", "biswas2018-eq2.2-2.3 --pages pages"}},
      {"completion", {"bash", "zsh", "fish"}},
      {"help", {"simulate"}}};
  return all;
}

TEST_F(EveryOption, commands_and_their_options) {
  std::string record = "t,u,f,w\n", later = "t,u\n", forces = "t,f\n", decay = "t,x\n";
  double z = 0, before = 0;
  for (int i = 0; i < 120; ++i) {
    const double t = 0.1 * i, u = (0.5 + 0.01 * i) * std::sin(t);
    z = std::clamp(z + u - before, -0.3, 0.3);
    before = u;
    // Something that no law describes, so that a fit has errors.
    const std::string row = std::to_string(t) + "," + std::to_string(u);
    record += row + "," + std::to_string(z + 0.1 * u + 0.003 * std::sin(37.0 * i)) + ",1\n";
    later += std::to_string(20 + t) + "," + std::to_string(u) + "\n";
    forces += std::to_string(t) + "," + std::to_string(0.1 * std::sin(t)) + "\n";
  }
  for (int i = 0; i < 800; ++i)
    decay += std::to_string(0.01 * i) + "," +
             std::to_string(std::exp(-0.002 * i) * std::cos(0.12 * i)) + "\n";
  write("r.csv", record);
  write("r2.csv", record);
  write("later.csv", later);
  write("forces.csv", forces);
  write("decay.csv", decay);
  write("sliders.toml", "kind = \"random\"\nn = 6\n");
  write("st.toml",
        "samples = 4\n[job]\nkind = \"simulate\"\nsignal = \"sin(t)\"\nuntil = 6\nstep = 0.1\n"
        "[[job.laws]]\nmodel = \"jenkins\"\n[vary]\n\"law[1].phi\" = { uniform = [0.5, 1] }\n"
        "[[collect]]\nname = \"top\"\nvalue = \"max(f)\"\n[[collect]]\nname = \"f\"\n"
        "on = { t = [0, 6, 7] }\n");
  write("params.in",
        "1 variables\n0.7 law_1_phi\n1 functions\n1 ASV_1:top\n0 derivative_variables\n"
        "0 analysis_components\n1 eval_id\n");
  write("bolt.json", R"({"fits": [{"model": "jenkins", "parameters": {"k": 2, "phi": 1}}],
    "covariates": {"preload": 20}})");
  write("s.toml", one_mass("jenkins(k=0.25,phi=0.2)", harmonic) +
                      "[[analysis]]\nkind = \"time\"\nuntil = 2\noutput = \"o.csv\"\n");
  // A mass of 1 on a spring of 0.75, a damper of 0.05 and a joint that slides at 0.2.
  std::string motion = "t,f,x1\n";
  double x = 0, v = 0, f = 0;
  for (int i = 0; i < 200; ++i) {
    motion += std::to_string(0.2 * i) + "," + std::to_string(0.4 * std::sin(0.18 * i)) + "," +
              std::to_string(x) + "\n";
    for (int k = 0; k < 20; ++k) {
      v += 0.01 * (0.4 * std::sin(0.9 * (0.2 * i + 0.01 * k)) - 0.05 * v - 0.75 * x - f);
      x += 0.01 * v;
      f = std::clamp(f + 0.25 * 0.01 * v, -0.2, 0.2);
    }
  }
  write("motion.csv", motion);
  write("i.toml", one_mass("jenkins", harmonic) +
                      "[unknown]\n\"joint[1].k\" = { start = 0.2 }\n"
                      "\"joint[1].phi\" = { start = 0.15 }\n[[data]]\nkind = \"record\"\n"
                      "file = \"motion.csv\"\n[[analysis]]\nkind = \"time\"\nuntil = 2\n"
                      "output = \"i.csv\"\n");
  write("cracks.toml",
        "[plate]\nE = 210e3\nnu = 0.3\nlength = 10.0\nrandom = { n = 2, seed = 1 }\n"
        "[load]\nstress = [30.0, -100.0, 0.0]\nsignal = \"sin(2*pi*t)\"\nuntil = 1\nstep = 0.1\n");
  write("joint.toml",
        "[plates]\nlength = 40.0\noverlap = 20.0\nthickness = 3.0\nwidth = 10.0\nE = 70e3\n"
        "nu = 0.33\nmesh = [16, 2]\n[contact]\nmu = 0.3\npressure = \"20\"\n"
        "[load]\nsignal = \"0.025*sin(2*pi*t)\"\nuntil = 1\nstep = 0.05\n");
  write(
      "reduce.toml",
      "[system]\nkind = \"random\"\nn = 5\n[[load]]\nsignal = \"sin(t)\"\nuntil = 20\nstep = 0.2\n"
      "[reduce]\nmodes = 2\ndirections = 1000\n");
  const std::string help = run({"--help"}).out;
  static const std::regex command_line("\n  ([a-z][a-z-]*) +[A-Z]"),
      option_line("\n +(?:-., )?(--[a-z-]+)(?: ([^ \n]+))?");
  std::set<std::string> commands;
  for (std::sregex_iterator i(help.begin(), help.end(), command_line), end; i != end; ++i)
    commands.insert((*i)[1]);
  EXPECT_GE(commands.size(), 13u) << help;
  // Fits are first: others go on with them.
  Names order{"fit"};
  for (const std::string& command : commands)
    if (command != "fit") order.push_back(command);
  for (const std::string& command : order) {
    SCOPED_TRACE(command);
    ASSERT_TRUE(calls().contains(command)) << "a new command: give calls with all its options";
    const Names& examples = calls().at(command);
    std::string together = " ";
    for (const std::string& example : examples) together += example + " ";
    const std::string options = command == "help" ? "" : run({command, "--help"}).out;
    for (std::sregex_iterator i(options.begin(), options.end(), option_line), end; i != end; ++i) {
      const std::string name = (*i)[1], value = (*i)[2];
      if (name == "--help" || name == "--help-all") continue;
      const std::string used = name == "--output" ? "-o" : name == "--quiet" ? "-q" : name;
      EXPECT_TRUE(contains(together, " " + used + " ")) << used << " is in no call";
      // displacement|force: each of them.
      if (!std::regex_match(value, std::regex("[a-z0-9_-]+(\\|[a-z0-9_-]+)+(,\\.\\.\\.)?")))
        continue;
      std::istringstream choices(value.substr(0, value.find(",...")));
      for (std::string choice; std::getline(choices, choice, '|');)
        EXPECT_TRUE(std::regex_search(together, std::regex(used + " [^ ]*\\b" + choice + "\\b")))
            << used << " " << choice << " is in no call";
    }
    if (command == "export-fmu" &&
        !fs::exists(fs::path(microslip::command_path).parent_path() / "fmu"))
      continue;
    for (const std::string& example : examples) {
      std::istringstream split(example);
      Names words{command};
      for (std::string word; split >> word;) words.push_back(word);
      // A server runs until it receives a signal.
      const Outcome o = command == "serve" ? shell("timeout --preserve-status -s TERM 2 " +
                                                   microslip::command_path + " serve " + example)
                                           : run(words);
      EXPECT_EQ(o.code, 0) << example << "\n" << o.err;
      EXPECT_FALSE(o.out.empty() && o.err.empty() && !contains(example, "-q") &&
                   !contains(example, "--pages") && command != "dakota")
          << example;
    }
  }
}

}  // namespace every_option_test
}  // namespace cli
