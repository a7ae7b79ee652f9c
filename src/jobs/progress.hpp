#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <string>

#include "microslip/jobs/control.hpp"

namespace microslip::jobs {

/// Counts the steps of a job for its caller; any thread may use it. The caller is asked twenty times a
/// second at most, besides the first time and the last.
class Progress {
 public:
  Progress(const Control& control, std::size_t total)
      : control_(control), total_(std::max<std::size_t>(total, 1)) {}

  /// With 0 steps it only asks whether to go on. False: the caller wants to stop.
  bool advance(std::size_t steps) {
    const std::lock_guard lock(mutex_);
    done_ = std::min(done_ + steps, total_);
    return ask();
  }
  /// What is under way.
  bool stage(std::string text) {
    const std::lock_guard lock(mutex_);
    text_ = std::move(text);
    return ask();
  }
  bool stopped() const noexcept { return stopped_; }

 private:
  using Clock = std::chrono::steady_clock;

  bool ask() {
    if (stopped_ || !control_.progress) return !stopped_;
    const auto now = Clock::now();
    const bool last = done_ == total_ && !complete_;
    if (asked_ && !last && now - asked_at_ < std::chrono::milliseconds(50)) return true;
    asked_ = true;
    asked_at_ = now;
    complete_ = done_ == total_;
    const double part = static_cast<double>(done_) / static_cast<double>(total_);
    stopped_ = !control_.progress(part, text_);
    return !stopped_;
  }

  const Control& control_;
  std::mutex mutex_;
  std::size_t total_, done_ = 0;
  std::string text_;
  Clock::time_point asked_at_{};
  bool asked_ = false, complete_ = false;
  std::atomic<bool> stopped_{false};
};

}  // namespace microslip::jobs
