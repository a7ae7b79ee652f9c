#include "catalog/files/springs_file.hpp"

#include <algorithm>
#include <cmath>

#include "catalog/files/element_table.hpp"
#include "microslip/catalog/catalog.hpp"
#include "microslip/core/error.hpp"
#include "microslip/core/text.hpp"

namespace microslip::catalog {
namespace {

using dynamics::Direction;

void check_coefficient(const std::string& key, double value) {
  if (!(std::abs(value) < most_coefficient))
    throw Error(key + " = " + number_text(value) + " must be less than 1e150; choose larger units");
}

double coefficient(const TomlTable& table, const char* key) {
  const double value = table.number(key);
  try {
    check_coefficient(key, value);
  } catch (const Error& error) {
    table.refuse(key, error.what());
  }
  return value;
}

/// What holds for all rows that do not say otherwise.
struct Coefficients {
  double k = 0, c = 0;
};

void add(const Direction& w, const Coefficients& of, StructureParts& parts,
         dynamics::Structure& s) {
  if (of.k != 0) {
    dynamics::add_along(s.K, w, of.k);
    parts.springs.push_back({w, of.k});
  }
  if (of.c != 0) {
    dynamics::add_along(s.C, w, of.c);
    parts.dampers.push_back({w, of.c});
  }
}

double number_in(const ElementTable& table, const ElementTable::Row& row,
                 const std::string& heading, double otherwise, std::size_t& at) {
  const std::string text = table.cell(row, heading);
  if (text.empty()) return otherwise;
  at = *table.column(heading);
  const Value value = parse_value(text);
  const auto* number = std::get_if<double>(&value);
  if (!number) throw Error(heading + " = '" + text + "' must be a number");
  check_coefficient(heading, *number);
  return *number;
}

void add_rows(const ElementTable& table, const Coefficients& common, StructureParts& parts,
              dynamics::Structure& s) {
  table.check_rows();
  const std::vector<std::string> known{"name", "from", "to", "row", "k", "c"};
  for (const std::string& heading : table.headings())
    if (std::find(known.begin(), known.end(), heading) == known.end())
      table.refuse_heading(heading, "a table of springs has no column '" + heading +
                                        "'; it has name, from, to or row, k and c");
  if (!table.column("k") && !table.column("c") && common.k == 0 && common.c == 0)
    throw Error(table.source() + " must have the heading 'k', a stiffness, or 'c', a damping");
  for (std::size_t i = 0; i < table.rows().size(); ++i) {
    const ElementTable::Row& row = table.rows()[i];
    std::size_t at = 0;
    try {
      Coefficients own;
      own.k = number_in(table, row, "k", common.k, at);
      own.c = number_in(table, row, "c", common.c, at);
      add(table.direction(i, at), own, parts, s);
    } catch (const Error& error) {
      table.refuse(row, at, error.what());
    }
  }
}

void read_table(const TomlTable& root, const Places& places, StructureParts& parts,
                dynamics::Structure& s) {
  if (root.node("springs").is_string()) {
    add_rows(ElementTable(root.file_beside("springs"), "springs", places, {}), {}, parts, s);
    return;
  }
  const TomlTable table = root.table("springs");
  table.allow({"file", "directions", "k", "c"});
  Coefficients common;
  if (table.has("k")) common.k = coefficient(table, "k");
  if (table.has("c")) common.c = coefficient(table, "c");
  std::vector<Direction> directions;
  if (table.has("directions")) directions = places.rows_of(table, "directions");
  if (table.has("file")) {
    add_rows(ElementTable(table.file_beside("file"), "springs", places, directions), common, parts,
             s);
    return;
  }
  if (directions.empty())
    table.refuse("file", "springs must have a 'file' with a row for each spring, or 'directions'");
  if (!table.has("k") && !table.has("c"))
    table.refuse("k", "springs need 'k', a stiffness, or 'c', a damping");
  for (std::size_t i = 0; i < directions.size(); ++i) {
    if (directions[i].is_zero())
      table.refuse("directions", "row " + std::to_string(i + 1) + " of directions is all zeros");
    add(directions[i], common, parts, s);
  }
}

}  // namespace

void read_springs(const TomlTable& root, const Places& places, StructureParts& parts,
                  dynamics::Structure& s) {
  for (const TomlTable& table : root.tables("spring")) {
    table.allow({"between", "along", "row", "k"});
    parts.springs.push_back({places.between_or_along(table), coefficient(table, "k")});
    dynamics::add_along(s.K, parts.springs.back().w, parts.springs.back().value);
  }
  for (const TomlTable& table : root.tables("damper")) {
    table.allow({"between", "along", "row", "c"});
    parts.dampers.push_back({places.between_or_along(table), coefficient(table, "c")});
    dynamics::add_along(s.C, parts.dampers.back().w, parts.dampers.back().value);
  }
  if (root.has("springs")) read_table(root, places, parts, s);
}

}  // namespace microslip::catalog
