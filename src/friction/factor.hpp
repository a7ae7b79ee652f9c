#pragma once

#include <memory>
#include <span>
#include <vector>

#include "microslip/friction/system.hpp"

namespace microslip::friction {

/// A pivot below this part of its diagonal entry is rounding: the block is singular.
inline constexpr double singular_pivot = 1e-12;

/// Solves with K_SS, the stiffness among a set S of sliders that changes by one slider at a time.
/// Vectors over S are in the order of members().
class Factor {
 public:
  virtual ~Factor() = default;

  const std::vector<Index>& members() const noexcept { return members_; }
  Index size() const noexcept { return static_cast<Index>(members_.size()); }

  /// Adds a slider at the end of members(). False, and nothing changes, when the larger block is
  /// singular.
  virtual bool append(Index slider) = 0;
  /// Takes out the slider at a place of members(); the others keep their order.
  virtual void remove(Index place) = 0;
  /// A whole new set; false, and the set is empty, when its block is singular.
  virtual bool assign(std::span<const Index> sliders) = 0;
  virtual void solve_in_place(Vector& rhs) const = 0;

  void clear() { assign({}); }
  /// K(S, j).
  Vector column(Index j) const;

 protected:
  explicit Factor(const System& system) : system_(system) {}
  const System& system_;
  std::vector<Index> members_;
};

/// The kind that suits K: a Cholesky factor that is updated for dense K, Gaussian elimination over
/// neighbouring sliders for tridiagonal K, a sparse factor for sparse K.
std::unique_ptr<Factor> make_factor(const System& system);

}  // namespace microslip::friction
