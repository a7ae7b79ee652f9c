#include "microslip/core/read_number.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <string>

#include "support/random.hpp"

namespace microslip {
namespace read_number_test {

/// Both ways read the same characters to the same number, or refuse alike.
void expect_same(const std::string& text) {
  double one = 7, other = 7;
  const NumberEnd a = read_number(text, one), b = read_number_by_strtod(text, other);
  EXPECT_EQ(a.length, b.length) << '"' << text << '"';
  EXPECT_EQ(a.error, b.error) << '"' << text << '"';
  EXPECT_TRUE(one == other || (std::isnan(one) && std::isnan(other))) << '"' << text << '"';
  EXPECT_EQ(std::signbit(one), std::signbit(other)) << '"' << text << '"';
}

TEST(ReadNumber, numbers_and_what_is_none) {
  for (const char* text : {"",
                           "-",
                           "+1",
                           " 1",
                           "1",
                           "-0",
                           "0.0",
                           ".5",
                           "5.",
                           ".",
                           "-.",
                           "1e",
                           "1e+",
                           "1e5x",
                           "1.5e-3",
                           "1E+22",
                           "1e400",
                           "-1e400",
                           "1e-400",
                           "0e-400",
                           "0x10",
                           "inf",
                           "-INF",
                           "infinity",
                           "infinit",
                           "nan",
                           "-nan",
                           "n",
                           "1.2.3",
                           "12,5",
                           "1_0",
                           "00.1e1",
                           "4.9e-324",
                           "1.7976931348623157e308",
                           "2.2250738585072011e-308",
                           "9007199254740993",
                           "0.1000000000000000055511151231257827"})
    expect_same(text);
}

TEST(ReadNumber, random_characters) {
  testing::Rng rng(testing::base_seed());
  constexpr char letters[] = "0123456789.eE+-naif 1";
  for (int i = 0; i < 20000; ++i) {
    std::string text;
    for (std::size_t n = rng.below(12); n > 0; --n) text += letters[rng.below(sizeof letters - 1)];
    expect_same(text);
  }
}

}  // namespace read_number_test
}  // namespace microslip
