#include "terminal.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>

#include "microslip/catalog/catalog.hpp"
#include "microslip/catalog/files/error_place.hpp"
#include "microslip/core/error.hpp"
#include "microslip/core/text.hpp"
#include "microslip/io/figure.hpp"

namespace microslip::app {
namespace {

bool is_plain(std::string_view word) {
  constexpr std::string_view plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=+.,/:@%";
  return !word.empty() && word.find_first_not_of(plain) == std::string_view::npos;
}

}  // namespace

std::size_t choice(const std::string& option, const std::string& word,
                   const std::vector<std::string>& choices) {
  for (std::size_t i = 0; i < choices.size(); ++i)
    if (choices[i] == word) return i;
  throw Error("unknown choice '" + word + "' for " + option + suggestion(word, choices));
}

double number(const std::string& option, const std::string& text) {
  const Value value = catalog::parse_value(text);
  if (const auto* x = std::get_if<double>(&value)) return *x;
  throw Error(option + " = " + text + " must be one number");
}

std::vector<std::string> cut_lists(const std::vector<std::string>& lists) {
  std::vector<std::string> words;
  for (const std::string& list : lists) {
    int depth = 0;
    std::string word;
    for (const char c : list) {
      depth += c == '(' || c == '[' ? 1 : c == ')' || c == ']' ? -1 : 0;
      if (c == ',' && depth == 0) {
        words.push_back(std::move(word));
        word.clear();
      } else if (c != ' ') {
        word += c;
      }
    }
    words.push_back(std::move(word));
  }
  words.erase(std::remove(words.begin(), words.end(), ""), words.end());
  return words;
}

void print(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0)
    throw Failure(std::string("cannot write to standard output: ") + std::strerror(errno));
}

void say(std::string_view text) { std::fwrite(text.data(), 1, text.size(), stderr); }

void say_notes(const std::vector<std::string>& notes) {
  for (const std::string& note : notes) say("note: " + wrapped(note, 6) + "\n");
}

bool check_outputs(std::vector<io::Output> outputs, const std::vector<std::filesystem::path>& read,
                   bool json) {
  if (json) outputs.push_back({"-"});
  io::check_outputs(outputs, read);
  return std::none_of(outputs.begin(), outputs.end(),
                      [](const io::Output& output) { return io::is_standard_stream(output.name); });
}

bool drawn(const std::function<void()>& draw) {
  try {
    draw();
    return true;
  } catch (const io::PictureUnavailable& reason) {
    say("microslip: " + one_line(reason.what()) + "\n");
    return false;
  }
}

int run_file(const std::string& file, const std::function<int()>& run) {
  try {
    return run();
  } catch (const io::WriteError&) {
    throw;
  } catch (const Error& error) {
    throw catalog::at_key(file, error);
  }
}

std::string one_line(std::string_view text) {
  std::string result;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    result += byte < 0x20 || byte == 0x7f ? ' ' : c;
  }
  return result;
}

std::string shell_text(const std::vector<std::string>& words) {
  std::string result;
  for (const std::string& word : words) {
    if (!result.empty()) result += ' ';
    if (is_plain(word)) {
      result += word;
      continue;
    }
    result += '\'';
    for (const char c : word) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
    result += '\'';
  }
  return result;
}

std::string padded(std::string_view utf8, std::size_t columns) {
  std::string result(utf8);
  const std::size_t used = width(utf8);
  if (used < columns) result.append(columns - used, ' ');
  return result;
}

Progress::Progress(std::size_t total)
    : shown_(Clock::now()), total_(total), exists_(ProgressBar::exists()) {
  if (exists_) show(shown_);
}

Progress::~Progress() {
  if (!visible_) return;
  show(Clock::now());
  ProgressBar::clear();
}

void Progress::advance(std::size_t steps) {
  done_ += steps;
  const auto now = Clock::now();
  if (exists_ && now - shown_ >= std::chrono::milliseconds(100)) show(now);
}

void Progress::stage(std::string what) {
  stage_ = std::move(what);
  advance(0);
}

void Progress::show(Clock::time_point now) {
  shown_ = now;
  visible_ = true;
  const double part =
      static_cast<double>(done_) / static_cast<double>(std::max<std::size_t>(total_, 1));
  ProgressBar::show(std::min(part, 1.0), stage_);
}

namespace {
volatile std::sig_atomic_t stop_asked = 0;
void ask_to_stop(int) { stop_asked = 1; }
}  // namespace

StopOnRequest::StopOnRequest() {
  struct sigaction action {};
  action.sa_handler = ask_to_stop;
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  ::sigaction(SIGINT, &action, &before_);
}
StopOnRequest::~StopOnRequest() { ::sigaction(SIGINT, &before_, nullptr); }
bool StopOnRequest::asked() noexcept { return stop_asked != 0; }

JobWatch::JobWatch() {
  const bool exists = ProgressBar::exists();
  control_.progress = [this, exists, shown = std::chrono::steady_clock::time_point{}](
                          double part, std::string_view text) mutable {
    const auto now = std::chrono::steady_clock::now();
    if (exists && (part >= 1 || now - shown >= std::chrono::milliseconds(100))) {
      shown = now;
      visible_ = true;
      ProgressBar::show(part, text);
    }
    return !StopOnRequest::asked();
  };
}

JobWatch::~JobWatch() {
  if (visible_) ProgressBar::clear();
}

}  // namespace microslip::app
