#pragma once

#include <nlohmann/json.hpp>

#include "command.hpp"

namespace cli {

class FitCommandTest : public CommandTest {
 protected:
  using Json = nlohmann::json;

  /// The result of `fit` with these arguments, which has to end well.
  Json fit(std::vector<std::string> words) const {
    words.insert(words.begin(), "fit");
    words.push_back("--json");
    const Outcome outcome = run(words);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return outcome.code == 0 ? Json::parse(outcome.out) : Json{};
  }
};

}  // namespace cli
