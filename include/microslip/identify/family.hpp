#pragma once

#include <Eigen/Core>
#include <functional>
#include <string>
#include <vector>

#include "microslip/dynamics/structure/structure.hpp"

/// Structures in which some numbers are unknown, and their derivatives with respect to these.
namespace microslip::identify {

/// A number of a structure that is looked for.
struct Unknown {
  std::string name;  ///< its address, "joint[1].Fs"
  double start = 1;
  double lower = 0, upper = 0;
  bool logarithmic = false;  ///< positive, of unknown size: the search moves its logarithm
  bool given = false;        ///< the caller knows where to start
  /// Of a law: the joint from 0, its parameter and the entry of a list. −1: of the linear part.
  int joint = -1;
  std::string parameter{};
  std::size_t element = 0;
  /// `start` is that of a joint with this stiffness and displacement; for others it goes with these powers of them.
  double by_stiffness = 0, by_length = 0;
  double stiffness = 1, length = 1;
  /// The search moves the ratio to this unknown; `lower` and `upper` are bounds of the ratio. −1: the number itself.
  int ratio_to = -1;
};

/// The structure with given values of the unknowns. Throws Error where a law refuses them.
using Build = std::function<dynamics::Structure(const Eigen::VectorXd&)>;

/// Puts the direction `direction` on an unknown of a law in `values`, for AnyModel::dual.
void seed(const AnyModel& law, const Unknown& unknown, int direction, DualValues& values);

/// What motions need of a structure at one point p of the unknowns. The linear part is dense.
struct System {
  struct Joint {
    AnyModel law;
    std::vector<int> unknowns;  ///< places in p of its parameters
    double stiffness = 0;       ///< at rest
  };
  Eigen::Index size = 0;
  Eigen::MatrixXd M, C, K;
  Eigen::MatrixXd W;  ///< a column for each joint
  std::vector<Joint> joints;
  std::vector<dynamics::Load> loads;
  /// With respect to each unknown; an empty matrix is zero.
  std::vector<Eigen::MatrixXd> dM, dC, dK;
  std::vector<std::vector<dynamics::Load>> d_loads;  ///< directions and amplitudes; empty: zero
  const std::vector<Unknown>* unknowns = nullptr;

  /// The law of a joint whose parameters move along the directions `first` … `first` + 7 of the
  /// unknowns.
  AnyDualModel dual(std::size_t joint, Eigen::Index first) const;
};

/// Throws Error for structures that identification does not take: interfaces, rigid laws, laws driven by force,
/// more than `most_freedoms` degrees of freedom.
void check_structure(const dynamics::Structure& structure);
inline constexpr Eigen::Index most_freedoms = 200;

/// The linear part depends on each unknown as a polynomial of low degree, or smoothly through modal damping:
/// central differences of the matrices are exact for what is linear in an unknown.
System system_at(const Build& build, const std::vector<Unknown>& unknowns, const Eigen::VectorXd& p,
                 bool derivatives);

}  // namespace microslip::identify
