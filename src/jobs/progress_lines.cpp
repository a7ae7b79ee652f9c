#include "microslip/jobs/progress_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace microslip::jobs {

using Seconds = std::chrono::duration<double>;

/// The speed is that since the mark before the last; a new mark is set every ten seconds.
double TimeLeft::seconds(Time now, double part) {
  constexpr Seconds least(0.5), lately(10);
  if (!begun_ || part < last_.part) {
    begun_ = true;
    before_ = last_ = {now, part};
    return -1;
  }
  if (now - last_.time > lately) {
    before_ = last_;
    last_ = {now, part};
  }
  const double took = Seconds(now - before_.time).count();
  const double done = part - before_.part;
  if (took < least.count() || !(done > 0)) return -1;
  return took * std::max(1 - part, 0.0) / done;
}

std::string time_left_text(double seconds) {
  if (!(seconds >= 0)) return "";
  if (seconds < 99.5) return fmt::format("about {:.0f} s left", std::max(seconds, 1.0));
  if (seconds < 99.5 * 60) return fmt::format("about {:.0f} min left", seconds / 60);
  return fmt::format("about {:.0f} h left", seconds / 3600);
}

std::string ProgressLines::line(Time now, double part, std::string_view stage) {
  constexpr std::chrono::seconds first(2), between(5);
  if (!begun_) {
    begun_ = true;
    next_ = now + first;
  }
  const std::string left = time_left_text(left_.seconds(now, part));
  if (now < next_) return "";
  next_ = now + between;
  return fmt::format("{}{}{:.0f} %{}{}", stage, stage.empty() ? "" : ": ", 100 * part,
                     left.empty() ? "" : ", ", left);
}

}  // namespace microslip::jobs
