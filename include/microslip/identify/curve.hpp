#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "microslip/identify/family.hpp"
#include "microslip/identify/motion.hpp"

/// Frequency and damping of a mode against its amplitude, and the loop of a single joint.
namespace microslip::identify {

struct CurveTask {
  std::vector<double> amplitude;  ///< of the first harmonic, at `place`
  Place place;
  int mode = 0;         ///< from 0, of the structure with stuck joints
  bool energy = false;  ///< damping by the energy of a cycle, D/(2πω²a²); false: by the decrement
};

struct Curve {
  Eigen::VectorXd omega, zeta;
  std::string failure{};
};

/// Harmonic linearisation: each joint is the spring that its first harmonic shows, the shape that of the structure
/// with these springs. The decrement divides by the change of energy with the amplitude, in which joints count with
/// the force at which they turn.
Curve curve(const System& system, const CurveTask& task);

/// A path of one joint and its forces.
struct LoopTask {
  std::size_t joint = 0;
  std::vector<double> u, dt;  ///< dt of each row since the one before; empty: all alike
  bool periodic = false;      ///< the path has been gone along before
};

struct LoopForces {
  Eigen::VectorXd f;
  Eigen::MatrixXd derivatives;  ///< by the unknowns
  std::string failure{};
};

LoopForces loop(const System& system, const LoopTask& task, bool derivatives);

}  // namespace microslip::identify
