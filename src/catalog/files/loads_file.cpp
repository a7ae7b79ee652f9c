#include <algorithm>
#include <map>

#include "catalog/files/structure_parts.hpp"
#include "microslip/core/error.hpp"
#include "microslip/core/text.hpp"
#include "microslip/detail/numerics/spline.hpp"
#include "microslip/io/csv.hpp"
#include "microslip/io/record_file.hpp"

namespace microslip::catalog {
namespace {

dynamics::Signal tone_of(const TomlTable& table) {
  return dynamics::Tones{
      {{table.number("amplitude"), table.number_or("phase", 0),
        table.has("harmonic") ? table.whole("harmonic") : 1, table.number_or("omega", 0)}}};
}

dynamics::Signal multisine_of(const TomlTable& table) {
  const std::vector<double> amplitudes = table.numbers("amplitudes");
  const auto list = [&](const char* key) {
    const std::vector<double> values = table.numbers_or_none(key);
    if (!values.empty() && values.size() != amplitudes.size())
      table.refuse(key, std::string(key) + " must have as many numbers as amplitudes: " +
                            std::to_string(amplitudes.size()));
    return values;
  };
  const std::vector<double> harmonics = list("harmonics");
  const std::vector<double> omegas = list("omegas");
  const std::vector<double> phases = list("phases");
  if (harmonics.empty() && omegas.empty())
    table.refuse("harmonics", "a multisine needs 'harmonics' (periodic) or 'omegas' (time)");
  dynamics::Tones tones;
  for (std::size_t i = 0; i < amplitudes.size(); ++i) {
    dynamics::Tone tone{amplitudes[i], phases.empty() ? 0 : phases[i], 1, 0};
    if (!harmonics.empty()) tone.harmonic = static_cast<int>(harmonics[i]);
    tone.omega = omegas.empty() ? tone.harmonic * table.number_or("omega", 0) : omegas[i];
    tones.list.push_back(tone);
  }
  return tones;
}

dynamics::Signal sweep_of(const TomlTable& table) {
  const std::vector<double> omega = table.numbers("omega");
  if (omega.size() != 2 || !(omega[0] > 0) || !(omega[1] > 0))
    table.refuse("omega", "omega of a sweep must be two positive frequencies");
  const double duration = table.number("duration");
  if (!(duration > 0)) table.refuse("duration", "duration must be positive");
  const std::string scale = table.text_or("scale", "linear");
  if (scale != "linear" && scale != "logarithmic")
    table.refuse("scale", "scale = '" + scale + "' must be linear or logarithmic");
  return dynamics::Sweep{table.number("amplitude"), omega[0], omega[1], duration,
                         scale == "logarithmic"};
}

dynamics::Signal stepped_of(const TomlTable& table) {
  const std::vector<double> omegas = table.numbers("omegas");
  if (omegas.empty() ||
      std::any_of(omegas.begin(), omegas.end(), [](double w) { return !(w > 0); }))
    table.refuse("omegas", "omegas of a stepped sine must be positive frequencies");
  const int cycles = table.whole("cycles");
  if (cycles < 1) table.refuse("cycles", "cycles must be positive");
  return dynamics::stepped_sine(table.number("amplitude"), omegas,
                                std::vector<int>(omegas.size(), cycles));
}

dynamics::Signal impulse_of(const TomlTable& table) {
  const double duration = table.number_or("duration", 0);
  const double start = table.number_or("start", 0);
  if (duration < 0) table.refuse("duration", "duration must not be negative");
  if (start < 0) table.refuse("start", "start must not be negative");
  return dynamics::Impulse{table.number("amplitude"), start, duration};
}

/// A factor for a column whose heading has a unit, if the structure has units too.
template <class Convert>
double unit_of(const TomlTable& table, const io::Column& column, const std::optional<Units>& units,
               const Convert& convert) {
  if (!units || column.unit.empty()) return 1;
  try {
    return convert(column.unit, *units);
  } catch (const Error& error) {
    table.refuse("file", "column " + column.name + ": " + error.what());
  }
}

/// The force between the rows.
void interpolate(const TomlTable& table, dynamics::SampledLoad& samples) {
  const std::string kind = table.text_or("interpolate", "linear");
  if (kind != "linear" && kind != "spline")
    table.refuse("interpolate", "unknown choice '" + kind + "' for interpolate" +
                                    suggestion(kind, {"linear", "spline"}));
  if (kind == "spline") samples.curvature = spline_curvature(samples.t, samples.values);
}

/// Columns that stand in the table itself, without a unit.
dynamics::Signal listed_record(const TomlTable& table, const std::string& column) {
  for (const char* key : {"file", "column", "time"})
    if (table.has(key))
      table.refuse(key, std::string(key) + " does not go with " + column + ", a list of numbers");
  dynamics::SampledLoad samples{table.numbers("t"), table.numbers(column)};
  if (samples.t.size() != samples.values.size())
    table.refuse(column, column + " has " + std::to_string(samples.values.size()) +
                             " numbers, and t has " + std::to_string(samples.t.size()));
  for (std::size_t row = 1; row < samples.t.size(); ++row)
    if (!(samples.t[row] > samples.t[row - 1]))
      table.refuse("t", "t = " + number_text(samples.t[row]) +
                            " must be greater than the time before, " +
                            number_text(samples.t[row - 1]));
  for (double& value : samples.values) value *= table.number_or("scale", 1);
  interpolate(table, samples);
  return samples;
}

dynamics::Signal record_of(const TomlTable& table, const std::string& column,
                           const std::optional<Units>& units) {
  if (table.has(column)) return listed_record(table, column);
  const double scale = table.number_or("scale", 1);
  io::Wanted wanted{{"t", column}, {}, {}};
  if (table.has("column")) wanted.named[column] = table.text("column");
  if (table.has("time")) wanted.named["t"] = table.text("time");
  const io::Table record = io::read_record(table.file_beside("file"), wanted);
  const io::Column &t = record.at("t"), &load = record.at(column);
  dynamics::SampledLoad samples{t.values, load.values};
  const double factor =
      scale * unit_of(table, load, units, column == "a" ? acceleration_in : force_in);
  for (double& value : samples.values) value *= factor;
  const double seconds = unit_of(table, t, units, time_in);
  for (double& time : samples.t) time *= seconds;
  interpolate(table, samples);
  return samples;
}

dynamics::Signal formula_of(const TomlTable& table) {
  const std::string text = table.text("force");
  try {
    return dynamics::Formula{Expression::parse(text, {"t"})};
  } catch (const Error& error) {
    table.refuse("force", "force = '" + text + "': " + error.what());
  }
}

}  // namespace

dynamics::Load load_of(const TomlTable& table, const Places& places, const StructureFile& file) {
  const dynamics::Structure& structure = file.structure;
  const std::string kind = table.text("kind");
  using Keys = std::vector<std::string>;
  const std::map<std::string, Keys> kinds{
      {"harmonic", {"amplitude", "phase", "harmonic", "omega"}},
      {"multisine", {"amplitudes", "harmonics", "omegas", "phases", "omega"}},
      {"sweep", {"amplitude", "omega", "duration", "scale"}},
      {"stepped", {"amplitude", "omegas", "cycles"}},
      {"impulse", {"amplitude", "start", "duration"}},
      {"base",
       {"amplitude", "phase", "harmonic", "omega", "file", "column", "time", "scale", "t", "a",
        "interpolate"}},
      {"record", {"file", "column", "time", "scale", "t", "f", "interpolate"}},
      {"formula", {"force"}},
      {"static", {"amplitude"}}};
  const auto found = kinds.find(kind);
  if (found == kinds.end()) {
    Keys names;
    for (const auto& [name, keys] : kinds) names.push_back(name);
    table.refuse("kind", "unknown kind of load '" + kind + "'" + suggestion(kind, names));
  }
  Keys allowed = found->second;
  allowed.insert(allowed.end(), {"kind", "dof", "along", "row"});
  table.allow(allowed);
  if (kind == "base") {
    // Seen from the moving ground, inertia is a force −M r a(t).
    const Eigen::VectorXd r = table.has("along") || table.has("dof")
                                  ? places.dof_or_along(table).dense()
                                  : Eigen::VectorXd::Ones(structure.size());
    return {-(structure.M * r), table.has("file") || table.has("a")
                                    ? record_of(table, "a", file.units)
                                    : tone_of(table)};
  }
  const Eigen::VectorXd w = places.dof_or_along(table);
  if (kind == "harmonic") return {w, tone_of(table)};
  if (kind == "multisine") return {w, multisine_of(table)};
  if (kind == "sweep") return {w, sweep_of(table)};
  if (kind == "stepped") return {w, stepped_of(table)};
  if (kind == "impulse") return {w, impulse_of(table)};
  if (kind == "record") return {w, record_of(table, "f", file.units)};
  if (kind == "formula") return {w, formula_of(table)};
  return {w, dynamics::Constant{table.number("amplitude")}};
}

}  // namespace microslip::catalog
