#pragma once

#include <string>
#include <vector>

#include "support.hpp"

/// Section 6 of the review: laws compared and tuned by ζ_eff(A) = a1/(2A), oscillator of unit mass
/// and stiffness, so ω = 1.
namespace microslip::reproduce {

double zeta_eff(const ModelSpec& law, double amplitude);
std::vector<double> zeta_eff(const ModelSpec& law, const std::vector<double>& amplitudes);

/// The middles of n equal parts of [0, end]: ∫ … dA by the midpoint rule, A = 0 left out.
std::vector<double> midpoints(double end, std::size_t n);

double rms_difference(const std::vector<double>& a, const std::vector<double>& b);

/// The law with the free parameters changed so that ζ_eff comes nearest to the target (eq. 117
/// with ρ = 1; a single amplitude tunes at a point).
ModelSpec tuned(const ModelSpec& law, const std::vector<std::string>& free,
                const std::vector<double>& amplitudes, const std::vector<double>& target);

/// Table 1's Iwan law with Mignolet's ratio θ of kinetic to static friction: ζ_eff at amplitude 1 in
/// closed form, D = 4AθM₁ + (1 + θ)(1 − 3θ)M₂ with the moments of the sliders that slip, φ ≤ A.
double mignolet_zeta(double theta);
/// The θ that makes the row agree with its target 2/π, from the closed form.
double mignolet_theta();
/// Table 1's Iwan law as the law iwan5.
ModelSpec table1_iwan(double theta);

/// The reference of Tables 2 and 3: A = .75385, α = 1, β = 1, n = ½, F = 10 z. Our beta and gamma
/// are α and +β; with the printed sign of β nothing fits.
ModelSpec reference_bouc_wen();

/// A law of Table 2 or 3 with its printed numbers.
struct TunedLaw {
  std::string name;
  ModelSpec law;
  std::vector<std::string> free;  ///< retuned by us; none where the print cannot be a minimum
  double added_viscous = 0;       ///< the part of σ2 that is negative in the print
  double ratio_tolerance = 0.01;
  bool known_to_differ = false;
  double theta = 0;   ///< on record, for Iwan: the best fifth parameter
  double misfit = 0;  ///< on record: rms difference of ζ_eff to the target as printed
  std::string note{};
};

/// Misfits of the printed parameters over [0, end] against the smallest near them, ζ_eff against a
/// simulated history, and the picture.
Outcome compare_tuning(double end, const std::vector<TunedLaw>& laws);

}  // namespace microslip::reproduce
