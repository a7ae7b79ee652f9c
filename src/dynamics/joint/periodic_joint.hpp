#pragma once

/// The force of a law under a periodic motion, as Fourier coefficients.
///
/// Motion and force are written  q(θ) = a₀ + Σ a_h cos hθ + b_h sin hθ,  θ = ωt, and the numbers
/// are kept in the order a₀, a₁, b₁, a₂, b₂, …
///
/// Between reversals of the motion and kinks of the law the force is smooth, so the Fourier
/// integrals are taken by Gauss's rule from event to event and converge spectrally; equal samples,
/// whatever is done with them, converge like N⁻². At a kink that leaves the tangent continuous
/// (bouc-wen at z = 0) the force is often a broken power of the distance, and nodes crowd there.
/// Where the force bends so sharply that the nodes do not do, the piece gets more of them.
///
/// The law first goes from rest to the reversal furthest out. Laws with return-point memory repeat
/// their loop from there on. Other memories fade, over very many periods if the motion is small, so
/// the state that repeats is solved for by Newton's method:
///   - an odd law under an odd motion, q(θ + π) = −q(θ), has f(θ + π) = −f(θ): its state after half
///     a period is the mirrored one, an equation that is well conditioned at any amplitude;
///   - otherwise the state is the same after a period. What fades by less than 1e-8 a period stays
///     as the first period left it.
/// The solution is checked by one more period; laws whose states have no fixed numbers iterate.
///
/// Jacobian. A rate-independent law knows of the motion only the present displacement and the
/// reversals, and a reversal moves with δq(θ_r) because q′ = 0 there:
///     δf(θ) = f_u δq(θ) + Σ_r ∂f/∂u_r δq(θ_r).
/// f_u is the tangent; the rest comes from dual numbers seeded at the reversals, however many
/// harmonics there are. Steps of rate-dependent laws have seeds at the state and at the
/// displacements they join, and the chain rule does the rest; laws whose states have no fixed
/// numbers, and the sampled rule, carry a seed per coefficient.
/// Where the force jumps at a reversal, the reversal also moves in time, by −δq′/q″. Where it jumps
/// at a kink (sliders that give way together), the kink moves by −(δq − δq(θ_r))/q′: it lies at a
/// given distance from the last reversal (after a minor loop from an earlier one: Newton's method
/// then takes longer).
///
/// A linear law has a dynamic stiffness K(hω) for each harmonic, and no loop to close.
///
/// The parts: PeriodicMotion finds the reversals, LawWalk holds the law and its states, ClosedLoop comes
/// to the loop that repeats, EventNodes and EventLoop take a rate-independent law over it, RateDependentLoop
/// does all of this for rate-dependent laws. They work on one JointPeriod.
///
/// Rigid friction that may stick has a force that does not follow from the motion; such joints slide
/// on bodies instead (src/dynamics/rigid/sliding_body.hpp).

#include <Eigen/Core>
#include <array>
#include <memory>
#include <vector>

#include "dynamics/joint/event_loop.hpp"
#include "dynamics/joint/periodic_element.hpp"
#include "dynamics/joint/rate_dependent_loop.hpp"

namespace microslip::dynamics {

/// The path element: its input is the motion of a joint.
class PeriodicJoint final : public PeriodicElement {
 public:
  /// `before` is where a preload took the law, turning point by turning point.
  PeriodicJoint(const AnyModel& model, int harmonics, const PeriodicOptions& options = {},
                std::vector<double> before = {});
  PeriodicJoint(const PeriodicJoint&) = delete;  // its parts know where the period lies
  PeriodicJoint& operator=(const PeriodicJoint&) = delete;

  const PeriodicForce& evaluate(const Eigen::VectorXd& q, double omega, bool with_jacobian);
  /// Of the last evaluation.
  const PeriodicForce& reply() const override { return period_.result; }
  const PeriodicForce& force(std::size_t /*member*/) const override { return period_.result; }
  const JointLoop& loop(std::size_t /*member*/) const override { return period_.loop; }
  LinearisedLoop linearise(const Eigen::VectorXd& q, int steps);
  LinearisedLoop linearise(std::size_t /*member*/, const Eigen::VectorXd& q, int steps) override {
    return linearise(q, steps);
  }
  const JointLoop& loop() const { return period_.loop; }
  /// Angles at which the motion of the last evaluation reverses.
  const std::vector<double>& reversals() const { return period_.motion.reversals(); }
  const AnyModel& model() const { return period_.law.model; }
  PeriodicOptions& options() { return period_.options; }
  const PeriodicOptions& options() const { return period_.options; }
  int harmonics() const { return period_.harmonics; }
  /// Whether the force depends on how fast the motion is.
  bool rate_dependent() const { return period_.rate_dependent; }
  bool depends_on_frequency() const override { return period_.rate_dependent; }
  /// The state of rate-dependent laws between nodes is not known to first order.
  bool linearises() const override { return !period_.rate_dependent; }
  bool drifts(const Eigen::VectorXd& q, double omega) override;
  double truncation(const Eigen::VectorXd& q, double omega, const Surroundings& s) override;
  double quadrature(const Eigen::VectorXd& q, double omega) override;
  double work_error() const override;

 private:
  void answer(const Eigen::VectorXd& q, const Eigen::VectorXd& own, double omega,
              bool with_jacobian) override;
  void set_motion(const Eigen::VectorXd& q);
  void evaluate_loop(const Eigen::VectorXd& q, double omega, bool with_jacobian);
  void evaluate_in_time(double omega, bool with_jacobian);
  void go_in_time(RateDependentLoop& loop, double omega, bool with_jacobian);
  void find_difference_by_omega(const Eigen::VectorXd& q, double omega);
  void rest_motion(double u, bool with_jacobian);
  void linear_motion(const Eigen::VectorXd& q, double omega, bool with_jacobian);
  void fill_linear_loop(const Eigen::VectorXd& q);
  void keep_parity();
  std::vector<double> places_of_jumps(int steps);
  double jump_at(std::size_t reversal) const;
  void add_jumps();

  JointPeriod period_;
  ClosedLoop closed_;
  EventNodes event_nodes_;
  EventLoop events_;
  std::array<RateDependentLoop, 3> loops_in_time_;  ///< under 1, 2 and 3 chords between nodes
  bool rigid_;
  bool linear_;   ///< the law has a dynamic stiffness
  bool odd_law_;  ///< and no static load came before
  // Once they were needed:
  std::unique_ptr<PeriodicJoint> finer_;            ///< with twice the harmonics
  std::unique_ptr<PeriodicJoint> finer_integrals_;  ///< with smaller pieces
};

}  // namespace microslip::dynamics
