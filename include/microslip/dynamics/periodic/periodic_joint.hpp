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
/// Rigid friction that may stick has a force that does not follow from the motion; such joints slide
/// on bodies instead (src/dynamics/rigid/sliding_body.hpp).

#include <Eigen/Core>
#include <memory>
#include <vector>

#include "microslip/core/any_dual_model.hpp"
#include "microslip/core/any_model.hpp"
#include "microslip/dynamics/periodic/periodic_element.hpp"

namespace microslip::dynamics {

enum class Rule { event_exact, sampled };

struct PeriodicOptions {
  Rule rule = Rule::event_exact;
  int samples = 1024;  ///< of the sampled rule
  int level = 0;       ///< of refinement: 0 aims at 1e-9; from 1 on pieces are halved as needed
  /// Amplitudes are asked for, as of free motions: bodies that joints slide on are off resonance.
  bool given_amplitude = false;
  /// Frequency about which a response is looked for; 0: not known. Bodies are chosen for it.
  double around = 0;
  double closure = 1e-13;  ///< largest change of force over a round, relative to the largest force
  int most_rounds = 2000;  ///< slow memories (small loops of smooth laws) fade over hundreds
};

/// The path element: its input is the motion of a joint.
class PeriodicJoint final : public PeriodicElement {
 public:
  /// `before` is where a preload took the law, turning point by turning point.
  PeriodicJoint(const AnyModel& model, int harmonics, const PeriodicOptions& options = {},
                std::vector<double> before = {});

  const PeriodicForce& evaluate(const Eigen::VectorXd& q, double omega, bool with_jacobian);
  void respond(const Eigen::VectorXd& q, const Eigen::VectorXd& own, double omega,
               bool with_jacobian) override;
  /// Of the last evaluation.
  const PeriodicForce& reply() const override { return result_; }
  const PeriodicForce& force(std::size_t /*member*/) const override { return result_; }
  const Loop& loop(std::size_t /*member*/) const override { return loop_; }
  LinearisedLoop linearise(const Eigen::VectorXd& q, int steps);
  LinearisedLoop linearise(std::size_t /*member*/, const Eigen::VectorXd& q, int steps) override {
    return linearise(q, steps);
  }
  const Loop& loop() const { return loop_; }
  /// Angles at which the motion of the last evaluation reverses.
  const std::vector<double>& reversals() const { return reversals_; }
  const AnyModel& model() const { return model_; }
  PeriodicOptions& options() { return options_; }
  const PeriodicOptions& options() const { return options_; }
  int harmonics() const { return harmonics_; }
  /// Whether the force depends on how fast the motion is.
  bool rate_dependent() const { return rate_dependent_; }
  bool depends_on_frequency() const override { return rate_dependent_; }
  /// The state of rate-dependent laws between nodes is not known to first order.
  bool linearises() const override { return !rate_dependent_; }
  /// A velocity is known through a short step, which costs digits.
  double noise() const override { return rate_dependent_ ? 1e-9 : 0; }
  bool drifts(const Eigen::VectorXd& q, double omega) override;
  double truncation(const Eigen::VectorXd& q, double omega, const Surroundings& s) override;
  double quadrature(const Eigen::VectorXd& q, double omega) override;

 private:
  struct Node {
    double theta;
    double weight;  ///< 0 at reversals, where the law stops but nothing is summed
    double u;
    int reversal = -1;  ///< its number, at a reversal
  };
  /// The nodes between two events.
  struct Piece {
    std::size_t first, count;
    double from, to;
    bool weak_start, weak_end;  ///< kinks that leave the tangent continuous
    std::size_t reversal;       ///< the last one
  };
  /// Where a law changes its course between two reversals, before a node.
  struct Kink {
    std::size_t node;
    double theta, u;
    std::size_t reversal;  ///< the last one
  };
  /// What is left of the way from one reversal to the next, as the law in scratch_ walks it.
  struct Leg {
    double from, to;  ///< angles
    double target;
    int direction;
    int kinks = 0;  ///< passed
  };
  struct KinkAhead {
    double theta, u;
    bool weak = false;  ///< the tangent is continuous there
  };
  using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

  void find_reversals(const Eigen::VectorXd& q);
  void add_passages(const Eigen::VectorXd& q, double level, std::vector<double>& angles) const;
  void start();
  bool advance(double u, double dt);
  void pair_reversals(const Eigen::VectorXd& q);
  void keep_parity();
  bool find_state_numbers();
  void find_mirror(double u);
  void march_to_closed_loop();
  bool solve_half_loop();
  bool jump_to_closed_loop(std::vector<double>& last);
  WideDual turning(std::size_t reversal, Eigen::Index seed, Eigen::Index width) const;
  bool start_round_by_duals();
  bool run_round(Eigen::Index chunk, std::size_t reversals);
  void close_derivatives();
  void close_half_derivatives();
  bool go_to_closed_loop(Eigen::Index chunk);
  void plan_events(const Eigen::VectorXd& q);
  void plan_legs();
  Leg leg_after(std::size_t reversal) const;
  bool find_kink(const Eigen::VectorXd& q, const Leg& leg, KinkAhead& ahead) const;
  void pass(Leg& leg, KinkAhead& ahead);
  void add_leg(double from, double to);
  void plan_samples();
  void add_piece(const Eigen::VectorXd& q, double from, double to, std::size_t depth);
  Eigen::VectorXd piece_sum(const Eigen::VectorXd& q, std::size_t first, std::size_t depth);
  void add_gauss(const Piece& piece, std::vector<Piece>& parts);
  std::size_t wanted_nodes(const Piece& piece) const;
  void add_nodes(const Piece& piece);
  std::size_t missing_nodes(const Piece& piece, std::size_t place) const;
  bool refine(const Eigen::VectorXd& q, bool with_jacobian);
  void move_nodes(const std::vector<std::size_t>& counts);
  void move_results(const std::vector<Piece>& before);
  bool run_piece(const Piece& piece, std::size_t place, bool with_jacobian);
  void add_reversal(std::size_t number);
  void fill_basis(const Eigen::VectorXd& q);
  void fill_node(const Eigen::VectorXd& q, std::size_t node);
  void resize_loop();
  void record(std::size_t place, const Node& node, double f, double tangent);
  void keep(std::size_t place, const Node& node, const WideDual& f, Eigen::Index chunk);
  void run_timeless(const Eigen::VectorXd& q);
  void run_every_node(double omega);
  bool run_nodes(double omega);
  bool solve_period(double omega);
  struct Sensitivity;
  bool step_by_duals(double u, double dt, bool move);
  bool run_by_duals(double omega, Sensitivity& at, bool with_forces);
  bool run_period_by_duals(double omega, bool with_forces);
  void jacobian_of_period(double omega);
  void find_slope_by_omega(double omega, const Eigen::MatrixXd& slope,
                           const Eigen::VectorXd& units);
  void find_difference_by_omega(const Eigen::VectorXd& q, double omega);
  void evaluate_loop(const Eigen::VectorXd& q, double omega, bool with_jacobian);
  bool reference_by_duals(double omega, Eigen::MatrixXd& by_motion);
  void sum_force();
  void rest_motion(double u, bool with_jacobian);
  void jacobian_from_reversals();
  bool run_with_memory(const Eigen::VectorXd& q);
  bool run_chunk(Eigen::Index chunk);
  void jacobian_from_seeds(double omega);
  double jump_at(std::size_t reversal) const;
  void add_jumps(const Eigen::VectorXd& q);
  void add_breaks(const Eigen::VectorXd& q);
  void seeds_of_chunk(Eigen::Index chunk, double omega);
  double time_to(std::size_t node, double omega) const;
  double probe_time(double omega) const;
  double force_at(std::size_t node, double omega);

  AnyModel model_;
  AnyDualModel dual_;
  int harmonics_;
  PeriodicOptions options_;
  std::vector<double> before_;
  bool rate_dependent_, rigid_;
  bool odd_law_;                          ///< and no static load came before
  bool odd_ = false;                      ///< so is the motion: half a period tells the other
  std::unique_ptr<PeriodicJoint> finer_;  ///< with twice the harmonics, once it was needed

  RowMatrix slope_grid_;  ///< q′ on equal angles, where reversals are looked for
  std::vector<double> reversals_, turning_values_;
  double least_ = 0, most_ = 0;  ///< of the turning values
  std::vector<Node> nodes_;
  std::vector<Piece> pieces_;
  std::vector<Kink> kinks_;
  RowMatrix basis_, slope_basis_;  ///< a row per node: functions and their slopes
  Eigen::VectorXd slopes_;         ///< q′ at the nodes, for laws asked for their velocity
  AnyState rest_, state_, scratch_, piece_walk_, begin_state_;
  std::vector<AnyState> piece_states_;
  double largest_force_ = 0;
  AnyState dual_rest_, dual_state_, dual_closed_, dual_scratch_;  ///< closed: where the loop starts
  /// Where the numbers of state_ and dual_state_ lie, for laws whose closed loop can be looked for.
  std::vector<double*> numbers_;
  std::vector<WideDual*> dual_numbers_, dual_scratch_numbers_;
  bool found_ = false;            ///< the closed loop was solved for, with its derivatives
  Eigen::VectorXd begin_, end_;   ///< numbers of a round, but for u
  Eigen::VectorXd mirror_;        ///< −1 for numbers that change their sign with the motion
  Eigen::MatrixXd by_begin_;      ///< end of a round by its begin and by what moves
  Eigen::MatrixXd by_reversals_;  ///< the state of the closed loop by the reversals
  Eigen::MatrixXd by_numbers_;    ///< forces at the nodes by the begin and by the motion
  Eigen::MatrixXd step_slopes_;   ///< of the last step on dual numbers
  Eigen::VectorXd force_slopes_;  ///< and of its force
  std::vector<double> times_;
  PeriodicForce result_;
  Loop loop_;
  std::vector<std::size_t> counted_;  ///< nodes with a weight
  std::vector<double> forces_;
  std::vector<WideDual> dual_u_, dual_f_, dual_probe_;
  RowMatrix memory_;  ///< a row per node with a weight: force by reversals
  RowMatrix old_basis_, old_memory_;
};

}  // namespace microslip::dynamics
