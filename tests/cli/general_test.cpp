#include <nlohmann/json.hpp>
#include <regex>

#include "command.hpp"
#include "microslip/catalog/catalog.hpp"
#include "microslip/version.hpp"

namespace cli {
namespace general_test {

using Json = nlohmann::json;

class General : public CommandTest {};

/// Every line has at most 100 characters.
void expect_width(const std::string& text) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const auto characters =
        std::count_if(line.begin(), line.end(), [](unsigned char c) { return (c & 0xc0) != 0x80; });
    EXPECT_LE(characters, 100) << line;
  }
}

TEST_F(General, version_is_the_one_of_the_library) {
  const Outcome o = run({"--version"});
  EXPECT_EQ(o.code, 0);
  EXPECT_EQ(o.out, "microslip " + std::string(microslip::version) + "\n");
}

TEST_F(General, help_lists_every_command_and_fits_a_terminal) {
  const Outcome o = run({"--help"});
  EXPECT_EQ(o.code, 0);
  EXPECT_EQ(o.err, "");
  // Each command has a folder of its own; `pages` and `figures` are what some of them share.
  std::size_t commands = 0;
  for (const auto& entry : fs::directory_iterator(microslip::source_dir + "/apps/microslip")) {
    const std::string command = entry.path().filename().string();
    if (!entry.is_directory() || command == "pages" || command == "figures") continue;
    ++commands;
    EXPECT_TRUE(contains(o.out, "\n  " + command + " ")) << command;
    expect_width(run({command, "--help-all"}).out);
  }
  EXPECT_GE(commands, 9u);
  expect_width(o.out);
}

TEST_F(General, long_help_has_examples_and_short_help_has_not) {
  const Outcome brief = run({"simulate", "--help"});
  const Outcome whole = run({"simulate", "--help-all"});
  EXPECT_EQ(brief.code + whole.code, 0);
  EXPECT_FALSE(contains(brief.out, "Examples"));
  EXPECT_TRUE(contains(whole.out, "Examples"));
  for (const char* option :
       {"--set", "--params", "--input", "--signal", "--until", "--step", "--start", "--drive",
        "--method", "--output", "--columns", "--save-state", "--resume", "--plot", "--json"})
    EXPECT_TRUE(contains(brief.out, option)) << option;
}

// What the help shows must run as it stands.
TEST_F(General, examples_of_simulate_run) {
  write("joint.json", R"({"model": "iwan4", "parameters": {"KT": 2}})");
  write("bolt.json", R"({"fits": [{"model": "jenkins", "parameters": {"k": 2, "phi": 1},
    "standard_errors": {"k": 0.1, "phi": 0.2},
    "correlation": {"names": ["k", "phi"], "matrix": [[1, 0.3], [0.3, 1]]}}],
    "covariates": {"preload": 20}})");
  for (const char* name : {"load.csv", "monday.csv"}) write(name, "t,u\n0,0\n1,1\n2,-1\n");
  write("joint.toml", "kind = \"iwan\"\nn = 20\n");
  write("tuesday.csv", "t,u\n3,0\n4,2\n");
  std::string help = run({"simulate", "--help-all"}).out;
  help = std::regex_replace(help.substr(help.find("Examples\n") + 9), std::regex("\\\\\n"), " ");
  const Outcome o = shell("set -e\n" + help);
  EXPECT_EQ(o.code, 0) << o.err;
  for (const char* name : {"answer.csv", "jenkins.csv", "iwan4.csv", "creep.csv", "a.csv", "b.csv"})
    EXPECT_TRUE(exists(name)) << name;
}

TEST_F(General, no_command_is_bad_input_and_shows_the_help) {
  const Outcome o = run(std::vector<std::string>{});
  EXPECT_EQ(o.code, 2);
  EXPECT_EQ(o.out, "");
  EXPECT_TRUE(contains(o.err, "Usage: microslip"));
}

TEST_F(General, near_misses_are_named) {
  const auto expect = [&](const std::vector<std::string>& words, const std::string& sentence) {
    const Outcome o = run(words);
    EXPECT_EQ(o.code, 2);
    EXPECT_EQ(o.out, "");
    EXPECT_EQ(o.err, "microslip: " + sentence + "\n");
  };
  expect({"simulat"}, "unknown command 'simulat'; did you mean 'simulate'?");
  expect({"simulat", "--help"}, "unknown command 'simulat'; did you mean 'simulate'?");
  expect({"simulate", "jenkins", "--inptu", "x.csv"},
         "unknown option '--inptu'; did you mean '--input'?");
  expect({"models", "jenkin"}, "unknown model 'jenkin'; did you mean 'jenkins'?");
  expect({"completion", "bsh"}, "unknown choice 'bsh' for SHELL; did you mean 'bash'?");
}

TEST_F(General, models_lists_every_law) {
  const Outcome o = run({"models"});
  EXPECT_EQ(o.code, 0);
  for (const auto& law : microslip::catalog::laws())
    EXPECT_TRUE(contains("\n" + o.out, "\n" + law.description.name + " ")) << law.description.name;
  EXPECT_TRUE(contains(o.out, "Fs, KT, chi, beta"));
}

TEST_F(General, one_model_tells_everything) {
  const Outcome o = run({"models", "iwan4"});
  EXPECT_EQ(o.code, 0);
  for (const char* part :
       {"f = ∫ρ(φ)", "chi", "(-1, 0]", "-0.5", "return_point_memory", "reversals", "Segalman"})
    EXPECT_TRUE(contains(o.out, part)) << part;
  EXPECT_TRUE(contains(run({"models", "two-state"}).out, "exact | incremental | ode | patched"));
}

TEST_F(General, models_as_json) {
  const Json all = Json::parse(run({"models", "--json"}).out);
  ASSERT_TRUE(all.is_array());
  const Json one = Json::parse(run({"models", "iwan4", "--json"}).out);
  EXPECT_NE(std::find(all.begin(), all.end(), one), all.end());
  EXPECT_EQ(one["name"], "iwan4");
  const Json& chi = one["parameters"][2];
  EXPECT_EQ(chi["name"], "chi");
  EXPECT_EQ(chi["default"], -0.5);
  EXPECT_EQ(chi["bounds"]["lower"], -1);
  EXPECT_EQ(chi["bounds"]["upper_open"], false);
  EXPECT_TRUE(one["parameters"][0]["bounds"]["upper"].is_null());
  EXPECT_EQ(one["claims"]["masing"]["verdict"], "holds");
}

TEST_F(General, completions_name_every_option_and_law) {
  for (const char* name : {"bash", "zsh", "fish"}) {
    const Outcome o = run({"completion", name});
    EXPECT_EQ(o.code, 0);
    for (const char* word : {"simulate", "save-state", "two-state", "first-row", "chi="})
      EXPECT_TRUE(contains(o.out, word)) << name << " " << word;
  }
}

TEST_F(General, bash_completes) {
  const auto complete = [&](const std::string& words, int position) {
    const Outcome o = shell("source <(microslip completion bash)\ncompopt() { :; }\nCOMP_WORDS=(" +
                            words + ") COMP_CWORD=" + std::to_string(position) +
                            "\n_microslip\necho \"${COMPREPLY[*]}\"");
    EXPECT_EQ(o.err, "");
    return o.out;
  };
  EXPECT_EQ(complete("microslip si", 1), "simulate\n");
  EXPECT_EQ(complete("microslip simulate jen", 2), "jenkins jenkins-planar\n");
  EXPECT_EQ(complete("microslip simulate --drive f", 3), "force\n");
  EXPECT_EQ(complete("microslip simulate --set ch", 3), "chi=\n");
  write("load.csv", "");
  EXPECT_EQ(complete("microslip simulate --input lo", 3), "load.csv\n");
  EXPECT_EQ(complete("microslip simulate --save", 2), "--save-state\n");
}

TEST_F(General, other_shells_parse_their_completion) {
  for (const auto& [name, program] :
       std::map<std::string, std::string>{{"zsh", "/usr/bin/zsh"}, {"fish", "/usr/bin/fish"}}) {
    if (!std::filesystem::exists(program)) continue;
    write("script", run({"completion", name}).out);
    EXPECT_EQ(run(Call{{program, "-n", "script"}}).code, 0) << name;
  }
}

TEST_F(General, a_full_disk_behind_standard_output_is_a_failure) {
  const Outcome o = shell("microslip models > /dev/full");
  EXPECT_EQ(o.code, 1);
  EXPECT_TRUE(contains(o.err, "cannot write to standard output"));
}

TEST_F(General, a_reader_that_stops_early_is_no_complaint) {
  const Outcome o =
      shell("microslip simulate jenkins -q --signal 'sin(t)' --until 300 --step 0.01 | head -n 1");
  EXPECT_EQ(o.err, "");
  EXPECT_EQ(o.out, "t,u,f,energy\n");
}

}  // namespace general_test
}  // namespace cli
