#pragma once

#include "laws/cases.hpp"
#include "microslip/catalog/law_entry.hpp"

/// The law behind AnyModel is the law itself, bit by bit.
namespace microslip::laws {

template <class L>
AnyModel erased(const Case<L>& c) {
  ParameterValues values;
  for_each_field(ParamsOf<L>::fields, [&](const auto& row) {
    values.emplace(row.name, catalog::to_value(c.params.*(row.member)));
  });
  return catalog::make_any<ModelOf<L>>(values, {});
}

template <class L>
Path rows(const Case<L>& c) {
  Path path;
  double t = 0.5;
  for (const auto& move : c.path) {
    if constexpr (PlanarLaw<ModelOf<L>>) {
      path.u.push_back(move.u[0]);
      path.uy.push_back(move.u[1]);
    } else {
      path.u.push_back(move.u);
    }
    if (RateDependentLaw<ModelOf<L>>) path.t.push_back(t += move.dt);
  }
  return path;
}

/// What a history should be: the plain loop over the law's own step.
template <class L>
History plain_loop(const ModelOf<L>& law, const Path& path, Start start) {
  using P = typename Case<L>::P;
  History out;
  auto state = law.rest();
  double energy = 0;
  for (std::size_t i = 0; i < path.u.size(); ++i) {
    const double dt = path.t.empty() ? 0
                      : i == 0       ? std::numeric_limits<double>::infinity()
                                     : path.t[i] - path.t[i - 1];
    P u;
    if constexpr (PlanarLaw<ModelOf<L>>)
      u = start == Start::first_row ? P(path.u[i] - path.u[0], path.uy[i] - path.uy[0])
                                    : P(path.u[i], path.uy[i]);
    else
      u = start == Start::first_row ? path.u[i] - path.u[0] : path.u[i];
    const auto reply = step(law, state, u, dt, state);
    energy += reply.dissipated;
    if constexpr (PlanarLaw<ModelOf<L>>) {
      out.f.push_back(reply.force[0]);
      out.fy.push_back(reply.force[1]);
    } else {
      out.f.push_back(reply.force);
      out.tangent.push_back(reply.tangent);
    }
    out.energy.push_back(energy);
    out.stored.push_back(law.stored(state));
  }
  return out;
}

inline Fault compare(const History& got, const History& expected, std::string_view what) {
  if (got.status != Status::ok) return std::string(what) + ": " + std::string(explain(got.status));
  const std::pair<const char*, bool> columns[] = {
      {"f", same_bits(got.f, expected.f)},
      {"fy", same_bits(got.fy, expected.fy)},
      {"energy", same_bits(got.energy, expected.energy)},
      {"stored", same_bits(got.stored, expected.stored)},
      {"tangent", same_bits(got.tangent, expected.tangent)}};
  for (const auto& [name, same] : columns)
    if (!same) return std::string(what) + ": column " + name + " differs from the plain loop";
  return {};
}

template <class L>
Fault any_model(const Case<L>& c) {
  const auto law = c.law();
  const AnyModel model = erased(c);
  const Path path = rows(c);
  const Record record{.tangent = true, .stored = true, .states = true};
  for (const Start start : {Start::virgin, Start::first_row}) {
    const History got = model.run(path, start, Drive::displacement, record);
    const auto what = start == Start::virgin ? "from rest" : "from the first row";
    if (Fault fault = compare(got, plain_loop<L>(law, path, start), what); !fault.empty())
      return fault;
    if (!same_bits(got.u, path.u) || !same_bits(got.uy, path.uy)) return "column u was changed";
    // Recording nothing is a loop of its own.
    const History bare = model.run(path, start);
    if (bare.status != Status::ok || !same_bits(bare.f, got.f) || !same_bits(bare.fy, got.fy) ||
        !same_bits(bare.energy, got.energy) || !same_bits(bare.u, got.u))
      return std::string(what) + ": a run that records nothing else differs";
  }

  // Single steps, a trial that is thrown away before each.
  AnyState state = model.rest();
  AnyState trial = model.rest();
  auto own = law.rest();
  for (const auto& move : c.path) {
    const auto expected = numbers(step(law, own, move.u, move.dt, own));
    std::vector<double> got;
    if constexpr (PlanarLaw<ModelOf<L>>) {
      model.step(state, Vec2<double>(2 * move.u), trial);
      got = numbers(model.step(state, move.u, trial));
    } else {
      model.step(state, 2 * move.u, move.dt, trial);
      got = numbers(model.step(state, move.u, move.dt, trial));
      if (model.next_kink(trial, 1) != law.next_kink(own, 1)) return "next_kink differs";
    }
    if (!same_bits(got, expected)) return "AnyModel::step differs from the law's step";
    if (model.stored(trial) != law.stored(own)) return "AnyModel::stored differs";
    state = trial;
  }
  return {};
}

/// A history that is saved and resumed in the middle is the same history.
template <class L>
Fault saved_states(const Case<L>& c) {
  const AnyModel model = erased(c);
  const Path path = rows(c);
  const Record record{.tangent = true, .stored = true, .states = false};
  const History whole = model.run(path, Start::virgin, Drive::displacement, record);
  if (path.u.size() < 2) return {};
  const std::size_t middle = 1 + Rng(c.seed).below(path.u.size() - 1);
  const auto part = [&](std::size_t from, std::size_t to) {
    const auto cut = [&](const std::vector<double>& column) {
      if (column.empty()) return column;
      return std::vector<double>(column.begin() + static_cast<std::ptrdiff_t>(from),
                                 column.begin() + static_cast<std::ptrdiff_t>(to));
    };
    return Path{cut(path.t), cut(path.u), cut(path.uy)};
  };
  Checkpoint at = model.begin(path);
  History joined = model.run(part(0, middle), Drive::displacement, record, at);
  const StateRecord saved = model.save(at.state);
  at.state = model.load(saved);
  if (model.save(at.state) != saved) return "load and save change the record";
  const History rest = model.run(part(middle, path.u.size()), Drive::displacement, record, at);
  const auto append = [](std::vector<double>& to, const std::vector<double>& more) {
    to.insert(to.end(), more.begin(), more.end());
  };
  append(joined.f, rest.f);
  append(joined.fy, rest.fy);
  append(joined.energy, rest.energy);
  append(joined.stored, rest.stored);
  append(joined.tangent, rest.tangent);
  if (Fault fault = compare(joined, whole, "resumed at row " + std::to_string(middle + 1));
      !fault.empty())
    return fault;

  for (const auto& [name, values] : saved) {
    StateRecord incomplete = saved;
    incomplete.erase(name);
    try {
      model.load(incomplete);
      return "a record without '" + name + "' was accepted";
    } catch (const Error&) {
    }
  }
  return {};
}

/// How many rows from the start have a force that determines their displacement: it grows all the
/// way to them, and, with time, twice as far, where the search may look. Friction that falls with
/// speed does not.
template <class L>
std::size_t rows_with_growing_force(const Case<L>& c, const Path& path) {
  const auto law = c.law();
  auto state = law.rest();
  for (std::size_t row = 0; row < path.u.size(); ++row) {
    const double dt = row == 0 || path.t.empty() ? std::numeric_limits<double>::infinity()
                                                 : path.t[row] - path.t[row - 1];
    auto trial = state;
    for (int i = 1; i <= (path.t.empty() ? 16 : 32); ++i) {
      const double u = state.u + i / 16.0 * (path.u[row] - state.u);
      if (!(step(law, state, u, dt, trial).tangent > 0.05 * c.scale.k())) return row;
    }
    step(law, state, path.u[row], dt, state);
  }
  return path.u.size();
}

/// Driven by the force it answered, the law finds the displacement, as long as force determines it.
template <class L>
Fault force_drive(const Case<L>& c) {
  Case<L> gentle = c;
  for (auto& move : gentle.path) move.u *= 0.1;
  const AnyModel model = erased(gentle);
  const Path path = rows(gentle);
  const History given = model.run(path, Start::virgin, Drive::displacement);
  const std::size_t usable = rows_with_growing_force(gentle, path);
  if (usable == 0) return {};
  Path forces = path;
  forces.u.assign(given.f.begin(), given.f.begin() + static_cast<std::ptrdiff_t>(usable));
  if (!forces.t.empty()) forces.t.resize(usable);
  const History found = model.run(forces, Start::virgin, Drive::force);
  if (found.status != Status::ok || found.u.size() != usable)
    return "row " + std::to_string(found.u.size() + 1) + ": " + std::string(explain(found.status));
  for (std::size_t i = 0; i < usable; ++i) {
    if (std::abs(found.u[i] - path.u[i]) <= 1e-9 * c.scale.u) continue;
    // With time, a dip of the force between the places looked at may carry it elsewhere too; from
    // there on it is another history.
    if (RateDependentLaw<ModelOf<L>> && std::abs(found.f[i] - given.f[i]) <= 1e-9 * c.scale.f)
      break;
    return "force " + text(given.f[i]) + " gives displacement " + text(found.u[i]) + ", not " +
           text(path.u[i]);
  }
  return {};
}

/// A bounded law cannot carry any force: a status, and the rows before it stand.
template <class L>
Fault unreachable_force(const Case<L>& c) {
  const AnyModel model = erased(c);
  auto state = c.law().rest();
  double most = c.scale.f;
  for (const double side : {1.0, -1.0, 1.0})
    most = std::max(most, std::abs(step(c.law(), state, side * 1e8 * c.scale.u, 1e8, state).force));
  Path forces;
  forces.u = {0.01 * c.scale.f, 100 * most, 0};
  if (RateDependentLaw<ModelOf<L>>) forces.t = {1, 2, 3};
  const History found = model.run(forces, Start::virgin, Drive::force);
  if (found.status != Status::unreachable || found.f.size() != 1 || found.u.size() != 1)
    return "a force of 100 times the largest ends with '" + std::string(explain(found.status)) +
           "' after " + std::to_string(found.f.size()) + " rows";
  return {};
}

}  // namespace microslip::laws
