#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <new>

namespace microslip {

/// Where a motion reversed, with what a parallel-series system remembers of that moment.
template <class Real>
struct TurningPoint {
  Real u, f, stored;
};

/// A stack without limit: some entries live inside the object, more move to the heap, whose block is
/// kept, so that steady loading allocates nothing.
template <class P, std::size_t inside>
class PointStack {
 public:
  using Point = P;
  static constexpr std::size_t inline_capacity = inside;

  PointStack() = default;
  PointStack(const PointStack& other) {
    if (!assign(other)) throw std::bad_alloc();
  }
  PointStack& operator=(const PointStack& other) {
    if (!assign(other)) throw std::bad_alloc();
    return *this;
  }

  std::size_t size() const noexcept { return count_; }
  bool empty() const noexcept { return count_ == 0; }
  const Point& operator[](std::size_t i) const noexcept { return points()[i]; }
  Point& operator[](std::size_t i) noexcept { return points()[i]; }
  const Point& back() const noexcept { return points()[count_ - 1]; }
  void drop(std::size_t n) noexcept { count_ -= n; }
  void clear() noexcept { count_ = 0; }

  /// False when memory is exhausted; the history is then unchanged.
  [[nodiscard]] bool push(const Point& point) noexcept {
    if (count_ == capacity_ && !grow(2 * capacity_)) return false;
    points()[count_++] = point;
    return true;
  }

  /// Makes room for entries that the caller then writes. False when memory is exhausted.
  [[nodiscard]] bool resize(std::size_t count) noexcept {
    if (count > capacity_ && !grow(std::max(count, 2 * capacity_))) return false;
    count_ = count;
    return true;
  }

  /// Copies only what is in use. False when memory is exhausted.
  [[nodiscard]] bool assign(const PointStack& other) noexcept {
    if (this == &other) return true;
    if (other.count_ > capacity_) {
      count_ = 0;
      if (!grow(other.count_)) return false;
    }
    std::copy_n(other.points(), other.count_, points());
    count_ = other.count_;
    return true;
  }

 private:
  Point* points() noexcept { return heap_ ? heap_.get() : inline_.data(); }
  const Point* points() const noexcept { return heap_ ? heap_.get() : inline_.data(); }

  bool grow(std::size_t capacity) noexcept {
    std::unique_ptr<Point[]> larger(new (std::nothrow) Point[capacity]);
    if (!larger) return false;
    std::copy_n(points(), count_, larger.get());
    heap_ = std::move(larger);
    capacity_ = capacity;
    return true;
  }

  std::array<Point, inline_capacity> inline_;
  std::unique_ptr<Point[]> heap_;
  std::size_t count_ = 0;
  std::size_t capacity_ = inline_capacity;
};

/// The reversals that are not yet wiped out, oldest first.
template <class Real>
using TurningPoints = PointStack<TurningPoint<Real>, 32>;

}  // namespace microslip
