#include "microslip/io/missing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "io/table/settle.hpp"
#include "microslip/core/error.hpp"

namespace microslip::io {
namespace {

/// Numbers between finite neighbours lie on the line between them.
void fill(const std::vector<double>* t, std::vector<double>& values) {
  const auto place = [&](std::size_t row) { return t ? (*t)[row] : static_cast<double>(row); };
  std::size_t before = values.size();
  for (std::size_t row = 0; row < values.size(); ++row) {
    if (!std::isfinite(values[row])) continue;
    for (std::size_t i = before + 1; before < row && i < row; ++i) {
      const double share = (place(i) - place(before)) / (place(row) - place(before));
      values[i] = values[before] + share * (values[row] - values[before]);
    }
    before = row;
  }
}

std::vector<bool> with_missing(const NamedColumns& columns) {
  std::vector<bool> missing(columns.front().second->size(), false);
  for (const auto& [name, values] : columns)
    for (std::size_t row = 0; row < missing.size(); ++row)
      if (!std::isfinite((*values)[row])) missing[row] = true;
  return missing;
}

void leave_out(const std::vector<bool>& rows, const NamedColumns& columns) {
  for (const auto& [name, values] : columns) {
    std::size_t kept = 0;
    for (std::size_t row = 0; row < rows.size(); ++row)
      if (!rows[row]) (*values)[kept++] = (*values)[row];
    values->resize(kept);
  }
}

std::vector<std::size_t> others_of(const std::vector<bool>& rows) {
  std::vector<std::size_t> others;
  for (std::size_t row = 0; row < rows.size(); ++row)
    if (!rows[row]) others.push_back(row);
  return others;
}

MissingRows found_in(const NamedColumns& columns, const std::vector<bool>& missing) {
  MissingRows found;
  for (std::size_t row = 0, length = 0; row < missing.size(); ++row) {
    length = missing[row] ? length + 1 : 0;
    if (!missing[row]) continue;
    if (found.rows++ == 0) found.first = row;
    if (length > found.gap) found.gap = length, found.gap_at = row + 1 - length;
  }
  for (const auto& [name, values] : columns)
    if (std::any_of(values->begin(), values->end(), [](double x) { return !std::isfinite(x); }))
      found.columns.push_back(name);
  return found;
}

}  // namespace

MissingRows settle_missing(const NamedColumns& columns, Missing how) {
  if (columns.empty()) return {};
  const std::vector<bool> missing = with_missing(columns);
  MissingRows found = found_in(columns, missing);
  if (found.rows == 0 || how == Missing::refuse || how == Missing::keep) return found;
  std::vector<bool> left_out = missing;
  if (how == Missing::interpolate) {
    const auto time = std::find_if(columns.begin(), columns.end(),
                                   [](const auto& column) { return column.first == "t"; });
    std::vector<bool> without_time(missing.size(), false);
    if (time != columns.end()) {
      for (std::size_t row = 0; row < missing.size(); ++row)
        without_time[row] = !std::isfinite((*time->second)[row]);
      leave_out(without_time, columns);
    }
    found.kept = others_of(without_time);
    for (const auto& [name, values] : columns)
      fill(time != columns.end() ? time->second : nullptr, *values);
    left_out = with_missing(columns);  // at the ends
    std::vector<std::size_t> kept;
    for (const std::size_t i : others_of(left_out)) kept.push_back(found.kept[i]);
    found.kept = std::move(kept);
  } else {
    found.kept = others_of(left_out);
  }
  leave_out(left_out, columns);
  return found;
}

std::string missing_text(const MissingRows& missing, Missing how, std::size_t all_rows,
                         const std::string& place) {
  std::string columns;
  for (std::size_t i = 0; i < missing.columns.size(); ++i)
    columns += (i == 0 ? "" : i + 1 == missing.columns.size() ? " or " : ", ") + missing.columns[i];
  std::string text = fmt::format("{} of {} rows {} no number in {} (the first is {}", missing.rows,
                                 all_rows, missing.rows == 1 ? "has" : "have", columns, place);
  if (missing.gap > 1) text += fmt::format("; up to {} one after the other", missing.gap);
  const std::size_t out = all_rows - missing.kept.size();
  if (how == Missing::drop || out == missing.rows)
    return text + fmt::format(") and {} left out", missing.rows == 1 ? "is" : "are");
  text += ") and are filled by a straight line";
  return out > 0
             ? text + fmt::format(", but {} at an end or without a time, which are left out", out)
             : text;
}

void settle_missing_rows(Table& table, Missing how,
                         const std::function<std::string(std::size_t)>& place,
                         const std::function<void(const MissingRows&)>& see) {
  const std::size_t rows = table.rows();
  NamedColumns columns;
  for (Column& column : table.columns) columns.emplace_back(column.name, &column.values);
  const MissingRows missing = settle_missing(columns, how);
  if (missing.rows == 0) return;
  if (see) see(missing);
  if (missing.kept.empty())
    throw Error(table.source + ": no row has a number in each of its columns");
  table.notes.push_back(missing_text(missing, how, rows, place(missing.first)));
}

}  // namespace microslip::io
