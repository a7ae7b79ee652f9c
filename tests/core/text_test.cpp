#include "microslip/core/text.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace microslip {
namespace text_test {

TEST(NumberText, is_short_and_reads_back) {
  EXPECT_EQ(number_text(0), "0");
  EXPECT_EQ(number_text(0.1), "0.1");
  EXPECT_EQ(number_text(-2.5e-7), "-2.5e-07");
  EXPECT_EQ(number_text(1e9), "1e+09");
  EXPECT_EQ(number_text(std::numeric_limits<double>::infinity()), "inf");
  for (const double x : {1. / 3, 1e-300, 123456.7, 0.1 + 0.2, 4e15 / 7})
    EXPECT_EQ(std::stod(number_text(x)), x);
}

TEST(NumberText, writes_ordinary_numbers_without_an_exponent) {
  EXPECT_EQ(number_text(10), "10");
  EXPECT_EQ(number_text(-20), "-20");
  EXPECT_EQ(number_text(100000), "100000");
  EXPECT_EQ(number_text(1e6), "1e+06");
}

}  // namespace text_test
}  // namespace microslip
