#include "catalog/files/drive_history.hpp"

#include <algorithm>

#include "microslip/core/error.hpp"
#include "microslip/core/text.hpp"
#include "microslip/io/file.hpp"
#include "microslip/io/record_file.hpp"
#include "microslip/numerics/signal.hpp"

namespace microslip::catalog {

std::string DriveHistory::place(std::size_t row) const {
  std::string text = "row " + std::to_string(row + 1);
  if (!t.empty()) text += ", t = " + number_text(t[row]);
  if (!source.empty()) text += ", " + source + " line " + std::to_string(lines[row]);
  return text;
}

DriveHistory history_of(const TomlTable& table, const std::string& quantity) {
  if (table.has("input") == table.has("signal"))
    table.refuse("signal", "give either input, a table with the column " + quantity +
                               ", or signal with until and step");
  DriveHistory history;
  if (table.has("input")) {
    for (const char* key : {"until", "step"})
      if (table.has(key)) table.refuse(key, std::string(key) + " belongs to signal");
    const io::Table csv =
        io::read_record(table.file_beside("input"), {.required = {quantity}, .optional = {"t"}});
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
  SampledSignal samples = sample_signal(Expression::parse(table.text("signal"), {"t"}),
                                        table.number("until"), table.number("step"));
  history.t = std::move(samples.t);
  history.values = std::move(samples.u);
  return history;
}

toml::table parse_toml(std::string_view text, const std::filesystem::path& name) {
  try {
    return toml::parse(text, name.string());
  } catch (const toml::parse_error& error) {
    throw Error::at(io::source_name(name), error.source().begin.line, error.source().begin.column,
                    "this is not TOML: " + std::string(error.description()));
  }
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
