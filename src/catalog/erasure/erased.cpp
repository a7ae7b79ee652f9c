#include "microslip/detail/catalog/erasure/erased.hpp"

#include <algorithm>
#include <numeric>

#include "catalog/erasure/rows.hpp"

namespace microslip::catalog {
namespace {

/// Displacement and force have columns of their own.
bool has_column(std::string_view field) { return field == "u" || field == "f"; }

std::string column_names(std::span<const std::string_view> directions) {
  std::string text;
  for (std::size_t i = 0; i < directions.size(); ++i)
    text += (i == 0                       ? "u"
             : i + 1 == directions.size() ? " and u"
                                          : ", u") +
            std::string(directions[i]);
  return text;
}

}  // namespace

std::string needs_vector(std::string_view law, std::span<const std::string_view> directions) {
  return std::string(law) + " has several directions: it needs " + column_names(directions);
}

void check_columns(const Description& law, const Path& path) {
  if (path.u.empty()) return;
  const std::vector<std::string_view> wanted(law.directions.begin(), law.directions.end());
  bool right = true;
  for (const std::string_view direction : {"y", "n"}) {
    const auto& column = path.along(direction);
    const bool needed = std::find(wanted.begin(), wanted.end(), direction) != wanted.end();
    right = right && needed == !column.empty();
    if (needed && !column.empty() && column.size() != path.u.size())
      throw Error("u" + std::string(direction) +
                  " has another number of rows than the first "
                  "column of displacements");
  }
  if (right) return;
  throw Error(wanted.empty() ? law.name + " is a scalar law: it needs the column u"
                             : law.name + " has several directions: it needs the columns " +
                                   column_names(wanted));
}

void StateFields::clear() {
  names.clear();
  counts.clear();
  numbers.clear();
}

void StateFields::close(std::string_view name) {
  names.push_back(name);
  counts.push_back(numbers.size() - std::accumulate(counts.begin(), counts.end(), std::size_t{0}));
}

StateRecord ErasedLaw::save(const AnyState& s) const {
  StateFields fields;
  read_fields(s, Reversals::written_out, fields);
  StateRecord record;
  auto number = fields.numbers.begin();
  for (std::size_t i = 0; i < fields.names.size(); ++i) {
    const auto end = number + static_cast<std::ptrdiff_t>(fields.counts[i]);
    record[std::string(fields.names[i])].assign(number, end);
    number = end;
  }
  return record;
}

/// In the order of the fields of the state.
class ErasedLaw::Columns final : public StateColumns {
 public:
  explicit Columns(const ErasedLaw& law) : law_(law) {}

  void begin(const AnyState& state, std::size_t rows, History& out) override {
    law_.read_fields(state, Reversals::counted, fields_);
    for (std::size_t i = 0; i < fields_.names.size(); ++i)
      for (std::size_t j = 1; !has_column(fields_.names[i]) && j <= fields_.counts[i]; ++j)
        out.states.push_back(
            {std::string(fields_.names[i]) + (fields_.counts[i] == 1 ? "" : std::to_string(j)),
             std::vector<double>(rows)});
  }
  void put(const AnyState& state, std::size_t row, History& out) override {
    law_.read_fields(state, Reversals::counted, fields_);
    std::size_t number = 0, column = 0;
    for (std::size_t i = 0; i < fields_.names.size(); number += fields_.counts[i++])
      for (std::size_t j = 0; !has_column(fields_.names[i]) && j < fields_.counts[i]; ++j)
        out.states[column++].values[row] = fields_.numbers[number + j];
  }

 private:
  const ErasedLaw& law_;
  StateFields fields_;
};

void ErasedLaw::run(const Path& path, Drive drive, const Record& record, Checkpoint& at,
                    History& out) const {
  check_path(description(), path, drive);
  begin_rows(description(), path, record, out);
  const bool plain =
      drive == Drive::displacement && !record.tangent && !record.stored && !record.states;
  Columns columns(*this);
  const std::size_t good =
      plain ? march(path, at, out) : follow_rows({*this, columns}, path, drive, record, at, out);
  end_rows(path, drive, good, at, out);
}

}  // namespace microslip::catalog
