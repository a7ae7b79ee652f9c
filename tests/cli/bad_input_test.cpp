#include <sys/stat.h>

#include <array>
#include <csignal>

#include "command.hpp"

namespace cli {
namespace bad_input_test {

class BadInput : public CommandTest {
 protected:
  /// The sentence without "microslip: "; nothing else may happen.
  std::string error(std::vector<std::string> words, const std::string& input = "") {
    words.insert(words.begin(), "simulate");
    const auto before = files();
    const Outcome o = run({words, input});
    EXPECT_EQ(o.code, 2) << o.err;
    EXPECT_EQ(o.out, "");
    EXPECT_EQ(files(), before);
    EXPECT_TRUE(o.err.starts_with("microslip: ")) << o.err;
    EXPECT_EQ(std::count(o.err.begin(), o.err.end(), '\n'), 1) << o.err;
    return o.err.substr(11, o.err.size() - 12);
  }
};

TEST_F(BadInput, laws_and_parameters) {
  const std::vector<std::string> rest{"--signal", "t", "--until", "1", "--step", "1"};
  const auto with = [&](std::vector<std::string> words) {
    words.insert(words.end(), rest.begin(), rest.end());
    return error(words);
  };
  EXPECT_EQ(with({"iwan"}), "unknown model 'iwan'; did you mean 'iwan4'?");
  EXPECT_EQ(with({"iwan4", "--set", "kt=2"}),
            "unknown parameter 'kt' for iwan4; did you mean 'KT'?");
  EXPECT_EQ(with({"iwan4", "--set", "chi=abc"}), "iwan4.chi = abc must be one number");
  EXPECT_EQ(with({"iwan4", "--set", "chi=-1.2"}), "iwan4.chi = -1.2 must lie in (-1, 0]");
  EXPECT_EQ(with({"iwan4", "--set", "chi"}), "--set chi must be written NAME=VALUE");
  EXPECT_EQ(with({"jenkins", "--set", "k=2,phi=0.7"}),
            "--set k=2,phi=0.7 must be written NAME=VALUE; repeat --set for each");
  EXPECT_EQ(
      with({"jenkins", "iwan4", "--set", "kappa=1"}),
      "unknown parameter 'kappa' for jenkins, iwan4; there are: k, phi, Fs, KT, chi, beta, method");
  // Not silently for the first law alone.
  EXPECT_EQ(with({"jenkins", "jenkins+linear", "--set", "k=2"}),
            "--set k could mean several parameters of jenkins+linear: jenkins.k, linear.k");
  EXPECT_EQ(with({"jenkins", "--method", "ode"}), "--method ode: jenkins has only one method");
  EXPECT_EQ(with({"two-state", "--method", "patchd"}),
            "unknown method 'patchd' for two-state; did you mean 'patched'?");
  EXPECT_EQ(with({}), "no model is given; name one or several, or a file with --params");
  EXPECT_EQ(with({"jenkins", "--columns", "tangents"}),
            "unknown choice 'tangents' for --columns; did you mean 'tangent'?");
  EXPECT_EQ(with({"jenkins", "--drive", "forc"}),
            "unknown choice 'forc' for --drive; did you mean 'force'?");
  EXPECT_EQ(with({"jenkins", "--start", "first"}),
            "unknown choice 'first' for --start; there are: virgin, first-row");
}

TEST_F(BadInput, histories) {
  EXPECT_TRUE(contains(error({"jenkins"}), "no history is given"));
  EXPECT_TRUE(contains(error({"jenkins", "--signal", "t"}), "--signal needs --until and --step"));
  EXPECT_EQ(error({"jenkins", "--signal", "t", "--until", "x", "--step", "1"}),
            "--until = x must be one number");
  EXPECT_TRUE(contains(error({"jenkins", "--signal", "sn(t)", "--until", "1", "--step", "1"}),
                       "did you mean 'sin'?"));
  EXPECT_TRUE(contains(error({"jenkins", "--signal", "t", "--until", "-1", "--step", "1"}),
                       "must be positive"));
  EXPECT_TRUE(contains(error({"jenkins", "--input", "none.csv"}), "it does not exist"));
  EXPECT_TRUE(contains(error({"jenkins", "--input", "."}), "it is a folder"));
  EXPECT_TRUE(contains(error({"jenkins", "--input", "-"}, ""), "it is empty"));
  EXPECT_TRUE(contains(error({"jenkins", "--input", "-", "--period", "1"}, "1\n2\n"),
                       "--period needs the column t"));
}

TEST_F(BadInput, cells_are_named_by_line_and_column) {
  write("load.csv", "t,u\n0,1\n1,abc\n");
  EXPECT_TRUE(contains(error({"jenkins", "--input", "load.csv"}), "load.csv, line 3, column 2"));
  EXPECT_TRUE(contains(error({"jenkins", "--input", "-", "--missing", "refuse"}, "u\n1\nnan\n"),
                       "line 3, column 1"));
  EXPECT_TRUE(
      contains(error({"jenkins", "--input", "-", "--missing", "keep"}, "u\n1\n"), "--missing"));
}

TEST_F(BadInput, parameter_files) {
  const auto with = [&](const std::string& name, const std::string& content) {
    write(name, content);
    return error({"--params", name, "--signal", "t", "--until", "1", "--step", "1"});
  };
  EXPECT_TRUE(contains(with("p.json", "{\"model\": \"iwan4\",\n  \"parameters\": {]}"),
                       "p.json, line 2, column 18: this is not JSON"));
  EXPECT_TRUE(contains(with("p.toml", "model = \"iwan4\"\nparameters = {"), "p.toml, line 2"));
  EXPECT_EQ(with("p.json", R"({"model": "iwan4", "paramters": {}})"),
            "p.json has the unknown key 'paramters'; did you mean 'parameters'?");
  EXPECT_EQ(with("p.json", R"({"parameters": {}})"),
            "p.json does not name its model; add the key 'model', or name it in the call");
  EXPECT_EQ(
      with("p.json", R"({"model": "iwan4", "parameters": {"KT": true}})"),
      "p.json, line 1: parameter 'KT' must be a number, a list, a matrix or a text, not true");
  EXPECT_EQ(with("p.json", R"({"model": "iwan4", "parameters": {"KT": 1, "KT": 2}})"),
            "p.json has the key 'KT' twice");
  EXPECT_EQ(with("p.json", R"({"model": "iwan4", "parameters": {"KT": [1, 2]}})"),
            "p.json, line 1: iwan4.KT must be one number");
  EXPECT_TRUE(contains(with("p.json", ""), "p.json, line 1, column 1"));
}

TEST_F(BadInput, nothing_that_is_read_is_overwritten) {
  write("load.csv", "u\n1\n");
  std::filesystem::create_symlink("load.csv", folder / "link.csv");
  for (const char* name : {"load.csv", "./load.csv", "link.csv"})
    EXPECT_TRUE(contains(error({"jenkins", "--input", "load.csv", "-o", name}),
                         "is read and would be overwritten"));
  EXPECT_TRUE(contains(error({"jenkins", "--input", "load.csv", "--save-state", "load.csv"}),
                       "is read and would be overwritten"));
  EXPECT_TRUE(contains(error({"jenkins", "--input", "load.csv", "-o", "x", "--save-state", "./x"}),
                       "two results would go to the file"));
  EXPECT_EQ(read("load.csv"), "u\n1\n");
}

TEST_F(BadInput, unwritable_places_are_known_before_the_work) {
  write("load.csv", "u\n1\n");
  EXPECT_TRUE(contains(error({"jenkins", "--input", "load.csv", "-o", "no/x.csv"}),
                       "the folder 'no' does not exist"));
  EXPECT_TRUE(contains(error({"jenkins", "--input", "load.csv", "-o", "."}), "it is a folder"));
  EXPECT_TRUE(contains(error({"jenkins", "--input", "load.csv", "-o", "x.csv", "--plot", "x.gif"}),
                       "must end in .svg, .png or .pdf"));
  ASSERT_EQ(::chmod(folder.c_str(), 0555), 0);
  ASSERT_EQ(::chmod(folder.parent_path().c_str(), 0755), 0);
  const Outcome o = run(Call{.words = {"simulate", "jenkins", "--input", "load.csv", "-o", "x.csv"},
                             .ordinary_user = true});
  EXPECT_EQ(o.code, 2);
  EXPECT_TRUE(contains(o.err, "no permission")) << o.err;
}

TEST_F(BadInput, sentences_name_what_is_meant) {
  write("load.csv", "u\n1\n");
  write("short.csv", "u,f\n1,1\n");
  const auto with = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words{"jenkins", "--input", "load.csv"};
    words.insert(words.end(), more.begin(), more.end());
    return error(words);
  };
  EXPECT_TRUE(contains(with({"-o", ""}), "not empty"));
  EXPECT_TRUE(contains(with({"-o", "{modle}.csv"}), "{model} stands for"));
  EXPECT_TRUE(contains(with({"--set", "k=1", "--set", "k=2"}), "contradict"));
  EXPECT_TRUE(contains(with({"--set", "k="}), "has no value"));
  EXPECT_TRUE(contains(run({"respond"}).err, "FILE.toml is required"));
  EXPECT_TRUE(contains(run({"loops", "short.csv"}).err, "short.csv: a record of 1 rows"));
  ASSERT_EQ(run({"simulate", "jenkins", "--input", "load.csv", "--save-state", "x"}).code, 0);
  EXPECT_TRUE(contains(with({"--set", "k=2", "--resume", "x"}),
                       "jenkins.k = 1.0, so the history cannot go on with 2.0"));
}

TEST_F(BadInput, numbers_that_overflow_are_a_failure) {
  write("load.csv", "u\n1e308\n-1e308\n1e308\n");
  write("record.csv", "u,f\n0,0\n1e308,1\n-1e308,-1\n1e308,1\n-1e308,-1\n");
  const Outcome o = run({"simulate", "jenkins", "--input", "load.csv", "-o", "a.csv"});
  EXPECT_EQ(o.code, 1);
  EXPECT_TRUE(contains(o.err, "load.csv line 3: force or energy is too large")) << o.err;
  const Outcome loops = run({"loops", "record.csv"});
  EXPECT_EQ(loops.code, 1) << loops.out;
  EXPECT_TRUE(contains(loops.err, "record.csv: ")) << loops.err;
  EXPECT_EQ(files(), (std::vector<std::string>{"load.csv", "record.csv"}));
}

TEST_F(BadInput, a_file_that_may_not_grow_leaves_nothing) {
  const Outcome o = shell(
      "ulimit -f 1; microslip simulate jenkins --signal 'sin(t)' --until 100 --step 0.01 -o a.csv");
  EXPECT_EQ(o.code, 1) << o.err;
  EXPECT_TRUE(contains(o.err, "cannot write 'a.csv'")) << o.err;
  EXPECT_TRUE(files().empty());
}

TEST_F(BadInput, names_of_results_are_checked_by_every_command_before_the_work) {
  write("r.csv", "u,f\n0,0\n1,1\n2,1\n1,0\n-1,-1\n-2,-1\n0,1\n2,1\n");
  const std::string reduction =
      "[system]\nkind = \"random\"\nn = 5\n[[load]]\nfile = \"r.csv\"\n[reduce]\nmodes = 2\n";
  write("a.toml", reduction);
  write("K.mtx", "%%MatrixMarket matrix coordinate real symmetric\n1 1 1\n1 1 1\n");
  const std::string structure =
      "M = [1.0]\nK = \"K.mtx\"\n[[load]]\nkind = \"harmonic\"\ndof = 1\namplitude = 1\n"
      "[[analysis]]\nkind = \"time\"\nuntil = 1\nstep = 0.1\n";
  const auto before = files();
  const std::vector<std::vector<std::string>> calls{{"loops", "r.csv"},
                                                    {"fit", "r.csv", "--model", "jenkins"},
                                                    {"damping", "jenkins", "--amplitudes", "1:2:3"},
                                                    {"reduce", "a.toml"},
                                                    {"simulate", "jenkins", "--input", "r.csv"}};
  const auto refused = [&](std::vector<std::string> words, const std::vector<std::string>& more,
                           const std::string& part) {
    words.insert(words.end(), more.begin(), more.end());
    const Outcome o = run(words);
    EXPECT_EQ(o.code, 2) << o.err;
    EXPECT_TRUE(contains(o.err, part)) << o.err;
  };
  for (const auto& call : calls) {
    refused(call, {"-o", "x", "--plot", "x.gif"}, "must end in .svg, .png or .pdf");
    refused(call, {"-o", "x", "--plot", "no/x.svg"}, "the folder 'no' does not exist");
  }
  refused(calls[2], {"--match", "r.csv", "-o", "r.csv"}, "is read and would be overwritten");
  refused(calls[3], {"-o", "r.csv"}, "is read and would be overwritten");
  EXPECT_EQ(files(), before);
  for (const auto& [key, name, part] : std::vector<std::array<std::string, 3>>{
           {"output", "s.toml", "is read and would be overwritten"},
           {"output", "K.mtx", "is read and would be overwritten"},
           {"plot", "x.gif", "s.toml, line 7: the picture 'x.gif' must end in"},
           {"output", "no/x.csv", "s.toml, line 7: cannot write 'no/x.csv': the folder 'no'"}}) {
    write("s.toml", structure + key + " = \"" + name + "\"\n");
    refused({"respond", "s.toml"}, {}, part);
    EXPECT_EQ(read("s.toml"), structure + key + " = \"" + name + "\"\n");
  }
  EXPECT_TRUE(read("K.mtx").starts_with("%%MatrixMarket"));
}

TEST_F(BadInput, without_gnuplot_everything_else_is_written) {
  write("load.csv", "u\n1\n");
  const Outcome o = run(Call{
      .words = {"simulate", "jenkins", "--input", "load.csv", "-o", "a.csv", "--plot", "a.svg"},
      .environment = {"PATH=/nowhere"}});
  EXPECT_EQ(o.code, 1);  // what was asked for is not there
  EXPECT_TRUE(contains(o.err, "gnuplot")) << o.err;
  EXPECT_EQ(std::count(o.err.begin(), o.err.end(), '\n'), 1);
  EXPECT_EQ(files(), (std::vector<std::string>{"a.csv", "load.csv"}));
}

TEST_F(BadInput, pictures_by_ending) {
  write("load.csv", "t [s],u [mm],f [kN]\n0,0,0\n1,1,0.9\n2,-1,-0.8\n");
  for (const auto& [name, start] : std::map<std::string, std::string>{
           {"a.svg", "<?xml"}, {"a.png", "\x89PNG"}, {"a.pdf", "%PDF"}}) {
    const Outcome o = run(
        {"simulate", "jenkins", "iwan4", "--input", "load.csv", "-o", "/dev/null", "--plot", name});
    EXPECT_EQ(o.code, 0) << o.err;
    EXPECT_TRUE(read(name).starts_with(start)) << name;
  }
  const std::string svg = read("a.svg");
  for (const char* label : {"mm", "kN", "jenkins", "iwan4", "measured"})
    EXPECT_TRUE(contains(svg, label)) << label;
}

}  // namespace bad_input_test
}  // namespace cli
