#include "several_directions.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>

#include "microslip/core/error.hpp"

namespace microslip::fit {

Beginning beginning_in_space(const Data& data, Beginning given) {
  if (given == Beginning::cycled || given == Beginning::unknown)
    throw Error(data.name +
                " has several directions: it starts at rest, virgin or at its first row");
  if (given != Beginning::automatic) return given;
  for (const std::string_view direction : {"x", "y", "n"}) {
    const std::vector<double>& u = data.path->along(direction);
    if (u.empty()) continue;
    const auto [low, high] = std::minmax_element(u.begin(), u.end());
    if (std::abs(u.front()) > 0.025 * (*high - *low)) return Beginning::first_row;
  }
  return Beginning::virgin;
}

void check_directions(const Description& law, const Data& data, const Setup& setup) {
  if (law.family != Family::planar) {
    if (data.path) throw Error(data.name + " has several directions; " + law.name + " has one");
    return;
  }
  if (!data.path) {
    std::string columns;
    for (const char* kind : {"u", "f"})
      for (const std::string& direction : law.directions)
        columns += (columns.empty() ? "" : ", ") + (kind + direction);
    throw Error(law.name + " has several directions: " + data.name + " needs the columns " +
                columns);
  }
  const auto& all = law.directions;
  if (std::find(all.begin(), all.end(), data.direction) == all.end())
    throw Error(data.name + " has a direction that " + law.name + " does not have");
  const auto unknown = [](const std::string& name) {
    return is_measurement(name) && name != "offset" && name != "gain" && name != "drift";
  };
  for (const std::string& name : setup.free)
    if (unknown(name)) throw Error("--free " + name + " is for records with one direction");
  for (const auto& [name, value] : setup.fixed)
    if (unknown(name)) throw Error("--fix " + name + " is for records with one direction");
}

bool run_along(const AnyDualModel& law, const Data& data, const std::vector<std::string>& names,
               bool at_first, std::vector<WideDual>& f) {
  const auto size = static_cast<Eigen::Index>(names.size());
  const auto which = std::find(names.begin(), names.end(), data.direction) - names.begin();
  AnyState state = law.rest();
  AnyVec<WideDual> place(size);
  f.resize(data.rows());
  for (std::size_t row = 0; row < data.rows(); ++row) {
    for (Eigen::Index i = 0; i < size; ++i) {
      const std::vector<double>& u = data.path->along(names[static_cast<std::size_t>(i)]);
      place[i] = WideDual(u[row] - (at_first ? u.front() : 0.0));
    }
    const auto reply = law.step(state, place, state);
    if (reply.status != Status::ok) return false;
    f[row] = reply.force[which];
  }
  return true;
}

}  // namespace microslip::fit
