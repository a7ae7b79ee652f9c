#pragma once

/// A slider in the plane with a circular limit along a periodic motion, event by event.
///
/// It opens and closes where the normal displacement, a Fourier series, passes a level; it begins to slip at a
/// root of |f|² − L², and sticks again where its velocity of slip, σ, falls to zero. While it sticks its force
/// is the motion less a constant, and the integrals are closed. While it slips one angle follows an equation of
/// the first order (SlipCell), whose stages are nodes of the integrals, to rounding.
///
/// Derivatives are those of the same path: forces are continuous at events, so that moving events count
/// nothing but where it closes, which moves the place that it sticks from.
///
/// A slider that opens has forgotten all where it closes. Otherwise its two forces at the start repeat after some
/// rounds.

#include <Eigen/Core>
#include <vector>

#include "dynamics/joint/periodic_motion.hpp"
#include "dynamics/joint/slip_cell.hpp"
#include "microslip/dynamics/structure/interface.hpp"

namespace microslip::dynamics {

class PlanarLoop {
 public:
  PlanarLoop(const PlanarSlider& slider, Eigen::Index inputs, int harmonics);

  /// What is wanted of the period: force coefficients up to a harmonic, to how many digits more than usual.
  struct Wanted {
    int harmonics = 0;
    int level = 0;
    bool with_jacobian = false;
  };
  /// The motion: a row of coefficients for each input. `start` and `force`: where a period may begin, and the
  /// tangential force that the slider has there when it has come from rest, and its derivatives by the displacements.
  /// False if it could not be followed.
  bool follow(const Eigen::MatrixXd& q, double start, const Eigen::Vector2d& force,
              const Eigen::MatrixXd& tangent, const Wanted& wanted);

  // The result: rows x, y, n.
  const Eigen::MatrixXd& force() const { return force_; }
  /// By the coefficients of the motion, inputs side by side for each Fourier function.
  const Eigen::MatrixXd& jacobian() const { return jacobian_; }
  double energy() const { return energy_; }
  bool closed() const { return closed_; }
  int rounds() const { return rounds_; }
  double drift() const { return drift_; }

 private:
  using Index = Eigen::Index;
  enum class Course { stick, slip };
  /// Where it is: f = seed + p while it sticks, L (cos φ, sin φ) while it slips. Derivatives by the force at
  /// the start of the period, then by the coefficients.
  struct State {
    Course course = Course::stick;
    Eigen::Vector2d seed = Eigen::Vector2d::Zero();
    double phi = 0;
    Eigen::Matrix2Xd seed_wrt;
    Eigen::RowVectorXd phi_wrt;
  };
  struct Contact {
    double from, to;
  };
  /// ∫ cos kθ and ∫ sin kθ over some pieces of the period.
  struct Moments {
    Eigen::VectorXd c, s;
    void clear(int most);
    void add(double from, double to);
    /// ∫ g_a g_b of two Fourier functions.
    double product(Index a, Index b) const;
  };

  void find_contacts();
  void find_largest_limit();
  PlanarPoint at(double theta) const;
  Eigen::VectorXd functions(double theta, int harmonics) const;
  /// Adds to derivatives of p and of L, by the coefficients, a multiple of these functions.
  void add_p(const Eigen::VectorXd& functions, double factor, Eigen::Matrix2Xd& sum) const;
  void add_L(const Eigen::VectorXd& functions, double factor, Eigen::RowVectorXd& sum) const;
  Eigen::Matrix2Xd derivatives_of_p(double theta) const;
  Eigen::RowVectorXd derivatives_of_L(double theta) const;

  State touching(double theta);
  State resting(double theta, const Eigen::Vector2d& force);
  Eigen::Vector2d force_of(const State& state, double theta) const;
  Eigen::Matrix2Xd derivatives_of(const State& state, double theta) const;
  void begin_slip(double theta, State& state);
  void begin_stick(double theta, State& state) const;

  /// Along one contact, or over the period; false if it fails.
  bool go(double from, double to, State& state);
  double end_of_stick(double from, double to, const State& state) const;
  bool slide(double& theta, double to, State& state);
  bool find_cell(double from, double to, double start, SlipCell& cell);
  void place(double length, SlipCell& cell) const;
  /// Shortens the cell to where slip stops, if it does.
  bool stop(double start, SlipCell& cell) const;
  void collect_stick(double from, double to, const State& state);
  void collect_slip(const SlipCell& cell, const Eigen::MatrixXd& phi_wrt);
  /// ∂φ at the stages; moves that of the state on to the end.
  Eigen::MatrixXd follow_derivatives(const SlipCell& cell, State& state) const;
  bool repeat(double start, Eigen::Vector2d force, const Eigen::Matrix2Xd& force_wrt);
  /// Before a round: what it collects is zero.
  void begin_round();
  void finish();

  PlanarSlider slider_;
  Index inputs_;
  int harmonics_;
  Index width_;
  bool with_normal_;
  std::vector<PeriodicMotion> normal_;  ///< of un, if there is one

  Eigen::MatrixXd q_;
  Wanted wanted_;
  Index columns_ = 0;  ///< of derivatives
  bool slipped_ = false;
  double largest_ = 0;          ///< limit
  double step_ = 0;             ///< length of the next cell
  Eigen::Matrix2Xd start_wrt_;  ///< of the force at the start, by the coefficients
  std::vector<Contact> contacts_;
  bool opens_ = false;

  Moments stuck_, touched_;
  Eigen::MatrixXd sums_;    ///< ∫ of seeds and of forces in slip, x and y
  Eigen::MatrixXd slopes_;  ///< their derivatives
  Eigen::MatrixXd force_, jacobian_;
  double energy_ = 0, drift_ = 0;
  bool closed_ = true;
  int rounds_ = 0;
};

}  // namespace microslip::dynamics
