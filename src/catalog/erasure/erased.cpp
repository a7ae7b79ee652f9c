#include "microslip/catalog/erasure/erased.hpp"

namespace microslip::catalog {

void check_path(std::string_view name, Family family, const Path& path, Drive drive) {
  const std::string law(name);
  const bool planar = family == Family::planar;
  if (planar != !path.uy.empty() && !path.u.empty())
    throw Error(planar ? law + " is a planar law: it needs the columns ux and uy"
                       : law + " is a scalar law: it needs the column u");
  if (planar && drive == Drive::force)
    throw Error(law + " is a planar law: it cannot be driven by force");
  if (family == Family::rate_dependent && path.t.empty())
    throw Error(law + " depends on the rate: it needs the column t");
  if (!path.t.empty() && path.t.size() != path.u.size())
    throw Error("t and u must have the same number of rows");
}

StateTable::StateTable(const std::vector<std::string_view>& names,
                       const std::vector<std::size_t>& counts, std::size_t rows) {
  for (std::size_t field = 0; field < names.size(); ++field)
    for (std::size_t i = 1; i <= counts[field]; ++i)
      columns_.push_back({std::string(names[field]) + (counts[field] == 1 ? "" : std::to_string(i)),
                          std::vector<double>(rows)});
}

void StateTable::put(std::size_t row, const std::vector<double>& numbers) {
  for (std::size_t i = 0; i < columns_.size(); ++i) columns_[i].values[row] = numbers[i];
}

std::vector<StateColumn> StateTable::columns(std::size_t rows) const {
  auto result = columns_;
  for (auto& column : result) column.values.resize(rows);
  return result;
}

}  // namespace microslip::catalog
