#pragma once

/// Rigid friction that may stick, under a periodic push.
///
/// While it sticks, rigid friction has a force that its motion does not tell, and a motion that
/// stops and starts has corners that no short Fourier series follows. So the friction gets a mass m
/// of its own, with a dashpot c and a spring k, and the unknown is what pushes this mass,
///     m u″ + c u′ + k u + f[u] = p(t),
/// which is smooth when m is what the structure resists a sudden force with. The motion under p is
/// found in time, from event to event; stuck, f = p − k u. Nothing is smeared out: any m, c and k
/// give the same motion of the structure, they only decide how many harmonics p needs.
///
/// Slip is integrated by the Gauss method of order six, which ends a step where the motion stops or
/// the law has a kink. Derivatives by the coefficients of p and by the start of the period go
/// along. Where the motion stops, the force jumps, and the time of that moves by −δv/v′:
///     δv⁺ = 0 if the mass sticks, v′⁺/v′⁻ δv⁻ if it turns;   ∫ δf dt = m (δv⁻ − δv⁺).
/// Newton's method for the start closes the period, or the start is given and the end is told:
/// under one push, friction that falls with velocity may have several motions.

#include <Eigen/Core>
#include <optional>
#include <vector>

#include "microslip/dynamics/periodic/periodic_force.hpp"
#include "microslip/dynamics/rigid/rigid_friction.hpp"
#include "microslip/dynamics/rigid/sliding_course.hpp"

namespace microslip::dynamics {

struct Inertia {
  double mass = 0, damping = 0, stiffness = 0;
};

class SlidingMass {
 public:
  /// `at` is where a preload left it.
  SlidingMass(const AnyModel& model, int harmonics, const Inertia& inertia, double at);

  /// Friction under a push of these Fourier coefficients, and its derivatives by them.
  void evaluate(const Eigen::VectorXd& push, double omega, bool with_jacobian,
                PeriodicForce& result, Loop& loop);

  /// The same for a period that begins with these u and v/ω, closed or not.
  void evaluate_from(const Eigen::Vector2d& start, const Eigen::VectorXd& push, double omega,
                     bool with_jacobian, PeriodicForce& result, Loop& loop);
  const PeriodEnd& end() const { return end_; }
  /// u and v/ω at the start of the period.
  Eigen::Vector2d start() const { return {start_u_, start_v_ / omega_}; }

  const Inertia& inertia() const { return inertia_; }
  const RigidFriction& law() const { return law_; }
  /// Of the last evaluation.
  const SlidingCourse& course() const { return course_; }

 private:
  using Stages = Eigen::Vector3d;
  using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  struct Step {
    double to;       ///< angle
    double h;        ///< time
    RowMatrix rows;  ///< Fourier functions at the stages
    Stages push, a, u, v;
    RigidFriction::Slopes friction[3];
    Eigen::Matrix3d inverse;
    double end_u, end_v;
    bool solved;
  };

  bool begin(const Eigen::VectorXd& push, double omega, PeriodicForce& result);
  /// Where it rests, if it does.
  std::optional<double> rests_throughout(bool with_jacobian, PeriodicForce& result, Loop& loop);
  void close(PeriodicForce& result);
  bool run_period(bool recording, Eigen::Index columns);
  bool go_to(double theta, bool recording);
  void rest_until(double theta, bool recording);
  bool slip_until(double theta, bool recording, int depth);
  void load(double to, Step& step) const;
  void solve(Step& step);
  bool smooth(const Step& step);
  Step slip_to(double length);
  double length_to_slowest(const Step& step);
  double length_to_stop(double longest);
  double length_to_kink(double longest, double kink);
  void take(const Step& step, bool recording);
  void stop(bool recording);
  void keep(double part, bool recording);
  void choose_side();
  void note(const Step& step, int stage, double f, double u);
  Eigen::MatrixXd sum(PeriodicForce& result, Loop& loop) const;
  void close_sums(const Eigen::MatrixXd& by, bool with_jacobian, PeriodicForce& result) const;
  void tell_end(const Eigen::MatrixXd& by, bool with_jacobian, PeriodicForce& result);
  void tell_rest(bool with_jacobian, const PeriodicForce& result, double u);

  double push_at(double theta) const;
  double acceleration(double u, double v, double theta, double after);
  void place_law(double u);

  RigidFriction law_;
  int harmonics_;
  Inertia inertia_;
  double at_;
  double cell_;          ///< angle between points of the grid
  RowMatrix grid_rows_;  ///< Fourier functions at the stages of all cells
  AnyState rest_, state_;

  // The evaluation at hand.
  Eigen::VectorXd push_, grid_push_;
  double omega_ = 1;
  double push_size_ = 0;
  double reach_ = 0;  ///< a displacement the push may cause

  // The mass on its way.
  double theta_ = 0, u_ = 0, v_ = 0;
  int side_ = 0;                    ///< towards which it slips; 0: it sticks
  double place_ = 0;                ///< of the law
  RigidFriction::Limits limits_{};  ///< while it sticks
  double held_ = 0;     ///< angle until which it sticks whatever the push, after a start in vain
  Eigen::MatrixXd by_;  ///< of u and v, by the coefficients if wanted and by the start
  int events_ = 0;
  Status status_ = Status::ok;

  // Of a recorded period.
  Loop loop_;
  RowMatrix rows_, slopes_;  ///< a row per node: Fourier functions and derivatives of the force
  RowMatrix stop_rows_, stop_slopes_;
  double energy_ = 0;
  SlidingCourse course_;
  PeriodEnd end_;

  bool warm_ = false;
  double start_u_ = 0, start_v_ = 0;
};

}  // namespace microslip::dynamics
