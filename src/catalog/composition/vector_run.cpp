#include "catalog/composition/vector_run.hpp"

#include "microslip/core/error.hpp"
#include "microslip/detail/catalog/erasure/erased.hpp"

namespace microslip::catalog {

SavedColumns::SavedColumns(const AnyModel::Interface& law, bool wanted,
                           const std::function<bool(std::string_view)>& left_out)
    : law_(law) {
  if (!wanted) return;
  for (const auto& [name, numbers] : law.save(law.rest()))
    if (!left_out(name)) lengths_.emplace_back(name, numbers.size());
}

void SavedColumns::put(const AnyState& state, History& out) const {
  if (lengths_.empty()) return;
  const StateRecord record = law_.save(state);
  std::size_t column = 0;
  const auto add = [&](const std::string& name, double x) {
    if (column == out.states.size()) out.states.push_back({name, {}});
    out.states[column++].values.push_back(x);
  };
  for (const auto& [name, length] : lengths_) {
    const auto& numbers = record.at(name);
    if (length == 0) add(name, static_cast<double>(numbers.size()));
    for (std::size_t i = 0; i < length; ++i)
      add(length == 1 ? name : name + std::to_string(i + 1), i < numbers.size() ? numbers[i] : 0);
  }
}

void run_vector(const AnyModel::Interface& law, const Path& path, Drive drive, const Record& record,
                Checkpoint& at, History& out, const std::function<bool(std::string_view)>& left_out,
                const std::function<double(const Checkpoint&, double lost)>& energy) {
  const Description& description = law.description();
  check_columns(description, path);
  if (drive == Drive::force)
    throw Error(description.name + " has several directions: it cannot be driven by force");
  out = History{};
  const SavedColumns columns(law, record.states, left_out);
  const auto& directions = description.directions;
  AnyState trial = at.state;
  AnyVec<double> u(static_cast<Eigen::Index>(directions.size()));
  for (std::size_t row = 0; row < path.u.size(); ++row) {
    for (std::size_t i = 0; i < directions.size(); ++i)
      u[static_cast<Eigen::Index>(i)] =
          path.along(directions[i])[row] - at.origin_along(directions[i]);
    const AnyResponse<double> reply = law.step_vector(at.state, u, trial);
    out.status = reply.status;
    if (out.status != Status::ok) return;
    at.state.get().assign(trial.get());
    at.energy = energy(at, reply.dissipated);
    if (!path.t.empty()) at.t = path.t[row];
    for (std::size_t i = 0; i < directions.size(); ++i) {
      out.u_along(directions[i]).push_back(path.along(directions[i])[row]);
      out.f_along(directions[i]).push_back(reply.force[static_cast<Eigen::Index>(i)]);
    }
    out.energy.push_back(at.energy);
    if (record.stored) out.stored.push_back(law.stored(at.state));
    columns.put(at.state, out);
  }
}

}  // namespace microslip::catalog
