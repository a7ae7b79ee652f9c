#include <unistd.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <exception>

#include "command.hpp"
#include "microslip/core/error.hpp"
#include "microslip/core/text.hpp"
#include "microslip/io/file.hpp"
#include "microslip/version.hpp"
#include "terminal.hpp"

namespace microslip::app {

void OptionGroup::word(const std::string& name, std::string& value, const std::string& type,
                       const std::string& sentence, bool required) {
  options_.add_option(name, value, sentence)->type_name(type)->group(name_)->required(required);
}

void OptionGroup::words(const std::string& name, std::vector<std::string>& values,
                        const std::string& type, const std::string& sentence, bool required) {
  options_.add_option(name, values, sentence)->type_name(type)->group(name_)->required(required);
}

void OptionGroup::flag(const std::string& name, bool& value, const std::string& sentence) {
  options_.add_flag(name, value, sentence)->group(name_);
}

void OptionGroup::text(const std::string& name, std::string& value, const std::string& type,
                       const std::string& sentence) {
  options_.add_option(name, value, sentence)
      ->type_name(type)
      ->group(name_)
      ->check([](const std::string& given) {
        return std::string(given.empty() ? "needs a text that is not empty" : "");
      });
}

void OptionGroup::list(const std::string& name, std::vector<std::string>& values,
                       const std::string& type, const std::string& sentence) {
  options_.add_option(name, values, sentence)
      ->allow_extra_args(false)
      ->type_name(type)
      ->group(name_);
}

namespace {

constexpr int bad_input = 2;
constexpr int failed = 1;

/// Nothing half-written stays; the exit code is the one shells give to a killed program.
extern "C" void stop(int signal) {
  io::remove_unfinished_files();
  ::_exit(128 + signal);
}

void leave_nothing_half_written() {
  struct sigaction action {};
  action.sa_handler = stop;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction before {};
    ::sigaction(signal, nullptr, &before);
    if (before.sa_handler != SIG_IGN)
      ::sigaction(signal, &action, nullptr);  // nohup stays in force
  }
  // A file that may not grow is then a write that fails, which is reported and cleaned up after.
  std::signal(SIGXFSZ, SIG_IGN);
}

const CLI::App* chosen(const CLI::App& root) {
  const auto subcommands = root.get_subcommands();
  return subcommands.empty() ? nullptr : subcommands.front();
}

const Command& command_of(const CLI::App& options) {
  for (const Command& command : commands())
    if (command.name == options.get_name()) return command;
  return commands().front();
}

std::string unknown_word(const CLI::App& root, const std::vector<std::string>& words) {
  const CLI::App* options = chosen(root);
  const std::string& word = words.front();
  const std::string name = word.substr(0, word.find('='));
  std::vector<std::string> known;
  if (word.starts_with("-")) {
    for (const CLI::Option* option : (options ? options : &root)->get_options())
      for (const auto& known_name : option->get_lnames()) known.push_back("--" + known_name);
    const std::string near = nearest(name, known);
    return "unknown option '" + name + "'" +
           (near.empty() ? "; 'microslip " + (options ? options->get_name() + " " : "") +
                               "--help' lists them"
                         : "; did you mean '" + near + "'?");
  }
  if (options) return "unexpected '" + word + "' after microslip " + options->get_name();
  for (const Command& command : commands()) known.push_back(command.name);
  return "unknown command '" + word + "'" + suggestion(word, known);
}

int complain(const std::string& sentence, int code) {
  say("microslip: " + one_line(sentence) + "\n");
  return code;
}

int print_help(const CLI::App& root, bool everything) {
  const CLI::App* options = chosen(root);
  if (const auto left = root.remaining(true); !options && !left.empty())
    return complain(unknown_word(root, left), bad_input);
  print(options ? help_text(*options, command_of(*options), everything)
                : help_text(root, everything));
  return 0;
}

void add_help(CLI::App& options) {
  options.set_help_flag("-h,--help", "what the options are")->group("Help");
  options.set_help_all_flag("--help-all", "the same with explanations and examples")->group("Help");
}

int run(int argc, char** argv) {
  std::vector<std::string> words{"microslip"};
  words.insert(words.end(), argv + 1, argv + argc);

  CLI::App root(
      "microslip simulates frictional hysteresis: what a joint does under a load history.");
  Context context{shell_text(words), &root};
  root.option_defaults()->group("Options");
  add_help(root);
  root.set_version_flag("--version", "microslip " + std::string(version), "which version this is")
      ->group("Help");
  root.require_subcommand(0, 1);

  std::vector<std::pair<const CLI::App*, Run>> runs;
  for (const Command& command : commands()) {
    CLI::App* options = root.add_subcommand(command.name, command.sentence);
    runs.emplace_back(options, command.declare(*options, context));
    add_help(*options);
  }

  try {
    root.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    return print_help(root, false);
  } catch (const CLI::CallForAllHelp&) {
    return print_help(root, true);
  } catch (const CLI::CallForVersion& asked) {
    print(std::string(asked.what()) + "\n");
    return 0;
  } catch (const CLI::ExtrasError& error) {
    const auto left = root.remaining(true);
    return complain(left.empty() ? error.what() : unknown_word(root, left), bad_input);
  } catch (const CLI::RequiredError& error) {
    if (const CLI::App* options = chosen(root))
      for (const CLI::Option* option : options->get_options())
        if (option->get_required() && option->count() == 0)
          return complain(option->get_type_name() + " is required: " + option->get_description(),
                          bad_input);
    return complain(error.what(), bad_input);
  } catch (const CLI::ParseError& error) {
    return complain(error.what(), bad_input);
  }
  for (const auto& [options, command] : runs)
    if (options->parsed()) return command();
  say(help_text(root, false));
  return bad_input;
}

}  // namespace
}  // namespace microslip::app

int main(int argc, char** argv) {
  using namespace microslip::app;
  silence_libraries();
  leave_nothing_half_written();
  try {
    return run(argc, argv);
  } catch (const microslip::io::WriteError& error) {
    return complain(error.what(), failed);
  } catch (const microslip::Error& error) {
    return complain(error.what(), bad_input);
  } catch (const Failure& failure) {
    return complain(failure.what(), failed);
  } catch (const std::bad_alloc&) {
    return complain("there is not enough memory", failed);
  } catch (const std::exception& error) {
    return complain(error.what(), failed);
  }
}
