#pragma once

#include <Eigen/LU>
#include <Eigen/SparseCore>
#include <list>
#include <memory>
#include <vector>

#include "dynamics/time/direction_factor.hpp"
#include "microslip/detail/numerics/dense.hpp"
#include "microslip/detail/numerics/sparse.hpp"
#include "microslip/dynamics/structure/structure.hpp"

namespace microslip::dynamics {

class MotionRecord;

/// Solves with the tangent of an implicit time step,
///
///     T = A + W S Wᵀ,   A = m M + c C + k K,   W the directions of joints and interfaces, S their slopes.
///
/// A depends on the step size alone, S changes in every iteration. A is therefore factorised once
/// for each step size (Cholesky; LU where A is not symmetric positive definite) and kept, together
/// with the flexibility G = Wᵀ A⁻¹ W. A solve is then Woodbury's formula,
///
///     T⁻¹ b = A⁻¹ (b − W q),   (I + S G) q = S Wᵀ A⁻¹ b,
///
/// two solves with a kept LU, one in two halves with Cholesky's factor, and a small dense system of
/// the joints whose slope is not zero.
/// Small structures are factorised as a whole, which is faster there. Copies share the factors.
class KeptFactor {
 public:
  explicit KeptFactor(const Structure& structure);

  /// The linear part. A factor whose numbers are the same up to rounding is used again: step sizes
  /// are differences of times.
  void set_linear_part(double m, double c, double k);
  /// Slopes of the joints, and a matrix of slopes for each interface.
  void set_slopes(const std::vector<double>& slopes,
                  const std::vector<Eigen::MatrixXd>& blocks = {});
  Eigen::VectorXd solve(const Eigen::VectorXd& b) const;

  /// Which linear parts are kept. They are factorised anew when they are read.
  void visit(MotionRecord& record);

  // The parts of Woodbury's formula, of large structures whose A is positive definite: joints that
  // hold what would fly away must not be taken apart from it.
  bool in_parts() const { return !small_ && kept_.front()->cholesky; }
  const DirectionFactor& linear_part() const { return *kept_.front()->cholesky; }
  const SparseMatrix& directions() const { return W_; }                              ///< W
  const Eigen::MatrixXd& flexibility() const { return kept_.front()->flexibility; }  ///< G
  /// (I + G S)⁻¹ d of displacements along the directions.
  Eigen::VectorXd solve_directions(const Eigen::VectorXd& d) const;

  // The same of small structures with interfaces and no joints: A⁻¹, A⁻¹ W and G.
  bool small() const { return small_; }
  const Eigen::MatrixXd& inverse() const { return kept_.front()->inverse; }
  const Eigen::MatrixXd& moved_by_directions() const { return kept_.front()->moved; }

 private:
  /// Of one linear part.
  struct Linear {
    double m = 0, c = 0, k = 0;
    std::unique_ptr<DirectionFactor> cholesky{};
    std::unique_ptr<sparse::Lu> lu{};    ///< if A has no Cholesky factor
    Eigen::MatrixXd flexibility{};       ///< G
    Eigen::MatrixXd dense{};             ///< A of a small structure
    Eigen::MatrixXd inverse{}, moved{};  ///< A⁻¹ and A⁻¹ W if it has interfaces
  };

  /// (I + S G)⁻¹ S d, zero where directions are not active.
  Eigen::VectorXd forces_of(const Eigen::VectorXd& d) const;
  /// S times a row for each active direction.
  void apply_slopes(Eigen::MatrixXd& rows) const;
  std::shared_ptr<const Linear> factorised(double m, double c, double k) const;

  const Structure& s_;
  bool small_, symmetric_;
  SparseMatrix W_;
  std::list<std::shared_ptr<const Linear>> kept_;  ///< the last one used comes first
  std::shared_ptr<const Linear> updated_;          ///< the linear part that update_ is of
  std::vector<double> last_slopes_;                ///< and the slopes
  std::vector<Eigen::Index> active_;
  Eigen::VectorXd slopes_;               ///< of the active joints
  std::vector<Eigen::MatrixXd> blocks_;  ///< of the interfaces, which are all active
  dense::Lu dense_, update_;             ///< of T, of I + S G
};

}  // namespace microslip::dynamics
