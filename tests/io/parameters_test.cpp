#include "microslip/io/parameters.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <limits>

#include "microslip/core/error.hpp"
#include "microslip/detail/numerics/constants.hpp"
#include "microslip/io/file.hpp"
#include "microslip/io/json.hpp"

namespace parameters_test {

using namespace microslip;
using namespace microslip::io;

// Numbers that a careless writer loses: the sign of zero, the last bit, the ends of the range.
const std::vector<double> delicate{0.1,
                                   -0.0,
                                   1.0 / 3,
                                   std::nextafter(1.0, 2.0),
                                   std::numeric_limits<double>::denorm_min(),
                                   -std::numeric_limits<double>::max()};

void expect_same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i], b[i]);
    EXPECT_EQ(std::signbit(a[i]), std::signbit(b[i]));
  }
}

class Formats : public ::testing::TestWithParam<ParameterFormat> {};

TEST_P(Formats, round_trip_keeps_every_bit) {
  ModelSpec spec{"some-law", {}, {}};
  spec.parameters["list"] = delicate;
  spec.parameters["number"] = 1.0 / 3;
  spec.parameters["formula"] = std::string("\n1 - exp(-x) \"quoted\"\n'φ'\t");
  Matrix<double> matrix(2, 3);
  matrix << 1, 2, 3, 4, 5, 1.0 / 7;
  spec.parameters["matrix"] = matrix;
  spec.options["method"] = std::string("exact");
  spec.options["n"] = 12.0;

  const auto read = parse_parameters(parameters_text(spec, GetParam()), GetParam(), "text");
  ASSERT_EQ(read.size(), 1u);
  const ModelSpec& back = read.front();
  EXPECT_EQ(back.model, spec.model);
  EXPECT_EQ(back.options, spec.options);
  EXPECT_EQ(std::get<double>(back.parameters.at("number")), 1.0 / 3);
  EXPECT_EQ(back.parameters.at("formula"), spec.parameters.at("formula"));
  expect_same_bits(std::get<std::vector<double>>(back.parameters.at("list")), delicate);
  EXPECT_EQ(std::get<Matrix<double>>(back.parameters.at("matrix")), matrix);
}

INSTANTIATE_TEST_SUITE_P(Both, Formats,
                         ::testing::Values(ParameterFormat::json, ParameterFormat::toml));

TEST(Parameters, format_by_ending_or_by_the_first_character) {
  EXPECT_EQ(parameter_format("a.toml", "{"), ParameterFormat::toml);
  EXPECT_EQ(parameter_format("a.json", "x"), ParameterFormat::json);
  EXPECT_EQ(parameter_format("a", " \n{"), ParameterFormat::json);
  EXPECT_EQ(parameter_format("a", "model = 1"), ParameterFormat::toml);
}

TEST(Parameters, dotted_names_of_toml_are_names) {
  const auto spec_of = [](const char* text, ParameterFormat format) {
    return parse_parameters(text, format, "text").front();
  };
  for (const char* text : {"[parameters]\njenkins.k = 2\nb.jenkins.k = 3\n[options]\nb.n = 4\n",
                           "[parameters.jenkins]\nk = 2\n[parameters.b.jenkins]\nk = 3\n"
                           "[options.b]\nn = 4\n",
                           "[parameters]\n'jenkins.k' = 2\n'b.jenkins.k' = 3\n"
                           "[options]\n'b.n' = 4\n"}) {
    const ModelSpec spec = spec_of(text, ParameterFormat::toml);
    EXPECT_EQ(spec.parameters.size(), 2u) << text;
    EXPECT_EQ(std::get<double>(spec.parameters.at("jenkins.k")), 2) << text;
    EXPECT_EQ(std::get<double>(spec.parameters.at("b.jenkins.k")), 3) << text;
    EXPECT_EQ(std::get<double>(spec.options.at("b.n")), 4) << text;
  }
  // Twice, by two ways of writing; nothing inside; nested without end.
  EXPECT_THROW(spec_of("[parameters]\n'a.k' = 2\na.k = 3\n", ParameterFormat::toml), Error);
  EXPECT_THROW(spec_of("[parameters]\nk = {}\n", ParameterFormat::toml), Error);
  std::string deep = R"({"parameters":)";
  for (int i = 0; i < 100'000; ++i) deep += R"({"a":)";
  deep += "1" + std::string(100'001, '}');
  EXPECT_THROW(spec_of(deep.c_str(), ParameterFormat::json), Error);
}

TEST(Parameters, rows_of_a_matrix_are_equally_long) {
  EXPECT_THROW(parse_parameters(R"({"model": "a", "parameters": {"m": [[1, 2], [3]]}})",
                                ParameterFormat::json, "text"),
               Error);
}

TEST(SavedHistories, states_survive_with_infinities_and_every_bit) {
  SavedHistory history{{"law", {{"k", 0.1}}, {}}, {}, 0.1 + 0.2, -0.0, 1e-300, 1.0 / 3};
  history.state["w"] = {infinity, -infinity};
  history.state["delicate"] = delicate;
  history.state["none"] = {};
  const auto back = parse_saved_histories(saved_histories_text({&history, 1}, "call"), "text");
  ASSERT_EQ(back.size(), 1u);
  EXPECT_EQ(back[0].spec.model, "law");
  EXPECT_EQ(back[0].energy, 0.1 + 0.2);
  EXPECT_TRUE(std::signbit(back[0].origin));
  EXPECT_EQ(back[0].origin_y, 1e-300);
  EXPECT_EQ(back[0].t, 1.0 / 3);
  expect_same_bits(back[0].state.at("delicate"), delicate);
  EXPECT_EQ(back[0].state.at("w"), (std::vector<double>{infinity, -infinity}));
  EXPECT_TRUE(back[0].state.at("none").empty());
}

}  // namespace parameters_test
