#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "microslip/core/any_model.hpp"
#include "microslip/dynamics/structure/direction.hpp"
#include "microslip/dynamics/structure/interface.hpp"
#include "microslip/dynamics/structure/load.hpp"

/// Structures with joints:  M x″ + C x′ + K x + Σ w_j f_j[w_jᵀx] = F(t).
///
/// The linear part is made of matrices, the joints are laws of any kind; nothing here knows which.
namespace microslip::dynamics {

/// A law between degrees of freedom: its displacement is wᵀx and its force acts along −w.
struct JointElement {
  AnyModel model;
  Direction w;
  std::string name{};  ///< for tables and pictures
  /// Laws side by side that are the same together, if known. Harmonic balance takes rigid friction among
  /// them by itself: beside it the others are functions of their path.
  std::vector<AnyModel> parts{};
};

/// A displacement that is written besides those of the degrees of freedom: wᵀx.
struct Sensor {
  std::string name;
  Direction w;
};

struct Structure {
  SparseMatrix M, C, K;
  std::vector<JointElement> joints;
  std::vector<Load> loads;
  std::vector<Sensor> sensors{};
  std::vector<InterfaceElement> interfaces{};

  Eigen::Index size() const { return M.rows(); }
};

/// Throws Error where there are interfaces that periodic motions cannot take, and where check_parts does.
void check(const Structure& structure);
/// Throws Error where sizes do not fit, M is not positive on its diagonal, a law is planar or
/// driven by force, or a matrix is not symmetric (C may be anything).
void check_parts(const Structure& structure);

/// Throws Error if there are interfaces or joints with several directions, which `analysis` cannot be combined
/// with.
void refuse_interfaces(const Structure& structure, const std::string& analysis);
/// The same for interfaces that are no joints with several directions.
void refuse_other_interfaces(const Structure& structure, const std::string& analysis);

/// Whether one of its joints has rigid friction: at rest it holds any force up to a limit, and a
/// moved reversal changes the force by more than its tangent.
bool rigid(const Structure& structure);

/// Stiffness of a joint for the smallest motion; of rate-dependent laws for a slow one.
double tangent_at_rest(const AnyModel& model);

}  // namespace microslip::dynamics
