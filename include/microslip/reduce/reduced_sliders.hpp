#pragma once

/// # From many sliders to few states
///
/// With x = Φq the system μ sgn(ẋ) + K x = b f becomes one with m states,
///
///     K̄ = ΦᵀKΦ,   b̄ = Φᵀb,   G(η) = Σ_j μ_j |(Φη)_j|,
///
/// and the law that belongs to it is plasticity whose elastic domain has the support function G
/// (S. Biswas, PhD thesis, IIT Kanpur 2018, sections 2.3 and 3.3). What is written to a file are
/// the parameters of the laws `zonotope` (G exact, or few generators), `ellipsoid` (G ≈ √(ηᵀAη)) or
/// `m-state` (the same in canonical form).

#include <Eigen/Core>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "microslip/core/any_model.hpp"
#include "microslip/friction/system.hpp"
#include "microslip/reduce/friction_fit.hpp"
#include "microslip/reduce/modes.hpp"

namespace microslip::reduce {

/// The system in its modes.
struct Projected {
  Eigen::MatrixXd K;           ///< m × m
  Eigen::VectorXd b;           ///< m
  Eigen::MatrixXd generators;  ///< m × N
};
Projected project(const friction::System& system, const Eigen::MatrixXd& basis);

/// What is answered: bᵀx to a load, or c0 u − bᵀx to a displacement.
struct Output {
  bool minus_bx = false;
  double c0 = 1;
};

/// How the friction of the reduced system is kept.
enum class Shape { ellipsoid, m_state, few_generators, zonotope };
std::string_view text_of(Shape shape);
/// Throws with what is near.
Shape shape_of(std::string_view name);

struct ReducedModel {
  ModelSpec spec;          ///< parameters of the law
  double friction_error;   ///< √(Σ(Ĝ − G)²/ΣG²) over random directions; 0 if exact
  std::size_t parameters;  ///< essential numbers: in canonical form, without c0
};

/// `generators` is the number of few generators. Shape m_state needs Output::minus_bx, because that
/// law answers a force.
ReducedModel reduced_model(const Projected& projected, Shape shape, const Output& output,
                           Index generators, const FitOptions& options = {});

/// A history of loads and what the full system answers.
struct FullRun {
  std::string name;
  std::vector<double> loads;
  std::vector<double> answer;  ///< bᵀx or c0 u − bᵀx
  std::vector<double> energy;  ///< dissipated so far
  double seconds = 0;          ///< what it took
};
/// Throws Error if the system fails on the way.
FullRun run_full(const friction::System& system, const Output& output, std::string name,
                 std::vector<double> loads);

/// The rows where cycles of a history begin, and where the last whole one ends: a cycle rises
/// through the middle of the range of the loads and lasts until they do so again, after they have
/// been in its highest and its lowest quarter. A history that begins near the middle and rises
/// begins with a cycle. Empty, or one row, without a whole cycle.
std::vector<std::size_t> cycle_rows(const std::vector<double>& loads);

/// How far a reduced model is from the full system on one history.
struct Misfit {
  double rms = 0;          ///< of the answer, over its range
  double energy = 0;       ///< relative error of the energy dissipated in all, with its sign
  double nanoseconds = 0;  ///< per row, of the reduced model
  /// Relative error of the energy dissipated in each whole cycle, with its sign. A cycle in which
  /// the full system loses nothing is compared with the mean of all.
  std::vector<double> cycle_energy;
  std::vector<double> answer;  ///< of the reduced model
};
Misfit compare(const FullRun& full, const AnyModel& reduced);

}  // namespace microslip::reduce
