#pragma once

#include <Eigen/Core>
#include <memory>
#include <string>
#include <vector>

#include "microslip/core/any_model.hpp"
#include "microslip/core/walk.hpp"
#include "microslip/dynamics/structure/direction.hpp"

/// Joints with several displacements and forces.
namespace microslip::dynamics {

/// What a step of an interface answers: forces and their derivatives by the displacements.
struct InterfaceReply {
  Eigen::VectorXd force;
  Eigen::MatrixXd tangent;
  double dissipated = 0;
  Status status = Status::ok;
};

/// An interface on its way along a path of its displacements.
using InterfaceWalk = Walk;

/// A slider in the plane with a circular limit μN, N = max(0, N0 + kn un): directions x, y and, where the law
/// has it, n, in which it gives N − max(N0, 0). Without a normal direction kn is 0 and μ N0 the limit.
struct PlanarSlider {
  AnyModel law;
  double kt, kn, mu, N0;
};

/// A rate-independent law between several displacements and as many forces. Immutable; the contract of
/// a step is that of a law (core/concepts.hpp).
class InterfaceLaw {
 public:
  /// For periodic motions; null if its forces are not linear between events.
  virtual std::unique_ptr<InterfaceWalk> walk() const { return nullptr; }
  /// The sliders that a law in the plane is the sum of; none of any other law.
  virtual std::vector<PlanarSlider> sliders() const { return {}; }
  virtual ~InterfaceLaw() = default;
  virtual std::string name() const = 0;
  virtual Eigen::Index size() const = 0;
  /// Of a joint with several directions; null of another interface.
  virtual const AnyModel* model() const { return nullptr; }
  virtual AnyState rest() const = 0;
  /// `to` may be `from`; the memory of `reply` is used again.
  virtual void step(const AnyState& from, const Eigen::VectorXd& u, AnyState& to,
                    InterfaceReply& reply) const = 0;
  InterfaceReply step(const AnyState& from, const Eigen::VectorXd& u, AnyState& to) const {
    InterfaceReply reply;
    step(from, u, to, reply);
    return reply;
  }
  virtual double stored(const AnyState& state) const = 0;
};

/// An interface in a structure: its displacements are w_iᵀx, and its forces act along −w_i.
struct InterfaceElement {
  std::shared_ptr<const InterfaceLaw> law;
  std::vector<Direction> w;
  std::string name{};
};

/// w_iᵀx of an interface.
Eigen::VectorXd displacements(const InterfaceElement& interface, const Eigen::VectorXd& x);

/// Stiffness at rest.
Eigen::MatrixXd tangent_at_rest(const InterfaceLaw& law);
/// The same about displacements u, where it came from rest: what slips there sticks in small vibrations.
Eigen::MatrixXd tangent_about(const InterfaceLaw& law, const Eigen::VectorXd& u);
/// Adds W T Wᵀ of an interface.
void add_along(Eigen::MatrixXd& matrix, const std::vector<Direction>& w, const Eigen::MatrixXd& T);

}  // namespace microslip::dynamics
