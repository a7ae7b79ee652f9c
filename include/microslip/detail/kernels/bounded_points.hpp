#pragma once

#include <array>
#include <cstddef>

#include "microslip/core/concepts.hpp"
#include "microslip/detail/kernels/masing.hpp"

namespace microslip {

/// The reversals that are not yet wiped out, at most `capacity` of them, inside the object. The next one
/// after that takes the place of the two newest: the smallest loop that is remembered counts as closed, and
/// is counted in `forgotten`. The force stays continuous there; where the motion later passes the corner of
/// the forgotten loop's parent, it jumps by less than that loop's width.
template <class Real, std::size_t capacity>
class BoundedPoints {
  static_assert(capacity >= 2, "a loop is two reversals");

 public:
  using Point = TurningPoint<Real>;

  constexpr std::size_t size() const noexcept { return static_cast<std::size_t>(count_); }
  constexpr bool empty() const noexcept { return count_ == 0; }
  constexpr const Point& operator[](std::size_t i) const noexcept { return points_[i]; }
  constexpr const Point& back() const noexcept { return points_[size() - 1]; }
  constexpr void drop(std::size_t n) noexcept { count_ -= static_cast<int>(n); }
  constexpr void clear() noexcept { count_ = 0; }
  constexpr bool push(const Point& point) noexcept {
    if (size() == capacity) {
      count_ -= 2;
      ++forgotten_;
    }
    points_[size()] = point;
    ++count_;
    return true;
  }
  constexpr bool assign(const BoundedPoints& other) noexcept {
    for (std::size_t i = 0; i < other.size(); ++i) points_[i] = other.points_[i];
    count_ = other.count_;
    forgotten_ = other.forgotten_;
    return true;
  }
  /// Loops that counted as closed for want of room, since rest.
  constexpr int forgotten() const noexcept { return forgotten_; }

 private:
  std::array<Point, capacity> points_{};
  int count_ = 0, forgotten_ = 0;
};

template <class Real, std::size_t capacity>
inline constexpr bool of_fixed_size<BoundedPoints<Real, capacity>> = true;

}  // namespace microslip
