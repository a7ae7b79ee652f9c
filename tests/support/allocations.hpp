#pragma once

#include <cstddef>

/// Counts and refuses heap allocations of the whole test program. One file of the program includes
/// support/operator_new.hpp, which replaces operator new.
namespace microslip::testing {

/// Calls of operator new so far.
std::size_t allocations();

/// While one lives, operator new (nothrow) finds no memory.
class NoMemory {
 public:
  NoMemory();
  ~NoMemory();
  NoMemory(const NoMemory&) = delete;
  NoMemory& operator=(const NoMemory&) = delete;
};

}  // namespace microslip::testing
