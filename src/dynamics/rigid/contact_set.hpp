#pragma once

/// Contacts with rigid friction: which of them stick, and to which side the others slip.
///
/// n contacts move in r ways, u_j = c_jᵀq, with coordinates q of mass 1. While a contact stands still
/// it holds any force between its limits. Under a force p on the coordinates, the acceleration is
///     q″ = p − Σ c_j f_j,    |q″| least over the forces of standing contacts within their limits
/// (Gauss's principle of least constraint). It is unique although the forces need not be: two
/// contacts side by side share what they hold in any proportion. Contacts that it moves slip.
///
/// Time integration, static equilibrium and periodic motions all decide about stick and slip here.

#include <Eigen/Core>
#include <vector>

#include "dynamics/rigid/rigid_friction.hpp"
#include "microslip/dynamics/structure/structure.hpp"

namespace microslip::dynamics {

class ContactSet {
 public:
  struct Contact {
    RigidFriction law;
    AnyState state;
    double place = 0;  ///< displacement of the law
    int side = 0;      ///< towards which it slips; 0: it sticks

    RigidFriction::Slopes slip(double u, double v, double after) {
      return law.slopes({state, place, side}, u, v, after);
    }
    double slip_force(double u, double v, double after) { return slip(u, v, after).force; }
    /// The law follows a motion to u, `time` long; infinite if its force does not depend on that.
    Response<double> move(double u, double time);
  };

  ContactSet() = default;
  /// A column of `along` for each law.
  ContactSet(const std::vector<AnyModel>& laws, const Eigen::MatrixXd& along);

  std::size_t size() const { return contacts_.size(); }
  bool empty() const { return contacts_.empty(); }
  Eigen::Index ways() const { return along_.rows(); }  ///< r
  const Eigen::MatrixXd& along() const { return along_; }
  auto along(std::size_t j) const { return along_.col(static_cast<Eigen::Index>(j)); }
  double length(std::size_t j) const { return lengths_[static_cast<Eigen::Index>(j)]; }
  Contact& operator[](std::size_t j) { return contacts_[j]; }
  const Contact& operator[](std::size_t j) const { return contacts_[j]; }
  std::vector<int> sides() const;
  bool rate_dependent() const { return rate_dependent_; }
  /// Rounding of the forces of the laws, relative.
  static constexpr double noise() { return 1e-14; }

  /// All that changes, as numbers and back.
  template <class Record>
  void visit(Record& record);

  /// All laws as they are at first.
  void rest();
  /// The size of the motion of the coordinates, see RigidFriction.
  void measure(double length);

  /// Contacts of side 0 stick from now on, and so do those that can no longer move then. `after` is
  /// how long they stick before their limits count.
  void stick(double after = 0);
  const std::vector<std::size_t>& stuck() const { return stuck_; }
  const std::vector<std::size_t>& slipping() const { return slipping_; }
  /// Orthonormal directions that stuck contacts leave free, a column for each.
  const Eigen::MatrixXd& free() const { return free_; }
  Eigen::VectorXd free_part(const Eigen::VectorXd& q) const {
    return free_ * (free_.transpose() * q);
  }

  /// What stuck contacts do under a force on the coordinates. `size` is that of the forces at hand.
  struct Decision {
    Eigen::VectorXd holds;  ///< a force for each of them, in proportion to the limits if possible
    Eigen::VectorXd acceleration;  ///< that they cannot hold back; empty if they can
    std::vector<int> sides;        ///< to which they slip, 0 if they stick
  };
  Decision decide(const Eigen::VectorXd& force, double size = 0) const;
  Eigen::VectorXd holds(const Eigen::VectorXd& force) const;
  /// Whether stuck contacts hold a force, shared in proportion to their limits. If not, they may still
  /// hold it in another way.
  bool can_hold(const Eigen::VectorXd& force) const;
  /// Stuck contacts take the sides that were decided.
  void let_go(const Decision& decision);

  /// One round of the search for the sides of a step, from a solution with the present ones: changes
  /// those that it contradicts, and returns whether there are none. `held` are the forces of stuck
  /// contacts, which are shared anew; `moved` is how far each contact has moved. Both have an entry
  /// for each contact.
  bool sides_hold(Eigen::VectorXd& held, const Eigen::VectorXd& moved, double after);

  /// All forces that stuck contacts can hold lie behind planes: normalᵀp ≤ most.
  struct Plane {
    Eigen::VectorXd normal;
    double most = 0;
    Decision slips{};  ///< of a force beyond it
    double beyond(const Eigen::VectorXd& force) const { return normal.dot(force) - most; }
  };
  /// The plane that a force has passed.
  Plane plane(const Decision& decision) const;
  /// All of them if each stuck contact has a force of its own, at the limits that it has passed;
  /// otherwise one.
  std::vector<Plane> planes_passed(const Eigen::VectorXd& force) const;

 private:
  void collect(double after);

  std::vector<Contact> contacts_;
  Eigen::MatrixXd along_;
  Eigen::VectorXd lengths_;  ///< of the columns
  bool rate_dependent_ = false;
  std::vector<std::size_t> stuck_, slipping_;
  Eigen::MatrixXd stuck_along_, free_;
  Eigen::VectorXd low_, high_;  ///< limits of stuck contacts
  /// Forces of stuck contacts that share a force p in proportion to the limits: idle + shares p.
  Eigen::MatrixXd shares_;
  Eigen::VectorXd idle_;
};

template <class Record>
void ContactSet::visit(Record& record) {
  for (std::size_t j = 0; j < contacts_.size(); ++j) {
    Contact& contact = contacts_[j];
    const std::string name = "contact " + std::to_string(j + 1);
    record(name, contact.law.model(), contact.state);
    record(name + " place", contact.place);
    record(name + " side", contact.side);
    contact.law.visit(name, record);
  }
  record("stuck", stuck_);
  record("slipping", slipping_);
  record("stuck along", stuck_along_);
  record("free", free_);
  record("shares", shares_);
  const auto both = [&](const char* name, Eigen::VectorXd& vector) {
    Eigen::MatrixXd column = vector;  // as many numbers as contacts stick
    record(name, column);
    vector = column.reshaped();
  };
  both("low", low_);
  both("high", high_);
  both("idle", idle_);
}

/// The joints of a structure that have rigid friction, in coordinates q = to_ways x.
struct StructureContacts {
  /// `inverse_mass` solves with M.
  template <class Solve>
  StructureContacts(const Structure& structure, const Solve& inverse_mass);

  bool is(std::size_t joint) const { return of_joint[joint] >= 0; }
  ContactSet::Contact& operator[](std::size_t joint) {
    return set[static_cast<std::size_t>(of_joint[joint])];
  }
  const ContactSet::Contact& operator[](std::size_t joint) const {
    return set[static_cast<std::size_t>(of_joint[joint])];
  }

  ContactSet set;
  std::vector<std::size_t> joints;
  std::vector<int> of_joint;    ///< −1: not rigid
  Eigen::MatrixXd to_ways;      ///< Q, with Q M⁻¹ Qᵀ = 1
  Eigen::MatrixXd from_forces;  ///< M⁻¹ Qᵀ: accelerations of the structure

 private:
  void find_ways(const Structure& structure, const Eigen::MatrixXd& W,
                 const Eigen::MatrixXd& moved);
};

template <class Solve>
StructureContacts::StructureContacts(const Structure& structure, const Solve& inverse_mass) {
  for (const JointElement& joint : structure.joints) {
    of_joint.push_back(joint.model.rigid() ? static_cast<int>(joints.size()) : -1);
    if (joint.model.rigid()) joints.push_back(of_joint.size() - 1);
  }
  const auto count = static_cast<Eigen::Index>(joints.size());
  Eigen::MatrixXd W(structure.size(), count), moved(structure.size(), count);
  for (Eigen::Index i = 0; i < count; ++i) {
    W.col(i) = structure.joints[joints[static_cast<std::size_t>(i)]].w;
    moved.col(i) = inverse_mass(Eigen::VectorXd(W.col(i)));
  }
  find_ways(structure, W, moved);
}

}  // namespace microslip::dynamics
