#include "microslip/io/file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <random>
#include <system_error>
#include <utility>

#include "gzip.hpp"
#include "microslip/core/error.hpp"

namespace microslip::io {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t buffer_size = std::size_t{1} << 20;  // few system calls even for long tables

// The library keeps no global state, with this one exception: a signal handler gets no argument,
// so the names it has to remove must be reachable from a global. The list is of fixed size and
// the names lie in it, because a handler may neither allocate nor lock, nor read memory that
// another thread may be freeing.
struct Slot {
  enum State : int { free, filling, live };
  std::atomic<int> state{free};
  std::array<char, 4096> name{};
};
static_assert(std::atomic<int>::is_always_lock_free, "a signal handler must not wait for a lock");
constexpr std::size_t slot_count = 128;
std::array<Slot, slot_count> unfinished;

// Returns slot_count when the list is full or the name too long.
std::size_t enlist(const std::string& name) {
  for (std::size_t i = 0; i < slot_count && name.size() < unfinished[i].name.size(); ++i) {
    int expected = Slot::free;
    if (!unfinished[i].state.compare_exchange_strong(expected, Slot::filling)) continue;
    std::memcpy(unfinished[i].name.data(), name.c_str(), name.size() + 1);
    unfinished[i].state.store(Slot::live);
    return i;
  }
  return slot_count;
}

void delist(std::size_t slot) noexcept {
  if (slot < slot_count) unfinished[slot].state.store(Slot::free);
}

std::string reason_of(int error) { return std::generic_category().message(error); }

// Not fs::canonical: the last link of the chain may point to a file that is yet to be made.
fs::path follow_links(fs::path path) {
  constexpr int most_links = 40;  // as many as Linux follows
  std::error_code ignored;
  for (int i = 0; i < most_links && fs::is_symlink(fs::symlink_status(path, ignored)); ++i) {
    const fs::path to = fs::read_symlink(path, ignored);
    if (to.empty()) break;
    path = to.is_absolute() ? to : path.parent_path() / to;
  }
  return path;
}

fs::path folder_of(const fs::path& path) {
  return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

bool same_file(const fs::path& a, const fs::path& b) {
  std::error_code ignored;
  if (fs::exists(a, ignored) && !fs::is_regular_file(a, ignored)) return false;  // /dev/null
  if (fs::equivalent(a, b, ignored)) return true;
  const auto place = [&](const fs::path& path) {
    return fs::weakly_canonical(fs::absolute(path, ignored), ignored);
  };
  return place(a) == place(b);
}

std::string unique_suffix() {
  std::random_device random;
  return fmt::format(".{:08x}{:08x}.part", random(), random());
}

// Some file systems and all pipes cannot be synchronised; that is no failure of the write.
bool synchronised(int fd) {
  return ::fsync(fd) == 0 || errno == EINVAL || errno == ENOTSUP || errno == EROFS;
}

// The new name is on disk only when its folder is; the content is safe either way.
void synchronise_folder(const fs::path& folder) {
  const int fd = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return;
  (void)::fsync(fd);
  ::close(fd);
}

// Permissions come last, because a change of owner clears some of them.
bool copy_permissions(int fd, const struct stat& from) {
  if (from.st_uid != ::geteuid() || from.st_gid != ::getegid()) {
    // Only the superuser may give a file away; for others the file becomes their own.
    [[maybe_unused]] const int refused = ::fchown(fd, from.st_uid, from.st_gid);
  }
  return ::fchmod(fd, from.st_mode & 07777) == 0;
}

}  // namespace

bool is_standard_stream(const fs::path& path) { return path.native() == "-"; }

std::string source_name(const fs::path& path) {
  return is_standard_stream(path) ? "standard input" : path.string();
}

namespace {

std::string read_bytes(const fs::path& path) {
  const auto refuse = [&path](std::string_view reason) {
    return Error(is_standard_stream(path)
                     ? fmt::format("cannot read standard input: {}", reason)
                     : fmt::format("cannot read '{}': {}", path.string(), reason));
  };
  const int fd = is_standard_stream(path) ? ::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0)
                                          : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) {
    const int error = errno;
    if (error == ENOENT) throw refuse("it does not exist");
    if (error == EACCES) throw refuse("no permission");
    throw refuse(reason_of(error));
  }
  struct Closer {
    int fd;
    ~Closer() { ::close(fd); }
  } closer{fd};
  struct stat status {};
  if (::fstat(fd, &status) != 0) throw refuse(reason_of(errno));
  if (S_ISDIR(status.st_mode)) throw refuse("it is a folder, not a file");

  // One byte more than the known size shows the end of the file without growing the string.
  std::string content(static_cast<std::size_t>(status.st_size) + 1, '\0');
  std::size_t filled = 0;
  for (;;) {
    if (filled == content.size()) content.resize(2 * content.size() + 4096);
    const ssize_t got = ::read(fd, content.data() + filled, content.size() - filled);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw refuse(reason_of(errno));
    if (got == 0) break;
    filled += static_cast<std::size_t>(got);
  }
  content.resize(filled);
  return content;
}

}  // namespace

std::string read_file(const fs::path& path) {
  const auto unpacked = [&path](std::string content) {
    return is_gzip(content) ? unzipped(content, source_name(path)) : content;
  };
  if (!is_standard_stream(path)) return unpacked(read_bytes(path));
  // Standard input can be read once only. A second call gets the same text: a parameter file is
  // inspected before it is read.
  static const std::string standard_input = unpacked(read_bytes(path));
  return standard_input;
}

void write_file(const fs::path& path, std::string_view content) {
  AtomicFile file(path);
  file.write(content);
  file.commit();
}

std::string picture_ending(const fs::path& path) {
  std::string ending = path.extension().string();
  for (char& c : ending) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  if (ending == ".svg" || ending == ".png" || ending == ".pdf") return ending;
  throw Error(fmt::format("the picture '{}' must end in .svg, .png or .pdf", path.string()));
}

void check_outputs(const std::vector<Output>& outputs, const std::vector<fs::path>& read) {
  if (std::count_if(read.begin(), read.end(), is_standard_stream) > 1)
    throw Error("two inputs would be read from standard input");
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const fs::path& name = outputs[i].name;
    if (name.empty()) continue;
    if (outputs[i].picture) (void)picture_ending(name);
    if (is_standard_stream(name)) {
      for (std::size_t j = 0; j < i; ++j)
        if (is_standard_stream(outputs[j].name))
          throw Error("two results would go to standard output");
      continue;
    }
    std::error_code ignored;
    if (fs::is_directory(name, ignored))
      throw Error(fmt::format("cannot write '{}': it is a folder, not a file", name.string()));
    if (!fs::is_directory(folder_of(name), ignored))
      throw Error(fmt::format("cannot write '{}': the folder '{}' does not exist", name.string(),
                              folder_of(name).string()));
    for (const fs::path& other : read)
      if (!is_standard_stream(other) && same_file(name, other))
        throw Error(fmt::format("'{}' is read and would be overwritten; choose another name",
                                name.string()));
    for (std::size_t j = 0; j < i; ++j)
      if (!outputs[j].name.empty() && !is_standard_stream(outputs[j].name) &&
          same_file(name, outputs[j].name))
        throw Error(fmt::format("two results would go to the file '{}'", name.string()));
  }
}

AtomicFile::AtomicFile(fs::path path) : name(std::move(path)), slot(slot_count) {
  if (name.empty()) throw Error("cannot write a file without a name");
  if (is_standard_stream(name)) {
    fd = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
    if (fd < 0) fail(reason_of(errno));
    return;
  }
  struct stat status {};
  const bool exists = ::stat(name.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode)) fail("it is a folder, not a file");
  if (exists && ::faccessat(AT_FDCWD, name.c_str(), W_OK, AT_EACCESS) != 0) {
    fail("it is write-protected");
  }
  if (exists && !S_ISREG(status.st_mode)) {
    target = name;
    fd = ::open(target.c_str(), O_WRONLY | O_CLOEXEC);
    if (fd < 0) fail(reason_of(errno));
    return;
  }
  // Absolute, so that a change of the working folder does not lead to another file.
  std::error_code error;
  target = fs::absolute(follow_links(name), error);
  if (error) fail(error.message());
  open_temporary();
  if (exists && !copy_permissions(fd, status)) {
    const int reason = errno;
    discard();
    fail(reason_of(reason));
  }
}

AtomicFile::~AtomicFile() { discard(); }

void AtomicFile::open_temporary() {
  if (!target.has_filename()) fail("it names a folder, not a file");
  const fs::path folder = folder_of(target);
  std::error_code error;
  if (!fs::is_directory(folder, error)) {
    fail(fmt::format("the folder '{}' does not exist", folder_of(name).string()));
  }
  // The name is cut so that it stays within the 255 bytes of the usual file systems.
  const std::string stem = "." + target.filename().string().substr(0, 200);
  constexpr int most_tries = 100;
  for (int i = 0; i < most_tries; ++i) {
    temporary = folder / (stem + unique_suffix());
    // Enlisted first: a signal between the two lines then finds nothing to remove, which is better
    // than a file that nobody knows of.
    slot = enlist(temporary.string());
    if (slot == slot_count) {
      fail(
          fmt::format("more than {} files are being written, or its path is too long", slot_count));
    }
    fd = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd >= 0) return;
    const int reason = errno;
    delist(slot);
    if (reason == EACCES) {
      fail(fmt::format("no permission in the folder '{}'", folder_of(name).string()));
    }
    if (reason != EEXIST) fail(reason_of(reason));
  }
  fail("no free temporary name beside it");
}

void AtomicFile::write(std::string_view bytes) {
  if (fd < 0) fail("it is already finished");
  if (buffer.capacity() == 0) buffer.reserve(buffer_size);
  buffer += bytes;
  if (buffer.size() >= buffer_size) flush();
}

void AtomicFile::flush() {
  std::string_view rest = buffer;
  while (!rest.empty()) {
    const ssize_t put = ::write(fd, rest.data(), rest.size());
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) {
      const int reason = errno;
      discard();
      fail_to_write(reason_of(reason));
    }
    rest.remove_prefix(static_cast<std::size_t>(put));
  }
  buffer.clear();
}

void AtomicFile::commit() {
  if (fd < 0) fail("it is already finished");
  flush();
  int reason = synchronised(fd) ? 0 : errno;
  // Some network file systems report a full disk only when the file is closed.
  if (::close(std::exchange(fd, -1)) != 0 && errno != EINTR && reason == 0) reason = errno;
  if (temporary.empty() && reason == 0) return;
  if (reason == 0 && ::rename(temporary.c_str(), target.c_str()) != 0) reason = errno;
  if (reason != 0) {
    discard();
    fail_to_write(reason_of(reason));
  }
  // Delisted after the rename, so that a signal in between can at worst remove a name that is gone.
  delist(slot);
  temporary.clear();
  synchronise_folder(folder_of(target));
}

void AtomicFile::discard() noexcept {
  if (fd >= 0) ::close(std::exchange(fd, -1));
  if (temporary.empty()) return;
  ::unlink(temporary.c_str());
  delist(slot);
  temporary.clear();
}

void AtomicFile::fail(const std::string& reason) const {
  throw Error(fmt::format("cannot write '{}': {}", name.string(), reason));
}

void AtomicFile::fail_to_write(const std::string& reason) const {
  throw WriteError(is_standard_stream(name)
                       ? fmt::format("cannot write to standard output: {}", reason)
                       : fmt::format("cannot write '{}': {}", name.string(), reason));
}

void remove_unfinished_files() noexcept {
  const int interrupted_errno = errno;
  for (const Slot& slot : unfinished) {
    if (slot.state.load() == Slot::live) ::unlink(slot.name.data());
  }
  errno = interrupted_errno;
}

}  // namespace microslip::io
