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

#include "dynamics/rigid/contact_set.hpp"
#include "dynamics/rigid/sliding_course.hpp"
#include "microslip/dynamics/periodic/periodic_element.hpp"

namespace microslip::dynamics {

class SlidingBody final : public PeriodicElement {
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

  Eigen::Index inputs() const override { return size(); }
  Eigen::Index unknowns() const override { return 2 * size(); }
  /// The sum of the friction under a force of these Fourier coefficients, r numbers for each
  /// function, over a period that begins with these u and v/ω. If it is far from closed, the closed
  /// period near it counts, and end().by_start is empty: the start follows the force.
  void respond(const Eigen::VectorXd& push, const Eigen::VectorXd& start, double omega,
               bool with_jacobian) override;
  /// The same for the period as it is, closed or not. Returns whether the body comes to rest.
  bool respond_open(const Eigen::VectorXd& push, const Eigen::VectorXd& start, double omega,
                    bool with_jacobian);
  bool close(const Eigen::VectorXd& push, double omega, Eigen::VectorXd& start) override;
  /// The reply of the closed period, with derivatives that follow its start.
  void respond_closed(const Eigen::VectorXd& push, double omega, bool with_jacobian);

  const PeriodicForce& reply() const override { return reply_; }
  const PeriodicForce& force(std::size_t member) const override { return answers_[member].force; }
  const Loop& loop(std::size_t member) const override { return answers_[member].loop; }
  LinearisedLoop linearise(std::size_t member, const Eigen::VectorXd& push, int steps) override;
  const std::vector<Answer>& answers() const { return answers_; }
  bool depends_on_frequency() const override { return true; }
  double noise() const override { return contacts_.noise(); }
  double truncation(const Eigen::VectorXd& push, double omega, const Surroundings& s) override;

  Eigen::Index size() const { return at_.size(); }
  /// (K − h²ω² + ihωC) q of Fourier coefficients, function by function.
  Eigen::MatrixXd through(const Eigen::MatrixXd& q, double omega) const;

 private:
  using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  /// In the directions that stuck joints leave free, from where the body is: x, its velocity y and
  /// acceleration a, a column for each stage.
  struct Step {
    double to = 0;              ///< angle
    double h = 0;               ///< time
    const double* rows = {};    ///< Fourier functions at the stages, one stage after the other
    RowMatrix own_rows;         ///< those of a step that is not one of the grid
    Eigen::MatrixXd push;       ///< all of it
    Eigen::MatrixXd free_push;  ///< what moves the free directions where they are
    Eigen::MatrixXd a, x, y;
    std::vector<RigidFriction::Slopes> friction;  ///< stage by stage, of the joints that slip
    Eigen::MatrixXd inverse;
    Eigen::VectorXd end_x, end_y;
    bool solved = false;
  };
  struct Event {
    enum class Kind { none, stop, kink, release };
    Kind kind = Kind::none;
    double length = 0;  ///< until then, an angle
    std::size_t joint = 0;
    double kink = 0;
    ContactSet::Plane plane{};  ///< of a release
  };

  void begin(const Eigen::VectorXd& push, double omega);
  bool find_closed(Eigen::VectorXd& start, bool has_run);
  void follow_closed();
  bool run_period(bool recording, Eigen::Index columns);
  void advance(double theta, bool recording, int depth);
  void load(double to, Step& step) const;
  void solve(Step& step);
  template <class Sizes>
  void solve_in(Step& step);
  template <class Sizes>
  void invert_in(const Step& step);
  bool smooth(const Step& step);
  const Step& step_to(double length);
  Event first_event(const Step& step);
  void look_for_stop(const Step& step, std::size_t slipping, Event& first);
  void look_for_kink(const Step& step, std::size_t slipping, Event& first);
  void look_for_release(const Step& step, Event& first);
  void trace_release(double length, ContactSet::Decision beyond, Event& first);
  double length_to_slowest(const Step& step, std::size_t slipping);
  void take(const Step& step, const Event& event, bool recording);
  template <class Sizes>
  void carry_derivatives(const Step& step, bool recording);
  void make_room();
  void note(const Step& step, int stage);
  void stop(std::size_t j, bool recording);
  void release(const ContactSet::Plane& plane, bool recording);
  void choose_sides();
  void take_sides();
  void look_around();
  void record_rests(const std::vector<int>& before);

  const std::vector<std::size_t>& slipping() const { return contacts_.slipping(); }
  double motion_of(std::size_t j, const Eigen::VectorXd& q) const {
    return contacts_.along(j).dot(q);
  }
  bool stands(std::size_t j) const {
    return std::abs(motion_of(j, v_)) <= 1e-13 * omega_ * reach_ * contacts_.length(j);
  }
  static Eigen::Index column(std::size_t j) { return static_cast<Eigen::Index>(j); }
  /// What is left of the force for stuck joints and for the acceleration.
  Eigen::VectorXd left_over(const Eigen::VectorXd& push, const Eigen::VectorXd& u,
                            const Eigen::VectorXd& v, double after);
  Eigen::VectorXd held_part(const Eigen::VectorXd& force) const {
    return force - contacts_.free_part(force);
  }
  // These answer in memory that the next call of the same function uses again.
  const Eigen::VectorXd& push_at(double theta);
  const Eigen::VectorXd& acceleration_at_end(const Step& step);
  /// By the stuck joints, at a stage of a step, at its end, and after that length.
  const Eigen::VectorXd& to_hold(const Step& step, int stage);
  const Eigen::VectorXd& to_hold_at_end(const Step& step);
  const Eigen::VectorXd& to_hold(double length);
  void leave_held_part();
  double displacement_at_end(std::size_t slipping, const Step& step) const;
  double velocity_at_end(std::size_t slipping, const Step& step) const;
  Eigen::MatrixXd closing(const Eigen::MatrixXd& by_start, const Eigen::MatrixXd& error) const;
  void sum();
  bool rest_in_place(bool with_jacobian);
  void set_end(bool with_jacobian);
  void set_reply(const Eigen::MatrixXd& by, const Eigen::MatrixXd& by_gap);
  void set_status();
  Eigen::MatrixXd force_of(const Eigen::MatrixXd& motion, const Eigen::MatrixXd& gap) const;
  Eigen::MatrixXd directions_at_rest() const;

  int harmonics_;
  Eigen::MatrixXd damping_, stiffness_;
  Eigen::VectorXd at_;
  ContactSet contacts_;
  double cell_;          ///< angle between points of the grid
  RowMatrix grid_rows_;  ///< Fourier functions at the stages of all cells
  RowMatrix end_rows_;   ///< and at their ends

  // The evaluation at hand.
  Eigen::MatrixXd push_, grid_push_, end_push_;
  double omega_ = 1;
  double push_size_ = 0;
  double reach_ = 0;  ///< a displacement the force may cause
  Status status_ = Status::ok;

  // The body on its way.
  double theta_ = 0;
  Eigen::VectorXd u_, v_;
  /// In the free directions; along: c of joints that slip.
  Eigen::MatrixXd free_damping_, free_stiffness_, free_along_;
  Eigen::MatrixXd damping_of_free_, stiffness_of_free_;  ///< forces by motions of free directions
  struct {
    Eigen::VectorXd y;             ///< velocity in the free directions
    Eigen::VectorXd springs;       ///< K u
    Eigen::VectorXd free_springs;  ///< in the free directions
    Eigen::VectorXd places;        ///< of the joints that slip
  } here_;
  struct {
    double h = 0;
    std::vector<RigidFriction::Slopes> friction;
    Eigen::MatrixXd inverse;
  } last_;              ///< of the last steps; often the next has the same inverse
  double held_ = 0;     ///< angle until which nothing lets go, after a rejected start of slip
  Eigen::MatrixXd by_;  ///< of u and v, by the coefficients if wanted and by the start
  int events_ = 0;

  // Memory of steps, used again and again.
  Step step_, trial_;
  Eigen::VectorXd row_, acceleration_, hold_;
  struct {
    double theta = -1;
    Eigen::VectorXd value;
  } push_there_;

  // Of a recorded period.
  Eigen::MatrixXd motion_;     ///< coefficients of q
  Eigen::MatrixXd by_motion_;  ///< their derivatives
  Eigen::Index nodes_ = 0;     ///< noted so far; a row for each of them:
  RowMatrix node_rows_;        ///< Fourier functions times the weight
  RowMatrix node_u_, by_u_;    ///< q, and its derivatives
  PeriodicForce reply_;
  std::vector<Answer> answers_;

  bool warm_ = false;
  Eigen::VectorXd start_u_, start_v_;
};

}  // namespace microslip::dynamics
