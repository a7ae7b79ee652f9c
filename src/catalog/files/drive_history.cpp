#include "catalog/files/drive_history.hpp"

#include <algorithm>
#include <cmath>

#include "microslip/core/error.hpp"
#include "microslip/core/text.hpp"
#include "microslip/detail/numerics/signal.hpp"
#include "microslip/io/file.hpp"
#include "microslip/io/record_file.hpp"

namespace microslip::catalog {

std::string DriveHistory::place(std::size_t row) const {
  std::string text = "row " + std::to_string(row + 1);
  if (!t.empty()) text += ", t = " + number_text(t[row]);
  if (!source.empty()) text += ", " + source + " line " + std::to_string(lines[row]);
  return text;
}

namespace {

/// The columns themselves.
DriveHistory listed_history(const TomlTable& table, const std::string& quantity) {
  for (const char* key : {"input", "signal", "until", "step", "missing"})
    if (table.has(key))
      table.refuse(key, std::string(key) + " does not go with " + quantity + ", a list of numbers");
  DriveHistory history;
  history.values = table.numbers(quantity);
  if (history.values.empty()) table.refuse(quantity, quantity + " is empty");
  history.t = table.numbers_or_none("t");
  const auto check = [&](const std::string& key, const std::vector<double>& values) {
    for (const double x : values)
      if (!std::isfinite(x)) table.refuse(key, key + " must be a list of finite numbers");
  };
  check(quantity, history.values);
  check("t", history.t);
  if (!history.t.empty() && history.t.size() != history.values.size())
    table.refuse("t", "columns must have the same length: t has " +
                          std::to_string(history.t.size()) + " rows, " + quantity + " has " +
                          std::to_string(history.values.size()) + " rows");
  for (std::size_t row = 1; row < history.t.size(); ++row)
    if (!(history.t[row] > history.t[row - 1]))
      table.refuse("t", "t must increase; row " + std::to_string(row + 1) + " does not");
  history.t_unit = table.text_or("t_unit", "");
  history.unit = table.text_or("unit", "");
  history.source = table.text_or("source", "");
  history.notes = notes_of(table);
  for (const double line : table.numbers_or_none("lines"))
    history.lines.push_back(static_cast<std::size_t>(line));
  if (history.lines.empty()) history.source.clear();
  if (!history.lines.empty() && history.lines.size() != history.values.size())
    table.refuse("lines", "lines must be as many as the rows of " + quantity);
  return history;
}

}  // namespace

std::vector<std::string> history_keys(const std::string& quantity,
                                      const std::vector<std::string>& others) {
  std::vector<std::string> keys{"input", "missing", "signal", "until",  "step",  quantity,
                                "t",     "t_unit",  "unit",   "source", "lines", "notes"};
  keys.insert(keys.end(), others.begin(), others.end());
  return keys;
}

DriveHistory history_of(const TomlTable& table, const std::string& quantity) {
  if (table.has(quantity)) return listed_history(table, quantity);
  if (table.has("input") == table.has("signal"))
    table.refuse("signal", "give either input, a table with the column " + quantity +
                               ", or signal with until and step");
  DriveHistory history;
  if (table.has("input")) {
    for (const char* key : {"until", "step"})
      if (table.has(key)) table.refuse(key, std::string(key) + " belongs to signal");
    io::Wanted wanted{.required = {quantity}, .optional = {"t"}};
    wanted.missing = missing_of(table);
    const io::Table csv = io::read_record(table.file_beside("input"), wanted);
    add_notes(csv, table.text("input"), history.notes);
    history.source = table.text("input");
    history.values = csv.at(quantity).values;
    history.unit = csv.at(quantity).unit;
    if (const io::Column* t = csv.find("t")) {
      history.t = t->values;
      history.t_unit = t->unit;
    }
    for (std::size_t row = 0; row < csv.rows(); ++row) history.lines.push_back(csv.line(row));
    if (history.values.empty())
      table.refuse("input", "the table '" + history.source + "' is empty");
    return history;
  }
  if (table.has("missing")) table.refuse("missing", "missing belongs to input");
  SampledSignal samples = sample_signal(Expression::parse(table.text("signal"), {"t"}),
                                        table.number("until"), table.number("step"));
  history.t = std::move(samples.t);
  history.values = std::move(samples.u);
  return history;
}

io::Missing missing_of(const TomlTable& table) {
  constexpr io::Missing how[] = {io::Missing::drop, io::Missing::interpolate, io::Missing::refuse};
  return how[choice_of(table, "missing", {"drop", "interpolate", "refuse"})];
}

std::vector<std::string> notes_of(const TomlTable& table) {
  std::vector<std::string> notes;
  if (!table.has("notes")) return notes;
  const toml::array* list = table.node("notes").as_array();
  if (!list) table.refuse("notes", "notes must be a list of sentences");
  for (const toml::node& entry : *list)
    if (const auto* text = entry.as_string()) notes.push_back(text->get());
  return notes;
}

void add_notes(const io::Table& table, const std::string& name, std::vector<std::string>& notes) {
  for (const std::string& note : table.notes) notes.push_back(name + ": " + note);
}

std::size_t choice_of(const TomlTable& table, std::string_view key,
                      const std::vector<std::string>& choices) {
  const std::string word = table.text_or(key, choices.front());
  const auto found = std::find(choices.begin(), choices.end(), word);
  if (found == choices.end())
    table.refuse(key,
                 "unknown " + std::string(key) + " '" + word + "'" + suggestion(word, choices));
  return static_cast<std::size_t>(found - choices.begin());
}

}  // namespace microslip::catalog
