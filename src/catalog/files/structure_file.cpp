#include "microslip/catalog/files/structure_file.hpp"

#include <algorithm>
#include <map>

#include "catalog/files/toml_table.hpp"
#include "microslip/catalog/catalog.hpp"
#include "microslip/catalog/files/parameter_file.hpp"
#include "microslip/core/error.hpp"
#include "microslip/core/text.hpp"
#include "microslip/dynamics/structure/reduction.hpp"
#include "microslip/io/csv.hpp"
#include "microslip/io/file.hpp"
#include "microslip/io/matrix_market.hpp"

namespace microslip::catalog {
namespace {

using dynamics::SparseMatrix;
using Index = Eigen::Index;

SparseMatrix matrix_of(const TomlTable& table, const std::string& key) {
  const toml::node& node = table.node(key);
  if (node.is_string()) return io::read_matrix_market(table.file_beside(key));
  const auto* array = node.as_array();
  const bool rows = array && !array->empty() && array->front().is_array();
  Eigen::MatrixXd dense;
  if (rows) {
    const auto lines = table.rows(key);
    dense.resize(static_cast<Index>(lines.size()), static_cast<Index>(lines.front().size()));
    for (Index i = 0; i < dense.rows(); ++i)
      dense.row(i) = Eigen::Map<const Eigen::RowVectorXd>(lines[static_cast<std::size_t>(i)].data(),
                                                          dense.cols());
  } else {
    const std::vector<double> diagonal = table.numbers(key);
    dense = Eigen::Map<const Eigen::VectorXd>(diagonal.data(), static_cast<Index>(diagonal.size()))
                .asDiagonal();
  }
  return dense.sparseView(0, 0);
}

SparseMatrix matrix_or_zero(const TomlTable& table, const std::string& key, Index size) {
  if (!table.has(key)) return SparseMatrix(size, size);
  SparseMatrix matrix = matrix_of(table, key);
  if (matrix.rows() != size || matrix.cols() != size)
    table.refuse(key, key + " has " + std::to_string(matrix.rows()) + " rows and " +
                          std::to_string(matrix.cols()) + " columns; M has " +
                          std::to_string(size));
  return matrix;
}

Index dof_of(const TomlTable& table, const std::string& key, double number, Index size,
             Index least) {
  if (number != std::floor(number) || number < static_cast<double>(least) ||
      number > static_cast<double>(size))
    table.refuse(key, key + " = " + number_text(number) + " must be a whole number from " +
                          std::to_string(least) + " to " + std::to_string(size) +
                          (least == 0 ? " (0 is the ground)" : ""));
  return static_cast<Index>(number);
}

Eigen::VectorXd vector_of(const TomlTable& table, const std::string& key, Index size) {
  const std::vector<double> list = table.numbers(key);
  if (static_cast<Index>(list.size()) != size)
    table.refuse(key, key + " has " + std::to_string(list.size()) + " numbers; there are " +
                          std::to_string(size) + " degrees of freedom");
  return Eigen::Map<const Eigen::VectorXd>(list.data(), size);
}

/// The direction of a spring, damper or joint.
Eigen::VectorXd direction_between(const TomlTable& table, Index size) {
  if (table.has("along") && table.has("between"))
    table.refuse("along", "give either 'between' or 'along'");
  Eigen::VectorXd w;
  if (table.has("along")) {
    w = vector_of(table, "along", size);
    if (w.isZero(0)) table.refuse("along", "along must not be all zeros");
  } else {
    const std::vector<double> ends = table.numbers("between");
    if (ends.size() != 2)
      table.refuse("between", "between must be two degrees of freedom, for example [0, 1]");
    w = dynamics::between(size, dof_of(table, "between", ends[0], size, 0),
                          dof_of(table, "between", ends[1], size, 0));
    if (w.isZero(0)) table.refuse("between", "between must name two different places");
  }
  return w;
}

/// Where a load acts.
Eigen::VectorXd direction_of_load(const TomlTable& table, Index size) {
  if (table.has("along") && table.has("dof")) table.refuse("along", "give either 'dof' or 'along'");
  if (table.has("along")) return vector_of(table, "along", size);
  return Eigen::VectorXd::Unit(size, dof_of(table, "dof", table.number("dof"), size, 1) - 1);
}

// ------------------------------------------------------------------------------------- joints

bool has_option(const Description& law, const std::string& name) {
  return std::any_of(law.options.begin(), law.options.end(), [&](const OptionInfo& option) {
    return option.name == name || option.name.ends_with("." + name);
  });
}

/// `jenkins.k = 2` in TOML is a table jenkins with k in it; its name is jenkins.k all the same.
void take_values(const TomlTable& set, const std::string& prefix, const Description& law,
                 ModelSpec& spec) {
  for (const std::string& key : set.keys()) {
    const std::string name = prefix + key;
    if (set.is_table(key)) {
      take_values(set.table(key), name + ".", law, spec);
      continue;
    }
    const Value value = set.value(key);
    if (!has_option(law, name))
      spec.parameters[name] = value;
    else if (const auto* number = std::get_if<double>(&value))
      spec.options[name] = *number;
    else if (const auto* word = std::get_if<std::string>(&value))
      spec.options[name] = *word;
    else
      set.refuse(key, name + " must be a number or the name of a choice");
  }
}

ModelSpec law_of(const TomlTable& table) {
  ModelSpec spec;
  if (table.has("params")) {
    const std::filesystem::path file = table.file_beside("params");
    spec = read_model_spec(file, table.text_or("fit", ""));
  }
  if (table.has("model")) {
    const std::string model = table.text("model");
    if (!spec.model.empty() && spec.model != model)
      table.refuse("model", "model = '" + model + "', but params is for '" + spec.model + "'");
    spec.model = model;
  }
  if (spec.model.empty()) table.refuse("model", "the key 'model' is missing");
  if (!table.has("set")) return spec;
  take_values(table.table("set"), "", describe_model(spec.model), spec);
  return spec;
}

AnyModel make_joint(const TomlTable& table, const ModelSpec& spec) {
  try {
    return make(spec);
  } catch (const Error& error) {
    table.refuse("model", error.what());
  }
}

void read_joints(const TomlTable& root, StructureFile& file) {
  const Index size = file.structure.size();
  for (const TomlTable& table : root.tables("joint")) {
    table.allow({"model", "set", "params", "fit", "between", "along", "name"});
    const ModelSpec spec = law_of(table);
    AnyModel model = make_joint(table, spec);
    file.laws.push_back({spec.model, model.parameters(), model.options()});
    file.structure.joints.push_back(
        {std::move(model), direction_between(table, size), table.text_or("name", "")});
  }
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

dynamics::Signal record_of(const TomlTable& table, const std::string& column) {
  const double scale = table.number_or("scale", 1);
  io::Wanted wanted{{"t", column}, {}, {}};
  const io::Table record = io::read_csv(table.file_beside("file"), wanted);
  dynamics::Samples samples{record.at("t").values, record.at(column).values};
  for (double& value : samples.values) value *= scale;
  return samples;
}

dynamics::Load load_of(const TomlTable& table, const dynamics::Structure& structure) {
  const Index size = structure.size();
  const std::string kind = table.text("kind");
  using Keys = std::vector<std::string>;
  const std::map<std::string, Keys> kinds{
      {"harmonic", {"amplitude", "phase", "harmonic", "omega"}},
      {"multisine", {"amplitudes", "harmonics", "omegas", "phases", "omega"}},
      {"sweep", {"amplitude", "omega", "duration", "scale"}},
      {"stepped", {"amplitude", "omegas", "cycles"}},
      {"impulse", {"amplitude", "start", "duration"}},
      {"base", {"amplitude", "phase", "harmonic", "omega", "file", "scale"}},
      {"record", {"file", "scale"}},
      {"static", {"amplitude"}}};
  const auto found = kinds.find(kind);
  if (found == kinds.end()) {
    Keys names;
    for (const auto& [name, keys] : kinds) names.push_back(name);
    table.refuse("kind", "unknown kind of load '" + kind + "'" + suggestion(kind, names));
  }
  Keys allowed = found->second;
  allowed.insert(allowed.end(), {"kind", "dof", "along"});
  table.allow(allowed);
  if (kind == "base") {
    // Seen from the moving ground, inertia is a force −M r a(t).
    const Eigen::VectorXd r = table.has("along") || table.has("dof")
                                  ? direction_of_load(table, size)
                                  : Eigen::VectorXd::Ones(size);
    return {-(structure.M * r), table.has("file") ? record_of(table, "a") : tone_of(table)};
  }
  const Eigen::VectorXd w = direction_of_load(table, size);
  if (kind == "harmonic") return {w, tone_of(table)};
  if (kind == "multisine") return {w, multisine_of(table)};
  if (kind == "sweep") return {w, sweep_of(table)};
  if (kind == "stepped") return {w, stepped_of(table)};
  if (kind == "impulse") return {w, impulse_of(table)};
  if (kind == "record") return {w, record_of(table, "f")};
  return {w, dynamics::Constant{table.number("amplitude")}};
}

// ----------------------------------------------------------------------------------- analyses

const std::map<std::string, std::vector<std::string>>& analysis_keys() {
  static const std::map<std::string, std::vector<std::string>> keys{
      {"frequency-response",
       {"omega", "harmonics", "at", "samples", "tolerance", "stability", "levels", "dof"}},
      {"load-response",
       {"omega", "level", "amplitude", "dof", "harmonics", "at", "samples", "tolerance",
        "stability"}},
      {"modal-joints", {"omega", "modes", "harmonics", "tolerance", "dof"}},
      {"time", {"until", "step", "tolerance", "x0", "v0", "at", "method", "dof"}},
      {"nonlinear-mode", {"mode", "amplitude", "harmonics", "at", "tolerance"}},
      {"quasi-static", {"mode", "amplitude", "at"}},
      {"averaging", {"omega", "amplitude", "at", "levels"}}};
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

/// The place, from 1, of a degree of freedom that goes by its number in the whole structure.
int place_of(const TomlTable& table, int dof, const StructureFile& file) {
  const auto found = std::find(file.labels.begin(), file.labels.end(), std::to_string(dof));
  if (found != file.labels.end()) return static_cast<int>(found - file.labels.begin()) + 1;
  const std::string given = "dof = " + std::to_string(dof);
  if (dof <= file.whole_size)
    table.refuse("dof", given + " is not kept by the reduction; add it to its keep");
  table.refuse("dof", given + " must be at most " + std::to_string(file.whole_size));
}

Analysis analysis_of(const TomlTable& table, const StructureFile& file) {
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
  std::vector<std::string> allowed = found->second;
  allowed.insert(allowed.end(), {"kind", "output", "plot"});
  table.allow(allowed);
  a.output = table.text_or("output", "");
  a.plot = table.text_or("plot", "");
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
  a.dof = positive_whole(table, "dof");
  a.until = positive_number(table, "until");
  a.step = positive_number(table, "step");
  a.tolerance = positive_number(table, "tolerance");
  a.method = table.text_or("method", "");
  if (table.has("stability")) a.stability = table.truth_or("stability", true);
  for (const char* key : {"x0", "v0"})
    if (table.has(key)) {
      const Eigen::VectorXd start = vector_of(table, key, size);
      (key[0] == 'x' ? a.x0 : a.v0).assign(start.begin(), start.end());
    }
  if (a.dof) a.dof = place_of(table, *a.dof, file);
  const auto need = [&](bool given, const std::string& key) {
    if (!given) table.refuse(key, "the key '" + key + "' is missing");
  };
  if (a.kind == "frequency-response" || a.kind == "modal-joints") need(!a.omega.empty(), "omega");
  if (a.kind == "modal-joints") need(a.modes.has_value(), "modes");
  if (a.kind == "time") need(a.until.has_value(), "until");
  if (a.kind == "nonlinear-mode" || a.kind == "quasi-static")
    need(!a.amplitude.empty(), "amplitude");
  if (a.kind == "averaging") need(!a.omega.empty() || !a.amplitude.empty(), "omega");
  return a;
}

constexpr Index most_by_dense_modes = 2000;  // some seconds

void reduce(const TomlTable& table, StructureFile& file) {
  table.allow({"modes", "keep"});
  const int modes = table.whole("modes");
  if (modes < 0) table.refuse("modes", "modes must not be negative");
  std::vector<Index> keep;
  for (const double dof : table.numbers_or_none("keep"))
    keep.push_back(dof_of(table, "keep", dof, file.structure.size(), 1) - 1);
  dynamics::Reduced reduced = dynamics::craig_bampton(file.structure, modes, keep);
  file.labels.clear();
  for (const Index dof : reduced.kept) file.labels.push_back(std::to_string(dof + 1));
  for (Index i = 1; i <= reduced.frequencies.size(); ++i)
    file.labels.push_back("m" + std::to_string(i));
  file.structure = std::move(reduced.structure);
}

}  // namespace

StructureFile parse_structure(std::string_view text, const std::filesystem::path& name) {
  toml::table parsed;
  try {
    parsed = toml::parse(text);
  } catch (const toml::parse_error& error) {
    throw Error::at(name.string(), error.source().begin.line, error.source().begin.column,
                    "this is not TOML: " + std::string(error.description().substr(0, 200)));
  }
  const TomlTable root(parsed, name, "");
  root.allow({"M", "C", "K", "damping", "spring", "damper", "joint", "load", "reduction",
              "analysis", "title"});
  StructureFile file;
  dynamics::Structure& s = file.structure;
  s.M = matrix_of(root, "M");
  if (s.M.rows() != s.M.cols()) root.refuse("M", "M must be square");
  const Index size = s.M.rows();
  s.C = matrix_or_zero(root, "C", size);
  s.K = matrix_or_zero(root, "K", size);
  for (const TomlTable& table : root.tables("spring")) {
    table.allow({"between", "along", "k"});
    dynamics::add_along(s.K, direction_between(table, size), table.number("k"));
  }
  for (const TomlTable& table : root.tables("damper")) {
    table.allow({"between", "along", "c"});
    dynamics::add_along(s.C, direction_between(table, size), table.number("c"));
  }
  read_joints(root, file);
  // Modes of a large structure are taken after its reduction, which keeps the lowest.
  const bool damped = root.has("damping"), large = size > most_by_dense_modes;
  if (damped && large && !root.has("reduction"))
    root.refuse("damping", "damping by the modes of more than " +
                               std::to_string(most_by_dense_modes) +
                               " degrees of freedom needs a [reduction], or give C instead");
  if (damped && !large) s.C += dynamics::modal_damping(s.M, s.K, root.numbers("damping"));
  for (const TomlTable& table : root.tables("load")) s.loads.push_back(load_of(table, s));
  try {
    dynamics::check(s);
  } catch (const Error& error) {
    throw Error(name.string() + ": " + error.what());
  }
  file.whole_size = size;
  for (Index i = 1; i <= size; ++i) file.labels.push_back(std::to_string(i));
  if (root.has("reduction")) reduce(root.table("reduction"), file);
  if (damped && large) s.C += dynamics::modal_damping(s.M, s.K, root.numbers("damping"));
  for (const TomlTable& table : root.tables("analysis"))
    file.analyses.push_back(analysis_of(table, file));
  if (file.analyses.empty()) throw Error(name.string() + " asks for nothing: add an [[analysis]]");
  file.files = root.files_read();
  return file;
}

StructureFile read_structure(const std::filesystem::path& path) {
  return parse_structure(io::read_file(path), path);
}

}  // namespace microslip::catalog
