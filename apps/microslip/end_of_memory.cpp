#if defined(__linux__) && !defined(__EMSCRIPTEN__)

#include <unistd.h>

#include <cstddef>
#include <new>
#include <string_view>

#include "microslip/io/file.hpp"

/// The command ends where memory ends, with a sentence and without a half-written file. It does not unwind:
/// Eigen's matrices free their memory before they ask for more, and a matrix that is then destroyed without
/// having got any frees it twice.
namespace {

[[noreturn]] void end_of_memory() {
  constexpr std::string_view sentence = "microslip: there is not enough memory\n";
  microslip::io::remove_unfinished_files();
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, sentence.data(), sentence.size());
  ::_exit(1);
}

/// Of `new`; the first object that is made.
const std::new_handler set_before_main = std::set_new_handler(end_of_memory);

}  // namespace

// The linker sends calls of malloc here (CMakeLists.txt).
extern "C" {
void* __real_malloc(std::size_t size);
void* __real_realloc(void* memory, std::size_t size);

void* __wrap_malloc(std::size_t size) {
  void* memory = __real_malloc(size);
  if (!memory && size > 0) end_of_memory();
  return memory;
}
void* __wrap_realloc(void* memory, std::size_t size) {
  void* moved = __real_realloc(memory, size);
  if (!moved && size > 0) end_of_memory();
  return moved;
}
}

#endif
