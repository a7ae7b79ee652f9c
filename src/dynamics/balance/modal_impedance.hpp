#pragma once

#include <Eigen/Core>
#include <optional>
#include <vector>

#include "microslip/detail/numerics/dense.hpp"

namespace microslip::dynamics {

/// Damping of the modes of a structure, Φᵀ C Φ. Rayleigh damping and ratios of the same modes make it
/// diagonal. Ratios of some other modes (stuck joints) and single dashpots make it a product L Rᵀ of a few
/// columns, which a solve needs only a small system for. Anything else is a full matrix.
class ModalDamping {
 public:
  ModalDamping() = default;
  explicit ModalDamping(const Eigen::MatrixXd& matrix);
  /// A matrix whose parts off the diagonal are rounding.
  static bool diagonal(const Eigen::MatrixXd& matrix);

  /// Of the diagonal, zero if the product or the matrix has it.
  Eigen::VectorXd alone{};
  Eigen::MatrixXd left{}, right{};
  Eigen::MatrixXd full{};
};

/// Z = D + iω ΦᵀCΦ of one harmonic, with a complex diagonal D.
class ModalImpedance {
 public:
  /// `diagonal` without damping, `rate` the frequency of the harmonic.
  ModalImpedance(const Eigen::VectorXcd& diagonal, double rate, const ModalDamping& damping);

  Eigen::MatrixXcd solve(const Eigen::Ref<const Eigen::MatrixXcd>& b) const;
  /// Z⁻¹ if it is diagonal, else empty.
  const Eigen::VectorXcd& diagonal() const { return inverse_; }
  /// Z⁻ᵀ b.
  Eigen::MatrixXcd solve_transposed(const Eigen::Ref<const Eigen::MatrixXcd>& b) const;

 private:
  /// D + iω L Rᵀ. With s = Rᵀz,
  ///     z = D⁻¹ (b − iω L s),     (1 + iω Rᵀ D⁻¹ L) s = Rᵀ D⁻¹ b.
  /// Modes in resonance with the harmonic, whose D is next to zero, stay unknowns beside s, so that no
  /// digits are lost by dividing by it.
  class Product {
   public:
    Product(const Eigen::VectorXcd& diagonal, double rate, const Eigen::MatrixXd& left,
            const Eigen::MatrixXd& right);
    Eigen::MatrixXcd solve(const Eigen::Ref<const Eigen::MatrixXcd>& b) const;

   private:
    Eigen::VectorXcd inverse_;  ///< 0 for modes in resonance
    Eigen::MatrixXcd left_;     ///< iω L
    Eigen::MatrixXcd right_;    ///< Rᵀ
    std::vector<Eigen::Index> resonant_{};
    std::optional<dense::ComplexLu> small_{};
  };

  Eigen::VectorXcd inverse_;
  std::optional<Product> product_{}, transposed_{};
  std::optional<dense::ComplexLu> full_{};
};

}  // namespace microslip::dynamics
