#include "catalog/files/element_table.hpp"

#include <algorithm>
#include <cmath>

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
  if (!by_ends && !column("row") && table_.rows.size() != directions_.size())
    throw Error(table_.source + " has " + std::to_string(table_.rows.size()) + " " + what +
                ", but 'directions' has " + std::to_string(directions.size()) +
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
  std::size_t number = i + 1;
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
  if (directions_[number - 1].is_zero())
    throw Error("row " + std::to_string(number) + " of 'directions' is all zeros");
  return directions_[number - 1];
}

}  // namespace microslip::catalog
