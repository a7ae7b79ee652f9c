#include <CLI/CLI.hpp>
#include <algorithm>

#include "command.hpp"
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
  if (!everything) return text + "\n'microslip COMMAND --help' explains a command.\n";
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

}  // namespace microslip::app
