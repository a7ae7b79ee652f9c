#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>

#include "terminal.hpp"

namespace microslip::app {
namespace {

/// Programs that start the command set MICROSLIP_PROGRESS=lines and get a line each time, also where
/// standard error is no terminal.
bool as_lines() {
  const char* wanted = std::getenv("MICROSLIP_PROGRESS");
  return wanted && std::string_view(wanted) == "lines";
}

}  // namespace

bool ProgressBar::exists() { return as_lines() || ::isatty(STDERR_FILENO) == 1; }

void ProgressBar::show(double part, std::string_view stage) {
  if (as_lines()) {
    say(fmt::format("progress: {:.4f} {}\n", part, one_line(stage)));
    return;
  }
  const auto filled = static_cast<std::size_t>(40 * part);
  say(fmt::format("\r[{}{}] {:3.0f} % {}\x1b[K", std::string(filled, '#'),
                  std::string(40 - filled, ' '), 100 * part, stage));
}

void ProgressBar::clear() {
  if (!as_lines()) say("\r\x1b[K");
}

}  // namespace microslip::app
