#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <memory>

#include "command.hpp"
#include "microslip/core/error.hpp"
#include "microslip/core/text.hpp"
#include "microslip/version.hpp"
#include "terminal.hpp"

namespace microslip::app {
namespace {

constexpr std::size_t left_width = 30;

std::string entry(const std::string& left, const std::string& right) {
  std::string line = "  " + left;
  if (width(line) + 2 > left_width)
    line += '\n' + std::string(left_width, ' ');
  else
    line = padded(line, left_width);
  return line + wrapped(right, left_width) + '\n';
}

std::string names_of(const CLI::Option& option) {
  std::string text;
  for (const auto& name : option.get_snames()) text += (text.empty() ? "-" : ", -") + name;
  for (const auto& name : option.get_lnames()) text += (text.empty() ? "--" : ", --") + name;
  if (option.get_positional()) text = option.get_type_name();
  if (!option.get_positional() && option.get_type_size() != 0) text += " " + option.get_type_name();
  return text;
}

std::string options_text(const CLI::App& app) {
  std::string text;
  for (const std::string& group : app.get_groups()) {
    std::string entries;
    for (const CLI::Option* option : app.get_options())
      if (option->get_group() == group)
        entries += entry(names_of(*option), option->get_description());
    if (!entries.empty() && !group.empty()) text += "\n" + group + "\n" + entries;
  }
  return text;
}

}  // namespace

std::string help_text(const CLI::App& root, bool everything) {
  std::string text =
      root.get_description() + "\n\nUsage: microslip COMMAND [options]\n\nCommands\n";
  for (const Command& command : commands()) text += entry(command.name, command.sentence);
  text += options_text(root);
  if (!everything) return text + "\n'microslip help COMMAND' explains a command.\n";
  for (const Command& command : commands())
    text += "\n\n" + help_text(*root.get_subcommand(command.name), command, true);
  return text;
}

std::string help_text(const CLI::App& options, const Command& command, bool everything) {
  std::string usage = "Usage: microslip " + command.name;
  for (const CLI::Option* option : options.get_options())
    if (option->get_positional()) usage += " " + option->get_type_name();
  std::string text = command.sentence + "\n\n" + usage + " [options]\n" + options_text(options);
  if (command.details.empty()) return text;
  if (everything) return text + "\n" + command.details;
  return text + "\n'microslip " + command.name + " --help-all' adds explanations and examples.\n";
}

// ------------------------------------------------------------------------------- manual pages

namespace {

/// Text for roff: a backslash, a minus sign, and a point or quote at the start of a line have a
/// meaning there.
std::string roff(std::string_view text) {
  std::string result;
  bool line_start = true;
  for (const char c : text) {
    if (line_start && (c == '.' || c == '\'')) result += "\\&";
    if (c == '\\')
      result += "\\e";
    else if (c == '-')
      result += "\\-";
    else
      result += c;
    line_start = c == '\n';
  }
  return result;
}

std::string upper(std::string text) {
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

std::string title(const std::string& page) {
  return ".TH " + upper(page) + " 1 \"\" \"microslip " + std::string(version) +
         "\" \"microslip\"\n";
}

std::string manual_options(const CLI::App& app) {
  std::string text = ".SH OPTIONS\n";
  for (const std::string& group : app.get_groups()) {
    std::string entries;
    for (const CLI::Option* option : app.get_options())
      if (option->get_group() == group)
        entries += ".TP\n\\fB" + roff(names_of(*option)) + "\\fR\n" +
                   roff(option->get_description()) + "\n";
    if (!entries.empty() && !group.empty()) text += ".SS " + roff(group) + "\n" + entries;
  }
  return text;
}

/// The sections of the long help, whose headings stand at the start of a line.
std::string manual_details(const std::string& details) {
  std::string text;
  bool open = false;
  for (const std::string& line : cut_at('\n', details)) {
    if (!line.empty() && line.front() != ' ') {
      if (open) text += ".fi\n";
      text += ".SH " + upper(roff(line)) + "\n.nf\n";
      open = true;
    } else {
      text += roff(line.starts_with("  ") ? line.substr(2) : line) + "\n";
    }
  }
  return open ? text + ".fi\n" : text;
}

constexpr const char* exit_codes =
    ".SH EXIT STATUS\n0 fine, 1 the computation failed, 2 bad input.\n";

}  // namespace

std::string manual_text(const CLI::App& root) {
  std::string text =
      title("microslip") +
      ".SH NAME\nmicroslip \\- frictional hysteresis: simulated, measured, fitted, "
      "reduced\n.SH SYNOPSIS\n\\fBmicroslip\\fR COMMAND [options]\n.SH DESCRIPTION\n" +
      roff(root.get_description()) + "\n.SH COMMANDS\n";
  for (const Command& command : commands())
    text += ".TP\n\\fB" + command.name + "\\fR\n" + roff(command.sentence) + "\n";
  text += manual_options(root) + exit_codes + ".SH SEE ALSO\n";
  for (const Command& command : commands())
    text += (&command == &commands().front() ? "" : ",\n") + ("\\fBmicroslip\\-" + command.name) +
            "\\fR(1)";
  return text + "\n";
}

std::string manual_text(const CLI::App& options, const Command& command) {
  std::string usage = "\\fBmicroslip " + command.name + "\\fR";
  for (const CLI::Option* option : options.get_options())
    if (option->get_positional()) usage += " " + roff(option->get_type_name());
  return title("microslip-" + command.name) + ".SH NAME\nmicroslip\\-" + command.name + " \\- " +
         roff(command.sentence) + "\n.SH SYNOPSIS\n" + usage + " [options]\n" +
         manual_options(options) + manual_details(command.details) + exit_codes +
         ".SH SEE ALSO\n\\fBmicroslip\\fR(1)\n";
}

namespace {

constexpr const char* details = R"(Examples
  microslip help                         all commands
  microslip help fit                     options, explanations and examples of one
  microslip help fit --man | man -l -    the same as a manual page
)";

Run declare(CLI::App& options, const Context& context) {
  const auto name = std::make_shared<std::string>();
  const auto manual = std::make_shared<bool>(false);
  options.add_option("COMMAND", *name, "which command; all of them if left out")
      ->type_name("[COMMAND]");
  options.add_flag("--man", *manual, "write a manual page for man(1)");
  const CLI::App* root = context.parser;
  return [name, manual, root] {
    if (name->empty()) {
      print(*manual ? manual_text(*root) : help_text(*root, false));
      return 0;
    }
    std::vector<std::string> known;
    for (const Command& command : commands()) known.push_back(command.name);
    const auto found = std::find(known.begin(), known.end(), *name);
    if (found == known.end())
      throw Error("unknown command '" + *name + "'" + suggestion(*name, known));
    const Command& command = commands()[static_cast<std::size_t>(found - known.begin())];
    const CLI::App& its = *root->get_subcommand(command.name);
    print(*manual ? manual_text(its, command) : help_text(its, command, true));
    return 0;
  };
}

}  // namespace

Command help_command() { return {"help", "Explain a command, with examples.", details, declare}; }

}  // namespace microslip::app
