#pragma once

#include <chrono>
#include <string>
#include <string_view>

namespace microslip::jobs {

/// How long the rest of a job takes, from how fast it was lately.
class TimeLeft {
 public:
  using Time = std::chrono::steady_clock::time_point;
  /// At a time a part of the job, from 0 to 1, is done. Seconds, or −1 as long as nothing is known.
  double seconds(Time now, double part);

 private:
  struct Mark {
    Time time;
    double part;
  };
  bool begun_ = false;
  Mark before_{}, last_{};
};

/// "about 12 s left", "about 3 min left"; nothing for a negative number.
std::string time_left_text(double seconds);

/// Progress where there is no terminal, as in logs: a line after two seconds, and then every five.
class ProgressLines {
 public:
  using Time = TimeLeft::Time;
  /// "frequency-response, 15 harmonics: 42 %, about 12 s left", or nothing if it is not yet time.
  std::string line(Time now, double part, std::string_view stage);

 private:
  bool begun_ = false;
  Time next_{};
  TimeLeft left_;
};

}  // namespace microslip::jobs
