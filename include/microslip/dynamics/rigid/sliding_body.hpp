#pragma once

/// Joints with rigid friction that cannot slip one by one, on one body under a periodic push.
///
/// Two joints side by side move by the same displacement, of the three in a triangle each moves by
/// what the others leave: there are n joints and only r < n ways to move, u_j = c_jᵀq. While all
/// stick, nothing tells how much each of them holds, only their sum is known. So the unknown is
/// what pushes all of them together,
///     q″ + C q′ + K q + Σ c_j f_j[c_jᵀq] = p(t),        q of r numbers in units of mass 1,
/// and what each holds is of no consequence: the stuck ones let go when no forces within their
/// limits can hold any more. At that moment, and where joints stop, the acceleration is the one
/// that the nearest forces within the limits leave:
///     q″ = h − Σ c_j f_j,   |q″| least,
/// which is unique, and the joints that it moves slip. Between events the motion is integrated like
/// that of a SlidingMass, in the directions that the stuck joints leave free.
///
/// Joints that share a mass may slide on a body too, r = n: when one of them stops, the others feel
/// it through the body, and the push stays smooth.

#include <Eigen/Core>
#include <vector>

#include "microslip/dynamics/periodic/periodic_force.hpp"
#include "microslip/dynamics/rigid/rigid_friction.hpp"
#include "microslip/dynamics/rigid/sliding_course.hpp"

namespace microslip::dynamics {

class SlidingBody {
 public:
  struct Member {
    AnyModel model;
    Eigen::VectorXd along;  ///< c
  };
  /// Of one of the joints; where nothing tells, stuck ones hold in proportion to their limits.
  struct Answer {
    PeriodicForce force;  ///< without derivatives
    Loop loop;
    SlidingCourse course;
  };

  /// `at` is where a preload left it.
  SlidingBody(const std::vector<Member>& members, int harmonics, const Eigen::MatrixXd& damping,
              const Eigen::MatrixXd& stiffness, const Eigen::VectorXd& at);

  /// The sum of the friction under a push of these Fourier coefficients, r numbers for each
  /// function, and its derivatives by them.
  void evaluate(const Eigen::VectorXd& push, double omega, bool with_jacobian);

  /// The same for a period that begins with these u and v/ω, closed or not.
  void evaluate_from(const Eigen::VectorXd& start, const Eigen::VectorXd& push, double omega,
                     bool with_jacobian);
  const PeriodEnd& end() const { return end_; }
  /// u and v/ω at the start of the period.
  Eigen::VectorXd start() const;

  /// Of the last evaluation.
  const PeriodicForce& reply() const { return reply_; }
  const std::vector<Answer>& answers() const { return answers_; }

  Eigen::Index size() const { return at_.size(); }
  const Eigen::MatrixXd& directions() const { return along_; }  ///< c, column by column
  const Eigen::MatrixXd& damping() const { return damping_; }
  const Eigen::MatrixXd& stiffness() const { return stiffness_; }
  bool rate_dependent() const { return timed_; }

  /// (K − h²ω² + ihωC) q of Fourier coefficients, function by function.
  Eigen::MatrixXd through(const Eigen::MatrixXd& q, double omega) const;

 private:
  using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  /// In the directions that stuck joints leave free, from where the body is: x, its velocity y and
  /// acceleration a, a column for each stage.
  struct Step {
    double to;             ///< angle
    double h;              ///< time
    RowMatrix rows;        ///< Fourier functions at the stages
    Eigen::MatrixXd push;  ///< all of it
    Eigen::MatrixXd a, x, y;
    std::vector<RigidFriction::Slopes> friction;  ///< stage by stage, of the joints that slip
    Eigen::MatrixXd inverse;
    Eigen::VectorXd end_x, end_y;
    bool solved;
  };
  struct Event {
    enum class Kind { none, stop, kink, release };
    Kind kind = Kind::none;
    double length = 0;  ///< until then, an angle
    std::size_t joint = 0;
    double kink = 0;
    Eigen::VectorXd towards;  ///< the acceleration that a release begins with
  };
  /// A joint on its way.
  struct Joint {
    RigidFriction law;
    AnyState rest, state;
    double place = 0;  ///< of the law
    int side = 0;      ///< towards which it slips; 0: it sticks
  };

  void begin(const Eigen::VectorXd& push, double omega);
  void close();
  bool run_period(bool recording, Eigen::Index columns);
  void advance(double theta, bool recording, int depth);
  void load(double to, Step& step) const;
  void solve(Step& step);
  void invert(const Step& step);
  bool smooth(const Step& step);
  Step step_to(double length);
  Event first_event(const Step& step);
  void look_for_stop(const Step& step, std::size_t slipping, Event& first);
  void look_for_kink(const Step& step, std::size_t slipping, Event& first);
  void look_for_release(const Step& step, Event& first);
  void trace_release(double length, Eigen::VectorXd beyond, Event& first);
  double length_to_slowest(const Step& step, std::size_t slipping);
  void take(const Step& step, const Event& event, bool recording);
  void note(const Step& step, int stage, const Eigen::MatrixXd& by_u);
  void stop(std::size_t j, bool recording);
  void release(const Eigen::VectorXd& towards, bool recording);
  void choose_sides();
  void move_as_sides_allow();
  void collect_stuck();
  void tell_courses(const std::vector<int>& before);
  std::vector<int> sides() const;

  Eigen::VectorXd push_at(double theta) const;
  double motion_of(std::size_t j, const Eigen::VectorXd& q) const {
    return along_.col(column(j)).dot(q);
  }
  bool stands(std::size_t j) const {
    return std::abs(motion_of(j, v_)) <= 1e-13 * omega_ * reach_ * along_.col(column(j)).norm();
  }
  static Eigen::Index column(std::size_t j) { return static_cast<Eigen::Index>(j); }
  /// What is left of the push for stuck joints and for the acceleration.
  Eigen::VectorXd left_over(const Eigen::VectorXd& push, const Eigen::VectorXd& u,
                            const Eigen::VectorXd& v, double after);
  Eigen::VectorXd left_over_at_end(const Step& step);
  /// By the stuck joints, at a stage of a step.
  Eigen::VectorXd to_hold(const Step& step, int stage) const;
  Eigen::VectorXd acceleration_at_end(const Step& step);
  double displacement_at_end(std::size_t slipping, const Step& step) const;
  double velocity_at_end(std::size_t slipping, const Step& step) const;
  Eigen::VectorXd to_hold(double length);  ///< by the stuck joints, after that length
  Eigen::VectorXd free_part(const Eigen::VectorXd& force) const;
  /// The acceleration that stuck joints cannot hold back; empty if they can.
  Eigen::VectorXd not_held(const Eigen::VectorXd& force) const;
  Eigen::VectorXd holds(const Eigen::VectorXd& force) const;
  Eigen::MatrixXd closing(const Eigen::MatrixXd& error) const;
  void sum();
  void close_sums();
  bool rest_in_place(bool with_jacobian);
  void tell_end(bool with_jacobian);
  void tell_reply(const Eigen::MatrixXd& by, const Eigen::MatrixXd& by_gap);
  void tell_status();
  Eigen::MatrixXd force_of(const Eigen::MatrixXd& motion, const Eigen::MatrixXd& gap) const;
  Eigen::MatrixXd directions_at_rest() const;

  int harmonics_;
  Eigen::MatrixXd along_, damping_, stiffness_;
  Eigen::VectorXd at_;
  std::vector<Joint> joints_;
  bool timed_ = false;
  double noise_ = 0;     ///< of the laws
  double cell_;          ///< angle between points of the grid
  RowMatrix grid_rows_;  ///< Fourier functions at the stages of all cells

  // The evaluation at hand.
  Eigen::MatrixXd push_, grid_push_;
  double omega_ = 1;
  double push_size_ = 0;
  double reach_ = 0;  ///< a displacement the push may cause
  Status status_ = Status::ok;

  // The body on its way.
  double theta_ = 0;
  Eigen::VectorXd u_, v_;
  std::vector<std::size_t> stuck_, slipping_;
  Eigen::MatrixXd stuck_along_;  ///< c of these
  Eigen::VectorXd low_, high_;   ///< their limits
  Eigen::MatrixXd shares_;       ///< of a force, in proportion to the limits
  Eigen::MatrixXd free_;         ///< orthonormal directions that they leave, and what is there:
  Eigen::MatrixXd free_damping_, free_stiffness_, free_along_;  ///< c of joints that slip
  struct {
    double h = 0;
    std::vector<RigidFriction::Slopes> friction;
    Eigen::MatrixXd inverse;
  } last_;              ///< of the last steps; often the next has the same inverse
  double held_ = 0;     ///< angle until which nothing lets go, after a start in vain
  Eigen::MatrixXd by_;  ///< of u and v, by the coefficients if wanted and by the start
  int events_ = 0;

  // Of a recorded period.
  Eigen::MatrixXd motion_;      ///< coefficients of q
  Eigen::MatrixXd by_motion_;   ///< their derivatives
  Eigen::Index nodes_ = 0;      ///< noted so far; a row for each of them:
  RowMatrix node_rows_, by_u_;  ///< Fourier functions times the weight, derivatives of q
  PeriodicForce reply_;
  std::vector<Answer> answers_;
  PeriodEnd end_;

  bool warm_ = false;
  Eigen::VectorXd start_u_, start_v_;
};

}  // namespace microslip::dynamics
