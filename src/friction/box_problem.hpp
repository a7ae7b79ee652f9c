#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "microslip/core/response.hpp"
#include "tableau.hpp"

namespace microslip::friction {

/// What counts as rounding in r: this many units in the last place of the terms it is a sum of.
inline constexpr double rounding = 32 * std::numeric_limits<double>::epsilon();

/// The one problem behind all exact methods: minimise ½ δᵀKδ − gᵀδ + Σ max(hi_i δ_i, lo_i δ_i).
/// With r = g − Kδ that is, for each slider,
///
///     δ_i > 0 and r_i = hi_i,   or   δ_i < 0 and r_i = lo_i,   or   δ_i = 0 and lo_i ≤ r_i ≤ hi_i.
///
/// An increment has hi = μ = −lo; the direction of the path at an event has hi = 0 for a slider at
/// +μ, lo = 0 for one at −μ, and infinite bounds otherwise. The moving sliders are the set S of the
/// factor; it is kept from call to call, so a problem that differs little is solved fast.
class BoxProblem {
 public:
  /// How the problem will be used: for single pivots to a direction of the path, where each bound
  /// is 0 or infinite, or for anything.
  enum class Use { directions, anything };
  explicit BoxProblem(const System& system, Use use = Use::anything);

  Vector g, lo, hi;

  const Vector& delta() const noexcept { return delta_; }
  const Vector& r() const noexcept { return r_; }
  /// Direction of motion: −1, 0, 1.
  int sign(Index slider) const { return sign_[static_cast<std::size_t>(slider)]; }
  const std::vector<Index>& moving() const noexcept { return factor_->members(); }
  const Factor& factor() const noexcept { return *factor_; }
  /// The sliders that slide as a whole, after status `macroslip`.
  const std::vector<Index>& floating() const noexcept { return floating_; }

  /// Nobody moves.
  void reset();
  /// Takes the moving set as it is for new data. False when it does not suit, and nobody moves.
  bool keep();
  /// After a solution: a new factor, if r from its definition shows that the one which has been
  /// updated from pivot to pivot has lost digits.
  void refresh();
  /// One slider at a time, from a δ that suits the moving set (after reset, keep, or a solution
  /// whose bounds have been widened). Finds the solution whatever K is, or status `macroslip`.
  Status pivot();
  /// All sliders that are wrong at once, from the moving set of the last solution; falls back to
  /// pivot() when that does not lead anywhere.
  Status blocks();

 private:
  void solve_moving(Vector& target) const;
  void set_moving(const Vector& target);
  void update_r();
  double violation(Index i) const;
  Index worst() const;
  bool enter(Index j, int direction);
  bool slide(Index j, int direction);
  void settle(Index entered);
  void drop(Index place);
  void advance_fronts(const std::vector<Index>& leaving, std::vector<Index>& entering);
  bool exchange(const std::vector<Index>& leaving, const std::vector<Index>& entering);

  const System& system_;
  Vector delta_, r_;
  std::unique_ptr<Factor> factor_;
  Tableau* tableau_ = nullptr;  ///< the factor, if it is one that keeps r_ itself
  std::vector<std::int8_t> sign_;
  std::vector<bool> refused_;  ///< entered with a step of the size of rounding
  std::vector<Index> floating_;
  double size_ = 0;  ///< Σ |δ_i|
};

}  // namespace microslip::friction
