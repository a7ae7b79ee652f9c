#include "core.hpp"

/// Histories: arrays of numpy in and out, without copies.
namespace microslip_python {
namespace {

microslip_output output(Column& column) { return {column.mutable_data(), 1}; }

/// Ctrl-C and the caller's function, called while the GIL is not held.
struct Progress {
  py::object call;

  static int tick(void* user, std::size_t done, std::size_t all) {
    const py::gil_scoped_acquire gil;
    if (PyErr_CheckSignals() != 0) return 1;
    auto& self = *static_cast<Progress*>(user);
    if (self.call.is_none()) return 0;
    try {
      const py::object wanted = self.call(done, all);
      return wanted.is(py::bool_(false)) ? 1 : 0;
    } catch (py::error_already_set& thrown) {
      thrown.restore();
      return 1;
    }
  }
};

struct Want {
  bool u, tangent, stored, states;
};

/// The arrays of one run, and where they are for C.
struct Rows {
  py::dict columns;
  microslip_history history{};
  std::vector<Column> kept;

  Rows(const Model& model, py::ssize_t rows, const Want& want, bool planar) {
    const auto add = [&](const char* name) {
      kept.emplace_back(std::vector<py::ssize_t>{rows});
      columns[name] = kept.back();
      return output(kept.back());
    };
    if (want.u) history.u = add("u");
    history.f = add(planar ? "fx" : "f");
    if (planar) history.fy = add("fy");
    history.energy = add("energy");
    if (want.tangent) history.tangent = add("tangent");
    if (want.stored) history.stored = add("stored");
    if (want.states) {
      microslip_error error;
      char* text = nullptr;
      check(microslip_state_columns(model.get(), &text, &error), error);
      const std::string names = taken(text);
      const py::object list = py::module_::import("json").attr("loads")(names);
      const auto count = static_cast<py::ssize_t>(py::len(list));
      Column table(std::vector<py::ssize_t>{count, rows});
      history.states = {table.mutable_data(), rows};
      history.states_row = 1;
      columns["states"] = py::make_tuple(list, table);
    }
  }
};

microslip_path path_of(const std::optional<Column>& t, const Column& u,
                       const std::optional<Column>& uy, bool force) {
  microslip_path path{};
  path.rows = static_cast<std::size_t>(u.size());
  path.t = input(t, u.size(), "t");
  path.u = input(u, u.size(), "u");
  path.uy = input(uy, u.size(), "uy");
  path.drive = force ? MICROSLIP_DRIVE_FORCE : MICROSLIP_DRIVE_DISPLACEMENT;
  return path;
}

}  // namespace

/// Leaves `state` at the last row.
py::dict run(const Model& model, State& state, const Column& u, const std::optional<Column>& t,
             const std::optional<Column>& uy, bool force, bool tangent, bool stored, bool states,
             py::object call) {
  const bool planar = microslip_family(model.get()) == MICROSLIP_PLANAR;
  const microslip_path path = path_of(t, u, uy, force);
  Rows rows(model, u.size(), {force, tangent, stored, states}, planar);
  Progress progress{std::move(call)};
  microslip_error error;
  int code = 0;
  {
    const py::gil_scoped_release free;
    code = microslip_run(model.get(), &path, state.handle.get(), &rows.history, Progress::tick,
                         &progress, &error);
  }
  check(code, error);
  return rows.columns;
}

/// A law with several directions; one column of u for each.
py::dict run_vector(const Model& model, State& state, const std::vector<Column>& u,
                    const std::optional<Column>& t, bool stored, bool states, py::object call) {
  if (u.empty() || static_cast<int>(u.size()) != microslip_directions(model.get()))
    refuse("u must have one column for each direction of the law");
  Rows rows(model, u[0].size(), {false, false, stored, states}, false);
  microslip_vector_path path{};
  path.rows = static_cast<std::size_t>(u[0].size());
  path.t = input(t, u[0].size(), "t");
  microslip_vector_history history{};
  history.energy = rows.history.energy;
  history.stored = rows.history.stored;
  history.states = rows.history.states;
  history.states_row = rows.history.states_row;
  Column forces(std::vector<py::ssize_t>{u[0].size(), static_cast<py::ssize_t>(u.size())});
  for (std::size_t i = 0; i < u.size(); ++i) {
    path.u[i] = input(u[i], u[0].size(), "u");
    history.f[i] = {forces.mutable_data() + i, static_cast<std::ptrdiff_t>(u.size())};
  }
  rows.columns["f"] = forces;
  Progress progress{std::move(call)};
  microslip_error error;
  int code = 0;
  {
    const py::gil_scoped_release free;
    code = microslip_run_vector(model.get(), &path, state.handle.get(), &history, Progress::tick,
                                &progress, &error);
  }
  check(code, error);
  return rows.columns;
}

/// Many histories at once; each item is (model, state, u, t, uy).
py::list run_batch(const py::list& items, bool force, bool tangent, bool stored, bool states,
                   std::size_t threads, py::object call) {
  std::vector<microslip_job> jobs;
  std::vector<Rows> rows;
  std::vector<py::object> alive;
  rows.reserve(items.size());
  for (const py::handle& item : items) {
    const auto parts = py::cast<py::tuple>(item);
    const auto& model = py::cast<const Model&>(parts[0]);
    auto& state = py::cast<State&>(parts[1]);
    const auto u = py::cast<Column>(parts[2]);
    const auto t = py::cast<std::optional<Column>>(parts[3]);
    const auto uy = py::cast<std::optional<Column>>(parts[4]);
    rows.emplace_back(model, u.size(), Want{force, tangent, stored, states},
                      microslip_family(model.get()) == MICROSLIP_PLANAR);
    microslip_job job{};
    job.model = model.get();
    job.state = state.handle.get();
    job.path = path_of(t, u, uy, force);
    job.history = rows.back().history;
    jobs.push_back(job);
    alive.push_back(u);
    if (t) alive.push_back(*t);
    if (uy) alive.push_back(*uy);
  }
  Progress progress{std::move(call)};
  microslip_error error;
  int code = 0;
  {
    const py::gil_scoped_release free;
    code =
        microslip_run_batch(jobs.data(), jobs.size(), threads, Progress::tick, &progress, &error);
  }
  check(code, error);
  py::list result;
  for (Rows& one : rows) result.append(one.columns);
  return result;
}

Column gradient(const Model& model, const Column& u, const std::optional<Column>& t,
                const std::vector<std::string>& names, std::optional<double> origin) {
  const microslip_path path = path_of(t, u, std::nullopt, false);
  const auto columns = static_cast<py::ssize_t>(names.size());
  Column df(std::vector<py::ssize_t>{u.size(), columns});
  const auto list = pointers(names);
  double* to = df.mutable_data();
  microslip_error error;
  int code = 0;
  {
    const py::gil_scoped_release free;
    code = microslip_gradient(model.get(), &path, origin ? &*origin : nullptr, list.data(),
                              list.size(), to, columns, 1, {nullptr, 0}, &error);
  }
  check(code, error);
  return df;
}

}  // namespace microslip_python
