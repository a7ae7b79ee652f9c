#include "microslip/detail/catalog/erasure/erased.hpp"

#include <algorithm>
#include <numeric>

namespace microslip::catalog {
namespace {

/// Throws unless the law can follow the path.
void check_path(const Description& law, const Path& path, Drive drive) {
  check_columns(law, path);
  if (!law.directions.empty() && drive == Drive::force)
    throw Error(law.name + " has several directions: it cannot be driven by force");
  if (law.family == Family::rate_dependent && path.t.empty())
    throw Error(law.name + " depends on the rate: it needs the column t");
  if (!path.t.empty() && path.t.size() != path.u.size())
    throw Error("t and u must have the same number of rows");
}

/// Displacement and force have columns of their own.
bool has_column(std::string_view field) { return field == "u" || field == "f"; }

std::vector<StateColumn> columns_of(const StateFields& fields, std::size_t rows) {
  std::vector<StateColumn> columns;
  for (std::size_t i = 0; i < fields.names.size(); ++i)
    for (std::size_t j = 1; !has_column(fields.names[i]) && j <= fields.counts[i]; ++j)
      columns.push_back(
          {std::string(fields.names[i]) + (fields.counts[i] == 1 ? "" : std::to_string(j)),
           std::vector<double>(rows)});
  return columns;
}

void put(const StateFields& fields, std::size_t row, std::vector<StateColumn>& columns) {
  std::size_t number = 0, column = 0;
  for (std::size_t i = 0; i < fields.names.size(); number += fields.counts[i++])
    for (std::size_t j = 0; !has_column(fields.names[i]) && j < fields.counts[i]; ++j)
      columns[column++].values[row] = fields.numbers[number + j];
}

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

void ErasedLaw::run(const Path& path, Drive drive, const Record& record, Checkpoint& at,
                    History& out) const {
  check_path(description(), path, drive);
  std::size_t rows = path.u.size();
  out.status = Status::ok;
  out.u.resize(rows);
  out.uy.resize(path.uy.size());
  out.un.resize(path.un.size());
  out.f.resize(rows);
  out.fy.resize(path.uy.size());
  out.fn.resize(path.un.size());
  out.energy.resize(rows);
  out.tangent.resize(record.tangent && description().directions.empty() ? rows : 0);
  out.stored.resize(record.stored ? rows : 0);
  out.states.clear();

  if (drive == Drive::displacement && !record.tangent && !record.stored && !record.states)
    rows = march(path, at, out);
  else
    rows = follow(path, drive, record, at, out);

  if (drive == Drive::displacement) std::copy_n(path.u.begin(), rows, out.u.begin());
  if (!path.uy.empty()) std::copy_n(path.uy.begin(), rows, out.uy.begin());
  if (!path.un.empty()) std::copy_n(path.un.begin(), rows, out.un.begin());
  for (auto* column :
       {&out.u, &out.uy, &out.un, &out.f, &out.fy, &out.fn, &out.energy, &out.tangent, &out.stored})
    if (column->size() > rows) column->resize(rows);
  for (StateColumn& column : out.states) column.values.resize(rows);
  if (rows > 0 && !path.t.empty()) at.t = path.t[rows - 1];
}

/// Answers how many rows were good.
std::size_t ErasedLaw::follow(const Path& path, Drive drive, const Record& record, Checkpoint& at,
                              History& out) const {
  StateFields fields;
  AnyState trial = at.state;
  if (record.states) {
    read_fields(at.state, Reversals::counted, fields);
    out.states = columns_of(fields, path.u.size());
  }
  std::size_t row = 0;
  for (; row < path.u.size() && follow_row(path, row, drive, record, at, trial, out); ++row) {
    if (record.stored) out.stored[row] = stored(at.state);
    if (!record.states) continue;
    read_fields(at.state, Reversals::counted, fields);
    put(fields, row, out.states);
  }
  return row;
}

bool ErasedLaw::follow_row(const Path& path, std::size_t row, Drive drive, const Record& record,
                           Checkpoint& at, AnyState& trial, History& out) const {
  const auto good = [&](const auto& reply) {
    out.status = reply.status;
    if (reply.status != Status::ok) return false;
    at.energy += reply.dissipated;
    out.energy[row] = at.energy;
    return true;
  };
  if (const auto& directions = description().directions; !directions.empty()) {
    AnyVec<double> u(static_cast<Eigen::Index>(directions.size()));
    for (std::size_t i = 0; i < directions.size(); ++i)
      u[static_cast<Eigen::Index>(i)] =
          path.along(directions[i])[row] - at.origin_along(directions[i]);
    const AnyResponse<double> reply = step_vector(at.state, u, at.state);
    if (!good(reply)) return false;
    for (std::size_t i = 0; i < directions.size(); ++i)
      out.f_along(directions[i])[row] = reply.force[static_cast<Eigen::Index>(i)];
    return true;
  }
  const double dt = time_step(path, row, at.t);
  double u = path.u[row] - at.origin;
  if (drive == Drive::force) {
    // With time, holding still changes the force: compare with what that would give.
    const double here = displacement_of(at.state);
    const double held = step(at.state, here, dt, trial).force;
    const auto found = displacement_for(path.u[row], here, held,
                                        [&](double x) { return step(at.state, x, dt, trial); });
    out.status = found.status;
    if (out.status != Status::ok) return false;
    u = found.u;
    out.u[row] = u + at.origin;
  }
  const Response<double> reply = step(at.state, u, dt, at.state);
  if (!good(reply)) return false;
  out.f[row] = reply.force;
  if (record.tangent) out.tangent[row] = reply.tangent;
  return true;
}

}  // namespace microslip::catalog
