#include <fmt/format.h>
#include <unistd.h>

#include "terminal.hpp"

namespace microslip::app {

bool ProgressBar::exists() { return ::isatty(STDERR_FILENO) == 1; }

void ProgressBar::show(double part, std::string_view stage) {
  const auto filled = static_cast<std::size_t>(40 * part);
  say(fmt::format("\r[{}{}] {:3.0f} % {}\x1b[K", std::string(filled, '#'),
                  std::string(40 - filled, ' '), 100 * part, stage));
}

void ProgressBar::clear() { say("\r\x1b[K"); }

}  // namespace microslip::app
