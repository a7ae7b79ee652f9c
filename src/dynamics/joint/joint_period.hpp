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

  int harmonics;
  PeriodicOptions options;
  bool rate_dependent;
  PeriodicMotion motion;
  LawWalk law;
  bool odd = false;       ///< law and motion: half a period tells the other
  bool doubtful = false;  ///< the law is odd as far as its parameters were looked at
  bool half = false;   ///< the nodes are those of the first half; the other is the same, mirrored
  bool found = false;  ///< the closed loop was solved for, with its derivatives
  std::vector<Node> nodes;
  std::vector<std::size_t> counted;  ///< nodes with a weight
  RowMatrix basis, slope_basis;      ///< a row per node: functions and their slopes
  Eigen::VectorXd slopes;            ///< q′ at the nodes, for laws asked for their velocity
  std::vector<double> forces;        ///< at the steps of `advance`
  JointLoop loop;
  PeriodicForce result;
};

}  // namespace microslip::dynamics
