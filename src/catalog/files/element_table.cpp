#include "catalog/files/element_table.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "catalog/files/joint_directions.hpp"
#include "microslip/catalog/catalog.hpp"
#include "microslip/core/error.hpp"

namespace microslip::catalog {

using dynamics::Direction;

ElementTable::ElementTable(const std::filesystem::path& path, std::string what,
                           const Places& places, std::vector<Direction> directions)
    : places_(places), directions_(std::move(directions)), table_(io::read_text_table(path)) {
  const bool by_ends = column("from") && column("to");
  if (by_ends && (column("row") || !directions_.empty()))
    refuse_heading("from", "the " + what + " have both 'from' and 'to' and rows of 'directions'");
  if (!by_ends && directions_.empty())
    throw Error(table_.source + " must have the headings 'from' and 'to', or [" + what +
                "] must name a matrix of 'directions'");
  what_ = what;
}

void ElementTable::check_rows() const {
  if (directions_.empty() || column("row") || table_.rows.size() + used_ == directions_.size())
    return;
  throw Error(table_.source + " has " + std::to_string(table_.rows.size()) + " " + what_ +
              ", but 'directions' has " + std::to_string(directions_.size()) +
              " rows; a column 'row' says which belongs to which");
}

std::optional<std::size_t> ElementTable::column(const std::string& heading) const {
  const auto found = std::find(table_.headings.begin(), table_.headings.end(), heading);
  if (found == table_.headings.end()) return std::nullopt;
  return static_cast<std::size_t>(found - table_.headings.begin());
}

void ElementTable::refuse_heading(const std::string& heading, const std::string& why) const {
  throw Error::at(table_.source, 1, column(heading).value_or(0) + 1, why);
}

std::string ElementTable::cell(const Row& row, const std::string& heading) const {
  const auto at = column(heading);
  return at ? row.cells[*at] : "";
}

Direction ElementTable::direction(std::size_t i, std::size_t& at) const {
  const Row& row = table_.rows[i];
  at = column("from").value_or(column("row").value_or(0));
  if (directions_.empty()) {
    const auto end = [&](const std::string& heading) {
      at = *column(heading);
      try {
        return places_.find(cell(row, heading), 0);
      } catch (const Error& error) {
        throw Error(heading + " = " + error.what());
      }
    };
    const Eigen::Index from = end("from"), to = end("to");
    const Direction w = dynamics::between(places_.size(), from, to);
    if (w.is_zero()) throw Error("'from' and 'to' must be two different places");
    return w;
  }
  const std::size_t number = first_row(i, at);
  if (directions_[number - 1].is_zero())
    throw Error("row " + std::to_string(number) + " of 'directions' is all zeros");
  return directions_[number - 1];
}

std::size_t ElementTable::first_row(std::size_t i, std::size_t& at) const {
  const Row& row = table_.rows[i];
  at = column("from").value_or(column("row").value_or(0));
  std::size_t number = i + 1 + used_;
  if (column("row")) {
    const std::string text = cell(row, "row");
    const Value value = parse_value(text);
    const auto* given = std::get_if<double>(&value);
    if (!given || *given != std::floor(*given) || *given < 1 ||
        *given > static_cast<double>(directions_.size()))
      throw Error("row '" + text + "' must be a whole number from 1 to " +
                  std::to_string(directions_.size()));
    number = static_cast<std::size_t>(*given);
  }
  if (number > directions_.size())
    throw Error("'directions' has no row " + std::to_string(number) + " for this one");
  return number;
}

std::vector<Direction> ElementTable::directions(std::size_t i,
                                                const std::vector<std::string>& names,
                                                std::size_t& at) {
  const Row& row = table_.rows[i];
  std::vector<Direction> result;
  if (directions_.empty()) {
    const auto node = [&](const std::string& heading) {
      at = *column(heading);
      const std::string text = cell(row, heading);
      char* end = nullptr;
      const long number = std::strtol(text.c_str(), &end, 10);
      if (text.empty() || *end != 0 || number < 0)
        throw Error(heading + " = '" + text +
                    "' must be a node, since the law has the directions " + name_list(names));
      return number;
    };
    std::vector<int> components;
    for (const char c : cell(row, "components"))
      if (c >= '1' && c <= '9')
        components.push_back(c - '0');
      else if (c != ' ')
        throw Error("components = '" + cell(row, "components") +
                    "' must be directions of the nodes, for example 1 2 3");
    for (std::size_t k = 1; components.size() < names.size() && cell(row, "components").empty();
         ++k)
      components.push_back(static_cast<int>(k));
    if (components.size() != names.size()) {
      at = column("components").value_or(0);
      throw Error("components must name " + std::to_string(names.size()) +
                  " directions of the nodes, for " + name_list(names));
    }
    const long from = node("from"), to = node("to");
    if (from == to) throw Error("'from' and 'to' must be two different nodes");
    return between_nodes(places_, from, to, components);
  }
  const std::size_t first = first_row(i, at);
  if (first - 1 + names.size() > directions_.size())
    throw Error("the law takes " + std::to_string(names.size()) +
                " rows of 'directions' from row " + std::to_string(first) + " on; there are " +
                std::to_string(directions_.size()));
  for (std::size_t k = 0; k < names.size(); ++k) {
    if (directions_[first - 1 + k].is_zero())
      throw Error("row " + std::to_string(first + k) + " of 'directions' is all zeros");
    result.push_back(directions_[first - 1 + k]);
  }
  used_ += names.size() - 1;
  return result;
}

}  // namespace microslip::catalog
