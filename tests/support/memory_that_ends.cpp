#include <cerrno>
#include <cstddef>
#include <cstdlib>

/// Loaded before a program (LD_PRELOAD): memory ends at its allocation number MEMORY_ENDS_AT, of those with at
/// least 64 bytes; smaller ones are still served, as they usually are under a limit.
extern "C" {

void* __libc_malloc(std::size_t size);
void* __libc_realloc(void* memory, std::size_t size);

void* malloc(std::size_t size) noexcept;
void* realloc(void* memory, std::size_t size) noexcept;
}

namespace {

long left = -2;

bool ended(std::size_t size) {
  if (size < 64) return false;
  if (left == -2) {
    const char* given = std::getenv("MEMORY_ENDS_AT");
    left = given ? std::atol(given) : -1;
  }
  if (left > 0) --left;
  if (left == 0) errno = ENOMEM;
  return left == 0;
}

}  // namespace

extern "C" {

void* malloc(std::size_t size) noexcept { return ended(size) ? nullptr : __libc_malloc(size); }

void* realloc(void* memory, std::size_t size) noexcept {
  return ended(size) ? nullptr : __libc_realloc(memory, size);
}
}
