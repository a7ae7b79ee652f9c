#pragma once

#include "factor.hpp"
#include "triangle.hpp"

namespace microslip::friction {

/// K_SS = RᵀR of dense K, kept together with R⁻ᵀK_ST for the sliders T that stick, and with the
/// r = g − K v of the v that minimises ½vᵀKv − gᵀv over S. A slider that joins S brings its column
/// of R along, so an event costs one row of inner products with T, and r follows from that row
/// without a product with K. For directions of the path, where a slider that moves has r = 0.
class Tableau final : public Factor {
 public:
  /// `r` outlives this; the caller that empties S sets it to g.
  Tableau(const System& system, Vector& r);

  /// Both correct r.
  bool append(Index slider) override;
  void remove(Index place) override;
  bool assign(std::span<const Index> sliders) override;
  void solve_in_place(Vector& rhs) const override;

  /// The minimising v, in the order of members().
  Vector minimum() const;

 private:
  void rotate(std::span<const Rotation> rotations, Index place);

  Triangle R_;
  Eigen::MatrixXd W_;  ///< R⁻ᵀK_ST, in the order of sticking_
  Vector y_;           ///< R⁻ᵀ g_S
  Vector& r_;
  std::vector<Index> sticking_;  ///< T, in no order
  std::vector<Index> where_;     ///< of a slider in sticking_
};

}  // namespace microslip::friction
