#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "microslip/io/csv.hpp"
#include "microslip/io/figure.hpp"
#include "microslip/jobs/control.hpp"
#include "microslip/jobs/structure.hpp"

/// All that is asked of a structure with joints: responses, modes, motions in time.
namespace microslip::jobs {

/// From where a branch goes on that was stopped.
struct ResumePoint {
  std::size_t analysis = 1;              ///< which one, counted from 1
  std::string name;                      ///< of the table so far, for messages
  std::string state;                     ///< AnalysisResult::resume of the run that was stopped
  Named<std::vector<double>> columns{};  ///< the table so far
  static constexpr auto members = std::tuple{
      member("analysis", &ResumePoint::analysis), member("name", &ResumePoint::name),
      member("state", &ResumePoint::state), member_if_any("columns", &ResumePoint::columns)};
};

/// `output` and `plot` of an analysis are for the caller, who writes the files: a job writes none.
struct RespondRequest {
  std::string name = "structure";  ///< for messages: the name of the file
  catalog::StructureFile structure;
  std::vector<ResumePoint> resume{};
  /// Of a structure from matrix files: its linear modes, if no analysis asks for them.
  bool linear_modes = true;

  static constexpr std::string_view schema = "microslip.respond-request/1";
  static constexpr auto members = std::tuple{member("name", &RespondRequest::name),
                                             member("structure", &RespondRequest::structure),
                                             member_if_any("resume", &RespondRequest::resume),
                                             member("linear_modes", &RespondRequest::linear_modes)};
};

// ----------------------------------------------------------------------------------------- result

/// A mode of small vibrations; its joints are 0 free, 1 stuck, 2 as small loops under static loads.
struct LinearMode {
  double joints = 0;
  int mode = 1;
  double omega = 0, frequency = 0, zeta = 0;
  static constexpr auto members =
      std::tuple{member("joints", &LinearMode::joints), member("mode", &LinearMode::mode),
                 member("omega", &LinearMode::omega), member("frequency", &LinearMode::frequency),
                 member("zeta", &LinearMode::zeta)};
};

/// Of a frequency response: where a degree of freedom moves most.
struct ResponsePeak {
  std::string dof;
  double omega = 0, amplitude = 0;
  static constexpr auto members =
      std::tuple{member("dof", &ResponsePeak::dof), member("omega", &ResponsePeak::omega),
                 member("amplitude", &ResponsePeak::amplitude)};
};

/// A frequency response under the load times `level`; see dynamics::FrequencyResponse.
struct ResponseCurve {
  double level = 1;
  std::size_t points = 0;
  int harmonics = 0;
  std::string end;  ///< "whole", or why it is not
  std::vector<ResponsePeak> peaks;
  double residual = 0, truncation = 0, quadrature = 0, energy_balance = 0;
  bool loops_closed = true;
  static constexpr auto members =
      std::tuple{member("level", &ResponseCurve::level),
                 member("points", &ResponseCurve::points),
                 member("harmonics", &ResponseCurve::harmonics),
                 member("end", &ResponseCurve::end),
                 member("peaks", &ResponseCurve::peaks),
                 member("residual", &ResponseCurve::residual),
                 member("truncation", &ResponseCurve::truncation),
                 member("quadrature", &ResponseCurve::quadrature),
                 member("energy_balance", &ResponseCurve::energy_balance),
                 member("loops_closed", &ResponseCurve::loops_closed)};
};

/// Of an averaged response under the load times `level`.
struct AveragedPeak {
  double level = 1, omega = 0, amplitude = 0;
  static constexpr auto members =
      std::tuple{member("level", &AveragedPeak::level), member("omega", &AveragedPeak::omega),
                 member("amplitude", &AveragedPeak::amplitude)};
};

/// Where the averaged damping is largest: beyond, the law saturates.
struct Saturation {
  double amplitude = 0, zeta = 0;
  static constexpr auto members =
      std::tuple{member("amplitude", &Saturation::amplitude), member("zeta", &Saturation::zeta)};
};

/// Where the energy of a motion went; see dynamics::EnergyAudit.
struct EnergyBudget {
  double input = 0, kinetic = 0, elastic = 0, stored_in_joints = 0, viscous = 0, lost_in_joints = 0;
  std::vector<double> lost_by_joint;
  double error = 0, relative_error = 0;
  static constexpr auto members =
      std::tuple{member("input", &EnergyBudget::input),
                 member("kinetic", &EnergyBudget::kinetic),
                 member("elastic", &EnergyBudget::elastic),
                 member("stored_in_joints", &EnergyBudget::stored_in_joints),
                 member("viscous", &EnergyBudget::viscous),
                 member("lost_in_joints", &EnergyBudget::lost_in_joints),
                 member("lost_by_joint", &EnergyBudget::lost_by_joint),
                 member("error", &EnergyBudget::error),
                 member("relative_error", &EnergyBudget::relative_error)};
};

struct DecayCurve {
  std::vector<double> t, amplitude, omega, zeta;
  static constexpr auto members =
      std::tuple{member("t", &DecayCurve::t), member("amplitude", &DecayCurve::amplitude),
                 member("omega", &DecayCurve::omega), member("zeta", &DecayCurve::zeta)};
};

/// Of a motion that decays by itself.
struct FreeDecay {
  bool several_modes = false;  ///< which beat, so that the curves mean little
  DecayCurve peaks, hilbert;
  static constexpr auto members =
      std::tuple{member("several_modes", &FreeDecay::several_modes),
                 member("peaks", &FreeDecay::peaks), member("hilbert", &FreeDecay::hilbert)};
};

/// How far joints that act on modes are from the physical ones; what does not move has no differences.
struct ModalDifference {
  std::string dof, form;
  double peak = 0, peak_omega = 0, peak_difference = 0, largest_difference = 0;
  static constexpr auto members =
      std::tuple{member("dof", &ModalDifference::dof),
                 member("form", &ModalDifference::form),
                 member("peak", &ModalDifference::peak),
                 member("peak_omega", &ModalDifference::peak_omega),
                 member("peak_difference", &ModalDifference::peak_difference),
                 member("largest_difference", &ModalDifference::largest_difference)};
};

/// The highest frequency comes near the first mode that the [reduction] left out, or beyond it.
struct EndOfReduction {
  double highest = 0, left_out = 0;
  static constexpr auto members = std::tuple{member("highest", &EndOfReduction::highest),
                                             member("left_out", &EndOfReduction::left_out)};
};

/// One analysis; which members it has depends on its kind.
struct AnalysisResult {
  std::vector<AveragedPeak> peaks{};       // averaging
  std::optional<Saturation> saturation{};  // averaging
  std::string kind{};
  std::vector<LinearMode> modes{};      // modes
  std::vector<ResponseCurve> curves{};  // frequency-response
  std::optional<std::size_t> points{};  // load-response, nonlinear-mode, quasi-static
  std::optional<int> harmonics{};
  std::string end{};  // load-response
  std::optional<double> residual{}, truncation{}, quadrature{}, energy_balance{};
  std::optional<double> truncation_of_damping{};  // nonlinear-mode
  std::optional<bool> loops_closed{};
  std::optional<long> rows{}, steps{}, events{};  // time
  std::optional<EnergyBudget> energy{};
  std::optional<FreeDecay> ringdown{};
  std::optional<double> amplitude{}, phase{};  // slow-flow: at the end
  std::optional<bool> at_rest{};
  std::optional<double> largest_difference{}, largest_amplitude{};
  std::vector<ModalDifference> differences{};  // modal-joints
  std::vector<double> gaps{};                  ///< where a branch goes on beyond a jump of a force
  std::optional<std::size_t> points_before{};  ///< of the run that was stopped
  std::optional<EndOfReduction> reduction{};
  std::string output{};                  ///< the file of the table
  Named<std::vector<double>> columns{};  ///< the table, unless it has a file

  std::string where{};   ///< "beam.toml, line 12"
  io::Comments notes{};  ///< for the head of the table
  io::Figure figure{};
  std::string summary{};  ///< a few lines for people
  std::vector<std::string> warnings{};
  std::string failure{};  ///< the computation did not come to its end; what there is stays
  std::string resume{};   ///< of a branch that was stopped: ResumePoint::state
  bool streamed = false;  ///< the rows went to RespondSinks::rows

  static constexpr auto members =
      std::tuple{member_if_any("peaks", &AnalysisResult::peaks),
                 member_if_any("saturation", &AnalysisResult::saturation),
                 member("kind", &AnalysisResult::kind),
                 member_if_any("modes", &AnalysisResult::modes),
                 member_if_any("curves", &AnalysisResult::curves),
                 member_if_any("points", &AnalysisResult::points),
                 member_if_any("harmonics", &AnalysisResult::harmonics),
                 member_if_any("end", &AnalysisResult::end),
                 member_if_any("residual", &AnalysisResult::residual),
                 member_if_any("truncation", &AnalysisResult::truncation),
                 member_if_any("truncation_of_damping", &AnalysisResult::truncation_of_damping),
                 member_if_any("quadrature", &AnalysisResult::quadrature),
                 member_if_any("energy_balance", &AnalysisResult::energy_balance),
                 member_if_any("loops_closed", &AnalysisResult::loops_closed),
                 member_if_any("rows", &AnalysisResult::rows),
                 member_if_any("steps", &AnalysisResult::steps),
                 member_if_any("events", &AnalysisResult::events),
                 member_if_any("energy", &AnalysisResult::energy),
                 member_if_any("ringdown", &AnalysisResult::ringdown),
                 member_if_any("amplitude", &AnalysisResult::amplitude),
                 member_if_any("phase", &AnalysisResult::phase),
                 member_if_any("at_rest", &AnalysisResult::at_rest),
                 member_if_any("largest_difference", &AnalysisResult::largest_difference),
                 member_if_any("largest_amplitude", &AnalysisResult::largest_amplitude),
                 member_if_any("differences", &AnalysisResult::differences),
                 member_if_any("gaps", &AnalysisResult::gaps),
                 member_if_any("points_before", &AnalysisResult::points_before),
                 member_if_any("reduction", &AnalysisResult::reduction),
                 member_if_any("output", &AnalysisResult::output),
                 member_if_any("columns", &AnalysisResult::columns),
                 not_in_text(&AnalysisResult::where),
                 not_in_text(&AnalysisResult::notes),
                 not_in_text(&AnalysisResult::figure),
                 not_in_text(&AnalysisResult::summary),
                 not_in_text(&AnalysisResult::warnings),
                 not_in_text(&AnalysisResult::failure),
                 not_in_text(&AnalysisResult::resume),
                 not_in_text(&AnalysisResult::streamed)};

  /// nullptr if the table has no such column.
  const std::vector<double>* column(std::string_view heading) const;
};

struct RespondResult {
  std::string version, command;
  std::vector<AnalysisResult> analyses;
  std::optional<std::vector<LinearMode>> modes{};  ///< of a structure from matrix files
  bool interrupted = false;
  std::vector<std::string>
      notes{};            ///< sentences on units that were converted and gaps that were filled
  std::string failure{};  ///< of the last analysis that did not come to its end

  std::string modes_text{};  ///< the same modes for people

  static constexpr std::string_view schema = "microslip.respond/1";
  static constexpr auto members = std::tuple{member("version", &RespondResult::version),
                                             member("command", &RespondResult::command),
                                             member("analyses", &RespondResult::analyses),
                                             member_if_any("modes", &RespondResult::modes),
                                             member("interrupted", &RespondResult::interrupted),
                                             member_if_any("notes", &RespondResult::notes),
                                             member_if_any("failure", &RespondResult::failure),
                                             not_in_text(&RespondResult::modes_text)};
};

/// Results as they come, for callers who write files or show them.
struct RespondSinks {
  using TakeRow = std::function<void(const std::vector<double>&)>;

  /// After the linear modes, before the first analysis.
  std::function<void(const RespondResult&)> begun{};
  /// Before a motion in time, of analysis `index` from 0: what takes its rows one by one. The result then
  /// keeps none of them; nothing is returned where it should.
  std::function<TakeRow(std::size_t index, const std::vector<std::string>& headings)> rows{};
  /// After each analysis.
  std::function<void(std::size_t index, AnalysisResult&)> finished{};
};

/// Stopped, it keeps what is done, marked as interrupted; Failure is thrown where that is nothing. An
/// analysis that does not come to its end says so in its `failure`, and the next ones follow.
RespondResult respond(const RespondRequest& request, const Control& control = {},
                      const RespondSinks& sinks = {});

/// Throws Error for what an analysis cannot be asked, before any of them begins.
void check_analyses(const catalog::StructureFile& file);

/// Method, times and initial values of an analysis of kind "time".
dynamics::TimeOptions time_options(const catalog::Analysis& analysis);

}  // namespace microslip::jobs
