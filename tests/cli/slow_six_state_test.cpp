#include <nlohmann/json.hpp>

#include "command.hpp"
#include "support/paths.hpp"

namespace slow_six_state_test {

class SixState : public cli::CommandTest {};

// Thesis of S. Biswas (2018), Tables 2.1 and 2.2, with 500 sliders of our own: the table in
// docs/reduce.md. The errors are on record; that they stay below 2.5 % is the match of the thesis.
TEST_F(SixState, follows_500_sliders_under_all_twelve_loads) {
  const auto made =
      run({"reduce", microslip::source_dir + "/examples/reduce/six-state.toml", "--json"});
  ASSERT_EQ(made.code, 0) << made.err;
  const auto chosen = nlohmann::json::parse(made.out)["chosen"];
  const double recorded[] = {0.0179, 0.0155, 0.0171, 0.0178, 0.0241, 0.0107,
                             0.0123, 0.0130, 0.0153, 0.0158, 0.0170};
  ASSERT_EQ(chosen["validation"].size(), std::size(recorded));
  EXPECT_NEAR(chosen["loads"][0]["rms_relative"].get<double>(), 0.0219, 1e-4);
  for (std::size_t i = 0; i < std::size(recorded); ++i) {
    const double error = chosen["validation"][i]["rms_relative"];
    EXPECT_NEAR(error, recorded[i], 1e-4) << i;
    EXPECT_LT(error, 0.025) << i;
  }
}

}  // namespace slow_six_state_test
