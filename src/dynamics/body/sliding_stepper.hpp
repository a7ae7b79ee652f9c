#pragma once

#include <Eigen/Core>
#include <cmath>
#include <vector>

#include "dynamics/rigid/contact_set.hpp"

namespace microslip::dynamics {

/// A body with rigid friction on its way, and the steps that it can take from where it is while the
/// same joints stick: the Gauss method of order six, and the derivatives that a step carries along.
class SlidingStepper {
 public:
  using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

  Eigen::Index size() const { return at_.size(); }
  int harmonics() const { return harmonics_; }
  const Eigen::MatrixXd& damping() const { return damping_; }
  const Eigen::MatrixXd& stiffness() const { return stiffness_; }
  /// Where a preload left it.
  const Eigen::VectorXd& at() const { return at_; }
  ContactSet& contacts() { return contacts_; }
  const ContactSet& contacts() const { return contacts_; }

  /// The force of the period, its frequency, and a displacement that it may cause.
  const Eigen::MatrixXd& excitation() const { return excitation_; }
  const Eigen::MatrixXd& grid_excitation() const { return grid_excitation_; }
  double cell() const { return cell_; }
  double omega() const { return omega_; }
  double reach() const { return reach_; }

  /// Where it is, with derivatives of u and v: by the coefficients and ω if wanted, and by the start.
  const Eigen::VectorXd& u() const { return u_; }
  const Eigen::VectorXd& v() const { return v_; }
  const Eigen::MatrixXd& derivatives() const { return derivatives_; }

  static Eigen::Index column(std::size_t j) { return static_cast<Eigen::Index>(j); }

 protected:
  /// In the directions that stuck joints leave free, from where the body is: x, its velocity y and
  /// acceleration a, a column for each stage.
  struct Step {
    double to = 0;               ///< angle
    double h = 0;                ///< time
    const double* rows = {};     ///< Fourier functions at the stages, one stage after the other
    RowMatrix own_rows;          ///< those of a step that is not one of the grid
    Eigen::MatrixXd excitation;  ///< all of it
    Eigen::MatrixXd free_excitation;  ///< what moves the free directions where they are
    Eigen::MatrixXd a, x, y;
    std::vector<RigidFriction::Slopes> friction;  ///< stage by stage, of the joints that slip
    Eigen::MatrixXd inverse;
    Eigen::VectorXd end_x, end_y;
    bool solved = false;
  };

  SlidingStepper(ContactSet contacts, int harmonics, const Eigen::MatrixXd& damping,
                 const Eigen::MatrixXd& stiffness, const Eigen::VectorXd& at);
  ~SlidingStepper() = default;

  void begin(const Eigen::VectorXd& excitation, double omega);
  void load(double to, Step& step) const;
  void solve(Step& step);
  const Step& step_to(double length);
  bool smooth(const Step& step);
  void carry_derivatives(const Step& step, RowMatrix* stage_derivatives, Eigen::Index first);
  void take_sides();
  void look_around();

  const std::vector<std::size_t>& slipping() const { return contacts_.slipping(); }
  double motion_of(std::size_t j, const Eigen::VectorXd& q) const {
    return contacts_.along(j).dot(q);
  }
  bool stands(std::size_t j) const {
    return std::abs(motion_of(j, v_)) <= 1e-13 * omega_ * reach_ * contacts_.length(j);
  }
  /// What is left of the force for stuck joints and for the acceleration.
  Eigen::VectorXd unbalanced_force(const Eigen::VectorXd& excitation, const Eigen::VectorXd& u,
                                   const Eigen::VectorXd& v, double after);
  Eigen::VectorXd stuck_part(const Eigen::VectorXd& force) const {
    return force - contacts_.free_part(force);
  }
  // These answer in memory that the next call of the same function uses again.
  const Eigen::VectorXd& excitation_at(double theta);
  const Eigen::VectorXd& acceleration_at_end(const Step& step);
  /// By the stuck joints, at a stage of a step, at its end, and after that length.
  const Eigen::VectorXd& to_hold(const Step& step, int stage);
  const Eigen::VectorXd& to_hold_at_end(const Step& step);
  const Eigen::VectorXd& to_hold(double length);
  double displacement_at_end(std::size_t slipping, const Step& step) const;
  double velocity_at_end(std::size_t slipping, const Step& step) const;

  int harmonics_;
  Eigen::MatrixXd damping_, stiffness_;
  Eigen::VectorXd at_;
  ContactSet contacts_;
  double cell_;          ///< angle between points of the grid
  RowMatrix grid_rows_;  ///< Fourier functions at the stages of all cells
  RowMatrix end_rows_;   ///< and at their ends

  Eigen::MatrixXd excitation_, grid_excitation_, end_excitation_;
  double omega_ = 1;
  double excitation_size_ = 0;
  double reach_ = 0;

  double theta_ = 0;
  Eigen::VectorXd u_, v_;
  Eigen::MatrixXd derivatives_;
  /// In the free directions; along: c of joints that slip.
  Eigen::MatrixXd free_damping_, free_stiffness_, free_along_;
  struct {
    Eigen::VectorXd y;             ///< velocity in the free directions
    Eigen::VectorXd springs;       ///< K u
    Eigen::VectorXd free_springs;  ///< in the free directions
    Eigen::VectorXd places;        ///< of the joints that slip
  } here_;

 private:
  template <class Sizes>
  void solve_in(Step& step);
  template <class Sizes>
  void invert_in(const Step& step);
  template <class Sizes>
  void carry_in(const Step& step, RowMatrix* stage_derivatives, Eigen::Index first);
  void leave_stuck_part();

  Eigen::MatrixXd damping_of_free_, stiffness_of_free_;  ///< forces by motions of free directions
  struct {
    double h = 0;
    std::vector<RigidFriction::Slopes> friction;
    Eigen::MatrixXd inverse;
  } last_;  ///< of the last steps; often the next has the same inverse

  // Memory of steps, used again and again.
  Step trial_;
  Eigen::VectorXd row_, acceleration_, hold_;
  struct {
    double theta = -1;
    Eigen::VectorXd value;
  } excitation_there_;
};

}  // namespace microslip::dynamics
