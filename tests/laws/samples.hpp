#pragma once

#include <cstddef>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "microslip/core/any_model.hpp"
#include "support/random.hpp"

namespace microslip::laws {

using microslip::testing::Rng;

/// Sizes that make numbers comparable: a displacement at which the law has clearly softened, and
/// the force it carries there.
struct Scales {
  double u = 1, f = 1;
  double k() const { return f / u; }
  double energy() const { return f * u; }
};

/// Parameter sets; what a set does not name takes its default.
using Sets = std::vector<ParameterValues>;

/// What a law may say about its own tests, as the object samples::<header> in
/// tests/laws/samples/<header>.hpp. All but the name of the law is optional.
struct LawSamples {
  std::string_view law = {};

  /// Random parameters, where a draw around the defaults and inside the bounds would not do.
  ParameterValues (*draw)(Rng&) = nullptr;

  /// For a claim that depends: parameters where it holds, and where not.
  Sets (*sets)(std::string_view claim, bool holding) = nullptr;

  /// A motion that breaks a claim, where random ones hardly ever do: displacements over their
  /// scale, and times.
  std::vector<std::pair<double, double>> (*witness)(std::string_view claim) = nullptr;

  /// Of an error-controlled step, relative.
  double precision = 1e-10;

  /// Where the force alone does not tell them.
  Scales (*scale)(const AnyModel&) = nullptr;

  /// next_kink cannot tell kinks that depend on the velocity.
  bool kinks_depend_on_velocity = false;

  /// A reversal leaves its trace however small it is.
  bool trembling_matters = false;

  /// Sliding on for a time, however slowly, is not rest: the force tends to another one.
  bool creeping_matters = false;

  /// A step may give back more than Ψ held: only whole cycles must lose energy.
  bool loses_by_cycle = false;

  /// The law has no answer to some motions: paths leave them out, and a check whose own motions
  /// meet one ends there.
  bool some_motions_undefined = false;

  /// The number of random cases is divided by it: for a law whose step is a quadrature.
  std::size_t effort = 1;
};

/// One of a model's scalar parameters.
inline double number(const AnyModel& model, std::string_view name) {
  return std::get<double>(model.parameters().find(name)->second);
}

/// Entries between -1 and 1.
inline Matrix<double> draw_matrix(Rng& rng, Eigen::Index rows, Eigen::Index columns) {
  Matrix<double> result(rows, columns);
  for (Eigen::Index i = 0; i < result.size(); ++i) result.data()[i] = rng.uniform(-1, 1);
  return result;
}

/// Those of all files in tests/laws/samples.
std::vector<LawSamples> all_samples();

}  // namespace microslip::laws
