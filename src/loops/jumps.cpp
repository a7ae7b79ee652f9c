#include "microslip/loops/jumps.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace microslip::loops {
namespace {

using Column = std::vector<double>;

/// How far rows near i usually move, without the two steps at i itself.
double usual_step(const Column& column, std::size_t i) {
  constexpr std::size_t reach = 6;
  std::vector<double> near;
  const std::size_t begin = i > reach ? i - reach : 1;
  for (std::size_t k = begin; k < std::min(column.size(), i + reach + 2); ++k)
    if (k != i && k != i + 1) near.push_back(std::abs(column[k] - column[k - 1]));
  const auto middle = near.begin() + static_cast<std::ptrdiff_t>(near.size() / 2);
  std::nth_element(near.begin(), middle, near.end());
  return *middle;
}

/// The way to row i and back again, if it is at least so long and ends where it began; otherwise 0.
double excursion(const Column& column, double least, std::size_t i) {
  const double there = column[i] - column[i - 1], back = column[i + 1] - column[i];
  const double jump = std::min(std::abs(there), std::abs(back));
  const bool returns = there * back < 0 && std::abs(there + back) < 0.3 * jump;
  return returns && jump > least ? std::copysign(jump, there) : 0;
}

bool is_spike(const Column& column, double jump, double range, std::size_t i) {
  return std::abs(jump) > 0.05 * range && std::abs(jump) > 10 * usual_step(column, i);
}

double range_of(const Column& column) {
  const auto [low, high] = std::minmax_element(column.begin(), column.end());
  return *high - *low;
}

/// One column or two.
bool jumps(const std::vector<Column>& columns, const std::vector<double>& ranges, std::size_t i) {
  std::array<double, 2> ways{};
  for (std::size_t c = 0; c < columns.size(); ++c)
    ways[c] = excursion(columns[c], 0.005 * ranges[c], i);
  if (ways[0] * ways[1] > 0) return false;
  for (std::size_t c = 0; c < columns.size(); ++c)
    if (is_spike(columns[c], ways[c], ranges[c], i)) return true;
  return false;
}

void keep(const std::vector<std::size_t>& rows, std::vector<Column>& columns) {
  for (Column& column : columns) {
    for (std::size_t k = 0; k < rows.size(); ++k) column[k] = column[rows[k]];
    column.resize(rows.size());
  }
}

/// A value far beyond all others makes small jumps look like nothing, so that it is repeated without it.
std::vector<std::size_t> rows_that_jump(std::vector<Column> columns) {
  constexpr int rounds = 3;
  std::vector<std::size_t> rows, found;
  for (std::size_t i = 0; i < columns.front().size(); ++i)
    if (std::all_of(columns.begin(), columns.end(),
                    [&](const Column& column) { return std::isfinite(column[i]); }))
      rows.push_back(i);
  keep(rows, columns);
  for (int round = 0; round < rounds && rows.size() >= 16; ++round) {
    std::vector<double> ranges;
    for (const Column& column : columns) ranges.push_back(range_of(column));
    std::vector<std::size_t> kept;
    for (std::size_t i = 0; i < rows.size(); ++i)
      if (i > 0 && i + 1 < rows.size() && jumps(columns, ranges, i))
        found.push_back(rows[i]);
      else
        kept.push_back(i);
    if (kept.size() == rows.size()) break;
    keep(kept, columns);
    for (std::size_t k = 0; k < kept.size(); ++k) rows[k] = rows[kept[k]];
    rows.resize(kept.size());
  }
  std::sort(found.begin(), found.end());
  return found;
}

Column column_of(std::span<const double> values) { return {values.begin(), values.end()}; }

}  // namespace

std::vector<std::size_t> rows_that_jump(std::span<const double> u, std::span<const double> f) {
  return rows_that_jump({column_of(u), column_of(f)});
}

std::vector<std::size_t> rows_that_jump(std::span<const double> motion) {
  std::vector<Column> columns(1, column_of(motion));
  return rows_that_jump(std::move(columns));
}

std::string jumping_rows_text(const std::vector<std::size_t>& rows) {
  if (rows.empty()) return "";
  std::string text = "row " + std::to_string(rows.front() + 1);
  if (rows.size() > 1) text += " and " + std::to_string(rows.size() - 1) + " more";
  return text + (rows.size() == 1 ? " jumps" : " jump");
}

}  // namespace microslip::loops
