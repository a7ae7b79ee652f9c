#include <cctype>
#include <cmath>
#include <optional>

#include "command.hpp"

/// Every example of the README and of the pages in docs/ runs as it is typed, and prints what the
/// page quotes.
namespace cli {
namespace documentation_test {

/// A command of a page and the lines that the page quotes below it.
struct Example {
  std::string command;
  std::vector<std::string> quoted;
};

std::string trimmed(std::string line) {
  line.erase(0, std::min(line.find_first_not_of(' '), line.size()));
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

/// The commands in the blocks of a page that have no language. With a prompt "$ " in a block, the
/// other lines of it are quoted output.
std::vector<Example> examples_in(const std::string& page) {
  std::vector<Example> examples;
  std::istringstream lines(page);
  bool inside = false, shell = false, prompts = false, goes_on = false;
  int loops = 0;  // of "for … do" that are open
  for (std::string line; std::getline(lines, line);) {
    const std::string text = trimmed(line);
    if (text.starts_with("```")) {
      inside = !inside;
      shell = inside && text == "```";
      prompts = goes_on = false;
      continue;
    }
    if (!shell) continue;
    if (goes_on || loops > 0) {
      examples.back().command += "\n" + text;
    } else if (text.starts_with("$ ")) {
      prompts = true;
      examples.push_back({text.substr(2), {}});
    } else if (prompts) {
      if (!text.empty()) examples.back().quoted.push_back(text);
      continue;
    } else if (text.starts_with("microslip ") || text.starts_with("for ")) {
      examples.push_back({text, {}});
    } else {
      continue;  // of another program, or a comment
    }
    loops += text.find("; do") != std::string::npos ? 1 : text == "done" ? -1 : 0;
    goes_on = text.ends_with("\\");
  }
  return examples;
}

std::vector<std::string> words_of(const std::string& line) {
  std::istringstream stream(line);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

std::optional<double> number_of(const std::string& word) {
  std::string text = word;
  while (!text.empty() && (text.back() == ',' || text.back() == ';')) text.pop_back();
  if (text.starts_with("±")) text.erase(0, std::string("±").size());
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != 0) return {};
  return value;
}

/// Words are equal; numbers to a part in a thousand, and what is rounding (errors of a balance, a
/// parameter at 0) is small in both.
bool same_line(const std::string& a, const std::string& b) {
  const auto left = words_of(a), right = words_of(b);
  if (left.size() != right.size()) return false;
  for (std::size_t i = 0; i < left.size(); ++i) {
    if (left[i] == right[i]) continue;
    const auto x = number_of(left[i]), y = number_of(right[i]);
    if (!x || !y) return false;
    const bool rounding = std::abs(*x) < 1e-8 && std::abs(*y) < 1e-8;
    if (!rounding && !(std::abs(*x - *y) <= 1e-3 * std::abs(*x))) return false;
  }
  return true;
}

bool prints(const std::string& output, const std::string& quoted) {
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);)
    if (same_line(quoted, line)) return true;
  return false;
}

/// What takes a minute or more is cut short, which leaves all of its parts to be run. A fit of every
/// law uses all of its time.
std::string shortened(std::string command) {
  if (command.starts_with("microslip fit") && command.find("--report") == std::string::npos) {
    const std::size_t comment = command.find("  #");
    const bool every_law = command.find("--model") == std::string::npos;
    command.insert(comment == std::string::npos ? command.size() : comment,
                   every_law ? " --time-budget 0.5" : " --time-budget 1");
  }
  if (command == "microslip reproduce all") return "microslip reproduce --list";
  return command;
}

class Documentation : public CommandTest {
 protected:
  void SetUp() override {
    CommandTest::SetUp();
    for (const char* name : {"data", "examples"})
      fs::create_directory_symlink(fs::path(microslip::source_dir) / name, folder / name);
  }

  void run_page(const std::string& name) const {
    const auto examples = examples_in(content_of(fs::path(microslip::source_dir) / name));
    for (const Example& example : examples) {
      if (example.command.find("export-fmu") != std::string::npos && !has_fmu()) continue;
      if (!example.command.starts_with("microslip ") && !example.command.starts_with("for "))
        continue;
      const Outcome o = shell(shortened(example.command));
      const bool refused = !example.quoted.empty() && example.quoted[0].starts_with("microslip: ");
      EXPECT_EQ(o.code, refused ? 2 : 0) << name << ": " << example.command << "\n" << o.err;
      for (const std::string& line : example.quoted)
        if (line != "...") {
          EXPECT_TRUE(prints(o.out + o.err, line))
              << name << ": " << example.command << "\n  does not print\n"
              << line << "\n  but\n"
              << o.out;
        }
    }
  }

  static bool has_fmu() {
    return fs::exists(fs::path(microslip::command_path).parent_path() / "fmu");
  }
};

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
