#include "gnuplot.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <memory>
#include <system_error>

#include "microslip/io/figure.hpp"

extern char** environ;

namespace microslip::io {
namespace {

using Anonymous = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

// The script and the complaints go through nameless files instead of pipes: no process waits for
// the other, and nothing is left behind whatever happens.
Anonymous anonymous_file() {
  Anonymous file(std::tmpfile(), &std::fclose);
  if (!file) {
    throw Error("cannot make a temporary file: " + std::generic_category().message(errno));
  }
  return file;
}

std::string first_complaint(std::FILE* file) {
  std::rewind(file);
  std::array<char, 4096> bytes;
  std::string_view text(bytes.data(), std::fread(bytes.data(), 1, bytes.size(), file));
  // gnuplot repeats the line and points at the place with a caret; the sentence comes last.
  std::string sentence;
  while (!text.empty()) {
    const std::size_t length = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, length);
    text.remove_prefix(std::min(length + 1, text.size()));
    while (!line.empty() && line.front() == ' ') line.remove_prefix(1);
    if (!line.empty() && line != "^") sentence = line.substr(0, 200);
  }
  return sentence;
}

// Returns the error number of the start.
int start_gnuplot(int in, int to, int complaints, pid_t& child) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in, 0);
  posix_spawn_file_actions_adddup2(&actions, to, 1);
  posix_spawn_file_actions_adddup2(&actions, complaints, 2);
  // -d: the settings of the user must not change the picture.
  std::string name = "gnuplot";
  std::string plain = "-d";
  std::array<char*, 3> arguments{name.data(), plain.data(), nullptr};
  const int error = posix_spawnp(&child, "gnuplot", &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

}  // namespace

void run_gnuplot(const std::string& script, const AtomicFile& picture, const std::string& name) {
  const Anonymous input = anonymous_file();
  const Anonymous complaints = anonymous_file();
  const bool written = std::fwrite(script.data(), 1, script.size(), input.get()) == script.size() &&
                       std::fflush(input.get()) == 0;
  if (!written)
    throw Error(fmt::format("the picture '{}' was not drawn: no room for its script", name));
  std::rewind(input.get());

  pid_t child = 0;
  const int error =
      start_gnuplot(::fileno(input.get()), picture.descriptor(), ::fileno(complaints.get()), child);
  if (error == ENOENT || error == EACCES || error == ENOTDIR) {
    throw PictureUnavailable(
        fmt::format("gnuplot is not installed (Debian package gnuplot-nox): the picture '{}' was "
                    "not drawn",
                    name));
  }
  if (error != 0) {
    throw Error(fmt::format("the picture '{}' was not drawn: gnuplot did not start: {}", name,
                            std::generic_category().message(error)));
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0) {
    if (errno != EINTR)
      throw Error(fmt::format("the picture '{}' was not drawn: gnuplot was lost", name));
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return;
  throw Error(fmt::format("the picture '{}' was not drawn: gnuplot failed: {}", name,
                          first_complaint(complaints.get())));
}

}  // namespace microslip::io
