#include "record_options.hpp"

#include <algorithm>
#include <cmath>

#include "microslip/core/error.hpp"
#include "terminal.hpp"

namespace microslip::app {
namespace {

std::size_t row_number(const std::string& rows, const std::string& text) {
  const double row = number("--rows", text);
  if (!(row >= 1 && row < 1e15) || row != std::floor(row))
    throw Error("--rows " + rows + " must be FIRST:LAST with whole numbers from 1 on, as 100:900");
  return static_cast<std::size_t>(row);
}

io::Missing missing_of(const std::string& word) {
  const auto& words = jobs::words_of<io::Missing>;
  // Not the last one, which is for other programs.
  return static_cast<io::Missing>(choice("--missing", word, {words.begin(), words.end() - 1}));
}

}  // namespace

void RowOptions::declare(OptionGroup& group) {
  group.text("--t", t, "NAME", "heading or number of the column of time");
  group.text("--rows", rows, "FIRST:LAST", "only these rows, counted from 1 below the headings");
  group.text("--from", from, "T", "only rows from this time on");
  group.text("--to", to, "T", "only rows up to this time");
  group.text("--missing", missing, "drop|interpolate|refuse",
             "rows with an empty cell, NaN or NA are left out (drop) unless said otherwise");
}

void RowOptions::choose(io::Wanted& wanted) const {
  if (!t.empty()) wanted.named["t"] = t;
  wanted.missing = missing.empty() ? io::Missing::drop : missing_of(missing);
  if (!rows.empty()) {
    const auto colon = rows.find(':');
    if (colon == std::string::npos)
      throw Error("--rows " + rows + " must be FIRST:LAST, as 100:900; either may be left out");
    const std::string first = rows.substr(0, colon), last = rows.substr(colon + 1);
    if (!first.empty()) wanted.rows.first = row_number(rows, first);
    if (!last.empty()) wanted.rows.last = row_number(rows, last);
    if (wanted.rows.last < wanted.rows.first)
      throw Error("--rows " + rows + ": the first row must not come after the last");
  }
  if (!from.empty()) wanted.rows.from = number("--from", from);
  if (!to.empty()) wanted.rows.to = number("--to", to);
  if (wanted.rows.from && wanted.rows.to && *wanted.rows.to < *wanted.rows.from)
    throw Error("--from " + from + " must not be later than --to " + to);
}

void RecordOptions::declare(OptionGroup& group) {
  group.text("--u", u, "NAME", "heading or number of the column of displacement");
  group.text("--f", f, "NAME", "heading or number of the column of force");
  RowOptions::declare(group);
}

io::Wanted RecordOptions::wanted() const {
  io::Wanted wanted{.required = {"u", "f"}, .optional = {"t"}, .named = {}, .option_prefix = "--"};
  name_columns(wanted);
  return wanted;
}

void RecordOptions::name_columns(io::Wanted& wanted) const {
  wanted.option_prefix = "--";
  if (!u.empty()) wanted.named["u"] = u;
  if (!f.empty()) wanted.named["f"] = f;
  choose(wanted);
}

}  // namespace microslip::app
