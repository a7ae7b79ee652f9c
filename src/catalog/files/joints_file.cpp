#include "catalog/files/joints_file.hpp"

#include <algorithm>
#include <cmath>

#include "catalog/files/element_table.hpp"
#include "catalog/files/joint_directions.hpp"
#include "microslip/catalog/by_displacement.hpp"
#include "microslip/catalog/catalog.hpp"
#include "microslip/catalog/files/error_place.hpp"
#include "microslip/catalog/files/parameter_file.hpp"
#include "microslip/catalog/vector_joint.hpp"
#include "microslip/core/error.hpp"
#include "microslip/core/text.hpp"
#include "microslip/dynamics/structure/modes.hpp"

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
    if (set.is_table(key)) {
      take_values(set.table(key), name + ".", law, spec);
      continue;
    }
    if (const auto* text = set.node(key).as_string(); text && text->get().starts_with('@'))
      set.refuse_file(key);
    if (!set_value(law, name, beside(set.value(key), set.file()), spec))
      set.refuse(key, name + " must be a number or the name of a choice");
  }
}

/// The law of a fit result in the units of the structure. If the structure does not say them, all fits must
/// have the same, which is then told.
ModelSpec converted(ModelSpec spec, const std::filesystem::path& path, StructureFile& file) {
  const auto of_fit = units_of_fit(path);
  if (!of_fit) return spec;
  if (file.units && !std::isfinite(of_fit->force * of_fit->length * of_fit->time))
    throw Error(path.string() + " is in " + of_fit->text + ", which cannot be converted to " +
                file.units->text +
                "; name the units of its record as force and length, as kN and mm");
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

/// The directions of the law of a joint; none if it has one.
std::vector<std::string> directions_of(const ModelSpec& spec) {
  return spec.model.empty() ? std::vector<std::string>() : describe_model(spec.model).directions;
}

AnyModel law_for_joint(const ModelSpec& spec) {
  AnyModel model = make(spec);
  for (const auto& [parameter, value] : model.parameters())
    if (parameter == "mu_factor" || parameter.ends_with(".mu_factor"))
      throw Error(parameter +
                  ": friction that changes in time is followed by 'microslip simulate', not in "
                  "structures");
  return model;
}

/// A law with several directions.
void add_joint(const ModelSpec& spec, std::vector<Direction> w, std::string name,
               StructureFile& file) {
  file.structure.interfaces.push_back(
      {vector_joint(law_for_joint(spec)), std::move(w), std::move(name)});
}

void add_joint(const ModelSpec& spec, Direction w, std::string name, StructureFile& file) {
  const AnyModel model = law_for_joint(spec);
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
    ElementTable table(path, "joints", places_, directions);
    for (std::size_t i = 0; i < table.rows().size(); ++i) read_row(table, i);
    table.check_rows();
  }

 private:
  static void set_values(const ElementTable& table, const ElementTable::Row& row, ModelSpec& spec,
                         std::size_t& at) {
    const Description law = describe_model(spec.model);
    for (std::size_t k = 0; k < table.headings().size(); ++k) {
      const std::string& heading = table.headings()[k];
      const bool own = heading == "model" || heading == "name" || heading == "from" ||
                       heading == "to" || heading == "row" || heading == "components";
      if (own || row.cells[k].empty()) continue;
      at = k;
      if (!set_value(law, heading, beside(parse_value(row.cells[k]), table.source()), spec))
        throw Error(heading + " must be a number or the name of a choice");
    }
  }

  void read_row(ElementTable& table, std::size_t i) {
    const ElementTable::Row& row = table.rows()[i];
    ModelSpec spec = common;
    const std::string model = table.cell(row, "model");
    if (!model.empty() && model != common.model) spec = {model, {}, {}};
    const std::size_t of_model = table.column("model").value_or(0);
    if (spec.model.empty()) table.refuse(row, of_model, "the model of this joint is missing");
    std::size_t at = of_model;
    try {
      set_values(table, row, spec, at);
      if (const std::vector<std::string> names = directions_of(spec); !names.empty()) {
        std::vector<Direction> w = table.directions(i, names, at);
        at = of_model;
        add_joint(spec, std::move(w), table.cell(row, "name"), file_);
        return;
      }
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
  std::vector<std::string> names;
  try {
    names = directions_of(joints.common);
  } catch (const Error& error) {
    refuse_law(table, joints.common, error);
  }
  const std::size_t width = std::max<std::size_t>(names.size(), 1);
  if (joints.directions.size() % width != 0)
    table.refuse("directions", "directions has " + std::to_string(joints.directions.size()) +
                                   " rows; the law takes " + std::to_string(width) +
                                   " for each joint, " + name_list(names));
  for (std::size_t i = 0; i < joints.directions.size(); ++i) {
    if (joints.directions[i].is_zero())
      table.refuse("directions", "row " + std::to_string(i + 1) + " of directions is all zeros");
    if (i % width != width - 1) continue;
    try {
      const auto last = joints.directions.begin() + static_cast<std::ptrdiff_t>(i) + 1;
      if (names.empty())
        add_joint(joints.common, joints.directions[i], "", file);
      else
        add_joint(joints.common,
                  std::vector<Direction>(last - static_cast<std::ptrdiff_t>(width), last), "",
                  file);
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
    table.allow({"model", "set", "params", "fit", "between", "along", "row", "mode", "name",
                 "nodes", "components", "axes", "normal"});
    const ModelSpec spec = law_of(table, true, file);
    std::vector<std::string> names;
    try {
      names = directions_of(spec);
    } catch (const Error& error) {
      refuse_law(table, spec, error);
    }
    if (!names.empty()) {
      std::vector<Direction> w = joint_directions(table, places, names);
      try {
        add_joint(spec, std::move(w), table.text_or("name", ""), file);
      } catch (const Error& error) {
        refuse_law(table, spec, error);
      }
      continue;
    }
    for (const char* key : {"nodes", "components", "axes", "normal"})
      if (table.has(key))
        table.refuse(key, std::string(key) + " is for laws with several directions; " + spec.model +
                              " has one: give 'between' or 'along'");
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
