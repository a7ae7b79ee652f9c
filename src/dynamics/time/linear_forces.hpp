#pragma once

#include <Eigen/Core>
#include <vector>

#include "microslip/dynamics/structure/structure.hpp"

namespace microslip::dynamics {

/// The linear forces of a structure, M a + C v + K x, in one pass over its matrices: row by row, so
/// that every number of a large structure is read once and no product is kept.
class LinearForces {
 public:
  explicit LinearForces(const Structure& structure);

  /// What the same pass says about x and v.
  struct Sums {
    double kinetic = 0, viscous = 0, elastic = 0;  ///< vᵀMv, vᵀCv, xᵀKx
    double momentum = 0, spring = 0;               ///< largest of |Mv| and of |Kx|
  };

  Sums sums(const Eigen::VectorXd& v, const Eigen::VectorXd& x) const;
  /// result = M a + C v + K x − load, and the sums if they are wanted.
  void residual(const Eigen::VectorXd& a, const Eigen::VectorXd& v, const Eigen::VectorXd& x,
                const Eigen::VectorXd& load, Eigen::VectorXd& result, Sums* sums = nullptr) const;

 private:
  struct Pass {
    const double *a, *v, *x, *load;
    double* result;
    Eigen::Index size;
  };
  template <bool diagonal, bool damped, bool residual, bool summed>
  void run(const Pass& pass, Sums& sums) const;
  template <bool residual, bool summed>
  void choose(const Pass& pass, Sums& sums) const;

  // Rows of the union of the three patterns. A diagonal M has no part in it.
  std::vector<int> start_, column_;
  std::vector<double> mass_, damping_, stiffness_;
  bool diagonal_, damped_;
};

}  // namespace microslip::dynamics
