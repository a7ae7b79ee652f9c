#include "documentation.hpp"

/// Every example of the README and of the pages in docs/ runs as it is typed, and prints what the
/// page quotes.
namespace cli {
namespace documentation_test {

using namespace documentation;

class Documentation : public Pages {};

TEST_F(Documentation, examples_of_the_readme_run_as_typed) { run_page("README.md"); }

TEST_F(Documentation, examples_of_the_pages_run_as_typed) {
  std::size_t count = 0;
  for (const auto& entry : fs::directory_iterator(fs::path(microslip::source_dir) / "docs")) {
    if (entry.path().extension() != ".md") continue;
    const std::string name = "docs/" + entry.path().filename().string();
    // The pictures of the gallery are made by its script.
    if (name == "docs/gallery.md") continue;
    count += examples_in(content_of(entry.path())).size();
    run_page(name);
  }
  EXPECT_GT(count, 20u);  // the pages are read at all
}

/// The lines of a file, with one space between words, and without empty ones; lines that include are kept apart.
struct Lines {
  std::string text = "\n";
  std::vector<std::string> includes{};
};
Lines lines_of(const std::string& content) {
  Lines result;
  std::istringstream stream(content);
  for (std::string line; std::getline(stream, line);) {
    std::string text;
    for (const std::string& word : words_of(line)) text += (text.empty() ? "" : " ") + word;
    if (text.starts_with("#include"))
      result.includes.push_back(text);
    else if (!text.empty())
      result.text += text + "\n";
  }
  return result;
}

/// What pages show as C++ stands in a program that is compiled and run.
TEST_F(Documentation, cpp_in_the_pages_is_compiled) {
  const fs::path source = microslip::source_dir;
  std::vector<Lines> programs;
  for (const auto& entry : fs::directory_iterator(source / "examples"))
    if (entry.path().extension() == ".cpp") programs.push_back(lines_of(content_of(entry.path())));
  std::vector<fs::path> pages{source / "README.md"};
  for (const auto& entry : fs::recursive_directory_iterator(source / "docs"))
    if (entry.path().extension() == ".md") pages.push_back(entry.path());
  std::size_t count = 0;
  for (const fs::path& page : pages) {
    const std::string text = content_of(page), begin = "```cpp\n";
    for (auto at = text.find(begin); at != std::string::npos; at = text.find(begin, at + 1)) {
      const auto from = at + begin.size();
      const Lines shown = lines_of(text.substr(from, text.find("```", from) - from));
      ++count;
      EXPECT_TRUE(std::any_of(
          programs.begin(), programs.end(),
          [&](const Lines& program) {
            return program.text.find(shown.text) != std::string::npos &&
                   std::all_of(shown.includes.begin(), shown.includes.end(), [&](const auto& line) {
                     return std::find(program.includes.begin(), program.includes.end(), line) !=
                            program.includes.end();
                   });
          }))
          << page << " shows what no program of examples/ has:" << shown.text;
    }
  }
  EXPECT_GE(count, 8u);
}

/// The commands below "Examples" in the help of a command, without what is said beside them.
std::vector<std::string> examples_of_help(const std::string& help) {
  std::vector<std::string> commands;
  std::istringstream lines(help.substr(std::min(help.find("\nExamples\n"), help.size())));
  bool goes_on = false;
  for (std::string line; std::getline(lines, line);) {
    std::string text = trimmed(line);
    if (!goes_on && !text.starts_with("microslip ")) continue;
    if (const auto beside = text.find("   "); beside != std::string::npos) text.resize(beside);
    if (const auto pipe = text.find(" | "); pipe != std::string::npos) text.resize(pipe);
    if (goes_on)
      commands.back() += "\n" + text;
    else
      commands.push_back(text);
    goes_on = text.ends_with("\\");
  }
  return commands;
}

TEST_F(Documentation, examples_of_the_help_run_as_typed) {
  // The files that the examples speak of.
  const fs::path source = microslip::source_dir;
  std::string bolt = "t,u,f,LVDT 2,Cell (kN)\n";
  for (int i = 0; i <= 300; ++i) {
    const double t = 0.05 * i, u = (1 + t / 10) * std::sin(t);
    const std::string pair = std::to_string(u) + "," + std::to_string(std::tanh(u) + 0.1 * u);
    bolt += std::to_string(t) + "," + pair + "," + pair + "\n";
  }
  for (const char* name : {"bolt.csv", "low.csv", "high.csv", "load.csv", "monday.csv"})
    write(name, bolt);
  std::string decay = "t,x,y\n";
  for (int i = 0; i <= 2000; ++i) {
    const double t = 0.1 * i, a = std::exp(-0.02 * t) * std::cos(1.57 * t),
                 b = std::exp(-0.01 * t) * std::cos(4 * t);
    decay += std::to_string(t) + "," + std::to_string(a + b) + "," + std::to_string(a - b) + "\n";
  }
  write("decay.csv", decay);
  write("tuesday.csv", "t,u\n20,0\n21,1\n22,-1\n");
  write("joint.json", R"({"model": "iwan4", "parameters": {"KT": 2}})");
  write("result.json", R"({"model": "iwan4", "parameters": {"KT": 2}})");
  write("identified.json", R"({"fits": [{"model": "iwan4", "parameters": {"joint[1].KT": 2}}]})");
  write("joint.toml", "kind = \"random\"\nn = 10\noutput = \"u-bx\"\n");
  fs::copy(source / "examples/reduce/iwan.toml", folder / "interface.toml");
  fs::copy(source / "examples/structures/ring-down.toml", folder / "structure.toml");
  ASSERT_EQ(run({"fit", "low.csv", "--covariate", "preload=20", "--model", "jenkins", "--starts",
                 "2", "-o", "bolt.json", "-q"})
                .code,
            0);
  std::size_t count = 0;
  for (const char* command : {"models", "simulate", "loops", "damping", "reduce", "respond",
                              "ringdown", "fit", "export-fmu", "help"}) {
    if (std::string(command) == "export-fmu" && !has_fmu()) continue;
    for (const std::string& example : examples_of_help(run({"help", command}).out)) {
      const Outcome o = shell(shortened(example));
      EXPECT_EQ(o.code, 0) << command << ": " << example << "\n" << o.err;
      ++count;
    }
  }
  EXPECT_GT(count, 30u);
}

TEST_F(Documentation, quoted_numbers_are_compared) {
  EXPECT_TRUE(same_line("iwan4  0.34 %  -34053.4", "iwan4 0.34 % -34053.4"));
  EXPECT_FALSE(same_line("iwan4  0.34 %", "iwan4  0.36 %"));
  EXPECT_FALSE(same_line("iwan4  0.34 %", "iwan5  0.34 %"));
  EXPECT_TRUE(same_line("x1  8.0e-11", "x1  3.1e-11"));
}

}  // namespace documentation_test
}  // namespace cli
