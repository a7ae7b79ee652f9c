#include "laws/checks_erased.hpp"

#include <algorithm>

#include "microslip/detail/numerics/constants.hpp"

namespace microslip::laws {
namespace {

template <class P>
Path rows(const Case<P>& c) {
  Path path;
  double t = 0.5;
  for (const auto& move : c.path) {
    if constexpr (planar<P>)
      for (std::size_t i = 0; i < size_of<P>; ++i)
        path.along(c.subject->law.description.directions[i])
            .push_back(move.u[static_cast<Eigen::Index>(i)]);
    else
      path.u.push_back(move.u);
    if (c.timed()) path.t.push_back(t += move.dt);
  }
  return path;
}

/// What a history should be.
template <class P>
History plain_loop(const Model<P>& law, const Path& path, Start start) {
  History out;
  State<P> state = law.rest();
  double energy = 0;
  for (std::size_t i = 0; i < path.u.size(); ++i) {
    const double dt = path.t.empty() ? 0 : i == 0 ? infinity : path.t[i] - path.t[i - 1];
    P u;
    if constexpr (planar<P>)
      for (std::size_t j = 0; j < size_of<P>; ++j) {
        const auto& column = path.along(law.any().directions()[j]);
        u[static_cast<Eigen::Index>(j)] =
            start == Start::first_row ? column[i] - column[0] : column[i];
      }
    else
      u = start == Start::first_row ? path.u[i] - path.u[0] : path.u[i];
    const auto reply = law.step(state, u, dt, state);
    energy += reply.dissipated;
    if constexpr (planar<P>) {
      for (std::size_t j = 0; j < size_of<P>; ++j)
        out.f_along(law.any().directions()[j]).push_back(reply.force[static_cast<Eigen::Index>(j)]);
    } else {
      out.f.push_back(reply.force);
      out.tangent.push_back(reply.tangent);
    }
    out.energy.push_back(energy);
    out.stored.push_back(law.stored(state));
  }
  return out;
}

Fault compare(const History& got, const History& expected, std::string_view what) {
  if (got.status != Status::ok) return std::string(what) + ": " + std::string(explain(got.status));
  const std::pair<const char*, bool> columns[] = {
      {"f", same_bits(got.f, expected.f)},
      {"fy", same_bits(got.fy, expected.fy)},
      {"fn", same_bits(got.fn, expected.fn)},
      {"energy", same_bits(got.energy, expected.energy)},
      {"stored", same_bits(got.stored, expected.stored)},
      {"tangent", same_bits(got.tangent, expected.tangent)}};
  for (const auto& [name, same] : columns)
    if (!same) return std::string(what) + ": column " + name + " differs from the plain loop";
  return {};
}

Path part_of(const Path& path, std::size_t from, std::size_t to) {
  const auto cut = [&](const std::vector<double>& column) {
    if (column.empty()) return column;
    return std::vector<double>(column.begin() + static_cast<std::ptrdiff_t>(from),
                               column.begin() + static_cast<std::ptrdiff_t>(to));
  };
  return {cut(path.t), cut(path.u), cut(path.uy), cut(path.un)};
}

void append(History& to, const History& more) {
  const auto add = [](std::vector<double>& column, const std::vector<double>& rest) {
    column.insert(column.end(), rest.begin(), rest.end());
  };
  add(to.f, more.f);
  add(to.fy, more.fy);
  add(to.fn, more.fn);
  add(to.energy, more.energy);
  add(to.stored, more.stored);
  add(to.tangent, more.tangent);
}

/// How many rows from the start have a force that determines their displacement: it grows all the
/// way to them, and, with time, twice as far, where the search may look. Friction that falls with
/// speed does not.
std::size_t rows_with_growing_force(const Case<double>& c, const Path& path) {
  const Model<double> law = c.law();
  State<double> state = law.rest();
  State<double> trial = state;
  for (std::size_t row = 0; row < path.u.size(); ++row) {
    const double dt = row == 0 || path.t.empty() ? infinity : path.t[row] - path.t[row - 1];
    const double d = path.u[row] > state.u ? 1 : -1;
    double before = -infinity;
    for (int i = 1; i <= (path.t.empty() ? 16 : 32); ++i) {
      const double u = state.u + i / 16.0 * (path.u[row] - state.u);
      const auto reply = law.step(state, u, dt, trial);
      if (!(reply.tangent > 0.05 * c.scale.k())) return row;
      // A force may also drop at once, with good tangents on both sides.
      if (!(d * reply.force >= before)) return row;
      before = d * reply.force;
    }
    law.step(state, path.u[row], dt, state);
  }
  return path.u.size();
}

}  // namespace

template <class P>
Fault any_model(const Case<P>& c) {
  const Model<P> law = c.law();
  const AnyModel& model = law.any();
  const Path path = rows(c);
  const Record record{.tangent = true, .stored = true, .states = true};
  for (const Start start : {Start::virgin, Start::first_row}) {
    const History got = model.run(path, start, Drive::displacement, record);
    const auto what = start == Start::virgin ? "from rest" : "from the first row";
    if (Fault fault = compare(got, plain_loop(law, path, start), what); !fault.empty())
      return fault;
    if (!same_bits(got.u, path.u) || !same_bits(got.uy, path.uy) || !same_bits(got.un, path.un))
      return "column u was changed";
    // Recording nothing is a loop of its own.
    const History bare = model.run(path, start);
    if (bare.status != Status::ok || !same_bits(bare.f, got.f) || !same_bits(bare.fy, got.fy) ||
        !same_bits(bare.fn, got.fn) || !same_bits(bare.energy, got.energy) ||
        !same_bits(bare.u, got.u))
      return std::string(what) + ": a run that records nothing else differs";
  }

  // Single steps, a trial that is thrown away before each, against steps in place.
  State<P> state = law.rest();
  State<P> trial = law.rest();
  State<P> own = law.rest();
  for (const auto& move : c.path) {
    const auto expected = numbers(law.step(own, move.u, move.dt, own));
    law.step(state, P(2 * move.u), move.dt, trial);
    if (!same_bits(numbers(law.step(state, move.u, move.dt, trial)), expected))
      return "a step after a trial differs from the step alone";
    const P on = move.u + everywhere<P>(c.scale.u);
    if (law.smooth_part(trial, on) != law.smooth_part(own, on))
      return "the next kink differs after a trial";
    if (law.stored(trial) != law.stored(own)) return "stored differs after a trial";
    state = trial;
  }
  return {};
}

template <class P>
Fault saved_states(const Case<P>& c) {
  const Model<P> law = c.law();
  const AnyModel& model = law.any();
  const Path path = rows(c);
  const Record record{.tangent = true, .stored = true, .states = false};
  const History whole = model.run(path, Start::virgin, Drive::displacement, record);
  if (has_no_answer(whole.status)) throw Undefined{};
  if (path.u.size() < 2) return {};
  const std::size_t middle = 1 + Rng(c.seed).below(path.u.size() - 1);
  Checkpoint at = model.begin(path);
  History joined = model.run(part_of(path, 0, middle), Drive::displacement, record, at);
  const StateRecord saved = model.save(at.state);
  at.state = model.load(saved);
  if (model.save(at.state) != saved) return "load and save change the record";
  append(joined, model.run(part_of(path, middle, path.u.size()), Drive::displacement, record, at));
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

Fault force_drive(const Case<double>& c) {
  Case<double> gentle = c;
  for (auto& move : gentle.path) move.u *= 0.1;
  const AnyModel model = gentle.law().any();
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
    // Between the places looked at the force may stand still; with time it may also dip and be
    // reached elsewhere. From there on it is another history.
    const double between = std::abs(path.u[i] - (i > 0 ? path.u[i - 1] : 0)) / 16;
    if ((c.timed() || std::abs(found.u[i] - path.u[i]) <= between) &&
        std::abs(found.f[i] - given.f[i]) <= 1e-9 * c.scale.f)
      break;
    return "force " + text(given.f[i]) + " gives displacement " + text(found.u[i]) + ", not " +
           text(path.u[i]);
  }
  return {};
}

Fault unreachable_force(const Case<double>& c) {
  const Model<double> law = c.law();
  State<double> state = law.rest();
  double most = c.scale.f;
  for (const double side : {1.0, -1.0, 1.0})
    most = std::max(most, std::abs(law.step(state, side * 1e8 * c.scale.u, 1e8, state).force));
  Path forces;
  forces.u = {0.01 * c.scale.f, 100 * most, 0};
  if (c.timed()) forces.t = {1, 2, 3};
  const History found = law.any().run(forces, Start::virgin, Drive::force);
  if (found.status != Status::unreachable || found.f.size() != 1 || found.u.size() != 1)
    return "a force of 100 times the largest ends with '" + std::string(explain(found.status)) +
           "' after " + std::to_string(found.f.size()) + " rows";
  return {};
}

template Fault any_model(const Case<double>&);
template Fault any_model(const Case<Vec2<double>>&);
template Fault any_model(const Case<Vec<double, 3>>&);
template Fault saved_states(const Case<double>&);
template Fault saved_states(const Case<Vec2<double>>&);
template Fault saved_states(const Case<Vec<double, 3>>&);

}  // namespace microslip::laws
