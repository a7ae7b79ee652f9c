#include "microslip/jobs/record.hpp"

#include <algorithm>
#include <cmath>

#include "jobs/text_form.hpp"
#include "microslip/core/error.hpp"
#include "microslip/jobs/control.hpp"

namespace microslip::jobs {
namespace {

void check_rows(const Record& record, const char* name, const std::vector<double>& column) {
  for (std::size_t row = 0; row < column.size(); ++row)
    if (!std::isfinite(column[row]))
      throw Error(record.name + ": row " + std::to_string(row + 1) + ": " + name +
                  " must be a finite number");
}

}  // namespace

void settle_columns(Record& record) {
  const std::pair<const char*, std::vector<double>*> columns[] = {
      {"t", &record.t},   {"u", &record.u},   {"f", &record.f},   {"uy", &record.uy},
      {"un", &record.un}, {"fy", &record.fy}, {"fn", &record.fn}, {"weight", &record.weight}};
  std::string lengths;
  bool equal = true;
  for (const auto& [name, column] : columns) {
    const bool needed = name == std::string_view("u") || name == std::string_view("f");
    if (column->empty() && !needed) continue;
    equal = equal && column->size() == record.u.size();
    lengths += (lengths.empty() ? "" : ", ") + std::string(name) + " has " +
               std::to_string(column->size()) + " rows";
  }
  if (!equal) throw Error(record.name + ": columns must have the same length: " + lengths);
  const std::size_t rows = record.u.size();
  io::NamedColumns present;
  for (const auto& [name, column] : columns)
    if (!column->empty()) present.emplace_back(name, column);
  if (const io::MissingRows missing = io::settle_missing(present, record.missing);
      missing.rows > 0 && record.missing != io::Missing::refuse) {
    if (missing.kept.empty())
      throw Error(record.name + ": no row has a number in each of its columns");
    record.notes.push_back(record.name + ": " +
                           io::missing_text(missing, record.missing, rows,
                                            "row " + std::to_string(missing.first + 1)));
  }
  for (const auto& [name, column] : columns) check_rows(record, name, *column);
  for (std::size_t row = 1; row < record.t.size(); ++row)
    if (!(record.t[row] > record.t[row - 1]))
      throw Error(record.name + ": row " + std::to_string(row + 1) +
                  ": t = " + number_text(record.t[row]) +
                  " must be greater than in the row before, " + number_text(record.t[row - 1]));
}

void refuse_extreme_numbers(const std::string& source, const std::vector<double>& u,
                            const std::vector<double>& f) {
  const auto range = [](const std::vector<double>& values) {
    if (values.empty()) return 0.0;
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    return *high - *low;
  };
  const double width = range(u), height = range(f);
  constexpr double least = 1e-290;  // sums and differences of energies keep their digits above this
  if (!std::isfinite(width * width) || !std::isfinite(width * height) ||
      !std::isfinite(height * height))
    throw Failure(source + ": energies of numbers this large cannot be computed; write them in " +
                  "larger units");
  if (width > 0 && height > 0 && std::min({width * width, width * height, height * height}) < least)
    throw Failure(source + ": energies of numbers this small cannot be computed; write them in " +
                  "smaller units");
}

std::string taken_for(const std::string& name, const io::Column& column) {
  if (column.position == 0) return name + " is " + column.heading;  // a variable of a MAT file
  std::string text = name + " is column " + std::to_string(column.position);
  // "u [mm]" says no more than u.
  std::string heading = column.heading.substr(0, column.heading.find_first_of("[("));
  heading.erase(heading.find_last_not_of(' ') + 1);
  if (!heading.empty() && heading != name) text += " (" + heading + ")";
  return text;
}

Record record_of(const io::Table& table) {
  const io::Column &u = table.at("u"), &f = table.at("f");
  Record record;
  record.name = table.source;
  record.u = u.values;
  record.f = f.values;
  record.u_unit = u.unit;
  record.f_unit = f.unit;
  record.taken = taken_for("u", u) + ", " + taken_for("f", f);
  if (const io::Column* t = table.find("t")) {
    record.t = t->values;
    record.t_unit = t->unit;
    record.taken += ", " + taken_for("t", *t);
  } else {
    record.taken += ", no time";
  }
  for (const std::string& note : table.notes) record.notes.push_back(table.source + ": " + note);
  const auto driven = table.metadata.find("driven");
  if (driven != table.metadata.end() && driven->second == "force") record.driven = Driven::force;
  return record;
}

}  // namespace microslip::jobs
