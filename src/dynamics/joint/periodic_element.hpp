#pragma once

/// What harmonic balance balances: an element turns r periodic inputs into r periodic forces.
///
/// The input of a path element (PeriodicJoint) is the motion of a joint, and an interface has several
/// (PeriodicInterface); the inputs of a body element
/// (SlidingBody) are the forces on joints with rigid friction, which are unknowns of the balance. An
/// element may have unknowns of its own, as the state at the start of the period: it reports where
/// the period that begins there ends, and the balance closes it.
///
/// Harmonic balance, condensed systems, stability and error estimates loop over elements and do not
/// ask what they are.

#include <Eigen/Core>
#include <functional>
#include <optional>
#include <vector>

#include "dynamics/joint/periodic_force.hpp"

namespace microslip::dynamics {

/// The force of a joint beside a periodic motion, to first order, over equal steps from θ = 0 (means, or
/// values at their middles):
///     δf = tangent δu(θ) + damping δv(θ) + Σ_r memory_r δu(θ_r),
/// each reversal at its latest passage. A joint that sticks does not move. Empty vectors are zero.
struct LinearisedLoop {
  Eigen::VectorXd tangent, damping;  ///< step by step
  Eigen::MatrixXd memory;            ///< steps × reversals
  std::vector<double> reversals;     ///< angles in [0, 2π)
  std::vector<bool> sticks;          ///< step by step
  /// Where rigid friction stops, it keeps a part of the disturbed velocity: 0 if it sticks.
  struct Stop {
    double theta, kept;
  };
  std::vector<Stop> stops;
  /// Of an element with several inputs instead of the above, step by step: δf = T δu(θ) + Σ_r M_r δu(θ_r),
  /// the blocks M_r side by side.
  std::vector<Eigen::MatrixXd> tangents, memories;
};

/// What a neglected harmonic of force moves around an element.
struct Surroundings {
  double motion;  ///< largest of the structure
  std::function<double(Eigen::Index input, int harmonic, double force)> moved;

  /// By a force along the direction of this input, relative to the motion.
  double moves(int harmonic, double force, Eigen::Index input = 0) const {
    return moved(input, harmonic, force);
  }
};

class PeriodicElement {
 public:
  virtual ~PeriodicElement() = default;

  virtual Eigen::Index inputs() const { return 1; }    ///< r
  virtual Eigen::Index unknowns() const { return 0; }  ///< of its own

  /// Forces under inputs of these Fourier coefficients, r numbers for each function, and with these
  /// values of its own unknowns. Asked for the same again it has answered: a point of a curve is worked out
  /// once, by Newton's method, for all who ask about it.
  void respond(const Eigen::VectorXd& input, const Eigen::VectorXd& own, double omega,
               bool with_jacobian) {
    const auto same = [](const Eigen::VectorXd& a, const Eigen::VectorXd& b) {
      return a.size() == b.size() && a == b;
    };
    if (asked_ && asked_->omega == omega && asked_->with_jacobian >= with_jacobian &&
        same(asked_->input, input) && same(asked_->own, own))
      return;
    answer(input, own, omega, with_jacobian);
    asked_ = Asked{input, own, omega, with_jacobian};
  }
  /// Of the last evaluation: forces, and where its own unknowns lead to.
  virtual const PeriodicForce& reply() const = 0;
  const PeriodEnd& end() const { return end_; }

  /// Values of its own unknowns that close the period under these inputs; false if none were found.
  virtual bool close(const Eigen::VectorXd& /*input*/, double /*omega*/, Eigen::VectorXd& /*own*/) {
    return true;
  }

  /// The joints of the element, one by one, after an evaluation.
  virtual const PeriodicForce& force(std::size_t member) const = 0;
  virtual const JointLoop& loop(std::size_t member) const = 0;
  virtual LinearisedLoop linearise(std::size_t member, const Eigen::VectorXd& input, int steps) = 0;

  /// Whether the forces depend on ω; reply().wrt_omega is then given with the Jacobian.
  virtual bool depends_on_frequency() const = 0;
  /// Whether `linearise` describes the whole element.
  virtual bool linearises() const { return true; }
  /// Whether it never repeats its loop under these inputs.
  virtual bool drifts(const Eigen::VectorXd& /*input*/, double /*omega*/) { return false; }

  /// Estimates, relative: of the motion by harmonics left out, and of the forces by quadrature.
  virtual double truncation(const Eigen::VectorXd& input, double omega, const Surroundings& s) = 0;
  virtual double quadrature(const Eigen::VectorXd& /*input*/, double /*omega*/) { return 0; }
  /// How far the work of the forces of the last reply is from what the law lost, relative to what force and
  /// motion exchange: a lower bound of the error by quadrature that costs nothing. 0 where it says nothing.
  virtual double work_error() const { return 0; }

 protected:
  virtual void answer(const Eigen::VectorXd& input, const Eigen::VectorXd& own, double omega,
                      bool with_jacobian) = 0;
  /// The reply is no longer that to the last question.
  void forget() { asked_.reset(); }

  PeriodEnd end_;

 private:
  struct Asked {
    Eigen::VectorXd input, own;
    double omega;
    bool with_jacobian;
  };
  std::optional<Asked> asked_;
};

}  // namespace microslip::dynamics
