#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "support/paths.hpp"

/// The real binary, called as a person would call it.
namespace cli {

namespace fs = std::filesystem;

struct Outcome {
  int code = -1;  ///< exit code, or minus the signal that ended it
  std::string out, err;
};

struct Call {
  std::vector<std::string> words;
  std::string input{};                     ///< on standard input
  std::vector<std::string> environment{};  ///< NAME=VALUE, besides what is there
  int signal = 0;                          ///< sent while a result is half-written
  int delay_ms = 0;                        ///< how long after its beginning
  bool ordinary_user = false;              ///< the superuser may write anywhere
  /// No call of the command takes more in any test; one that does ends by a signal or with a sentence.
  unsigned cpu_seconds = 200;  ///< of processor time
  unsigned memory_mb = 4000;   ///< of addresses
};

/// A folder of its own for each test, in which the command is called.
class CommandTest : public testing::Test {
 protected:
  void SetUp() override;
  void TearDown() override;

  Outcome run(const Call& call) const;
  Outcome run(const std::vector<std::string>& words) const { return run(Call{words}); }
  Outcome shell(const std::string& script) const;

  void write(const std::string& name, const std::string& content) const;
  std::string read(const std::string& name) const;
  bool exists(const std::string& name) const { return fs::exists(folder / name); }
  std::vector<std::string> files() const;

  fs::path folder;
};

inline std::string content_of(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

inline void redirect(const fs::path& path, int flags, int to) {
  const int fd = ::open(path.c_str(), flags, 0644);
  if (fd < 0 || ::dup2(fd, to) < 0) ::_exit(126);
  ::close(fd);
}

inline std::vector<char*> pointers(const std::vector<std::string>& words) {
  std::vector<char*> result;
  for (const auto& word : words) result.push_back(const_cast<char*>(word.c_str()));
  result.push_back(nullptr);
  return result;
}

inline void CommandTest::SetUp() {
  std::string pattern = (fs::temp_directory_path() / "microslip-cli-XXXXXX").string();
  ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
  folder = fs::path(pattern) / "work";
  fs::create_directory(folder);
}

inline void CommandTest::TearDown() {
  ::chmod(folder.c_str(), 0755);
  fs::remove_all(folder.parent_path());
}

inline Outcome CommandTest::run(const Call& call) const {
  const fs::path beside = folder.parent_path();  // not in the folder whose files are counted
  std::ofstream(beside / "in", std::ios::binary) << call.input;
  std::vector<std::string> words = call.words;
  if (words.empty() || words.front().find('/') == std::string::npos)
    words.insert(words.begin(), microslip::command_path);
  const auto arguments = pointers(words);
  const pid_t child = ::fork();
  if (child == 0) {
    redirect(beside / "in", O_RDONLY, 0);
    redirect(beside / "out", O_WRONLY | O_CREAT | O_TRUNC, 1);
    redirect(beside / "err", O_WRONLY | O_CREAT | O_TRUNC, 2);
    if (::chdir(folder.c_str()) != 0) ::_exit(126);
    for (const auto& variable : call.environment) ::putenv(const_cast<char*>(variable.c_str()));
    const auto limit = [](int resource, rlim_t most) {
      const rlimit both{most, most + 5};  // the signal of the lower one can be told from others
      ::setrlimit(static_cast<__rlimit_resource>(resource), &both);
    };
    limit(RLIMIT_CPU, call.cpu_seconds);
    limit(RLIMIT_AS, static_cast<rlim_t>(call.memory_mb) << 20);
    // Opened before the rights are given up: the build may lie in a folder of root's alone.
    const int program = ::open(arguments[0], O_RDONLY);
    constexpr uid_t nobody = 65534;
    if (call.ordinary_user && ::geteuid() == 0 && ::setuid(nobody) != 0) ::_exit(126);
    ::fexecve(program, arguments.data(), environ);
    ::_exit(127);
  }
  if (call.signal != 0) {
    const auto half_written = [&] {
      const auto names = files();
      return std::any_of(names.begin(), names.end(),
                         [](const std::string& name) { return name.ends_with(".part"); });
    };
    for (int ms = 0; ms < 60'000 && !half_written(); ++ms)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    std::this_thread::sleep_for(std::chrono::milliseconds(call.delay_ms));
    ::kill(child, call.signal);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status), content_of(beside / "out"),
          content_of(beside / "err")};
}

inline Outcome CommandTest::shell(const std::string& script) const {
  return run(
      {"/bin/bash", "-c", "microslip() { " + microslip::command_path + " \"$@\"; }\n" + script});
}

inline void CommandTest::write(const std::string& name, const std::string& content) const {
  std::ofstream(folder / name, std::ios::binary) << content;
}

inline std::string CommandTest::read(const std::string& name) const {
  return content_of(folder / name);
}

inline std::vector<std::string> CommandTest::files() const {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.push_back(entry.path().filename());
  std::sort(names.begin(), names.end());
  return names;
}

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// The rows of a table without its comments, as one text.
inline std::string without_comments(const std::string& csv) {
  std::istringstream lines(csv);
  std::string result;
  for (std::string line; std::getline(lines, line);)
    if (!line.starts_with("#")) result += line + '\n';
  return result;
}

/// A column of a table by its heading.
inline std::vector<double> column(const std::string& csv, const std::string& heading) {
  std::istringstream lines(without_comments(csv));
  std::string line, cell;
  std::getline(lines, line);
  std::istringstream head(line);
  std::size_t wanted = 0;
  while (std::getline(head, cell, ',') && cell != heading) ++wanted;
  EXPECT_EQ(cell, heading);
  std::vector<double> values;
  while (std::getline(lines, line)) {
    std::istringstream row(line);
    for (std::size_t i = 0; i <= wanted; ++i) std::getline(row, cell, ',');
    values.push_back(std::strtod(cell.c_str(), nullptr));
  }
  return values;
}

}  // namespace cli
