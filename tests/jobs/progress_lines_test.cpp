#include "microslip/jobs/progress_lines.hpp"

#include <gtest/gtest.h>

namespace microslip::jobs {
namespace progress_lines_test {

using std::chrono::milliseconds;
using std::chrono::seconds;

TEST(ProgressLines, a_line_every_few_seconds_says_what_is_left) {
  const ProgressLines::Time start{};
  ProgressLines lines;
  EXPECT_EQ(lines.line(start, 0, "mode"), "");
  EXPECT_EQ(lines.line(start + seconds(1), 0.1, "mode"), "");
  // A tenth a second: eight more.
  EXPECT_EQ(lines.line(start + seconds(2), 0.2, "mode, 7 harmonics"),
            "mode, 7 harmonics: 20 %, about 8 s left");
  EXPECT_EQ(lines.line(start + seconds(6), 0.6, "mode"), "");
  EXPECT_EQ(lines.line(start + seconds(7), 0.7, "mode"), "mode: 70 %, about 3 s left");
  // Jobs that go in one stage do not name it; three quarters took 12 s.
  EXPECT_EQ(lines.line(start + seconds(12), 0.75, ""), "75 %, about 4 s left");
}

TEST(ProgressLines, time_left_follows_the_speed_of_late) {
  const TimeLeft::Time start{};
  TimeLeft left;
  // The first tenth takes 1 s, each further one 10 s.
  EXPECT_LT(left.seconds(start, 0), 0);
  double now = 1, part = 0.1;
  double told = 0;
  for (; part < 0.6; now += 1, part += 0.01)
    told = left.seconds(start + milliseconds(static_cast<int>(1000 * now)), part);
  EXPECT_NEAR(told, 100 * (1 - part), 2);
}

TEST(ProgressLines, time_is_told_in_units_that_a_person_reads) {
  EXPECT_EQ(time_left_text(-1), "");
  EXPECT_EQ(time_left_text(0.2), "about 1 s left");
  EXPECT_EQ(time_left_text(99), "about 99 s left");
  EXPECT_EQ(time_left_text(150), "about 2 min left");
  EXPECT_EQ(time_left_text(7200), "about 2 h left");
}

}  // namespace progress_lines_test
}  // namespace microslip::jobs
