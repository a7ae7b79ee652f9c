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

void check_columns(const Record& record) {
  const std::pair<const char*, const std::vector<double>*> columns[] = {
      {"t", &record.t}, {"u", &record.u}, {"f", &record.f}, {"weight", &record.weight}};
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

}  // namespace microslip::jobs
