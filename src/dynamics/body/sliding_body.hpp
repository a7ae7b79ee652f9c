#pragma once

/// Joints with rigid friction under a periodic force: the body element of harmonic balance.
///
/// While it sticks, rigid friction has a force that does not follow from its motion, and a motion
/// that stops and starts has corners that no short Fourier series follows. So the friction gets a
/// mass of its own, with dashpots and springs, and the unknown is the force on this body,
///     q″ + C q′ + K q + Σ c_j f_j[c_jᵀq] = p(t),        q of r numbers in units of mass 1,
/// which is smooth when the body resists a sudden force as the structure does. The motion under p is
/// found in time, from event to event. Nothing is smeared out: any mass, C and K give the same motion
/// of the structure; they only decide how many harmonics p needs.
///
/// Joints that cannot slip one by one (side by side, in a triangle), or that share a mass, slide on
/// one body: n joints with r ≤ n ways to move. A ContactSet decides which of them stick.
///
/// SlidingMotion takes the body through one period, in the steps of SlidingStepper; here are the
/// closing of the period and what harmonic balance asks for.
///
/// Slip is integrated by the Gauss method of order six, which ends a step where a joint stops, stuck
/// joints let go or a law has a kink. Derivatives by the coefficients of p, by ω and by the start of
/// the period go along. Where a joint stops, the time of that moves by −δv/v′:
///     δv⁺ = 0 if it sticks, v′⁺/v′⁻ δv⁻ if it turns.
///
/// The period begins with given u and v/ω, which are unknowns of the balance: under one force,
/// friction that falls with velocity may have several motions. `close` looks for a start that the
/// period returns to.

#include <Eigen/Core>
#include <vector>

#include "dynamics/body/sliding_motion.hpp"
#include "dynamics/joint/periodic_element.hpp"

namespace microslip::dynamics {

class SlidingBody final : public PeriodicElement {
 public:
  struct Member {
    AnyModel model;
    Eigen::VectorXd along;  ///< c
  };
  using Answer = SlidingMotion::JointAnswer;

  /// `at` is where a preload left it; `apart`: from joints that share masses with its own.
  SlidingBody(const std::vector<Member>& members, int harmonics, const Eigen::MatrixXd& damping,
              const Eigen::MatrixXd& stiffness, const Eigen::VectorXd& at, bool apart = false);

  Eigen::Index inputs() const override { return size(); }
  Eigen::Index unknowns() const override { return 2 * size(); }
  /// The reply of a period as it is, closed or not. Returns whether the body comes to rest.
  bool respond_open(const Eigen::VectorXd& excitation, const Eigen::VectorXd& start, double omega,
                    bool with_jacobian);
  bool close(const Eigen::VectorXd& excitation, double omega, Eigen::VectorXd& start) override;
  /// The reply of the closed period, with derivatives that follow its start.
  void respond_closed(const Eigen::VectorXd& excitation, double omega, bool with_jacobian);

  const PeriodicForce& reply() const override { return reply_; }
  const PeriodicForce& force(std::size_t member) const override {
    return body_.answers()[member].force;
  }
  const JointLoop& loop(std::size_t member) const override { return body_.answers()[member].loop; }
  LinearisedLoop linearise(std::size_t member, const Eigen::VectorXd& excitation,
                           int steps) override;
  const std::vector<Answer>& answers() const { return body_.answers(); }
  bool depends_on_frequency() const override { return true; }
  double truncation(const Eigen::VectorXd& excitation, double omega,
                    const Surroundings& s) override;

  Eigen::Index size() const { return body_.size(); }
  /// (K − h²ω² + ihωC) q of Fourier coefficients, function by function.
  Eigen::MatrixXd through(const Eigen::MatrixXd& q, double omega) const;

 private:
  /// The sum of the friction under a force of these Fourier coefficients, r numbers for each
  /// function, over a period that begins with these u and v/ω. If it is far from closed, the closed
  /// period near it counts, and end().wrt_start is empty: the start follows the force.
  void answer(const Eigen::VectorXd& excitation, const Eigen::VectorXd& start, double omega,
              bool with_jacobian) override;
  void begin(const Eigen::VectorXd& excitation, double omega);
  bool find_closed(Eigen::VectorXd& start, bool has_run);
  void follow_closed();
  Eigen::MatrixXd closing(const Eigen::MatrixXd& wrt_start, const Eigen::MatrixXd& error) const;
  void sum();
  bool rest_in_place(bool with_jacobian);
  void set_end(bool with_jacobian);
  void set_reply(const Eigen::MatrixXd& derivatives, const Eigen::MatrixXd& gap_derivatives);
  void set_status();
  Eigen::MatrixXd force_of(const Eigen::MatrixXd& motion, const Eigen::MatrixXd& gap) const;
  Eigen::MatrixXd directions_at_rest() const;

  SlidingMotion body_;
  Eigen::VectorXd start_u_, start_v_;
  bool apart_ = false;
  bool warm_ = false;                        ///< the start is that of a closed period
  Eigen::MatrixXd coefficients_;             ///< of q, in a recorded period
  Eigen::MatrixXd coefficient_derivatives_;  ///< their derivatives
  PeriodicForce reply_;
};

}  // namespace microslip::dynamics
