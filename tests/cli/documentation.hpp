#pragma once

#include <cctype>
#include <cmath>
#include <optional>

#include "command.hpp"

/// Pages of commands and of what they print.
namespace cli {
namespace documentation {

/// A command of a page and the lines that the page quotes below it.
struct Example {
  std::string command;
  std::vector<std::string> quoted;
};

inline std::string trimmed(std::string line) {
  line.erase(0, std::min(line.find_first_not_of(' '), line.size()));
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

/// Programs that pages call: this one, loops of a shell, scripts of this repository, CalculiX.
inline bool runs(const std::string& text) {
  return text.starts_with("microslip ") || text.starts_with("for ") ||
         text.starts_with("python3 examples/records/") ||
         text.starts_with("python3 examples/structures/") || text.starts_with("cp examples/") ||
         text.starts_with("ccx ");
}

/// The commands in the blocks of a page that have no language. With a prompt "$ " in a block, the
/// other lines of it are quoted output.
inline std::vector<Example> examples_in(const std::string& page) {
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
    } else if (runs(text)) {
      examples.push_back({text, {}});
    } else {
      continue;  // of another program, or a comment
    }
    loops += text.find("; do") != std::string::npos ? 1 : text == "done" ? -1 : 0;
    goes_on = text.ends_with("\\");
  }
  return examples;
}

inline std::vector<std::string> words_of(const std::string& line) {
  std::istringstream stream(line);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

inline std::optional<double> number_of(const std::string& word) {
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
inline bool same_line(const std::string& a, const std::string& b) {
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

inline bool prints(const std::string& output, const std::string& quoted) {
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);)
    if (same_line(quoted, line)) return true;
  return false;
}

/// What takes a minute or more is cut short, which leaves all of its parts to be run. A fit of every
/// law uses all of its time.
inline std::string shortened(std::string command) {
  if (command.starts_with("microslip fit") && command.find("--report") == std::string::npos) {
    const std::size_t comment = command.find("  #");
    const bool every_law = command.find("--model") == std::string::npos;
    command.insert(comment == std::string::npos ? command.size() : comment,
                   every_law ? " --time-budget 0.5" : " --time-budget 3");
  }
  if (command == "microslip reproduce all") return "microslip reproduce --list";
  return command;
}

class Pages : public CommandTest {
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
      if (!runs(example.command)) continue;
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

}  // namespace documentation
}  // namespace cli
