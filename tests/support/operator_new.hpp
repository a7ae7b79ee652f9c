#pragma once

#include <atomic>
#include <cstdlib>
#include <new>

#include "support/allocations.hpp"

// The array forms call these by the standard's default. malloc and free, so that the address
// sanitizer still sees every block.

namespace microslip::testing {
namespace {
std::atomic<std::size_t> allocation_count{0};
std::atomic<bool> no_memory{false};
}  // namespace

std::size_t allocations() { return allocation_count; }
NoMemory::NoMemory() { no_memory = true; }
NoMemory::~NoMemory() { no_memory = false; }
}  // namespace microslip::testing

void* operator new(std::size_t size) {
  ++microslip::testing::allocation_count;
  if (void* block = std::malloc(size > 0 ? size : 1)) return block;
  throw std::bad_alloc();
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  ++microslip::testing::allocation_count;
  return microslip::testing::no_memory ? nullptr : std::malloc(size > 0 ? size : 1);
}
void* operator new[](std::size_t size) { return operator new(size); }
void* operator new[](std::size_t size, const std::nothrow_t& tag) noexcept {
  return operator new(size, tag);
}
void operator delete(void* block) noexcept { std::free(block); }
void operator delete(void* block, std::size_t) noexcept { std::free(block); }
void operator delete[](void* block) noexcept { std::free(block); }
void operator delete[](void* block, std::size_t) noexcept { std::free(block); }
void operator delete(void* block, const std::nothrow_t&) noexcept { std::free(block); }
void operator delete[](void* block, const std::nothrow_t&) noexcept { std::free(block); }
