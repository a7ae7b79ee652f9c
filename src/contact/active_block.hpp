#pragma once

#include <vector>

#include "microslip/contact/solver.hpp"

namespace microslip::contact {

/// Rounding of displacements, forces and rates, relative to the largest: well above the rounding of
/// sums of some hundred terms, well below anything that matters.
inline constexpr double rounding = 1e-12;
/// Changes of many nodes at once, before nodes change one by one.
inline constexpr int block_iterations = 40;

/// The linear system of the nodes that can move, and its inverse.
///
/// An open node has the unknowns w_n, w_t and the rows T_n = 0, T_t = 0. A node that slips in the
/// direction σ has the unknown w_t and the row T_t + σμ T_n = 0. A node that sticks has none. So
/// the matrix A is K of the unknowns, plus σμ times rows of K; it is not symmetric. The inverse is
/// updated by bordering when a few nodes change, all in one pass over it, and computed anew when many do.
class ActiveBlock {
 public:
  explicit ActiveBlock(const Problem& problem);

  /// Makes `nodes` the present states; false when the block is singular.
  bool assign(const std::vector<Contact>& nodes);
  const std::vector<Contact>& nodes() const noexcept { return nodes_; }

  /// Finds the displacements x of the unknowns (0 elsewhere) for which y = q − K (x_given + x) meets
  /// the rows; y is given for x = 0 and holds the forces at the end. Residuals are at rounding.
  /// False when they cannot be brought there.
  bool solve(Vector& y, Vector& x, double scale);

 private:
  struct Unknown {
    Index entry;   ///< of w
    double slope;  ///< σμ for a row of slip, else 0
  };
  double row_entry(const Unknown& row, Index column) const;
  /// False where the block is singular, and nothing is appended.
  bool append(const std::vector<Unknown>& added);
  bool remove(const std::vector<Index>& entries);
  void put_last(Index entry, Index last);
  bool rebuild();
  void correct(const Vector& y, Vector& dx) const;
  double residual(const Vector& y) const;
  void unknowns_of(Index node, Contact contact, std::vector<Unknown>& out) const;
  auto inverse() { return inverse_.topLeftCorner(size(), size()); }
  auto inverse() const { return inverse_.topLeftCorner(size(), size()); }
  Index size() const { return static_cast<Index>(unknowns_.size()); }

  const Problem& problem_;
  std::vector<Contact> nodes_;
  std::vector<Unknown> unknowns_;
  std::vector<Index> place_;  ///< of an entry of w in unknowns_, or −1
  Matrix inverse_;            ///< its top left corner
  bool fresh_ = true;         ///< no update since the last factorisation
};

}  // namespace microslip::contact
