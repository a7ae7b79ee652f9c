// Mutated parameter files and states: whatever the bytes are, the reader gives models or one Error
// of one line, and what it gives survives being written and read again.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "fuzz/mutation.hpp"
#include "microslip/core/error.hpp"
#include "microslip/io/json.hpp"
#include "microslip/io/parameters.hpp"

namespace {

using microslip::Error;
using microslip::ModelSpec;
using namespace microslip::io;

const std::vector<std::string> json_seeds{
    R"({"model": "iwan4", "parameters": {"KT": 2, "chi": -0.5e-1}, "options": {"n": 3}})",
    R"({"model": "x", "parameters": {"v": [1, 2], "m": [[1, 0], [0, 1]], "g": "1-x"}})",
    R"({"fits": [{"model": "a", "parameters": {"k": 1}}, {"model": "b", "parameters": null}]})",
    R"({"histories": [{"model": "a", "parameters": {}, "options": {}, "energy": 0,)"
    R"( "origin": [0, 0], "t": null, "state": {"u": [1.5], "w": ["inf"]}}]})",
    "{}"};
const std::vector<std::string> toml_seeds{
    "model = \"iwan4\"\n[parameters]\nKT = 2\nchi = -0.5\n[options]\nmethod = 'exact'\n",
    "model = 'x'\nparameters = {v = [1, 2.5], m = [[1, 0], [0, 1]], g = \"x\"}\n",
    "comment = \"\"\"\nlong\n\"\"\"\nseed = 0x1f\n[[fits]]\nmodel = 'a'\n[fits.parameters]\nk = "
    "inf\n"};
const std::vector<std::string> tokens{"{",
                                      "}",
                                      "[",
                                      "]",
                                      ":",
                                      ",",
                                      "\"",
                                      "'",
                                      "\\",
                                      "\\u0000",
                                      "null",
                                      "true",
                                      "1e999",
                                      "-0",
                                      "nan",
                                      "inf",
                                      "1979-05-27",
                                      "=",
                                      "[[",
                                      "]]",
                                      ".",
                                      "\n",
                                      "#",
                                      "model",
                                      "parameters",
                                      "fits",
                                      "\xff",
                                      "\xef\xbb\xbf",
                                      "\"\"\"",
                                      "99999999999999999999",
                                      std::string(1, '\0'),
                                      std::string(300, '['),
                                      "\"inf\"",
                                      "state"};

void check_message(const std::string& message) {
  ASSERT_LT(message.size(), 2000u);
  ASSERT_TRUE(std::none_of(message.begin(), message.end(), [](char c) {
    return static_cast<unsigned char>(c) < 0x20;
  })) << message;
}

// NaN is not equal to itself, so the texts are compared.
void check_round_trip(const ModelSpec& spec, ParameterFormat format) {
  const std::string once = parameters_text(spec, format);
  const auto again = parse_parameters(once, format, "again");
  ASSERT_EQ(again.size(), 1u);
  ASSERT_EQ(parameters_text(again.front(), format), once);
}

class FuzzParameters : public testing::TestWithParam<ParameterFormat> {};

TEST_P(FuzzParameters, models_or_an_error) {
  const bool json = GetParam() == ParameterFormat::json;
  const auto& seeds = json ? json_seeds : toml_seeds;
  microslip::fuzz::Mutation mutation(seeds, tokens);
  constexpr int inputs = 10'000;
  int good = 0;
  for (int i = 0; i < inputs; ++i) {
    const std::string text = mutation.draw(5);
    SCOPED_TRACE(testing::Message() << "input " << i << ": " << testing::PrintToString(text));
    const bool as_state = json && mutation.below(4) == 0;
    try {
      if (as_state) {
        const auto histories = parse_saved_histories(text, "fuzz");
        const std::string once = saved_histories_text(histories, "");
        ASSERT_EQ(saved_histories_text(parse_saved_histories(once, "again"), ""), once);
      } else {
        for (const ModelSpec& spec : parse_parameters(text, GetParam(), "fuzz"))
          check_round_trip(spec, GetParam());
      }
      ++good;
    } catch (const Error& error) {
      check_message(error.what());
    } catch (const std::exception& other) {
      FAIL() << other.what();
    }
    if (HasFatalFailure()) return;
  }
  // Both outcomes must be common, or the inputs test nothing.
  EXPECT_GT(good, inputs / 20);
  EXPECT_LT(good, inputs * 19 / 20);
}

INSTANTIATE_TEST_SUITE_P(Formats, FuzzParameters,
                         testing::Values(ParameterFormat::json, ParameterFormat::toml));

}  // namespace
