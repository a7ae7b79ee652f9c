#include "laws.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>
#include <vector>

#include "../c/handles.hpp"
#include "microslip/catalog/catalog.hpp"
#include "microslip/core/text.hpp"

namespace microslip::hosts {
namespace {

/// A law by name, with its numbers in the order of its table; a list of n elements takes n of them.
AnyModel law_from(const std::string& name, const double* props, int count) {
  AnyModel law = catalog::make({name, {}, {}});
  if (law.description().family == Family::planar)
    throw Error(name + " has several directions; these elements have one displacement");
  ParameterValues values;
  int used = 0;
  const auto next = [&](const std::string& parameter) {
    if (used == count)
      throw Error(name + " needs more than the " + std::to_string(count) +
                  " numbers given: the next one is " + parameter);
    return props[used++];
  };
  for (const ParameterInfo& info : law.description().parameters) {
    const Value& standard = law.parameters().at(info.name);
    if (const auto* list = std::get_if<std::vector<double>>(&standard)) {
      // As many numbers as the defaults have are meant as they are; otherwise one list takes what is
      // left after the other numbers, and several share it.
      std::size_t lists = 0, numbers = 0, defaults = 0;
      for (const ParameterInfo& other : law.description().parameters) {
        const auto* more = std::get_if<std::vector<double>>(&law.parameters().at(other.name));
        (more ? lists : numbers)++;
        defaults += more ? more->size() : 1;
      }
      const auto given = static_cast<std::size_t>(count);
      const std::size_t length = given == defaults ? list->size()
                                 : given > numbers ? (given - numbers) / lists
                                                   : 0;
      std::vector<double> elements(length);
      for (double& x : elements) x = next(info.name);
      values[info.name] = elements;
    } else if (std::holds_alternative<double>(standard)) {
      values[info.name] = next(info.name);
    } else {
      throw Error(name + "." + info.name + " is not a number, which is all that a host can give");
    }
  }
  if (used != count)
    throw Error(name + " has " + std::to_string(used) + " numbers, but " + std::to_string(count) +
                " are given");
  return law.with(values);
}

}  // namespace

const AnyModel& kept_law(const std::string& name, const double* props, int count) {
  thread_local std::map<std::pair<std::string, std::vector<double>>, AnyModel> kept;
  std::pair<std::string, std::vector<double>> key{name, {props, props + count}};
  if (const auto found = kept.find(key); found != kept.end()) return found->second;
  if (kept.size() >= 1000) kept.clear();
  AnyModel law = law_from(name, props, count);
  return kept.emplace(std::move(key), std::move(law)).first->second;
}

AnyState unpacked(const AnyModel& law, const double* statev, int count) {
  if (count < 1 || statev[0] == 0) return law.rest();
  const StateRecord fields = law.save(law.rest());
  const auto used = static_cast<int>(statev[0]);
  if (!(statev[0] >= 2) || used > count) throw Error("the state variables are damaged");
  StateRecord record;
  int at = 2;
  for (const auto& [name, numbers] : fields) {
    const auto size = at < used ? statev[at++] : -1;
    if (!(size >= 0) || at + size > used) throw Error("the state variables are damaged");
    record[name].assign(statev + at, statev + at + static_cast<int>(size));
    at += static_cast<int>(size);
  }
  if (at != used) throw Error("the state variables are damaged");
  return law.load(record);
}

std::vector<double> packed(const AnyModel& law, const AnyState& state, double energy) {
  std::vector<double> all{0, energy};
  for (const auto& [name, numbers] : law.save(state)) {
    all.push_back(static_cast<double>(numbers.size()));
    all.insert(all.end(), numbers.begin(), numbers.end());
  }
  all[0] = static_cast<double>(all.size());
  return all;
}

Answer step(const std::string& name, const double* props, int prop_count, double u, double dt,
            const double* from, double* to, int state_count) {
  const AnyModel& law = kept_law(name, props, prop_count);
  if (!std::isfinite(u)) throw Error("the displacement must be a finite number");
  const bool timed = law.description().family == Family::rate_dependent;
  AnyState state = unpacked(law, from, state_count);
  const double before = state_count > 1 && from[0] != 0 ? from[1] : 0;
  const Response<double> reply =
      law.step(state, u, timed && !(dt > 0) ? std::numeric_limits<double>::infinity() : dt, state);
  if (reply.status != Status::ok)
    throw c::Stopped{static_cast<int>(reply.status), 0,
                     name + " stopped: " + std::string(explain(reply.status))};
  if (!std::isfinite(reply.force) || !std::isfinite(reply.dissipated))
    throw c::Stopped{MICROSLIP_STATUS_INFINITE, 0,
                     name + " stopped: force or energy is too large for a number"};
  const double energy = before + reply.dissipated;
  const std::vector<double> all = packed(law, state, energy);
  if (all.size() > static_cast<std::size_t>(state_count))
    throw Error(name + " needs " + std::to_string(all.size()) + " state variables by now, but " +
                std::to_string(state_count) +
                " are given; memories of turning points grow with the history");
  std::fill(to, to + state_count, 0.0);
  std::copy(all.begin(), all.end(), to);
  return {reply.force, reply.tangent, energy, law.stored(state)};
}

}  // namespace microslip::hosts
