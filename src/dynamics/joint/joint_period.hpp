#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <vector>

#include "dynamics/joint/law_walk.hpp"
#include "dynamics/joint/periodic_force.hpp"
#include "dynamics/joint/periodic_motion.hpp"
#include "microslip/dynamics/joint/periodic_options.hpp"

namespace microslip::dynamics {

/// One period of a joint while it is worked out: what the parts of PeriodicJoint share.
struct JointPeriod {
  struct Node {
    double theta;
    double weight;  ///< 0 where the law only stops: at reversals and between the nodes of a rule
    double u;
    int reversal = -1;  ///< its number, at a reversal
    bool counts() const { return weight > 0; }
  };

  JointPeriod(const AnyModel& model, int order, const PeriodicOptions& how,
              std::vector<double> before);

  /// From rest to the first reversal.
  void start();
  bool advance(double u, double dt);
  void add_reversal(std::size_t number);
  /// The Fourier functions at all nodes, and the displacements there.
  void fill_basis();
  void fill_node(std::size_t node);
  void resize_loop();
  void record(std::size_t place, const Node& node, double f, double tangent);
  /// The coefficients of the force.
  void sum_force();
  /// Adds the second half of nodes and loop, the first one mirrored.
  void mirror_first_half();

  // Set once, by the constructor.
  int harmonics;
  PeriodicOptions options;  ///< PeriodicJoint refines `level` to estimate errors
  bool rate_dependent;

  // Set by PeriodicJoint for each motion.
  PeriodicMotion motion;
  /// Law and motion: the second half is minus the first. Given up by ClosedLoop and RateDependentLoop where
  /// the loop shows otherwise.
  bool odd = false;

  // Set by the one that comes to the closed loop: ClosedLoop, or RateDependentLoop for laws in time.
  LawWalk law;
  bool found = false;          ///< the closed loop was solved for, with its derivatives
  std::vector<double> forces;  ///< at the steps of `advance`

  // Set by the one that plans the nodes: EventNodes, RateDependentLoop, or PeriodicJoint for equal samples.
  std::vector<Node> nodes;
  std::vector<std::size_t> counted;  ///< nodes with a weight
  bool half = false;  ///< the nodes are those of the first half; the other is the same, mirrored

  // Set by fill_basis and fill_node; EventLoop takes over rows of an earlier evaluation.
  RowMatrix basis, slope_basis;  ///< a row per node: functions and their slopes
  Eigen::VectorXd slopes;        ///< q′ at the nodes, for laws asked for their velocity

  // The result. EventLoop or RateDependentLoop record the loop and find the Jacobian, sum_force the
  // coefficients; ClosedLoop or RateDependentLoop say after how many rounds the loop closed, or that it did not.
  JointLoop loop;
  PeriodicForce result;
};

}  // namespace microslip::dynamics
