#include "catalog/files/joints_file.hpp"

#include <algorithm>

#include "catalog/files/element_table.hpp"
#include "microslip/catalog/by_displacement.hpp"
#include "microslip/catalog/catalog.hpp"
#include "microslip/catalog/files/error_place.hpp"
#include "microslip/catalog/files/parameter_file.hpp"
#include "microslip/core/error.hpp"
#include "microslip/core/text.hpp"

namespace microslip::catalog {
namespace {

using dynamics::Direction;

bool has_option(const Description& law, const std::string& name) {
  return std::any_of(law.options.begin(), law.options.end(), [&](const OptionInfo& option) {
    return option.name == name || option.name.ends_with("." + name);
  });
}

/// Lists from files, `@curve.csv`, stand beside the file that names them.
Value beside(Value value, const std::filesystem::path& file) {
  if (const auto* text = std::get_if<std::string>(&value); text && text->starts_with('@'))
    if (const std::filesystem::path name = text->substr(1); !name.is_absolute())
      return "@" + (file.parent_path() / name).string();
  return value;
}

/// False where an option would be neither a number nor a word.
bool set_value(const Description& law, const std::string& name, const Value& value,
               ModelSpec& spec) {
  if (!has_option(law, name))
    spec.parameters[name] = value;
  else if (const auto* number = std::get_if<double>(&value))
    spec.options[name] = *number;
  else if (const auto* word = std::get_if<std::string>(&value))
    spec.options[name] = *word;
  else
    return false;
  return true;
}

/// `jenkins.k = 2` in TOML is a table jenkins with k in it; its name is jenkins.k all the same.
void take_values(const TomlTable& set, const std::string& prefix, const Description& law,
                 ModelSpec& spec) {
  for (const std::string& key : set.keys()) {
    const std::string name = prefix + key;
    if (set.is_table(key))
      take_values(set.table(key), name + ".", law, spec);
    else if (!set_value(law, name, beside(set.value(key), set.file()), spec))
      set.refuse(key, name + " must be a number or the name of a choice");
  }
}

/// The law of a fit result in the units of the structure. If the structure does not say them, all fits must
/// have the same, which is then told.
ModelSpec converted(ModelSpec spec, const std::filesystem::path& path, StructureFile& file) {
  const auto of_fit = units_of_fit(path);
  if (!of_fit) return spec;
  if (file.units) return in_units(std::move(spec), *of_fit, *file.units);
  const std::string begin = " is in " + of_fit->text;
  for (const std::string& note : file.notes)
    if (note.find(" is in ") != std::string::npos && note.find(begin + ",") == std::string::npos)
      throw Error(path.string() + begin + ", but " + note.substr(0, note.find("; ")) +
                  "; say the units of the structure: units = \"N, m, s\"");
  file.notes.push_back(path.string() + begin +
                       ", and the structure is taken to be; units = \"N, m, s\" in its file would "
                       "convert");
  return spec;
}

ModelSpec law_of(const TomlTable& table, bool required, StructureFile& structure) {
  ModelSpec spec;
  if (table.has("params")) {
    const std::filesystem::path file = table.file_beside("params");
    try {
      spec = converted(read_model_spec(file, table.text_or("fit", "")), file, structure);
    } catch (const Error& error) {
      table.refuse("params", error.what());
    }
  }
  if (table.has("model")) {
    const std::string model = table.text("model");
    if (!spec.model.empty() && spec.model != model)
      table.refuse("model", "model = '" + model + "', but params is for '" + spec.model + "'");
    spec.model = model;
  }
  if (spec.model.empty() && required) table.refuse("model", "the key 'model' is missing");
  if (table.has("set") && !spec.model.empty())
    take_values(table.table("set"), "", describe_model(spec.model), spec);
  return spec;
}

void add_joint(const ModelSpec& spec, Direction w, std::string name, StructureFile& file) {
  AnyModel model = make(spec);
  for (const auto& [parameter, value] : model.parameters())
    if (parameter == "mu_factor" || parameter.ends_with(".mu_factor"))
      throw Error(parameter +
                  ": friction that changes in time is followed by 'microslip simulate', not in "
                  "structures");
  file.laws.push_back({spec.model, model.parameters(), model.options()});
  AnyModel joint = by_displacement(model);
  std::vector<AnyModel> parts;
  if (joint.rigid() && model.description().driven == Driven::force) parts = parallel_parts(model);
  file.structure.joints.push_back(
      {std::move(joint), std::move(w), std::move(name), std::move(parts)});
}

/// Says where a law that was refused comes from: its parameter file, the key `set` or `model`.
[[noreturn]] void refuse_law(const TomlTable& table, const ModelSpec& spec, const Error& error) {
  if (table.has("params")) {
    const std::filesystem::path path = table.file_beside("params");
    const ModelSpec own = read_model_spec(path, table.text_or("fit", ""));
    try {
      make(own.model.empty() ? ModelSpec{spec.model, own.parameters, own.options} : own);
    } catch (const Error& refusal) {
      table.refuse("params", at_value(path, own, refusal).what());
    }
  }
  if (table.has("set"))
    for (const std::string& key : table.table("set").keys())
      if (names_value(error.what(), key)) table.refuse("set", error.what());
  table.refuse(table.has("model") ? "model" : "params", error.what());
}

/// The rows of `joints`: columns model, name, from and to or row, and parameters of the law.
class JointTable {
 public:
  JointTable(const Places& places, StructureFile& file) : places_(places), file_(file) {}

  /// What holds for all rows that do not say otherwise.
  ModelSpec common{};
  std::vector<Direction> directions{};

  void read(const std::filesystem::path& path) {
    const ElementTable table(path, "joints", places_, directions);
    for (std::size_t i = 0; i < table.rows().size(); ++i) read_row(table, i);
  }

 private:
  static void set_values(const ElementTable& table, const ElementTable::Row& row, ModelSpec& spec,
                         std::size_t& at) {
    const Description law = describe_model(spec.model);
    for (std::size_t k = 0; k < table.headings().size(); ++k) {
      const std::string& heading = table.headings()[k];
      const bool own = heading == "model" || heading == "name" || heading == "from" ||
                       heading == "to" || heading == "row";
      if (own || row.cells[k].empty()) continue;
      at = k;
      if (!set_value(law, heading, beside(parse_value(row.cells[k]), table.source()), spec))
        throw Error(heading + " must be a number or the name of a choice");
    }
  }

  void read_row(const ElementTable& table, std::size_t i) {
    const ElementTable::Row& row = table.rows()[i];
    ModelSpec spec = common;
    const std::string model = table.cell(row, "model");
    if (!model.empty() && model != common.model) spec = {model, {}, {}};
    const std::size_t of_model = table.column("model").value_or(0);
    if (spec.model.empty()) table.refuse(row, of_model, "the model of this joint is missing");
    std::size_t at = of_model;
    try {
      set_values(table, row, spec, at);
      Direction w = table.direction(i, at);
      at = of_model;
      add_joint(spec, std::move(w), table.cell(row, "name"), file_);
    } catch (const Error& error) {
      for (std::size_t k = 0; k < table.headings().size(); ++k)
        if (!row.cells[k].empty() && names_value(error.what(), table.headings()[k])) at = k;
      table.refuse(row, at, error.what());
    }
  }

  const Places& places_;
  StructureFile& file_;
};

void read_joint_table(const TomlTable& root, const Places& places, StructureFile& file) {
  JointTable joints(places, file);
  if (root.node("joints").is_string()) {
    joints.read(root.file_beside("joints"));
    return;
  }
  const TomlTable table = root.table("joints");
  table.allow({"file", "model", "set", "params", "fit", "directions"});
  joints.common = law_of(table, !table.has("file"), file);
  if (table.has("set") && joints.common.model.empty())
    table.refuse("set", "'set' needs the 'model' whose parameters it means");
  if (table.has("directions")) joints.directions = places.rows_of(table, "directions");
  if (table.has("file")) {
    joints.read(table.file_beside("file"));
    return;
  }
  if (joints.directions.empty())
    table.refuse("file", "joints must have a 'file' with a row for each joint, or 'directions'");
  for (std::size_t i = 0; i < joints.directions.size(); ++i) {
    if (joints.directions[i].is_zero())
      table.refuse("directions", "row " + std::to_string(i + 1) + " of directions is all zeros");
    try {
      add_joint(joints.common, joints.directions[i], "", file);
    } catch (const Error& error) {
      refuse_law(table, joints.common, error);
    }
  }
}

/// w = M φ of a mass-normalised mode of (M, K): wᵀx is its modal coordinate, and the joint acts on
/// this mode alone. The sign is the one that makes the largest element of φ positive.
Direction modal_direction(const TomlTable& table, const dynamics::Structure& s) {
  for (const char* key : {"between", "along"})
    if (table.has(key)) table.refuse("mode", "give either '" + std::string(key) + "' or 'mode'");
  if (s.size() > most_by_dense_modes)
    table.refuse("mode", "mode is for structures of at most " +
                             std::to_string(most_by_dense_modes) +
                             " degrees of freedom; give 'along', the mass matrix times the mode");
  const int mode = table.whole("mode");
  if (mode < 1 || mode > s.size())
    table.refuse("mode", "mode = " + std::to_string(mode) + " must be from 1 to " +
                             std::to_string(s.size()));
  const dynamics::Modes modes = dynamics::linear_modes(Eigen::MatrixXd(s.M), Eigen::MatrixXd(s.K));
  Eigen::VectorXd shape = modes.shapes.col(mode - 1);
  Eigen::Index largest = 0;
  shape.cwiseAbs().maxCoeff(&largest);
  if (shape[largest] < 0) shape = -shape;
  return Eigen::VectorXd(s.M * shape);
}

}  // namespace

void read_joints(const TomlTable& root, const Places& places, StructureFile& file) {
  for (const TomlTable& table : root.tables("joint")) {
    table.allow({"model", "set", "params", "fit", "between", "along", "row", "mode", "name"});
    const ModelSpec spec = law_of(table, true, file);
    Direction w =
        table.has("mode") ? modal_direction(table, file.structure) : places.between_or_along(table);
    try {
      add_joint(spec, std::move(w), table.text_or("name", ""), file);
    } catch (const Error& error) {
      refuse_law(table, spec, error);
    }
  }
  if (root.has("joints")) read_joint_table(root, places, file);
}

}  // namespace microslip::catalog
