#include "catalog/files/matrix_joint_file.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "catalog/files/drive_history.hpp"
#include "catalog/files/listed_matrix.hpp"
#include "catalog/files/places.hpp"
#include "microslip/core/error.hpp"
#include "microslip/core/text.hpp"
#include "microslip/io/csv.hpp"
#include "microslip/io/file.hpp"
#include "microslip/io/matrix_file.hpp"
#include "microslip/io/text_table.hpp"

namespace microslip::catalog {
namespace {

using contact::Index;
using contact::NodePair;

bool names_table(const TomlTable& table, const std::string& key) {
  if (!table.node(key).is_string()) return false;
  const std::string text = table.text(key);
  return text.ends_with(".csv") || text.ends_with(".txt");
}

std::size_t heading(const io::TextTable& table, const std::string& name) {
  const auto found = std::find(table.headings.begin(), table.headings.end(), name);
  if (found == table.headings.end())
    throw Error(table.source + ": the column '" + name + "' is missing");
  return static_cast<std::size_t>(found - table.headings.begin());
}

/// Rows of K, from 0: a list of names, one name, or the column dof of a table.
std::vector<Index> rows_of(const TomlTable& table, const std::string& key, const Places& places) {
  std::vector<Index> rows;
  if (names_table(table, key)) {
    const io::TextTable list = io::read_text_table(table.file_beside(key));
    const std::size_t column = heading(list, "dof");
    for (const auto& row : list.rows) try {
        rows.push_back(places.find(row.cells[column], 1) - 1);
      } catch (const Error& error) {
        list.refuse(row, column, std::string("dof = ") + error.what());
      }
  } else {
    for (const Index dof : places.dofs(table, key, 1)) rows.push_back(dof - 1);
  }
  return rows;
}

contact::Vector forces_of(const TomlTable& load, const Places& places) {
  const io::TextTable list = io::read_text_table(load.file_beside("forces"));
  const std::size_t dof = heading(list, "dof"), f = heading(list, "f");
  contact::Vector forces = contact::Vector::Zero(places.size());
  for (const auto& row : list.rows) {
    Index place = 0;
    try {
      place = places.find(row.cells[dof], 1) - 1;
    } catch (const Error& error) {
      list.refuse(row, dof, std::string("dof = ") + error.what());
    }
    char* end = nullptr;
    const double value = std::strtod(row.cells[f].c_str(), &end);
    if (row.cells[f].empty() || *end != 0 || !std::isfinite(value))
      list.refuse(row, f, "f = '" + row.cells[f] + "' must be a number");
    forces[place] += value;
  }
  return forces;
}

std::array<double, 3> direction_of(const TomlTable& table, const std::string& key) {
  const std::vector<double> v = table.numbers(key);
  if (v.size() != 3 || (v[0] == 0 && v[1] == 0 && v[2] == 0))
    table.refuse(key, key + " must be three numbers that are not all zero, for example [0, 0, 1]");
  return {v[0], v[1], v[2]};
}

/// Rows of the translations of each node.
using Nodes = std::map<long, std::array<Index, 3>>;

Nodes nodes_of(const std::vector<io::NodeDof>& labels) {
  Nodes nodes;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const auto [place, fresh] = nodes.emplace(labels[i].node, std::array<Index, 3>{-1, -1, -1});
    if (labels[i].direction >= 1 && labels[i].direction <= 3)
      place->second[static_cast<std::size_t>(labels[i].direction - 1)] = static_cast<Index>(i);
  }
  return nodes;
}

std::vector<NodePair> pairs_of(const TomlTable& contact, const Nodes& nodes, MatrixJointFile& out) {
  const io::Table table =
      io::read_csv(contact.file_beside("pairs"),
                   {.required = {"from", "to"},
                    .optional = {"P", "area", "mu", "gap", "nx", "ny", "nz", "x", "y", "z"}});
  const auto cell = [&](const char* name, std::size_t row, double otherwise) {
    const io::Column* column = table.find(name);
    return column ? column->values[row] : otherwise;
  };
  const bool normals = table.find("nx") || table.find("ny") || table.find("nz");
  if (!normals && !contact.has("direction"))
    contact.refuse("pairs",
                   "the normals are missing: give contact.direction = [0, 0, 1] or the columns nx, "
                   "ny, nz of the pairs");
  const std::array<double, 3> all = contact.has("direction") ? direction_of(contact, "direction")
                                                             : std::array<double, 3>{0, 0, 0};
  if (!table.find("mu") && !contact.has("mu"))
    contact.refuse("mu", "the key 'mu' is missing; give contact.mu or the column mu of the pairs");
  const double mu = contact.number_or("mu", 0);
  const bool by_area = contact.has("pressure");
  const double pressure = contact.number_or("pressure", 0);
  if (by_area && !table.find("area"))
    contact.refuse("pressure", "contact.pressure needs the column area of the pairs");
  std::vector<NodePair> pairs;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    NodePair pair;
    const auto node = [&](const char* column) {
      const double number = table.at(column).values[row];
      const std::string where = table.source + " line " + std::to_string(table.line(row)) + ": ";
      if (number == 0) return std::array<Index, 3>{-1, -1, -1};
      const auto found = nodes.find(static_cast<long>(number));
      if (number != std::floor(number) || found == nodes.end())
        throw Error(where + "node " + number_text(number) +
                    " has no degree of freedom in the stiffness; write 0 for a partner that does "
                    "not move");
      return found->second;
    };
    pair.from = node("from");
    pair.to = node("to");
    const auto name = [&](const char* column) { return number_text(table.at(column).values[row]); };
    pair.name =
        "pair " + std::to_string(row + 1) + " (nodes " + name("from") + " and " + name("to") + ")";
    pair.normal =
        normals ? std::array<double, 3>{cell("nx", row, 0), cell("ny", row, 0), cell("nz", row, 0)}
                : all;
    pair.mu = cell("mu", row, mu);
    pair.gap = cell("gap", row, 0);
    if (by_area) pair.force = pressure * table.at("area").values[row];
    if (const io::Column* P = table.find("P")) pair.force = P->values[row];
    pairs.push_back(std::move(pair));
    out.place.push_back(static_cast<double>(row + 1));
  }
  out.place_label = "pair";
  // The axis along which the interface is longest.
  double longest = 0;
  for (const char* name : {"x", "y", "z"})
    if (const io::Column* column = table.find(name); column && table.rows() > 0) {
      const auto [least, most] = std::minmax_element(column->values.begin(), column->values.end());
      if (*most - *least <= longest) continue;
      longest = *most - *least;
      out.place = column->values;
      out.place_label = name;
    }
  return pairs;
}

std::array<double, 3> three_of(const TomlTable& table, const std::string& key) {
  const std::vector<double> v = table.numbers(key);
  if (v.size() != 3) table.refuse(key, key + " must be three numbers");
  return {v[0], v[1], v[2]};
}

NodePair listed_pair(const TomlTable& table, Index rows) {
  table.allow({"from", "to", "normal", "mu", "gap", "force", "name"});
  NodePair pair;
  for (auto [key, side] : {std::pair{"from", &pair.from}, std::pair{"to", &pair.to}}) {
    const std::array<double, 3> numbers = three_of(table, key);
    for (std::size_t i = 0; i < 3; ++i) (*side)[i] = row_number(table, key, numbers[i], 0, rows);
  }
  pair.normal = three_of(table, "normal");
  pair.mu = table.number("mu");
  pair.gap = table.number_or("gap", 0);
  if (table.has("force")) pair.force = table.number("force");
  pair.name = table.text_or("name", "");
  return pair;
}

/// What the files would hold stands in the text: rows of the stiffness count from 1, 0 is held.
MatrixJointFile listed_joint(const TomlTable& matrices, const TomlTable& contact,
                             const TomlTable& load) {
  contact.allow({"pairs", "slip", "mu", "normal", "increments", "place", "place_label"});
  MatrixJointFile out;
  const TomlTable stiffness = matrices.table("stiffness");
  out.stiffness = stiffness.text_or("name", "stiffness");
  out.input.K = listed_matrix(stiffness);
  const Index rows = out.input.K.rows();
  const auto list = [&](const TomlTable& table, const std::string& key) {
    std::vector<Index> numbers;
    for (const double number : table.numbers_or_none(key))
      numbers.push_back(row_number(table, key, number, 1, rows));
    return numbers;
  };
  if (matrices.has("dofs")) {
    const auto* names = matrices.node("dofs").as_array();
    if (names)
      for (const toml::node& name : *names)
        if (const auto* text = name.as_string()) out.input.names.push_back(text->get());
    if (static_cast<Index>(out.input.names.size()) != rows)
      matrices.refuse("dofs", "dofs must name each of the " + std::to_string(rows) + " rows");
  }
  out.input.held = list(matrices, "held");
  out.input.driven = list(load, "driven");
  if (load.has("forces")) {
    const std::vector<double> forces = load.numbers("forces");
    if (static_cast<Index>(forces.size()) != rows)
      load.refuse("forces", "forces must be " + std::to_string(rows) + " numbers, one of each row");
    out.input.forces = Eigen::Map<const contact::Vector>(forces.data(), rows);
  }
  for (const TomlTable& pair : contact.tables("pairs"))
    out.input.pairs.push_back(listed_pair(pair, rows));
  out.place = contact.numbers_or_none("place");
  out.place_label = contact.text_or("place_label", "pair");
  if (out.place.empty())
    for (std::size_t i = 0; i < out.input.pairs.size(); ++i)
      out.place.push_back(static_cast<double>(i + 1));
  if (out.place.size() != out.input.pairs.size())
    contact.refuse("place", "place must be one number for each pair");
  return out;
}

void read_slip(const TomlTable& contact, MatrixJointFile& out) {
  if (contact.has("slip")) out.input.slip = direction_of(contact, "slip");
  if (!contact.has("increments")) return;
  out.increments = contact.whole("increments");
  if (out.increments < 1 || out.increments > 1000)
    contact.refuse("increments", "increments must be from 1 to 1000");
}

}  // namespace

MatrixJointFile matrix_joint_of(const TomlTable& matrices, const TomlTable& contact,
                                const TomlTable& load) {
  matrices.allow({"stiffness", "dofs", "held"});
  load.allow(history_keys("u", {"driven", "forces"}));
  if (!contact.has("pairs")) contact.refuse("pairs", "the key 'pairs' is missing");
  if (!load.has("driven")) load.refuse("driven", "the key 'driven' is missing");
  MatrixJointFile out;
  if (matrices.has("stiffness") && matrices.is_table("stiffness")) {
    out = listed_joint(matrices, contact, load);
    read_slip(contact, out);
    return out;
  }
  contact.allow({"pairs", "direction", "slip", "mu", "pressure", "normal", "increments"});
  out.stiffness = matrices.text("stiffness");
  io::MatrixFile file = io::read_matrix_file(matrices.file_beside("stiffness"), "K");
  if (matrices.has("dofs")) {
    const std::filesystem::path dofs = matrices.file_beside("dofs");
    file.labels = io::parse_dof_list(io::read_file(dofs), dofs.string());
    const auto count = static_cast<Index>(file.labels.size());
    if (!file.sized && count > file.matrix.rows()) file.matrix.conservativeResize(count, count);
    if (count != file.matrix.rows())
      matrices.refuse("dofs", "dofs names " + std::to_string(count) +
                                  " degrees of freedom; the stiffness has " +
                                  std::to_string(file.matrix.rows()) + " rows");
  }
  if (file.labels.empty())
    matrices.refuse("stiffness",
                    "the stiffness does not name its rows; matrices.dofs must name a file with "
                    "lines node.direction");
  const Places places(file.matrix.rows(), file.labels);
  out.input.K = std::move(file.matrix);
  for (const io::NodeDof& label : file.labels) out.input.names.push_back(label.text());
  if (matrices.has("held")) out.input.held = rows_of(matrices, "held", places);
  out.input.driven = rows_of(load, "driven", places);
  if (load.has("forces")) out.input.forces = forces_of(load, places);
  read_slip(contact, out);
  out.input.pairs = pairs_of(contact, nodes_of(file.labels), out);
  return out;
}

}  // namespace microslip::catalog
