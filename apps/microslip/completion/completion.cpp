#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <set>

#include "command.hpp"
#include "microslip/catalog/catalog.hpp"
#include "terminal.hpp"

namespace microslip::app {
namespace {

constexpr const char* details = R"(Examples
  source <(microslip completion bash)                    for this shell
  microslip completion bash > ~/.local/share/bash-completion/completions/microslip
  microslip completion zsh > "${fpath[1]}/_microslip"
  microslip completion fish > ~/.config/fish/completions/microslip.fish
)";

/// What may follow an option, told from the name of its type: FILE…, MODEL…, COMMAND, NAME=VALUE, or
/// choices a|b|c; a list separated by commas where the type ends in ",...".
struct Words {
  bool value = false, files = false, open_end = false, list = false;
  std::vector<std::string> choices{};
};

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const auto& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

Words words_of(const CLI::Option& option) {
  Words words;
  std::string type = option.get_type_name();
  words.value = option.get_type_size() != 0;
  if (!words.value) return words;
  constexpr std::string_view list_end = ",...";
  if (type.ends_with(list_end)) {
    words.list = true;
    type.resize(type.size() - list_end.size());
  }
  if (type.starts_with("FILE")) {
    words.files = true;
  } else if (type.find("MODEL") != std::string::npos) {
    for (const auto& law : catalog::laws()) words.choices.push_back(law.description.name);
  } else if (type.find("COMMAND") != std::string::npos) {
    for (const Command& command : commands()) words.choices.push_back(command.name);
  } else if (type == "NAME=VALUE") {
    std::set<std::string> names;
    for (const auto& law : catalog::laws()) {
      for (const auto& info : law.description.parameters) names.insert(info.name + "=");
      for (const auto& info : law.description.options) names.insert(info.name + "=");
    }
    words.choices.assign(names.begin(), names.end());
    words.open_end = true;
  } else if (type.find('|') != std::string::npos) {
    for (std::size_t begin = 0; begin <= type.size();) {
      const std::size_t end = std::min(type.find('|', begin), type.size());
      words.choices.push_back(type.substr(begin, end - begin));
      begin = end + 1;
    }
  }
  return words;
}

std::vector<std::string> names_of(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const auto& name : option.get_snames()) names.push_back("-" + name);
  for (const auto& name : option.get_lnames()) names.push_back("--" + name);
  return names;
}

/// Commands and options of the root.
std::vector<std::string> first_words(const CLI::App& root) {
  std::vector<std::string> words;
  for (const Command& command : commands()) words.push_back(command.name);
  for (const CLI::Option* option : root.get_options())
    for (const auto& name : names_of(*option)) words.push_back(name);
  return words;
}

std::string bash_text(const CLI::App& root) {
  std::string values, words;
  for (const Command& command : commands()) {
    std::vector<std::string> all;
    for (const CLI::Option* option : root.get_subcommand(command.name)->get_options()) {
      const Words w = words_of(*option);
      if (option->get_positional()) {
        all.insert(all.end(), w.choices.begin(), w.choices.end());
        continue;
      }
      std::string pattern;
      for (const auto& name : names_of(*option)) {
        all.push_back(name);
        pattern += (pattern.empty() ? "'" : "|'") + command.name + " " + name + "'";
      }
      if (!w.value) continue;
      values += "    " + pattern + ")\n";
      if (w.files)
        values += "      compopt -o filenames; COMPREPLY=($(compgen -f -- \"$word\")) ;;\n";
      else if (w.open_end)
        values += "      compopt -o nospace; COMPREPLY=($(compgen -W '" + joined(w.choices) +
                  "' -- \"$word\")) ;;\n";
      else if (w.list)
        values +=
            "      compopt -o nospace; COMPREPLY=($(compgen -P \"${word%\"${word##*,}\"}\" -W '" +
            joined(w.choices) + "' -- \"${word##*,}\")) ;;\n";
      else
        values += "      COMPREPLY=($(compgen -W '" + joined(w.choices) + "' -- \"$word\")) ;;\n";
    }
    words += "    " + command.name + ") words='" + joined(all) + "' ;;\n";
  }
  return "# bash completion of microslip\n_microslip() {\n"
         "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} words=\n"
         "  COMPREPLY=()\n"
         "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
         "    COMPREPLY=($(compgen -W '" +
         joined(first_words(root)) +
         "' -- \"$word\"))\n    return\n  fi\n"
         "  case \"${COMP_WORDS[1]} $before\" in\n" +
         values + "    *)\n      case \"${COMP_WORDS[1]}\" in\n" + words +
         "      esac\n      COMPREPLY=($(compgen -W \"$words\" -- \"$word\")) ;;\n"
         "  esac\n}\ncomplete -F _microslip microslip\n";
}

std::string without(std::string text, std::string_view unwanted) {
  text.erase(std::remove_if(text.begin(), text.end(),
                            [&](char c) { return unwanted.find(c) != std::string_view::npos; }),
             text.end());
  return text;
}

std::string zsh_text(const CLI::App& root) {
  std::string cases, list;
  for (const Command& command : commands()) {
    list += "    '" + command.name + ":" + without(command.sentence, "':") + "'\n";
    cases += "    " + command.name + ")\n      _arguments";
    for (const CLI::Option* option : root.get_subcommand(command.name)->get_options()) {
      const Words w = words_of(*option);
      const std::string action = w.files             ? "_files"
                                 : w.open_end        ? "compadd -S \"\" -- " + joined(w.choices)
                                 : w.list            ? "_sequence compadd - " + joined(w.choices)
                                 : w.choices.empty() ? " "
                                                     : "(" + joined(w.choices) + ")";
      const std::string value = without(option->get_type_name(), "'[]:") + ":" + action;
      if (option->get_positional()) cases += " \\\n        '*:" + value + "'";
      for (const auto& name : names_of(*option))
        cases += " \\\n        '*" + name + "[" + without(option->get_description(), "'[]:") + "]" +
                 (w.value ? ":" + value : "") + "'";
    }
    cases += " ;;\n";
  }
  return "#compdef microslip\n# zsh completion of microslip\n_microslip() {\n"
         "  local -a commands\n  commands=(\n" +
         list +
         "  )\n  if (( CURRENT == 2 )); then\n    _describe command commands\n    return\n  fi\n"
         "  local command=$words[2]\n  shift words\n  (( CURRENT-- ))\n"
         "  case $command in\n" +
         cases + "  esac\n}\n_microslip \"$@\"\n";
}

std::string fish_text(const CLI::App& root) {
  std::string text = "# fish completion of microslip\ncomplete -c microslip -f\n";
  for (const Command& command : commands()) {
    text += "complete -c microslip -n __fish_use_subcommand -a " + command.name + " -d '" +
            without(command.sentence, "'\\") + "'\n";
    const std::string here =
        "complete -c microslip -n '__fish_seen_subcommand_from " + command.name + "'";
    for (const CLI::Option* option : root.get_subcommand(command.name)->get_options()) {
      const Words w = words_of(*option);
      const std::string choices = w.choices.empty() ? "" : " -a '" + joined(w.choices) + "'";
      if (option->get_positional()) {
        if (!choices.empty()) text += here + choices + "\n";
        continue;
      }
      text += here;
      for (const auto& name : option->get_snames()) text += " -s " + name;
      for (const auto& name : option->get_lnames()) text += " -l " + name;
      if (w.value && w.list && !w.choices.empty())
        text += " -x -a '(__fish_append , " + joined(w.choices) + ")'";
      else if (w.value)
        text += w.files ? " -r -F" : " -x" + choices;
      text += " -d '" + without(option->get_description(), "'\\") + "'\n";
    }
  }
  return text;
}

Run declare(CLI::App& options, const Context& context) {
  const auto shell = std::make_shared<std::string>();
  options.add_option("SHELL", *shell, "which shell")->type_name("bash|zsh|fish")->required();
  const CLI::App* root = context.parser;
  return [shell, root] {
    const std::size_t which = choice("SHELL", *shell, {"bash", "zsh", "fish"});
    print(which == 0 ? bash_text(*root) : which == 1 ? zsh_text(*root) : fish_text(*root));
    return 0;
  };
}

}  // namespace

Command completion_command() {
  return {"completion", "Write the completion of this command for a shell.", details, declare};
}

}  // namespace microslip::app
