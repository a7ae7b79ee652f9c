#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace microslip {

inline std::size_t thread_count(std::size_t wanted) {
  if (wanted > 0) return wanted;
  return std::max<std::size_t>(1, std::thread::hardware_concurrency());
}

/// work(i) for i in [0, count), in any order; the first exception comes back to the caller.
template <class Work>
void in_parallel(std::size_t count, std::size_t threads, Work&& work) {
  std::atomic<std::size_t> next{0};
  std::exception_ptr failure;
  std::mutex mutex;
  const auto loop = [&] {
    for (std::size_t i; (i = next++) < count;) {
      try {
        work(i);
      } catch (...) {
        const std::lock_guard lock(mutex);
        if (!failure) failure = std::current_exception();
        next = count;
      }
    }
  };
  std::vector<std::thread> others;
  // Where the system has no thread (or memory) left, those there are do all of the work.
  try {
    for (std::size_t i = 1; i < std::min(threads, count); ++i) others.emplace_back(loop);
  } catch (...) {
  }
  loop();
  for (std::thread& thread : others) thread.join();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace microslip
