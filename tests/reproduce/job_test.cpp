#include "reproduce/job.hpp"

#include <gtest/gtest.h>

#include "jobs/round_trip.hpp"
#include "support/message_of.hpp"

namespace microslip::reproduce {
namespace job_test {

TEST(ReproduceJob, every_member_survives_as_text) {
  using jobs::round_trip::expect_every_member_to_survive;
  expect_every_member_to_survive<ReproduceRequest>("reproduce request");
  expect_every_member_to_survive<ReproduceResult>("reproduce");
}

TEST(ReproduceJob, lists_without_computing) {
  const ReproduceResult list = reproduce({.ids = {"all"}, .compute = false});
  ASSERT_EQ(list.reproductions.size(), entries().size());
  EXPECT_EQ(list.reproductions[0].id, entries()[0].id);
  EXPECT_FALSE(list.reproductions[0].comparisons);
  EXPECT_TRUE(list.results.empty());
  EXPECT_NE(testing::message_of([] {
              reproduce({.ids = {"mathis2020-fig88"}});
            }).find("did you mean 'mathis2020-fig8'"),
            std::string::npos);
}

TEST(ReproduceJob, reports_progress_and_stops) {
  std::vector<double> parts;
  const jobs::Control control{[&](double part, std::string_view text) {
    parts.push_back(part);
    EXPECT_EQ(text, "mathis2020-fig8");
    return part < 0.5;
  }};
  EXPECT_THROW(reproduce({.ids = {"mathis2020-fig8"}}, control), jobs::Interrupted);
  EXPECT_EQ(parts, (std::vector<double>{0, 1}));
}

}  // namespace job_test
}  // namespace microslip::reproduce
