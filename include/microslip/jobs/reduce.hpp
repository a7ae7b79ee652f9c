#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>
#include <vector>

#include "microslip/catalog/files/reduction_file.hpp"
#include "microslip/jobs/control.hpp"
#include "microslip/jobs/law.hpp"

/// Many sliders as a few states.
namespace microslip::jobs {

template <>
inline constexpr std::array<std::string_view, 4> words_of<reduce::Shape>{
    "ellipsoid", "m-state", "few-generators", "zonotope"};
template <>
inline constexpr std::array<std::string_view, 2> words_of<reduce::EllipsoidBy>{"directions",
                                                                               "moments"};

/// Its text is the file that a person writes, with what is named there by files in it, and another key.
/// A stiffness that comes from a file is K = { rows, row, column, value }, counted from 1.
struct ReduceRequest {
  std::string name = "reduction";  ///< for messages and results: the name of the file
  catalog::ReductionFile reduction;
  bool with_law = true;  ///< the text of the result holds the law

  static constexpr std::string_view schema = "microslip.reduce-request/1";
  static constexpr auto members =
      std::tuple{member("name", &ReduceRequest::name), member_in_place(&ReduceRequest::reduction),
                 member("with_law", &ReduceRequest::with_law)};
};

// ----------------------------------------------------------------------------------------- result

/// How far a reduced model is from the full system on one history; see reduce::Misfit.
struct HistoryMisfit {
  std::string name;
  double rms_relative = 0, energy_error = 0;
  std::vector<double> cycle_energy_errors;
  std::optional<double> cycle_energy_largest{}, cycle_energy_rms{};
  static constexpr auto members =
      std::tuple{member("name", &HistoryMisfit::name),
                 member("rms_relative", &HistoryMisfit::rms_relative),
                 member("energy_error", &HistoryMisfit::energy_error),
                 member("cycle_energy_errors", &HistoryMisfit::cycle_energy_errors),
                 member_if_any("cycle_energy_largest", &HistoryMisfit::cycle_energy_largest),
                 member_if_any("cycle_energy_rms", &HistoryMisfit::cycle_energy_rms)};
};

struct ReducedLaw {
  std::size_t modes = 0;
  reduce::Shape model = reduce::Shape::zonotope;
  std::size_t parameters = 0;  ///< essential numbers
  double friction_error = 0;
  std::vector<HistoryMisfit> loads{}, validation{};
  double ns_per_row = 0;
  std::string law{};  ///< of the chosen model: the name of its law

  static constexpr auto members = std::tuple{member("modes", &ReducedLaw::modes),
                                             member("model", &ReducedLaw::model),
                                             member("parameters", &ReducedLaw::parameters),
                                             member("friction_error", &ReducedLaw::friction_error),
                                             member("loads", &ReducedLaw::loads),
                                             member("validation", &ReducedLaw::validation),
                                             member("ns_per_row", &ReducedLaw::ns_per_row),
                                             member_if_any("law", &ReducedLaw::law)};
};

/// Error of the friction as a power law with this exponent.
struct BetaError {
  double beta = 0, error = 0;
  static constexpr auto members =
      std::tuple{member("beta", &BetaError::beta), member("error", &BetaError::error)};
};

struct ReduceResult {
  std::string version, command, file;
  std::size_t sliders = 0;
  std::uint64_t seed = 1;
  std::size_t directions = 0;
  reduce::EllipsoidBy fit = reduce::EllipsoidBy::directions;
  std::string basis{};                    ///< "modes", "analytic"
  std::vector<double> singular_values{};  ///< twenty at most; none for the analytic basis
  double full_ns_per_row = 0;             ///< of the full system
  ReducedLaw chosen{};
  std::vector<ReducedLaw> study{};
  std::vector<BetaError> beta_study{};
  std::optional<NamedLaw> reduced{};  ///< the chosen model, where it is wanted
  std::vector<std::string> notes{};   ///< on rows of the histories without a number

  catalog::ReductionFile asked{};
  Eigen::VectorXd all_singular_values{};
  Eigen::MatrixXd modes{};  ///< of the chosen model, a column for each
  std::vector<reduce::FullRun> loads{}, validation{};
  reduce::Evaluation chosen_model{};
  std::vector<reduce::Evaluation> studied{};

  static constexpr std::string_view schema = "microslip.reduce/1";
  static constexpr auto members =
      std::tuple{member("version", &ReduceResult::version),
                 member("command", &ReduceResult::command),
                 member("file", &ReduceResult::file),
                 member("sliders", &ReduceResult::sliders),
                 member("seed", &ReduceResult::seed),
                 member("directions", &ReduceResult::directions),
                 member("fit", &ReduceResult::fit),
                 member("basis", &ReduceResult::basis),
                 member("singular_values", &ReduceResult::singular_values),
                 member("full_ns_per_row", &ReduceResult::full_ns_per_row),
                 member("chosen", &ReduceResult::chosen),
                 member("study", &ReduceResult::study),
                 member_if_any("beta_study", &ReduceResult::beta_study),
                 member_if_any("reduced", &ReduceResult::reduced),
                 member_if_any("notes", &ReduceResult::notes),
                 not_in_text(&ReduceResult::asked),
                 not_in_text(&ReduceResult::all_singular_values),
                 not_in_text(&ReduceResult::modes),
                 not_in_text(&ReduceResult::loads),
                 not_in_text(&ReduceResult::validation),
                 not_in_text(&ReduceResult::chosen_model),
                 not_in_text(&ReduceResult::studied)};
};

/// Throws Failure where the computation fails, Interrupted when it is stopped.
ReduceResult reduce(ReduceRequest request, const Control& control = {});

}  // namespace microslip::jobs
