#include "microslip/catalog/files/structure_file.hpp"

#include <algorithm>
#include <map>

#include "catalog/files/joints_file.hpp"
#include "catalog/files/massless.hpp"
#include "catalog/files/number_list.hpp"
#include "catalog/files/places.hpp"
#include "catalog/files/springs_file.hpp"
#include "catalog/files/toml_table.hpp"
#include "microslip/catalog/files/error_place.hpp"
#include "microslip/catalog/two_sided.hpp"
#include "microslip/core/error.hpp"
#include "microslip/core/text.hpp"
#include "microslip/dynamics/structure/reduction.hpp"
#include "microslip/friction/builders.hpp"
#include "microslip/io/csv.hpp"
#include "microslip/io/file.hpp"
#include "microslip/io/record_file.hpp"

namespace microslip::catalog {
namespace {

using Index = Eigen::Index;

Eigen::VectorXd vector_of(const TomlTable& table, const std::string& key, Index size) {
  const std::vector<double> list = table.numbers(key);
  if (static_cast<Index>(list.size()) != size)
    table.refuse(key, key + " has " + std::to_string(list.size()) + " numbers; there are " +
                          std::to_string(size) + " degrees of freedom");
  return Eigen::Map<const Eigen::VectorXd>(list.data(), size);
}

// -------------------------------------------------------------------------------------- loads

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

dynamics::Signal record_of(const TomlTable& table, const std::string& column,
                           const std::optional<Units>& units) {
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
      {"base", {"amplitude", "phase", "harmonic", "omega", "file", "column", "time", "scale"}},
      {"record", {"file", "column", "time", "scale"}},
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
    return {-(structure.M * r),
            table.has("file") ? record_of(table, "a", file.units) : tone_of(table)};
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

// ----------------------------------------------------------------------------------- analyses

const std::map<std::string, std::vector<std::string>>& analysis_keys() {
  static const std::map<std::string, std::vector<std::string>> keys{
      {"frequency-response",
       {"omega", "harmonics", "at", "samples", "tolerance", "stability", "levels", "dof", "scale",
        "quantity"}},
      {"load-response",
       {"omega", "level", "amplitude", "dof", "harmonics", "at", "samples", "tolerance",
        "stability", "scale"}},
      {"modes", {"modes"}},
      {"modal-joints", {"omega", "modes", "harmonics", "tolerance", "dof"}},
      {"time", {"until", "step", "tolerance", "x0", "v0", "at", "method", "dof", "columns"}},
      {"nonlinear-mode", {"mode", "amplitude", "harmonics", "at", "tolerance"}},
      {"quasi-static", {"mode", "amplitude", "at"}},
      {"averaging", {"omega", "amplitude", "at", "levels"}},
      {"slow-flow", {"until", "step", "tolerance", "x0", "v0"}}};
  return keys;
}

std::vector<double> range_of(const TomlTable& table, const std::string& key) {
  if (!table.has(key)) return {};
  const std::vector<double> range = table.numbers(key);
  if (range.size() != 2 || !(range[0] > 0) || !(range[1] > 0) || range[0] == range[1])
    table.refuse(key, key + " must be a range of two different positive numbers");
  return range;
}

std::optional<int> positive_whole(const TomlTable& table, const std::string& key) {
  if (!table.has(key)) return std::nullopt;
  const int value = table.whole(key);
  if (value < 1) table.refuse(key, key + " = " + std::to_string(value) + " must be 1 or more");
  return value;
}

std::optional<double> positive_number(const TomlTable& table, const std::string& key) {
  if (!table.has(key)) return std::nullopt;
  const double value = table.number(key);
  if (!(value > 0)) table.refuse(key, key + " = " + number_text(value) + " must be positive");
  return value;
}

/// The place, from 1, of a degree of freedom that goes by its name in the whole structure.
int place_of(const TomlTable& table, const Places& places, const StructureFile& file) {
  const std::string name = places.name(places.dof(table, "dof", 1) - 1);
  const auto found = std::find(file.labels.begin(), file.labels.end(), name);
  if (found != file.labels.end()) return static_cast<int>(found - file.labels.begin()) + 1;
  if (places.size() != file.own_size)
    table.refuse("dof", "dof = " + name + " has no mass: it was condensed");
  table.refuse("dof", "dof = " + name + " is not kept by the reduction; add it to its keep");
}

bool single_tone(const dynamics::Structure& structure) {
  if (structure.loads.size() != 1) return false;
  const auto* tones = std::get_if<dynamics::Tones>(&structure.loads.front().signal);
  return tones && tones->list.size() == 1 && tones->list.front().amplitude != 0;
}

Analysis analysis_of(const TomlTable& table, const Places& places, const StructureFile& file) {
  const Index size = file.structure.size();
  Analysis a;
  a.kind = table.text("kind");
  a.where = table.place();
  const auto found = analysis_keys().find(a.kind);
  if (found == analysis_keys().end()) {
    std::vector<std::string> names;
    for (const auto& [name, keys] : analysis_keys()) names.push_back(name);
    table.refuse("kind", "unknown kind of analysis '" + a.kind + "'" + suggestion(a.kind, names));
  }
  if (a.kind != "time") try {
      const bool periodic = a.kind == "frequency-response" || a.kind == "load-response" ||
                            a.kind == "nonlinear-mode" || a.kind == "modes";
      dynamics::refuse_interfaces(file.structure, "kind = '" + a.kind + "'", periodic);
    } catch (const Error& error) {
      table.refuse("kind", error.what());
    }
  std::vector<std::string> allowed = found->second;
  allowed.insert(allowed.end(), {"kind", "output", "plot"});
  table.allow(allowed);
  a.output = table.text_or("output", "");
  a.plot = table.text_or("plot", "");
  const auto one_of = [&](const std::string& key, const std::string& usual,
                          const std::string& other) {
    const std::string word = table.text_or(key, usual);
    if (word != usual && word != other)
      table.refuse(key, key + " = '" + word + "' must be " + usual + " or " + other);
    return word == other;
  };
  a.logarithmic = one_of("scale", "linear", "logarithmic");
  a.receptance = one_of("quantity", "amplitude", "receptance");
  if (a.receptance && !single_tone(file.structure))
    table.refuse("quantity",
                 "quantity = 'receptance' divides by the load: it needs one harmonic load");
  if (a.kind == "load-response") {
    a.omega = {positive_number(table, "omega").value_or(0)};
    if (!table.has("omega")) table.refuse("omega", "the key 'omega' is missing");
    if (table.has("level") == table.has("amplitude"))
      table.refuse("level", "give either 'level' or 'amplitude', the range of what runs");
  } else {
    a.omega = range_of(table, "omega");
  }
  a.level = range_of(table, "level");
  a.amplitude = range_of(table, "amplitude");
  a.at = table.numbers_or_none("at");
  a.levels = table.numbers_or_none("levels");
  if (table.has("levels") && a.levels.empty())
    table.refuse("levels", "levels = [] asks for no curve; give factors of the load");
  a.harmonics = positive_whole(table, "harmonics");
  a.samples = positive_whole(table, "samples");
  a.mode = positive_whole(table, "mode");
  a.modes = positive_whole(table, "modes");
  a.until = positive_number(table, "until");
  a.step = positive_number(table, "step");
  a.tolerance = positive_number(table, "tolerance");
  a.method = table.text_or("method", "");
  if (table.has("stability")) a.stability = table.truth_or("stability", true);
  for (const char* key : {"x0", "v0"})
    if (table.has(key)) {
      // Interfaces begin at rest unless their degrees of freedom are given too.
      const bool short_of = static_cast<Index>(table.numbers(key).size()) == file.own_size;
      Eigen::VectorXd start = Eigen::VectorXd::Zero(size);
      const Index given = short_of ? file.own_size : size;
      start.head(given) = vector_of(table, key, given);
      (key[0] == 'x' ? a.x0 : a.v0).assign(start.begin(), start.end());
    }
  if (table.has("dof")) a.dof = place_of(table, places, file);
  a.columns = table.text_or("columns", "all");
  if (a.columns != "all" && a.columns != "sensors")
    table.refuse("columns", "columns = '" + a.columns + "' must be all or sensors");
  if (a.columns == "sensors" && file.structure.sensors.empty())
    table.refuse("columns", "columns = 'sensors', but there is no [[sensor]]");
  const auto need = [&](bool given, const std::string& key) {
    if (!given) table.refuse(key, "the key '" + key + "' is missing");
  };
  if (a.kind == "frequency-response" || a.kind == "modal-joints") need(!a.omega.empty(), "omega");
  if (a.kind == "modal-joints") need(a.modes.has_value(), "modes");
  if (a.kind == "time" || a.kind == "slow-flow") need(a.until.has_value(), "until");
  if (a.kind == "nonlinear-mode" || a.kind == "quasi-static")
    need(!a.amplitude.empty(), "amplitude");
  if (a.kind == "averaging") need(!a.omega.empty() || !a.amplitude.empty(), "omega");
  return a;
}

void reduce(const TomlTable& table, const Places& places, StructureFile& file) {
  table.allow({"modes", "keep"});
  const int modes = table.whole("modes");
  if (modes < 0) table.refuse("modes", "modes must not be negative");
  std::vector<Index> keep;
  if (table.has("keep"))
    for (const Index dof : places.dofs(table, "keep", 1)) keep.push_back(dof - 1);
  dynamics::Reduced reduced = dynamics::craig_bampton(file.structure, modes, keep);
  file.labels.clear();
  for (const Index dof : reduced.kept) file.labels.push_back(places.name(dof));
  for (Index i = 1; i <= reduced.frequencies.size(); ++i)
    file.labels.push_back("m" + std::to_string(i));
  file.structure = std::move(reduced.structure);
  file.physical = static_cast<Index>(reduced.kept.size());
  file.left_out = reduced.left_out;
}

void read_sensors(const TomlTable& root, const Places& places, dynamics::Structure& s) {
  for (const TomlTable& table : root.tables("sensor")) {
    table.allow({"name", "dof", "between", "along", "row"});
    const std::string name = table.text("name");
    if (name.empty() || name.find_first_of(" ,;\t\"") != std::string::npos)
      table.refuse("name", "name = '" + name + "' must be a word: it becomes a heading");
    for (const dynamics::Sensor& other : s.sensors)
      if (other.name == name) table.refuse("name", "there are two sensors '" + name + "'");
    s.sensors.push_back(
        {name, table.has("dof") ? places.dof_or_along(table) : places.between_or_along(table)});
  }
}

/// The interfaces of [[interface]]; they add degrees of freedom behind those of M.
void read_interfaces(const TomlTable& root, const Places& places, dynamics::Structure& s) {
  for (const TomlTable& table : root.tables("interface")) {
    table.allow({"kind", "between", "n", "K_eq", "M_eq", "mu", "distribution", "exponent", "modes",
                 "form", "k_end", "static_correction"});
    if (const std::string kind = table.text("kind"); kind != "two-sided")
      table.refuse("kind", "unknown kind of interface '" + kind + "'; there is two-sided");
    const std::vector<Index> ends = places.dofs(table, "between", 0);
    if (ends.size() != 2) table.refuse("between", "between must be two degrees of freedom");
    const std::string form = table.text_or("form", "reduced");
    if (form != "reduced" && form != "full")
      table.refuse("form", "form = '" + form + "' must be reduced or full");
    const int n = table.whole("n");
    if (n < 2 || n > 100000)
      table.refuse("n", "n = " + std::to_string(n) + " must lie in [2, 100000]");
    TwoSided interface;
    interface.reduced = form == "reduced";
    interface.K_eq = table.number("K_eq");
    interface.M_eq = table.number("M_eq");
    interface.k_end = table.number_or("k_end", 0);
    interface.modes = table.has("modes") ? table.whole("modes") : std::min(4, n - 1);
    interface.static_correction = table.truth_or("static_correction", true);
    for (const char* key : {"modes", "static_correction"})
      if (table.has(key) && !interface.reduced)
        table.refuse(key, std::string(key) + " belongs to form = \"reduced\"");
    // A list, or the name of a file with one.
    const bool from_file = std::holds_alternative<std::string>(table.value("mu"));
    const std::vector<double> mu =
        from_file ? read_number_list(table.file_beside("mu")) : table.numbers("mu");
    if (mu.empty()) table.refuse("mu", "mu must not be empty");
    if (mu.size() > 1 && static_cast<int>(mu.size()) != n)
      table.refuse("mu", "mu has " + std::to_string(mu.size()) + " numbers; there are " +
                             std::to_string(n) + " sliders");
    if (mu.size() > 1 && table.has("distribution"))
      table.refuse("distribution", "distribution spreads one mu; a list says it already");
    const std::string distribution = table.text_or("distribution", "uniform");
    if (table.has("exponent") && distribution != "power")
      table.refuse("exponent", "exponent belongs to distribution = \"power\"");
    try {
      interface.mu = mu.size() > 1 ? mu
                                   : friction::friction_limits(
                                         n, mu.front(), friction::distribution_of(distribution),
                                         table.number_or("exponent", 1));
      add_two_sided(s, interface, ends[0], ends[1]);
    } catch (const Error& error) {
      const std::string sentence = error.what();
      for (const std::string& key : table.keys())
        if (sentence.starts_with(key + " ")) table.refuse(key, sentence);
      table.refuse("kind", sentence);
    }
  }
}

/// Damping by ratios of modes: those of (M, K) by `damping`, those with the joints stuck, at their
/// stiffness at rest, by `stuck_damping`.
void add_modal_damping(const TomlTable& root, dynamics::Structure& s) {
  if (root.has("damping")) s.C += dynamics::modal_damping(s.M, s.K, root.numbers("damping"));
  if (!root.has("stuck_damping")) return;
  dynamics::SparseMatrix stuck = s.K;
  for (const dynamics::JointElement& joint : s.joints) {
    if (joint.model.rigid())
      root.refuse("stuck_damping", "stuck_damping needs joints with a stiffness at rest, which '" +
                                       joint.model.description().name + "' has not: it is rigid");
    dynamics::add_along(stuck, joint.w, dynamics::tangent_at_rest(joint.model));
  }
  s.C += dynamics::modal_damping(s.M, stuck, root.numbers("stuck_damping"));
}

}  // namespace

namespace {

void refuse_overflow(const dynamics::Structure& s, const std::string& source) {
  const std::pair<const char*, const dynamics::SparseMatrix*> matrices[] = {
      {"M", &s.M}, {"C", &s.C}, {"K", &s.K}};
  for (const auto& [name, matrix] : matrices)
    for (Index j = 0; j < matrix->outerSize(); ++j)
      for (dynamics::SparseMatrix::InnerIterator it(*matrix, j); it; ++it)
        if (!(std::abs(it.value()) < most_coefficient))
          throw Error(source + ": " + name + "(" + std::to_string(it.row() + 1) + "," +
                      std::to_string(it.col() + 1) + ") = " + number_text(it.value()) +
                      " must be less than 1e150; choose larger units");
}

}  // namespace

StructureFile parse_structure(std::string_view text, const std::filesystem::path& name) {
  toml::table parsed;
  try {
    parsed = toml::parse(text);
  } catch (const toml::parse_error& error) {
    throw Error::at(io::source_name(name), error.source().begin.line, error.source().begin.column,
                    "this is not TOML: " + std::string(error.description().substr(0, 200)));
  }
  const TomlTable root(parsed, name, "");
  root.allow({"M", "C", "K", "damping", "stuck_damping", "spring", "springs", "damper", "joint",
              "joints", "interface", "load", "sensor", "reduction", "analysis", "title", "units"});
  StructureFile file;
  dynamics::Structure& s = file.structure;
  if (root.has("units")) try {
      file.units = parse_units(root.text("units"));
    } catch (const Error& error) {
      root.refuse("units", error.what());
    }
  Matrices matrices = read_matrices(root);
  const Index size = matrices.M.rows();
  const Places places(size, std::move(matrices.labels));
  s.M = std::move(matrices.M);
  s.C = std::move(matrices.C);
  s.K = std::move(matrices.K);
  read_springs(root, places, s);
  refuse_overflow(s, io::source_name(name));
  read_joints(root, places, file);
  read_sensors(root, places, s);
  // Modes of a large structure are taken after its reduction, which keeps the lowest.
  const bool large = size > most_by_dense_modes;
  for (const char* key : {"damping", "stuck_damping"})
    if (root.has(key) && large && !root.has("reduction"))
      root.refuse(key, std::string(key) + " by the modes of more than " +
                           std::to_string(most_by_dense_modes) +
                           " degrees of freedom needs a [reduction], or give C instead");
  for (const TomlTable& table : root.tables("load")) {
    s.loads.push_back(load_of(table, places, file));
    file.load_units.push_back(table.text("kind") == "base" ? "L/T^2" : "F");
    if (table.text("kind") == "base" && root.has("interface"))
      table.refuse("kind", "kind = 'base' does not reach the masses of an [[interface]]");
  }
  read_interfaces(root, places, s);
  const Index interface_size = s.size() - size;
  std::vector<Index> kept;
  condense_massless(root, places, file, kept);
  if (!large) add_modal_damping(root, s);
  try {
    dynamics::check_parts(s);
  } catch (const Error& error) {
    const std::string sentence = error.what();
    for (const char* key : {"M", "C", "K"})
      if (root.has(key) && (sentence.starts_with(key + std::string(" ")) ||
                            (key[0] == 'M' && sentence.starts_with("the mass "))))
        root.refuse(key, sentence);
    throw Error(io::source_name(name) + ": " + sentence);
  }
  for (const char* key : {"M", "K", "C"})
    file.has_matrices = file.has_matrices || (root.has(key) && root.node(key).is_string());
  file.own_size = s.size() - interface_size;
  file.whole_size = s.size();
  file.physical = s.interfaces.empty() ? s.size() : file.own_size;
  for (const Index i : kept)
    file.labels.push_back(i < size ? places.name(i) : std::to_string(i + 1));
  if (root.has("reduction") && root.has("interface"))
    root.refuse("reduction", "a [reduction] beside an [[interface]] is not taken");
  if (root.has("reduction")) reduce(root.table("reduction"), places, file);
  if (large) add_modal_damping(root, s);
  for (const TomlTable& table : root.tables("analysis"))
    file.analyses.push_back(analysis_of(table, places, file));
  file.files = root.files_read();
  return file;
}

StructureFile read_structure(const std::filesystem::path& path) {
  try {
    return parse_structure(io::read_file(path), path);
  } catch (const Error& error) {
    throw at_key(path, error);
  }
}

}  // namespace microslip::catalog
