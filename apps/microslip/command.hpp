#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "terminal.hpp"

namespace CLI {
class App;  // most commands need no more of the parser, which takes long to compile
}

/// The frame of the command line. A command is one file with a function that makes it, and one line
/// in MICROSLIP_COMMANDS:
///
///     Command loops_command() { return {"loops", "What it does.", "Long help", declare}; }
///
/// `declare` adds its options to the parser and gives back what to do once they are read. That
/// function returns the exit code: 0 fine, 1 the computation failed. Bad input is thrown as Error
/// and becomes exit code 2; Failure becomes 1.
namespace microslip::app {

#define MICROSLIP_COMMANDS(X) \
  X(models)                   \
  X(simulate)                 \
  X(loops)                    \
  X(fit)                      \
  X(damping)                  \
  X(reduce)                   \
  X(respond)                  \
  X(ringdown)                 \
  X(identify)                 \
  X(joint)                    \
  X(cracks)                   \
  X(reproduce)                \
  X(export_fmu)               \
  X(completion)               \
  X(help)

/// What a command may know about the call.
struct Context {
  std::string command_line;  ///< as typed, quoted for a shell; for the head of result files
  const CLI::App* parser = nullptr;
};

using Run = std::function<int()>;

struct Command {
  std::string name;
  std::string sentence;
  std::string details;  ///< shown by --help-all: explanations and examples
  Run (*declare)(CLI::App& options, const Context& context);
};

/// All commands, in the order in which they are listed.
const std::vector<Command>& commands();

/// Libraries write nothing to the terminal.
void silence_libraries();

#define MICROSLIP_DECLARE(name) Command name##_command();
MICROSLIP_COMMANDS(MICROSLIP_DECLARE)
#undef MICROSLIP_DECLARE

/// Options that stand together in the help.
class OptionGroup {
 public:
  OptionGroup(CLI::App& options, std::string name) : options_(options), name_(std::move(name)) {}

  /// Words without an option before them: one, or all that there are.
  void word(const std::string& name, std::string& value, const std::string& type,
            const std::string& sentence, bool required);
  void words(const std::string& name, std::vector<std::string>& values, const std::string& type,
             const std::string& sentence, bool required);
  void flag(const std::string& name, bool& value, const std::string& sentence);
  void text(const std::string& name, std::string& value, const std::string& type,
            const std::string& sentence);
  /// May be given several times, one value each time: a list that does not swallow the words after
  /// it.
  void list(const std::string& name, std::vector<std::string>& values, const std::string& type,
            const std::string& sentence);

 private:
  CLI::App& options_;
  std::string name_;
};

/// Help of the whole command, or of one command.
std::string help_text(const CLI::App& root, bool everything);
std::string help_text(const CLI::App& options, const Command& command, bool everything);

/// The same as a manual page, microslip(1) or microslip-fit(1).
std::string manual_text(const CLI::App& root);
std::string manual_text(const CLI::App& options, const Command& command);

}  // namespace microslip::app
