#include "microslip/detail/kernels/turning_points.hpp"

#include <gtest/gtest.h>

#include "support/allocations.hpp"

namespace microslip {
namespace turning_points_test {

constexpr std::size_t inside = TurningPoints<double>::inline_capacity;

TurningPoints<double> filled(std::size_t n) {
  TurningPoints<double> points;
  for (std::size_t i = 0; i < n; ++i) {
    const auto x = static_cast<double>(i);
    EXPECT_TRUE(points.push({x, 2 * x, 3 * x}));
  }
  return points;
}

void expect_filled(const TurningPoints<double>& points, std::size_t n) {
  ASSERT_EQ(points.size(), n);
  for (std::size_t i = 0; i < n; ++i) {
    EXPECT_EQ(points[i].u, static_cast<double>(i));
    EXPECT_EQ(points[i].f, 2 * points[i].u);
    EXPECT_EQ(points[i].stored, 3 * points[i].u);
  }
}

TEST(TurningPoints, keep_what_is_pushed_inline_and_on_the_heap) {
  for (const std::size_t n : {std::size_t{0}, std::size_t{1}, inside, inside + 1, 5 * inside})
    expect_filled(filled(n), n);
}

TEST(TurningPoints, hold_thirty_two_without_allocation) {
  const std::size_t before = testing::allocations();
  TurningPoints<double> points;
  for (std::size_t i = 0; i < inside; ++i) ASSERT_TRUE(points.push({1, 2, 3}));
  EXPECT_EQ(testing::allocations(), before);
  ASSERT_TRUE(points.push({1, 2, 3}));
  EXPECT_GT(testing::allocations(), before);
}

TEST(TurningPoints, drop_the_youngest) {
  auto points = filled(2 * inside);
  points.drop(inside + 3);
  expect_filled(points, inside - 3);
  EXPECT_EQ(points.back().u, static_cast<double>(inside - 4));
}

TEST(TurningPoints, copies_are_independent) {
  for (const std::size_t n : {std::size_t{5}, 3 * inside}) {
    auto points = filled(n);
    const auto copy = points;
    points.drop(2);
    ASSERT_TRUE(points.push({-1, -1, -1}));
    expect_filled(copy, n);
  }
}

TEST(TurningPoints, assignment_between_lengths_keeps_all_and_reuses_memory) {
  const auto lengthy = filled(4 * inside);
  const auto brief = filled(3);
  TurningPoints<double> points = lengthy;
  ASSERT_TRUE(points.assign(brief));
  expect_filled(points, 3);
  const std::size_t before = testing::allocations();
  ASSERT_TRUE(points.assign(lengthy));
  EXPECT_EQ(testing::allocations(), before);
  expect_filled(points, 4 * inside);
  ASSERT_TRUE(points.assign(points));
  expect_filled(points, 4 * inside);
}

TEST(TurningPoints, without_memory_a_push_is_refused_and_nothing_is_lost) {
  auto points = filled(inside);
  {
    const testing::NoMemory no_memory;
    EXPECT_FALSE(points.push({9, 9, 9}));
  }
  expect_filled(points, inside);
  EXPECT_TRUE(points.push({static_cast<double>(inside), 2.0 * inside, 3.0 * inside}));
  expect_filled(points, inside + 1);
}

TEST(TurningPoints, without_memory_a_long_assignment_is_refused) {
  const auto lengthy = filled(inside + 1);
  TurningPoints<double> points;
  const testing::NoMemory no_memory;
  EXPECT_FALSE(points.assign(lengthy));
}

}  // namespace turning_points_test
}  // namespace microslip
