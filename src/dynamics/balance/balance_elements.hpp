#pragma once

#include <memory>
#include <vector>

#include "dynamics/balance/balance_scales.hpp"
#include "dynamics/balance/balanced_structure.hpp"
#include "dynamics/balance/element_slot.hpp"

namespace microslip::dynamics {

/// The elements of harmonic balance in their slots, one by one and as the members that they are made of:
/// joints, then interfaces. Only this class has them evaluated.
class BalanceElements {
 public:
  /// `preloaded`: static loads leave their mark on the joints.
  BalanceElements(const BalancedStructure& whole, int harmonics, const PeriodicOptions& options,
                  bool preloaded);

  const std::vector<ElementSlot>& slots() const { return slots_; }

  /// All elements under a motion, on all cores if there are many; each keeps its reply. The first status that is
  /// not ok.
  Status evaluate(const Eigen::VectorXd& y, bool with_jacobian);
  /// What rounding leaves open of the mean forces of the last evaluation: nothing of a residual
  /// that is smaller.
  Eigen::VectorXd mean_noise() const;

  std::size_t members() const { return place_of_.size(); }
  std::size_t owner(std::size_t member) const { return whole_.owner(member); }
  std::size_t owners() const { return whole_.owners(); }
  /// Along which a member acts: the directions of its element.
  const std::vector<Direction>& directions(std::size_t member) const;
  bool slides_on_body(std::size_t member) const { return slots_[place_of_[member].slot].slides(); }
  /// Coefficients of wᵀx for a joint.
  Eigen::VectorXd motion(const Eigen::VectorXd& y, std::size_t joint) const;

  // Of a member, after an evaluation.
  const JointLoop& loop(std::size_t member) const;
  const PeriodicForce& force(std::size_t member) const;
  /// Energy that it loses in a period.
  double energy(const Eigen::VectorXd& y, std::size_t member) const;

  LinearisedLoop linearise(const Eigen::VectorXd& y, std::size_t member, int steps);
  /// Whether `linearise` describes all of them.
  bool linearise_wholly() const;

  /// What the forces of the harmonics left out move by themselves, relative to the largest vibration: a
  /// lower bound of what these harmonics change.
  double truncation(const Eigen::VectorXd& y, const BalanceScales& scales);
  /// Errors of the forces by quadrature, relative.
  double quadrature(const Eigen::VectorXd& y);
  /// A lower bound of it that costs nothing where the motion was the last one.
  double work_error(const Eigen::VectorXd& y);

  /// Fills in own unknowns that close the periods under the inputs in y.
  void close_periods(Eigen::VectorXd& y);
  /// Throws Error if a law never repeats its loop under this motion.
  void refuse_drifting(const Eigen::VectorXd& y);
  /// The joint, counted from 1, whose force does least what its Jacobian says on the way from one
  /// motion to another, or that has no force there: where Newton's method has trouble. 0 if there
  /// are no joints.
  std::size_t hardest(const Eigen::VectorXd& from, const Eigen::VectorXd& to,
                      const Eigen::VectorXd& units);

 private:
  void add_bodies();
  void add_paths(bool preloaded);
  void add_interfaces(bool preloaded);
  Eigen::VectorXd input_of(const ElementSlot& slot, const Eigen::VectorXd& y) const;
  Eigen::VectorXd own_of(const ElementSlot& slot, const Eigen::VectorXd& y) const;
  double omega(const Eigen::VectorXd& y) const { return y[size_.unknowns()]; }

  const BalancedStructure& whole_;
  int harmonics_;
  PeriodicOptions options_;
  BalanceSize size_;
  std::vector<ElementSlot> slots_;
  /// Of each joint and each interface: its slot and its number there.
  struct Place {
    std::size_t slot, member;
  };
  std::vector<Place> place_of_;
};

}  // namespace microslip::dynamics
