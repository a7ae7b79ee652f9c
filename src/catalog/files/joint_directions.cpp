#include "catalog/files/joint_directions.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "microslip/core/error.hpp"
#include "microslip/core/text.hpp"

namespace microslip::catalog {
namespace {

using dynamics::Direction;
using Index = Eigen::Index;

/// Directions of the law in those of the nodes, a row for each.
Eigen::MatrixXd frame_of(const TomlTable& table, const std::vector<std::string>& names,
                         Index components) {
  const auto count = static_cast<Index>(names.size());
  if (table.has("axes") && table.has("normal"))
    table.refuse("normal", "give either 'axes' or 'normal'");
  if (table.has("axes")) {
    const auto rows = table.rows("axes");
    Eigen::MatrixXd axes(static_cast<Index>(rows.size()), static_cast<Index>(rows.front().size()));
    for (Index i = 0; i < axes.rows(); ++i)
      axes.row(i) = Eigen::Map<const Eigen::RowVectorXd>(rows[static_cast<std::size_t>(i)].data(),
                                                         axes.cols());
    if (axes.rows() != count || axes.cols() != components)
      table.refuse("axes", "axes must have a row for each direction of the law (" +
                               name_list(names) + ") and " + std::to_string(components) +
                               " columns");
    for (Index i = 0; i < count; ++i) {
      if (!(axes.row(i).norm() > 0)) table.refuse("axes", "a row of axes is all zeros");
      axes.row(i).normalize();
    }
    constexpr double rounding = 1e-6;  // axes are typed with some digits
    if (!(axes * axes.transpose()).isIdentity(rounding))
      table.refuse("axes", "the rows of axes must be perpendicular to each other");
    return axes;
  }
  const std::vector<double> given = table.numbers("normal");
  if (names.back() != "n")
    table.refuse("normal",
                 "this law has no normal direction: its directions are " + name_list(names));
  Eigen::VectorXd n =
      Eigen::Map<const Eigen::VectorXd>(given.data(), static_cast<Index>(given.size()));
  if (n.size() != components)
    table.refuse("normal", "normal must have " + std::to_string(components) + " numbers");
  if (!(n.norm() > 0)) table.refuse("normal", "normal must not be all zeros");
  if (count != components)
    table.refuse("normal",
                 "between " + std::to_string(components) +
                     " components a normal leaves the direction of slip open; give axes = "
                     "[[…], …] with a row for each of " +
                     name_list(names));
  n.normalize();
  Eigen::MatrixXd axes(count, components);
  if (components == 2) {
    axes.row(0) << -n[1], n[0];
  } else {
    const Eigen::Vector3d normal = n;
    const Eigen::Vector3d first = normal.unitOrthogonal();
    axes.row(0) = first.transpose();
    axes.row(1) = normal.cross(first).transpose();
  }
  axes.row(count - 1) = -n.transpose();
  return axes;
}

std::vector<Direction> from_nodes(const TomlTable& table, const Places& places,
                                  const std::vector<std::string>& names) {
  const std::vector<double> nodes = table.numbers("nodes");
  const auto whole = [](double number) { return number == std::floor(number) && number >= 0; };
  if (nodes.size() != 2 || !whole(nodes[0]) || !whole(nodes[1]) || nodes[0] == nodes[1])
    table.refuse("nodes",
                 "nodes must be two different nodes, for example [17, 20] (0 is the ground)");
  std::vector<int> components;
  if (table.has("components")) {
    for (const double number : table.numbers("components")) {
      if (!whole(number) || number < 1)
        table.refuse("components", "components must be whole numbers from 1");
      components.push_back(static_cast<int>(number));
    }
  } else {
    for (std::size_t i = 1; i <= names.size(); ++i) components.push_back(static_cast<int>(i));
  }
  const bool framed = table.has("axes") || table.has("normal");
  if (!framed && components.size() != names.size())
    table.refuse(
        "components",
        "components must name one direction of the nodes for each of the law: " + name_list(names));
  std::vector<Direction> plain;
  try {
    plain =
        between_nodes(places, static_cast<long>(nodes[0]), static_cast<long>(nodes[1]), components);
  } catch (const Error& error) {
    table.refuse("nodes", error.what());
  }
  if (!framed) return plain;
  const Eigen::MatrixXd axes = frame_of(table, names, static_cast<Index>(plain.size()));
  std::vector<Direction> turned;
  for (Index i = 0; i < axes.rows(); ++i) {
    Eigen::VectorXd w = Eigen::VectorXd::Zero(places.size());
    for (Index k = 0; k < axes.cols(); ++k)
      w += axes(i, k) * plain[static_cast<std::size_t>(k)].dense();
    turned.emplace_back(w);
  }
  return turned;
}

std::vector<Direction> from_pairs(const TomlTable& table, const Places& places,
                                  const std::vector<std::string>& names) {
  const auto* pairs = table.node("between").as_array();
  const auto refuse = [&] {
    table.refuse(
        "between",
        "between must have one pair of degrees of freedom for each direction of the law (" +
            name_list(names) + "), for example [[0, 1], [0, 2]]");
  };
  if (!pairs || pairs->size() != names.size()) refuse();
  std::vector<Direction> result;
  for (const toml::node& node : *pairs) {
    const auto* pair = node.as_array();
    if (!pair || pair->size() != 2) refuse();
    const Index from = places.dof(table, "between", (*pair)[0], 0);
    const Index to = places.dof(table, "between", (*pair)[1], 0);
    if (from == to) table.refuse("between", "a pair of between must name two different places");
    result.push_back(dynamics::between(places.size(), from, to));
  }
  return result;
}

std::vector<Direction> from_weights(const TomlTable& table, const Places& places,
                                    const std::vector<std::string>& names) {
  std::vector<Direction> result;
  if (table.node("along").is_string()) {
    const std::vector<Direction> rows = places.rows_of(table, "along");
    const int first = table.has("row") ? table.whole("row") : 1;
    if (first < 1 || static_cast<std::size_t>(first) - 1 + names.size() > rows.size())
      table.refuse(table.has("row") ? "row" : "along",
                   "the law takes " + std::to_string(names.size()) + " rows of 'along' from row " +
                       std::to_string(first) + " on; there are " + std::to_string(rows.size()));
    result.assign(rows.begin() + first - 1,
                  rows.begin() + first - 1 + static_cast<std::ptrdiff_t>(names.size()));
  } else {
    const auto rows = table.rows("along");
    if (rows.size() != names.size() || static_cast<Index>(rows.front().size()) != places.size())
      table.refuse("along", "along must have a row for each direction of the law (" +
                                name_list(names) + ") with " + std::to_string(places.size()) +
                                " numbers");
    for (const auto& row : rows)
      result.emplace_back(
          Eigen::VectorXd(Eigen::Map<const Eigen::VectorXd>(row.data(), places.size())));
  }
  for (const Direction& w : result)
    if (w.is_zero()) table.refuse("along", "a row of along is all zeros");
  return result;
}

}  // namespace

std::string name_list(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i)
    text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
  return text;
}

std::vector<Direction> between_nodes(const Places& places, long from, long to,
                                     const std::vector<int>& components) {
  if (!places.named())
    throw Error(
        "nodes need matrices that name their degrees of freedom by node and direction; give "
        "'between' instead");
  std::vector<Direction> result;
  for (const int component : components) {
    const auto place = [&](long node) {
      return node == 0 ? 0 : places.find(std::to_string(node) + "." + std::to_string(component), 0);
    };
    result.push_back(dynamics::between(places.size(), place(from), place(to)));
  }
  return result;
}

std::vector<Direction> joint_directions(const TomlTable& table, const Places& places,
                                        const std::vector<std::string>& names) {
  const char* given = nullptr;
  for (const char* key : {"between", "along", "nodes"}) {
    if (!table.has(key)) continue;
    if (given) table.refuse(key, "give either '" + std::string(given) + "' or '" + key + "'");
    given = key;
  }
  if (table.has("mode")) table.refuse("mode", "mode is for laws with one direction");
  for (const char* key : {"components", "axes", "normal"})
    if (table.has(key) && !table.has("nodes"))
      table.refuse(key, std::string(key) + " belongs to 'nodes'");
  if (table.has("along")) return from_weights(table, places, names);
  if (table.has("nodes")) return from_nodes(table, places, names);
  if (!given)
    table.refuse("between", "the law has the directions " + name_list(names) +
                                ": give 'between' with a pair for each, 'along' or 'nodes'");
  return from_pairs(table, places, names);
}

}  // namespace microslip::catalog
