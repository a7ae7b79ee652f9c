#pragma once

#include <signal.h>

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "microslip/io/file.hpp"
#include "microslip/jobs/aligned_text.hpp"
#include "microslip/jobs/control.hpp"

/// Words for people and machines.
namespace microslip::app {

using jobs::Failure;

/// The index of a word among the choices; throws with what is near.
std::size_t choice(const std::string& option, const std::string& word,
                   const std::vector<std::string>& choices);

/// A number given to an option.
double number(const std::string& option, const std::string& text);

/// Lists cut at commas outside brackets: "jenkins,iwan4(KT=2,chi=-0.5)".
std::vector<std::string> cut_lists(const std::vector<std::string>& lists);

/// To standard output; throws Failure when it cannot be written (a full disk).
void print(std::string_view text);
/// To standard error.
void say(std::string_view text);

/// Throws for results that cannot be written, as io::check_outputs does; `json` goes to standard
/// output. True if standard output is free for a table that people read.
bool check_outputs(std::vector<io::Output> outputs, const std::vector<std::filesystem::path>& read,
                   bool json);

/// Draws a picture that was asked for. False, after a message, when it cannot be drawn because
/// there is no gnuplot: the other results are written, and the command ends with exit code 1.
bool drawn(const std::function<void()>& draw);

/// Runs a command that a TOML file describes: an error about one of its values names file and line.
int run_file(const std::string& file, const std::function<int()>& run);

/// A message of one line that cannot disturb a terminal.
std::string one_line(std::string_view text);

/// The words of a call, so that a shell reads them back as the same words.
std::string shell_text(const std::vector<std::string>& words);

using jobs::table_text;
using jobs::width;
using jobs::wrapped;
/// Filled up with blanks.
std::string padded(std::string_view utf8, std::size_t columns);

/// Sentences about a result, on standard error.
void say_notes(const std::vector<std::string>& notes);

/// Where progress is shown: on standard error, as a bar on a terminal or as a line every few seconds. In a
/// file of its own (progress.cpp), because a browser shows it elsewhere.
struct ProgressBar {
  static bool exists();
  /// For --quiet.
  static void silence(bool wanted);
  static void show(double part, std::string_view stage);
  static void clear();
};

/// How far long work has come, shown ten times a second at most.
class Progress {
 public:
  explicit Progress(std::size_t total);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  /// With 0 steps it only shows that work is under way.
  void advance(std::size_t steps);
  /// What is under way, shown beside the bar.
  void stage(std::string what);

 private:
  using Clock = std::chrono::steady_clock;
  void show(Clock::time_point now);

  Clock::time_point shown_;
  std::size_t total_, done_ = 0;
  std::string stage_;
  bool visible_ = false;
  bool exists_;
};

/// While it lives, the first Ctrl-C asks long work to stop and keep what is done; the next one ends
/// the command as usual.
class StopOnRequest {
 public:
  StopOnRequest();
  ~StopOnRequest();
  StopOnRequest(const StopOnRequest&) = delete;
  StopOnRequest& operator=(const StopOnRequest&) = delete;
  static bool asked() noexcept;

 private:
  struct sigaction before_ {};
};

/// Shows the progress of a job on the terminal, and stops it on Ctrl-C while a StopOnRequest lives.
class JobWatch {
 public:
  JobWatch();
  ~JobWatch();
  JobWatch(const JobWatch&) = delete;
  JobWatch& operator=(const JobWatch&) = delete;
  const jobs::Control& control() const { return control_; }

 private:
  jobs::Control control_;
  bool visible_ = false;
};

template <class Job>
auto with_progress(Job&& job) {
  const JobWatch watch;
  return job(watch.control());
}

/// The same; without a word if it is quiet.
template <class Job>
auto computed(bool quiet, Job&& job) {
  return quiet ? job(jobs::Control{}) : with_progress(std::forward<Job>(job));
}

}  // namespace microslip::app
