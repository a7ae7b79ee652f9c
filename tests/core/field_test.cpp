#include "microslip/core/field.hpp"

#include <gtest/gtest.h>

namespace microslip {
namespace field_test {

TEST(Interval, contains_its_closed_ends_only) {
  constexpr Interval interval = left_open_interval(-1, 0);
  static_assert(!interval.contains(-1) && interval.contains(0) && interval.contains(-0.5));
  static_assert(!interval.contains(0.1));
  static_assert(positive.contains(1e-300) && !positive.contains(0) && non_negative.contains(0));
  static_assert(!any_number.contains(std::numeric_limits<double>::quiet_NaN()));
  EXPECT_EQ(interval.text(), "(-1, 0]");
  EXPECT_EQ(closed_interval(0.5, 2).text(), "[0.5, 2]");
  EXPECT_EQ(positive.text(), "(0, inf)");
}

struct Table {
  double x = 1;
  std::vector<double> list{1, 2};
  Matrix<double> matrix = Matrix<double>::Identity(2, 2);
  static constexpr auto fields =
      std::tuple{field(&Table::x, "x", "L", positive, "a number"),
                 field(&Table::list, "list", "F", non_negative, "a list"),
                 field(&Table::matrix, "matrix", "1", any_number, "a matrix")};
};

std::string refusal(const Table& table) {
  try {
    check_fields("law", table);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(CheckFields, names_the_number_its_value_and_what_is_allowed) {
  EXPECT_EQ(refusal({}), "");
  EXPECT_EQ(refusal({.x = -2.5}), "law.x = -2.5 must lie in (0, inf)");
  EXPECT_EQ(refusal({.list = {0, -1}}), "law.list[2] = -1 must lie in [0, inf)");
  EXPECT_EQ(refusal({.list = {}}), "law.list must not be empty");
  Table table;
  table.matrix(1, 1) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_NE(refusal(table).find("law.matrix"), std::string::npos);
}

/// A row that leaves a reader without an answer is no constant expression, so it cannot stand in a
/// constexpr table.
template <auto row>
concept Usable = requires {
  typename std::bool_constant<(row(), true)>;
};
static_assert(Usable<[] { return field(&Table::x, "x", "L", positive, "a number"); }>);
static_assert(!Usable<[] { return field(&Table::x, "", "L", positive, "a number"); }>);
static_assert(!Usable<[] { return field(&Table::x, "x", "", positive, "a number"); }>);
static_assert(!Usable<[] { return field(&Table::x, "x", "L", positive, ""); }>);

}  // namespace field_test
}  // namespace microslip
