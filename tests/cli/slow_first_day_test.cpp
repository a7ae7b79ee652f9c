#include "first_day.hpp"

namespace cli {
namespace slow_first_day_test {

class FirstDayLarge : public FirstDay {};

TEST_F(FirstDayLarge, exact_records_depended_on_the_rate_and_did_not_close) {
  ASSERT_EQ(
      run({"simulate", "iwan4", "--signal", "sin(2*pi*t)+0.5*sin(2*pi*3.7*t)+0.3*sin(2*pi*11.3*t)",
           "--until", "500", "--step", "0.0005", "-o", "r.csv", "-q"})
          .code,
      0);
  const Outcome o = run({"loops", "r.csv", "--json"});
  EXPECT_EQ(o.code, 0);
  EXPECT_EQ(Json::parse(o.out)["warnings"], Json::array());
}

}  // namespace slow_first_day_test
}  // namespace cli
