#pragma once

#include <optional>
#include <string>
#include <vector>

#include "microslip/dynamics/time/ringdown_modes.hpp"
#include "microslip/jobs/control.hpp"
#include "microslip/jobs/members.hpp"
#include "microslip/jobs/record.hpp"
#include "microslip/jobs/text.hpp"

/// Frequency and damping against amplitude, mode by mode, from free vibration.
namespace microslip::jobs {

template <>
inline constexpr std::array<std::string_view, 3> words_of<dynamics::Quantity>{
    "displacement", "velocity", "acceleration"};

/// A column of motion.
struct Motion {
  std::string name, unit;
  std::vector<double> values;
  static constexpr auto members =
      std::tuple{member_if_any("name", &Motion::name), member_if_any("unit", &Motion::unit),
                 member("values", &Motion::values)};
};

/// Frequencies are periods in a unit of time.
struct RingdownRequest {
  std::string name = "record";  ///< for messages: the name of the file
  std::vector<double> t;        ///< at equal steps
  std::string t_unit;
  std::vector<Motion> motions;                                     ///< at one place or several
  dynamics::Quantity quantity = dynamics::Quantity::displacement;  ///< of the motions
  /// The decay begins where the motion is half of the largest; false: at the first row.
  bool find_start = true;
  std::optional<std::size_t> modes{};  ///< how many peaks of the spectrum; 3 if left out
  std::vector<double> at;              ///< frequencies of the modes, instead of peaks
  std::optional<double> band{};        ///< half width of the bands; chosen if left out
  std::string taken;                   ///< which columns of a file were taken for what, in words
  /// Rows with numbers that are not finite, or that are absent, are filled by cubics; or refused.
  io::Missing missing = io::Missing::interpolate;

  static constexpr std::string_view schema = "microslip.ringdown-request/1";
  static constexpr auto members = std::tuple{member("name", &RingdownRequest::name),
                                             member("t", &RingdownRequest::t),
                                             member_if_any("t_unit", &RingdownRequest::t_unit),
                                             member("motions", &RingdownRequest::motions),
                                             member("quantity", &RingdownRequest::quantity),
                                             member("find_start", &RingdownRequest::find_start),
                                             member_if_any("modes", &RingdownRequest::modes),
                                             member_if_any("at", &RingdownRequest::at),
                                             member_if_any("band", &RingdownRequest::band),
                                             member_if_any("taken", &RingdownRequest::taken),
                                             member("missing", &RingdownRequest::missing)};
};

// ----------------------------------------------------------------------------------------- result

/// A record from the row on where the decay begins.
struct DecayRecord {
  std::string source;
  double start = 0, step = 1;           ///< time of the first row, and between rows
  std::size_t rows = 0, first_row = 1;  ///< read; of these, where the decay begins
  std::vector<std::vector<double>> motions;
  std::vector<std::string> names;  ///< of the motions
  std::string t_unit, amplitude_unit;
  dynamics::Quantity quantity = dynamics::Quantity::displacement;
  std::string taken;                 ///< which columns were taken for what, in words
  std::vector<std::string> notes{};  ///< on its rows
};

struct RingdownUnits {
  std::string t, amplitude;
  static constexpr auto members =
      std::tuple{member("t", &RingdownUnits::t), member("amplitude", &RingdownUnits::amplitude)};
};

struct RingdownStart {
  std::size_t row = 1;
  double t = 0;
  static constexpr auto members =
      std::tuple{member("row", &RingdownStart::row), member("t", &RingdownStart::t)};
};

/// See dynamics::RingdownMode and dynamics::RingdownPoint.
struct DecayMode {
  double frequency = 0, half_band = 0, window = 0;
  std::vector<double> shape;
  std::string amplitude_of;  ///< the column in which the mode is largest
  double shape_change = 0;
  bool resolved = true;  ///< false: not known to be one mode
  std::vector<double> t{}, amplitude{}, omega{}, zeta{}, omega_error{}, zeta_error{};

  static constexpr auto members = std::tuple{member("frequency", &DecayMode::frequency),
                                             member("half_band", &DecayMode::half_band),
                                             member("window", &DecayMode::window),
                                             member("shape", &DecayMode::shape),
                                             member("amplitude_of", &DecayMode::amplitude_of),
                                             member("shape_change", &DecayMode::shape_change),
                                             member("resolved", &DecayMode::resolved),
                                             member("t", &DecayMode::t),
                                             member("amplitude", &DecayMode::amplitude),
                                             member("omega", &DecayMode::omega),
                                             member("zeta", &DecayMode::zeta),
                                             member("omega_error", &DecayMode::omega_error),
                                             member("zeta_error", &DecayMode::zeta_error)};
};

struct RingdownResult {
  std::string version, command;
  std::string source;
  std::size_t rows = 0;
  std::vector<std::string> columns;
  dynamics::Quantity quantity = dynamics::Quantity::displacement;
  RingdownUnits units;
  RingdownStart start;
  double step = 1;
  std::vector<DecayMode> modes;
  std::vector<std::string> notes;  ///< what a person should know before trusting the numbers
  DecayRecord record;
  std::vector<dynamics::RingdownMode> found;

  static constexpr std::string_view schema = "microslip.ringdown/1";
  static constexpr auto members = std::tuple{
      member("version", &RingdownResult::version), member("command", &RingdownResult::command),
      member("source", &RingdownResult::source),   member("rows", &RingdownResult::rows),
      member("columns", &RingdownResult::columns), member("quantity", &RingdownResult::quantity),
      member("units", &RingdownResult::units),     member("start", &RingdownResult::start),
      member("step", &RingdownResult::step),       member("modes", &RingdownResult::modes),
      member("notes", &RingdownResult::notes),     not_in_text(&RingdownResult::record),
      not_in_text(&RingdownResult::found)};
};

/// Throws Failure where no peak of the spectrum stands out.
RingdownResult ringdown(RingdownRequest request, const Control& control = {});

}  // namespace microslip::jobs
