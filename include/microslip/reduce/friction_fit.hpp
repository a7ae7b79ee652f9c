#pragma once

/// What resists slip along η when N sliders move in m modes is
///
///     G(η) = Σ_j |g_jᵀη|,   g_j = μ_j times row j of the modes,
///
/// the support function of a zonotope. Three ways to keep it: all g_j (the law `zonotope`, exact);
/// √(ηᵀAη), an ellipsoid, the thesis's way; and in between a zonotope of few generators.

#include <Eigen/Core>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace microslip::reduce {

using Index = Eigen::Index;

/// G(η); generators are columns.
double friction_along(const Eigen::MatrixXd& generators, const Eigen::VectorXd& eta);

/// How A of √(ηᵀAη) is found.
enum class EllipsoidBy {
  directions,  ///< relative least squares over directions, Σ(ηᵀAη/G² − 1)² → min
  moments,  ///< E(ηᵀAη − G²)² → min over normal η, in closed form: no sampling, no seed
};

struct FitOptions {
  /// Normally distributed directions; with two modes, equal angles, their limit.
  std::size_t directions = 200000;
  std::uint64_t seed = 1;
  EllipsoidBy ellipsoid = EllipsoidBy::directions;
};

struct EllipsoidFit {
  Eigen::MatrixXd A;
  double error = 0;  ///< √(Σ(Ĝ − G)²/ΣG²) over the directions
};

/// A of √(ηᵀAη), by default by relative least squares: what gives the printed matrices of section
/// 3.3 of the thesis. Throws Error if A is not positive definite.
EllipsoidFit fit_ellipsoid(const Eigen::MatrixXd& generators, const FitOptions& options = {});

/// T = E[G² ηηᵀ] over normal η. With u = g_iᵀη, v = g_jᵀη, their deviations σ and correlation ρ,
/// Stein's identity E[h ηηᵀ] = E[h] I + E[∇²h] for h = |u||v| gives
///
///     E|u||v| = (2/π) σ_i σ_j (√(1−ρ²) + ρ asin ρ),
///     E∇²h = (2/π) asin ρ (g_i g_jᵀ + g_j g_iᵀ) + (2/π) √(1−ρ²) (σ_j/σ_i g_i g_iᵀ + σ_i/σ_j g_j
///     g_jᵀ).
Eigen::MatrixXd friction_moments(const Eigen::MatrixXd& generators);

/// The family (ηᵀAη)^β/(ηᵀη)^{β−½} of the thesis, eqs (2.12)–(2.13), fitted its way: plain least
/// squares of (G (ηᵀη)^{β−½})^{1/β} = ηᵀAη. Answers the error, Σ(Ĝ − G)²/ΣG², for each β; not a
/// number where ηᵀAη is not positive for all directions.
std::vector<double> error_against_beta(const Eigen::MatrixXd& generators,
                                       const std::vector<double>& betas,
                                       const FitOptions& options = {});

struct GeneratorFit {
  Eigen::MatrixXd generators;  ///< columns
  double error = 0;            ///< as for the ellipsoid
};

/// Few generators instead of many: generators of similar direction are added up (signs first made
/// to agree), then each sum is scaled by relative least squares, Σ(Ĝ/G − 1)² → min, never below
/// zero. Exact when `count` is the number of different directions.
GeneratorFit fit_generators(const Eigen::MatrixXd& generators, Index count,
                            const FitOptions& options = {});

}  // namespace microslip::reduce
