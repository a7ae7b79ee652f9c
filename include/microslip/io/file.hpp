#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "microslip/core/error.hpp"

namespace microslip::io {

/// The file that could not be written although its name is fine: a full disk, a closed pipe.
class WriteError : public Error {
 public:
  using Error::Error;
};

/// "-" as a file name is standard input where it is read and standard output where it is written.
/// A file of that name is "./-".
bool is_standard_stream(const std::filesystem::path& path);

/// The name of what is read, for messages: "standard input" for "-".
std::string source_name(const std::filesystem::path& path);

/// The whole content of a file, unpacked if it was compressed by gzip. Throws Error when it does
/// not exist, is a folder or cannot be read.
std::string read_file(const std::filesystem::path& path);

/// Writes a file whole or not at all: after a failure (which throws Error) an older file of that
/// name is untouched and nothing else is left behind.
void write_file(const std::filesystem::path& path, std::string_view content);

/// A file that appears under its name only on commit(). Until then the bytes go to a temporary
/// file in the same folder, because a rename is atomic only inside one file system; without
/// commit() the destructor removes it.
///
/// A symbolic link stays a link, and what it points to is replaced; an existing file keeps its
/// permissions, and one that is write-protected is refused. Devices and pipes (/dev/null,
/// /dev/fd/63) cannot be renamed over, so they are written directly; so is "-", standard output.
/// A name that cannot be written to throws Error, bytes that cannot be written WriteError.
class AtomicFile {
 public:
  explicit AtomicFile(std::filesystem::path path);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::string_view bytes);
  /// Forces the bytes to disk and gives the file its name. Nothing may be written afterwards.
  void commit();

  /// For a child process that writes the content itself; valid until commit().
  int descriptor() const noexcept { return fd; }

 private:
  [[noreturn]] void fail(const std::string& reason) const;
  [[noreturn]] void fail_to_write(const std::string& reason) const;
  void open_temporary();
  void flush();
  void discard() noexcept;

  std::filesystem::path name;       ///< as the caller wrote it, for messages
  std::filesystem::path target;     ///< name with symbolic links followed
  std::filesystem::path temporary;  ///< empty when the target is written directly
  std::string buffer;
  std::size_t slot = 0;  ///< in the list of unfinished files
  int fd = -1;
};

/// A result that will be written; without a name it is not wanted.
struct Output {
  std::filesystem::path name;
  bool picture = false;
};

/// Says before the work what would be wrong after it. Throws Error for a result that is one of the
/// files `read` or another result, whose folder does not exist, that is a folder, or that is a
/// picture with an ending other than svg, png and pdf.
void check_outputs(const std::vector<Output>& outputs,
                   const std::vector<std::filesystem::path>& read);

/// ".svg", ".png" or ".pdf" in small letters; throws Error for others.
std::string picture_ending(const std::filesystem::path& path);

/// Removes the temporary file of every AtomicFile that is neither committed nor destroyed.
/// Async-signal-safe, meant for a SIGINT or SIGTERM handler that then ends the process; the
/// library itself installs no handler.
void remove_unfinished_files() noexcept;

}  // namespace microslip::io
