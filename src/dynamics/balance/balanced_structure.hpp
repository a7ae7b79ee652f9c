#pragma once

#include <memory>
#include <vector>

#include "dynamics/body/sliding_inertia.hpp"
#include "microslip/dynamics/joint/periodic_options.hpp"
#include "microslip/dynamics/structure/structure.hpp"
#include "microslip/dynamics/time/time_integration.hpp"

namespace microslip::dynamics {

struct CondensedShare;

/// How many unknowns harmonic balance has: coefficients of the degrees of freedom, harmonic after
/// harmonic, then the own unknowns of the elements, and ω last.
struct BalanceSize {
  Eigen::Index structure;     ///< degrees of freedom of the structure
  Eigen::Index dofs;          ///< with the forces on bodies that joints slide on
  Eigen::Index own;           ///< unknowns of elements
  Eigen::Index fourier_size;  ///< coefficients of a degree of freedom
  bool slides;                ///< whether there are such bodies

  Eigen::Index unknowns() const { return dofs * fourier_size + own; }
};

/// A structure as harmonic balance takes it, whatever the number of harmonics: balances of one structure
/// with several numbers of them share what is worked out here once.
class BalancedStructure {
 public:
  BalancedStructure(const Structure& whole, const PeriodicOptions& options);

  /// Of the given structure, the joint that a member is a part of; interfaces follow these joints there.
  std::size_t owner(std::size_t member) const;
  std::size_t owners() const { return given_joints_ + structure_.interfaces.size(); }
  BalanceSize size(int harmonics) const;

  /// Joints of rigid friction and other laws side by side are taken apart: the others follow behind the joints
  /// of the given structure.
  const Structure& structure() const { return structure_; }
  /// Joints with rigid friction slide on bodies, in groups. The forces on these bodies count as further
  /// degrees of freedom, after those of the structure.
  const std::vector<std::size_t>& sliding() const { return sliding_; }
  const std::vector<TiedJoints>& groups() const { return groups_; }
  const std::vector<BodyInertia>& inertias() const { return inertias_; }
  /// With rows and columns for the forces on bodies.
  const SparseMatrix& M() const { return M_; }
  const SparseMatrix& C() const { return C_; }
  const SparseMatrix& K() const { return K_; }
  /// Where the static loads, and laws that push at rest, have left the structure.
  const StaticState& at_first() const { return at_first_; }
  /// Rigid-body motions that nothing holds.
  const Eigen::MatrixXd& unheld() const { return unheld_; }
  /// What condensed systems share: filled in by the first of them.
  std::shared_ptr<const CondensedShare>& condensed() const { return condensed_; }

 private:
  void add_rows_of_bodies();

  std::size_t given_joints_;
  std::vector<std::size_t> owner_;  ///< of the joints that were added behind the given ones
  Structure structure_;
  std::vector<std::size_t> sliding_;
  std::vector<TiedJoints> groups_;
  std::vector<BodyInertia> inertias_;
  Eigen::Index ways_ = 0;  ///< of all bodies together
  SparseMatrix M_, C_, K_;
  StaticState at_first_;
  Eigen::MatrixXd unheld_;
  mutable std::shared_ptr<const CondensedShare> condensed_;
};

/// What harmonic balance of a structure has: degrees of freedom, and unknowns of elements.
struct UnknownCount {
  Eigen::Index dofs, own;
};
UnknownCount count_unknowns(const Structure& structure, const PeriodicOptions& options);

}  // namespace microslip::dynamics
