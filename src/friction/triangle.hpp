#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

namespace microslip::friction {

/// Of two neighbouring rows.
struct Rotation {
  double c, s;
};

/// Columns side by side, because each number waits for the one before it: the k-th rotation acts on
/// the numbers k and k + 1.
template <std::size_t lanes>
void rotate_columns(std::span<const Rotation> rotations,
                    const std::array<double*, lanes>& numbers) {
  std::array<double, lanes> carried{};
  for (std::size_t q = 0; q < lanes; ++q) carried[q] = numbers[q][0];
  std::size_t row = 0;
  for (const auto [c, s] : rotations) {
    for (std::size_t q = 0; q < lanes; ++q) {
      const double below = numbers[q][row + 1];
      numbers[q][row] = c * carried[q] + s * below;
      carried[q] = c * below - s * carried[q];
    }
    ++row;
  }
  for (std::size_t q = 0; q < lanes; ++q) numbers[q][row] = carried[q];
}

/// An upper triangular R that loses and gains columns.
class Triangle {
 public:
  using Vector = Eigen::VectorXd;
  using Index = Eigen::Index;

  /// `most`: columns that it will ever have, so that room for more is not taken.
  explicit Triangle(Index most) : most_(most) {}

  Index size() const { return size_; }
  void clear() { size_ = 0; }
  auto column(Index place) const { return numbers_.col(place).head(size_); }

  void append(const Eigen::Ref<const Vector>& column, double corner) {
    reserve(size_ + 1);
    numbers_.col(size_).head(size_) = column;
    numbers_(size_, size_) = corner;
    ++size_;
  }

  /// Without one of its columns R is a Hessenberg matrix, and rotations of neighbouring rows, from
  /// `place` on, make it triangular again.
  std::vector<Rotation> remove(Index place) {
    std::vector<Rotation> rotations;
    rotations.reserve(static_cast<std::size_t>(size_ - place));
    for (Index c = place; c + 1 < size_; ++c) {
      numbers_.col(c).head(c + 2) = numbers_.col(c + 1).head(c + 2);
      double* numbers = numbers_.col(c).data();
      rotate_columns<1>(rotations, {numbers + place});
      const double length = std::hypot(numbers[c], numbers[c + 1]);
      rotations.push_back({numbers[c] / length, numbers[c + 1] / length});
      numbers[c] = length;
    }
    --size_;
    return rotations;
  }

  /// Room for m columns, whose numbers the caller writes.
  Eigen::Ref<Eigen::MatrixXd> assign(Index m) {
    reserve(m);
    size_ = m;
    return numbers_.topLeftCorner(m, m);
  }

  /// v ← R⁻ᵀ v
  void forward(Vector& v) const {
    numbers_.topLeftCorner(size_, size_).transpose().triangularView<Eigen::Lower>().solveInPlace(v);
  }
  /// v ← R⁻¹ v
  void backward(Vector& v) const {
    numbers_.topLeftCorner(size_, size_).triangularView<Eigen::Upper>().solveInPlace(v);
  }

 private:
  void reserve(Index m) {
    if (numbers_.rows() >= m) return;
    const Index capacity = std::max(m, std::min(most_, std::max<Index>(m + m / 2, 32)));
    numbers_.conservativeResize(capacity, capacity);
  }

  Index most_;
  Eigen::MatrixXd numbers_;
  Index size_ = 0;
};

}  // namespace microslip::friction
