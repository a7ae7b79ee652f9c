#include "catalog/erasure/rows.hpp"

#include <algorithm>
#include <limits>

#include "microslip/core/force_drive.hpp"
#include "microslip/detail/catalog/erasure/erased.hpp"

namespace microslip::catalog {
namespace {

/// Its own number u or, of a sum, that of a term; laws inside others have one more dot.
double displacement_at(const AnyModel::Interface& law, const AnyState& state) {
  const StateRecord record = law.save(state);
  const auto dots = [](const std::string& name) {
    return std::count(name.begin(), name.end(), '.');
  };
  auto found = record.end();
  for (auto entry = record.begin(); entry != record.end(); ++entry)
    if (entry->first == "u" || entry->first.ends_with(".u"))
      if (found == record.end() || dots(entry->first) < dots(found->first)) found = entry;
  return found == record.end() ? 0 : found->second.front();
}

/// A row of a scalar law. `u` is where it was, and is moved on.
bool follow_scalar(const RowsOf& rows, const Path& path, std::size_t row, Drive drive, double& u,
                   const Record& record, Checkpoint& at, AnyState& trial, History& out,
                   double& lost) {
  const double dt = time_step(path, row, at.t);
  double to = path.u[row] - at.origin;
  if (drive == Drive::force) {
    const Carried found = place_that_carries(rows.law, path.u[row], at.state, u, dt, trial);
    out.status = found.status;
    if (out.status != Status::ok) return false;
    to = found.u;
    out.u[row] = to + at.origin;
  }
  const Response<double> reply = rows.law.step(at.state, to, dt, trial);
  out.status = reply.status;
  if (reply.status != Status::ok) return false;
  u = to;
  lost = reply.dissipated;
  out.f[row] = reply.force;
  if (record.tangent) out.tangent[row] = reply.tangent;
  return true;
}

/// A row of a law with several directions.
bool follow_vector(const RowsOf& rows, const Path& path, std::size_t row, AnyVec<double>& u,
                   const Checkpoint& at, AnyState& trial, History& out, double& lost) {
  const auto& directions = rows.law.description().directions;
  u.resize(static_cast<Eigen::Index>(directions.size()));
  for (std::size_t i = 0; i < directions.size(); ++i)
    u[static_cast<Eigen::Index>(i)] =
        path.along(directions[i])[row] - at.origin_along(directions[i]);
  const AnyResponse<double> reply = rows.law.step_vector(at.state, u, trial);
  out.status = reply.status;
  if (reply.status != Status::ok) return false;
  lost = reply.dissipated;
  for (std::size_t i = 0; i < directions.size(); ++i)
    out.f_along(directions[i])[row] = reply.force[static_cast<Eigen::Index>(i)];
  return true;
}

}  // namespace

void SavedColumns::begin(const AnyState& /*state*/, std::size_t rows, History& out) {
  const auto add = [&](std::string name) {
    out.states.push_back({std::move(name), std::vector<double>(rows)});
  };
  for (const auto& [name, numbers] : law_.save(law_.rest())) {
    if (left_out_(name)) continue;
    lengths_.emplace_back(name, numbers.size());
    if (numbers.size() <= 1) add(name);
    for (std::size_t i = 0; numbers.size() > 1 && i < numbers.size(); ++i)
      add(name + std::to_string(i + 1));
  }
}

void SavedColumns::put(const AnyState& state, std::size_t row, History& out) {
  const StateRecord record = law_.save(state);
  std::size_t column = 0;
  const auto add = [&](double x) { out.states[column++].values[row] = x; };
  for (const auto& [name, length] : lengths_) {
    const auto& numbers = record.at(name);
    if (length == 0) add(static_cast<double>(numbers.size()));
    for (std::size_t i = 0; i < length; ++i) add(i < numbers.size() ? numbers[i] : 0);
  }
}

double time_step(const Path& path, std::size_t row, double t_before) {
  if (path.t.empty()) return 0;
  const double dt = path.t[row] - (row == 0 ? t_before : path.t[row - 1]);
  return dt > 0 ? dt : std::numeric_limits<double>::infinity();
}

void check_path(const Description& law, const Path& path, Drive drive) {
  check_columns(law, path);
  if (!law.directions.empty() && drive == Drive::force)
    throw Error(law.name + " has several directions: it cannot be driven by force");
  if (law.family == Family::rate_dependent && path.t.empty())
    throw Error(law.name + " depends on the rate: it needs the column t");
  if (!path.t.empty() && path.t.size() != path.u.size())
    throw Error("t and u must have the same number of rows");
}

void begin_rows(const Description& law, const Path& path, const Record& record, History& out) {
  const std::size_t rows = path.u.size();
  out.status = Status::ok;
  out.reason.clear();
  for (auto* column : {&out.u, &out.f, &out.energy}) column->resize(rows);
  for (auto* column : {&out.uy, &out.fy}) column->resize(path.uy.size());
  for (auto* column : {&out.un, &out.fn}) column->resize(path.un.size());
  out.tangent.resize(record.tangent && law.directions.empty() ? rows : 0);
  out.stored.resize(record.stored ? rows : 0);
  out.states.clear();
}

void end_rows(const Path& path, Drive drive, std::size_t good, Checkpoint& at, History& out) {
  if (drive == Drive::displacement) std::copy_n(path.u.begin(), good, out.u.begin());
  if (!path.uy.empty()) std::copy_n(path.uy.begin(), good, out.uy.begin());
  if (!path.un.empty()) std::copy_n(path.un.begin(), good, out.un.begin());
  for (auto* column :
       {&out.u, &out.uy, &out.un, &out.f, &out.fy, &out.fn, &out.energy, &out.tangent, &out.stored})
    if (column->size() > good) column->resize(good);
  for (StateColumn& column : out.states) column.values.resize(good);
  if (good > 0 && !path.t.empty()) at.t = path.t[good - 1];
}

Carried place_that_carries(const AnyModel::Interface& law, double force, const AnyState& from,
                           double u, double dt, AnyState& trial) {
  // With time, holding still changes the force: compare with what that would give.
  const double held = law.step(from, u, dt, trial).force;
  const auto found =
      displacement_for(force, u, held, [&](double x) { return law.step(from, x, dt, trial); });
  return {found.u, found.status};
}

std::size_t follow_rows(const RowsOf& rows, const Path& path, Drive drive, const Record& record,
                        Checkpoint& at, History& out) {
  const bool scalar = rows.law.description().directions.empty();
  AnyState trial = at.state;
  AnyVec<double> place;
  double u = scalar && drive == Drive::force ? displacement_at(rows.law, at.state) : 0;
  if (record.states) rows.columns.begin(at.state, path.u.size(), out);
  std::size_t row = 0;
  for (; row < path.u.size(); ++row) {
    double lost = 0;
    const bool good = scalar
                          ? follow_scalar(rows, path, row, drive, u, record, at, trial, out, lost)
                          : follow_vector(rows, path, row, place, at, trial, out, lost);
    if (!good) break;
    at.state.get().assign(trial.get());
    at.energy = rows.energy ? rows.energy(at, lost) : at.energy + lost;
    out.energy[row] = at.energy;
    if (record.stored) out.stored[row] = rows.law.stored(at.state);
    if (record.states) rows.columns.put(at.state, row, out);
  }
  return row;
}

void run_rows(const RowsOf& rows, const Path& path, Drive drive, const Record& record,
              Checkpoint& at, History& out) {
  check_path(rows.law.description(), path, drive);
  begin_rows(rows.law.description(), path, record, out);
  const std::size_t good = follow_rows(rows, path, drive, record, at, out);
  end_rows(path, drive, good, at, out);
}

}  // namespace microslip::catalog
