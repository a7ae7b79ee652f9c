#pragma once

/// The path element with several inputs: an interface whose forces are linear in its displacements u from
/// event to event (InterfaceWalk).
///
/// On a piece between events f = f_p + T_p (u − u_p), so that no integral needs nodes: f′ = T u′ with T
/// constant on pieces, and with the moments τ_k = ∫ T e^{ikθ} dθ, sums over the pieces, the coefficients
/// of products are sums of two moments,
///
///     ∫ T cos mθ cos hθ dθ = ½ Re(τ_{h−m} + τ_{h+m}),  …
///
/// Coefficients of f′ are linear in those of u; its integral is f, whose mean is summed piece by piece.
/// Nothing is truncated: harmonics of the force beyond those of the motion are as exact.
///
/// Jacobian. δf(θ) = T δu(θ) + Σ_s M_s δu(θ_s), with M_s constant on pieces, too, and the seeds θ_s where
/// parts of the interface came to rest. Events that move in time count nothing: forces are continuous
/// there, and what comes to rest has velocity zero.
///
/// The interface goes from rest (over `before`, where static loads took it) straight to the reversal of
/// the input that turns furthest out, and along the period until it repeats.

#include <Eigen/Core>
#include <memory>
#include <vector>

#include "dynamics/joint/periodic_element.hpp"
#include "dynamics/joint/periodic_motion.hpp"
#include "microslip/detail/numerics/bracket.hpp"
#include "microslip/dynamics/structure/structure.hpp"

namespace microslip::dynamics {

class PeriodicInterface final : public PeriodicElement {
 public:
  PeriodicInterface(const InterfaceLaw& law, int harmonics, std::vector<Eigen::VectorXd> before);

  Eigen::Index inputs() const override { return size_; }
  const PeriodicForce& reply() const override { return result_; }
  const PeriodicForce& force(std::size_t /*member*/) const override { return result_; }
  const JointLoop& loop(std::size_t /*member*/) const override { return no_loop_; }
  LinearisedLoop linearise(std::size_t member, const Eigen::VectorXd& input, int steps) override;
  bool depends_on_frequency() const override { return false; }
  double truncation(const Eigen::VectorXd& input, double omega, const Surroundings& s) override;

 private:
  void answer(const Eigen::VectorXd& input, const Eigen::VectorXd& own, double omega,
              bool with_jacobian) override;
  struct Piece {
    double from, to;
    Eigen::VectorXd u, f;  ///< at its beginning
    Eigen::MatrixXd T, memory;
  };
  struct Place {
    Eigen::VectorXd u, slope;
  };

  Place at(double theta) const;
  /// Angles at which an input reverses, from the one that the period begins with to that one again.
  std::vector<double> turns() const;
  /// The closed loop, in pieces; false if the interface fails.
  bool walk_period(bool with_derivatives);
  bool walk_leg(double from, double to);
  void drop_old_seeds();
  /// Where the next event happens on the way, and which; −1 if none does.
  int next_event(double from, double to, double& theta) const;
  RootValue beyond(const InterfaceWalk::Event& event, double theta) const;
  double crossing(const InterfaceWalk::Event& event, double from, double to) const;
  double first_crossing(const InterfaceWalk::Event& event, double from, double to) const;
  void rest_motion(bool with_jacobian);
  double work(const Eigen::VectorXd& f, const Eigen::VectorXd& u) const;
  /// Coefficients of f up to a harmonic, with moments of T up to that plus H; its mean is left out.
  Eigen::VectorXd coefficients(int most) const;
  Eigen::VectorXd mean() const;
  void find_moments(int most);
  /// ∫ T_ij g_a g_b dθ for Fourier functions a and b.
  double product(Eigen::Index i, Eigen::Index j, Eigen::Index a, Eigen::Index b) const;
  void find_jacobian();
  void keep_parity();

  const InterfaceLaw& law_;
  Eigen::Index size_;
  int harmonics_;
  std::unique_ptr<InterfaceWalk> walk_;
  std::vector<Eigen::VectorXd> before_;
  std::vector<PeriodicMotion> motion_;  ///< of each input
  Eigen::VectorXd stiffness_;           ///< at rest
  std::vector<Piece> pieces_;
  std::vector<double> seeds_;  ///< angles
  Eigen::MatrixXd cosines_,
      sines_;  ///< moments of T: a row for each order, a column for each entry
  PeriodicForce result_;
  JointLoop no_loop_;
};

}  // namespace microslip::dynamics
