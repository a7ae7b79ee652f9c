#include "catalog/files/joints_file.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "microslip/catalog/by_displacement.hpp"
#include "microslip/catalog/catalog.hpp"
#include "microslip/catalog/files/error_place.hpp"
#include "microslip/catalog/files/parameter_file.hpp"
#include "microslip/core/error.hpp"
#include "microslip/core/text.hpp"
#include "microslip/io/text_table.hpp"

namespace microslip::catalog {
namespace {

using dynamics::Direction;
using Index = Eigen::Index;

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

ModelSpec law_of(const TomlTable& table, bool required) {
  ModelSpec spec;
  if (table.has("params")) {
    const std::filesystem::path file = table.file_beside("params");
    try {
      spec = read_model_spec(file, table.text_or("fit", ""));
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
    table_ = io::read_text_table(path);
    const bool by_ends = column("from") && column("to");
    if (by_ends && (column("row") || !directions.empty()))
      refuse_heading("from", "the joints have both 'from' and 'to' and rows of 'directions'");
    if (!by_ends && directions.empty())
      throw Error(table_.source +
                  " must have the headings 'from' and 'to', or [joints] must name a matrix of "
                  "'directions'");
    if (!by_ends && !column("row") && table_.rows.size() != directions.size())
      throw Error(table_.source + " has " + std::to_string(table_.rows.size()) +
                  " joints, but 'directions' has " + std::to_string(directions.size()) +
                  " rows; a column 'row' says which belongs to which");
    for (std::size_t i = 0; i < table_.rows.size(); ++i) read_row(i);
  }

 private:
  using Row = io::TextTable::Row;

  std::optional<std::size_t> column(const std::string& heading) const {
    const auto found = std::find(table_.headings.begin(), table_.headings.end(), heading);
    if (found == table_.headings.end()) return std::nullopt;
    return static_cast<std::size_t>(found - table_.headings.begin());
  }
  [[noreturn]] void refuse_heading(const std::string& heading, const std::string& why) const {
    throw Error::at(table_.source, 1, column(heading).value_or(0) + 1, why);
  }
  std::string cell(const Row& row, const std::string& heading) const {
    const auto at = column(heading);
    return at ? row.cells[*at] : "";
  }

  void read_row(std::size_t i) {
    const Row& row = table_.rows[i];
    ModelSpec spec = common;
    const std::string model = cell(row, "model");
    if (!model.empty() && model != common.model) spec = {model, {}, {}};
    if (spec.model.empty())
      table_.refuse(row, column("model").value_or(0), "the model of this joint is missing");
    std::size_t at = column("model").value_or(0);
    try {
      const Description law = describe_model(spec.model);
      for (std::size_t k = 0; k < table_.headings.size(); ++k) {
        const std::string& heading = table_.headings[k];
        const bool own = heading == "model" || heading == "name" || heading == "from" ||
                         heading == "to" || heading == "row";
        if (own || row.cells[k].empty()) continue;
        at = k;
        if (!set_value(law, heading, beside(parse_value(row.cells[k]), table_.source), spec))
          throw Error(heading + " must be a number or the name of a choice");
      }
      at = column("from").value_or(column("row").value_or(0));
      Direction w = direction(row, i, at);
      at = column("model").value_or(0);
      add_joint(spec, std::move(w), cell(row, "name"), file_);
    } catch (const Error& error) {
      for (std::size_t k = 0; k < table_.headings.size(); ++k)
        if (!row.cells[k].empty() && names_value(error.what(), table_.headings[k])) at = k;
      table_.refuse(row, at, error.what());
    }
  }

  Direction direction(const Row& row, std::size_t i, std::size_t& at) const {
    if (directions.empty()) {
      const auto end = [&](const std::string& heading) {
        at = *column(heading);
        try {
          return places_.find(cell(row, heading), 0);
        } catch (const Error& error) {
          throw Error(heading + " = " + error.what());
        }
      };
      const Index from = end("from"), to = end("to");
      const Direction w = dynamics::between(places_.size(), from, to);
      if (w.is_zero()) throw Error("'from' and 'to' must be two different places");
      return w;
    }
    std::size_t number = i + 1;
    if (column("row")) {
      const std::string text = cell(row, "row");
      const Value value = parse_value(text);
      const auto* given = std::get_if<double>(&value);
      if (!given || *given != std::floor(*given) || *given < 1 ||
          *given > static_cast<double>(directions.size()))
        throw Error("row '" + text + "' must be a whole number from 1 to " +
                    std::to_string(directions.size()));
      number = static_cast<std::size_t>(*given);
    }
    if (directions[number - 1].is_zero())
      throw Error("row " + std::to_string(number) + " of 'directions' is all zeros");
    return directions[number - 1];
  }

  const Places& places_;
  StructureFile& file_;
  io::TextTable table_;
};

void read_joint_table(const TomlTable& root, const Places& places, StructureFile& file) {
  JointTable joints(places, file);
  if (root.node("joints").is_string()) {
    joints.read(root.file_beside("joints"));
    return;
  }
  const TomlTable table = root.table("joints");
  table.allow({"file", "model", "set", "params", "fit", "directions"});
  joints.common = law_of(table, !table.has("file"));
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
    const ModelSpec spec = law_of(table, true);
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
