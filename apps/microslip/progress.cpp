#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>

#include "microslip/jobs/progress_lines.hpp"
#include "terminal.hpp"

namespace microslip::app {
namespace {

/// A bar on a terminal; anywhere else a line every few seconds. Programs that start the command set
/// MICROSLIP_PROGRESS=lines and get a line each time, or, with any other word, none.
enum class Form { none, bar, log, every_line };

Form form_of_environment() {
  if (const char* wanted = std::getenv("MICROSLIP_PROGRESS"))
    return std::string_view(wanted) == "lines" ? Form::every_line : Form::none;
  return ::isatty(STDERR_FILENO) == 1 ? Form::bar : Form::log;
}

bool quiet = false;
jobs::TimeLeft time_left;
jobs::ProgressLines log_lines;

Form form() {
  const Form wanted = form_of_environment();
  return quiet && wanted != Form::every_line ? Form::none : wanted;
}

}  // namespace

bool ProgressBar::exists() { return form() != Form::none; }

void ProgressBar::silence(bool wanted) { quiet = wanted; }

void ProgressBar::show(double part, std::string_view stage) {
  const auto now = std::chrono::steady_clock::now();
  switch (form()) {
    case Form::none:
      return;
    case Form::every_line:
      say(fmt::format("progress: {:.4f} {}\n", part, one_line(stage)));
      return;
    case Form::log:
      if (const std::string line = log_lines.line(now, part, one_line(stage)); !line.empty())
        say("microslip: " + line + "\n");
      return;
    case Form::bar: {
      const auto filled = static_cast<std::size_t>(40 * part);
      const std::string left = jobs::time_left_text(time_left.seconds(now, part));
      say(fmt::format("\r[{}{}] {:3.0f} % {}{}{}\x1b[K", std::string(filled, '#'),
                      std::string(40 - filled, ' '), 100 * part, stage, left.empty() ? "" : ", ",
                      left));
    }
  }
}

void ProgressBar::clear() {
  if (form() == Form::bar) say("\r\x1b[K");
  time_left = {};
  log_lines = {};
}

}  // namespace microslip::app
