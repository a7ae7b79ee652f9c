#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "microslip/core/any_model.hpp"
#include "microslip/jobs/control.hpp"
#include "microslip/jobs/law.hpp"
#include "microslip/jobs/record.hpp"

/// What laws do under a load history.
namespace microslip::jobs {

template <>
inline constexpr std::array<std::string_view, 2> words_of<Drive>{"displacement", "force"};
template <>
inline constexpr std::array<std::string_view, 2> words_of<Start>{"virgin", "first-row"};

/// From where a history goes on.
struct SavedPoint {
  StateRecord state;  ///< of the law
  double energy = 0;  ///< dissipated so far
  double origin = 0, origin_y = 0;
  std::optional<double> t{};  ///< of the last row
  double origin_n = 0;

  static constexpr auto members =
      std::tuple{member("state", &SavedPoint::state),   member("energy", &SavedPoint::energy),
                 member("origin", &SavedPoint::origin), member("origin_y", &SavedPoint::origin_y),
                 member("t", &SavedPoint::t),           member("origin_n", &SavedPoint::origin_n)};
};

struct SimulatedLaw {
  std::string label{};  ///< the name of the law if empty
  std::string model{};  ///< a law or an expression of laws
  ParameterValues parameters{};
  OptionValues options{};
  std::optional<ParameterUncertainty> uncertainty{};
  std::optional<SavedPoint> resumed{};
  double origin = 0;           ///< displacement at which the law is at rest
  std::vector<double> lead{};  ///< displacements to which it is driven before the first row

  static constexpr auto members =
      std::tuple{member_if_any("label", &SimulatedLaw::label),
                 member("model", &SimulatedLaw::model),
                 member_if_any("parameters", &SimulatedLaw::parameters),
                 member_if_any("options", &SimulatedLaw::options),
                 member_if_any("uncertainty", &SimulatedLaw::uncertainty),
                 member_if_any("resumed", &SimulatedLaw::resumed),
                 member("origin", &SimulatedLaw::origin),
                 member_if_any("lead", &SimulatedLaw::lead)};
};

struct SimulateRequest {
  std::vector<SimulatedLaw> laws;  ///< all with the same directions
  std::string name = "history";    ///< for messages: the name of the file
  std::vector<double> t;           ///< may be empty unless a law is rate-dependent
  std::vector<double> u;   ///< displacement (ux, ut of several), or force if `drive` says so
  std::vector<double> uy;  ///< laws with a direction y only
  std::vector<double> un;  ///< laws with a direction n only
  std::vector<double> mu;  ///< a factor on the friction of sliders
  RecordUnits units;
  Drive drive = Drive::displacement;
  Start start = Start::virgin;
  std::vector<std::string> columns;  ///< tangent, stored, states, or single states such as x7
  std::optional<double> period{};    ///< energies of periods of this length are wanted
  bool with_columns = true;          ///< the text of the result holds the columns
  /// Where a row stands, for messages; "row 12, t = 3" if left out.
  std::function<std::string(std::size_t row)> place{};

  static constexpr std::string_view schema = "microslip.simulate-request/1";
  static constexpr auto members = std::tuple{member("laws", &SimulateRequest::laws),
                                             member("name", &SimulateRequest::name),
                                             member_if_any("t", &SimulateRequest::t),
                                             member("u", &SimulateRequest::u),
                                             member_if_any("uy", &SimulateRequest::uy),
                                             member_if_any("un", &SimulateRequest::un),
                                             member_if_any("mu", &SimulateRequest::mu),
                                             member("units", &SimulateRequest::units),
                                             member("drive", &SimulateRequest::drive),
                                             member("start", &SimulateRequest::start),
                                             member_if_any("columns", &SimulateRequest::columns),
                                             member_if_any("period", &SimulateRequest::period),
                                             member("with_columns", &SimulateRequest::with_columns),
                                             not_in_text(&SimulateRequest::place)};
};

// ----------------------------------------------------------------------------------------- result

/// What a law did in a few numbers; of a law with several directions those of the first.
struct SimulatedSummary {
  std::size_t rows = 0;
  double u_min = 0, u_max = 0, f_min = 0, f_max = 0;
  double dissipated = 0;
  std::vector<double> energy_per_period{};  ///< of each full period
  std::optional<double> dissipated_sd{};    ///< standard deviation, where it is wanted

  static constexpr auto members =
      std::tuple{member("rows", &SimulatedSummary::rows),
                 member("u_min", &SimulatedSummary::u_min),
                 member("u_max", &SimulatedSummary::u_max),
                 member("f_min", &SimulatedSummary::f_min),
                 member("f_max", &SimulatedSummary::f_max),
                 member("dissipated", &SimulatedSummary::dissipated),
                 member_if_any("energy_per_period", &SimulatedSummary::energy_per_period),
                 member_if_any("dissipated_sd", &SimulatedSummary::dissipated_sd)};
};

/// What a law answered.
struct Simulated {
  std::string label{}, model{};
  ParameterValues parameters{};
  OptionValues options{};
  SimulatedSummary summary{};
  std::optional<Named<std::vector<double>>> columns{};
  std::optional<Named<std::string>> units{};  ///< of the columns that have one
  History history{};
  std::optional<Checkpoint> end{};  ///< from where it goes on
  StateRecord state{};              ///< the state there as numbers, written by the law that ran
  /// Standard deviations of the answer (f, or u under force) and of the energy, where they are wanted.
  std::vector<double> answer_sd{}, energy_sd{};

  static constexpr auto members = std::tuple{member("label", &Simulated::label),
                                             member("model", &Simulated::model),
                                             member("parameters", &Simulated::parameters),
                                             member("options", &Simulated::options),
                                             member("summary", &Simulated::summary),
                                             member_if_any("columns", &Simulated::columns),
                                             member_if_any("units", &Simulated::units),
                                             not_in_text(&Simulated::history),
                                             not_in_text(&Simulated::end),
                                             not_in_text(&Simulated::state),
                                             not_in_text(&Simulated::answer_sd),
                                             not_in_text(&Simulated::energy_sd)};
};

struct SimulateResult {
  std::string version, command;
  Drive drive = Drive::displacement;
  std::vector<Simulated> results;

  static constexpr std::string_view schema = "microslip.simulate/1";
  static constexpr auto members = std::tuple{
      member("version", &SimulateResult::version), member("command", &SimulateResult::command),
      member("drive", &SimulateResult::drive), member("results", &SimulateResult::results)};
};

/// Takes the rows of a history as they come, with those of the request, so that a long one need not be
/// kept. False: nobody else needs them.
using RowSink = std::function<bool(const Path& rows, const Simulated& part)>;

/// Throws Failure where a law stops, Interrupted when it is stopped.
SimulateResult simulate(const SimulateRequest& request, const Control& control = {},
                        const RowSink& sink = {});

/// What follows u and f in the name of the first column: x beside y, t beside n alone.
constexpr std::string_view first_direction(bool has_y, bool has_n) {
  return has_y ? "x" : has_n ? "t" : "";
}
// The columns of tables, in their order: time, motion, and what only this law has; `suffix` tells it from
// others.
void add_time(const std::vector<double>& t, const RecordUnits& units,
              std::vector<io::ColumnView>& columns);
void add_motion(const History& history, const RecordUnits& units, const std::string& suffix,
                std::vector<io::ColumnView>& columns);
void add_answers(const Simulated& law, const RecordUnits& units, Drive drive,
                 const std::string& suffix, std::vector<io::ColumnView>& columns);
std::string energy_unit(const RecordUnits& units);

/// The column mu as the parameter mu_factor of sliders, rows [t, factor].
Matrix<double> friction_factor(const std::vector<double>& t, const std::vector<double>& mu);

}  // namespace microslip::jobs
