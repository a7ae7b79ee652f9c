/// microslip._core: the C interface as Python objects, nothing more. What a person uses is written
/// in Python, in the folder microslip.

#include <microslip.h>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace py = pybind11;

namespace {

using Column = py::array_t<double, 0>;  // any strides, no copy of what is already double

/// What microslip.Error is made of.
PyObject* error_type = nullptr;

/// What Joint.trial returns: a tuple whose members have names.
PyTypeObject* trial_type = nullptr;

py::tuple named_trial(PyObject* force, PyObject* tangent, double dissipated) {
  PyObject* made = PyStructSequence_New(trial_type);
  if (!made) throw std::bad_alloc();
  PyStructSequence_SET_ITEM(made, 0, force);
  PyStructSequence_SET_ITEM(made, 1, tangent);
  PyStructSequence_SET_ITEM(made, 2, PyFloat_FromDouble(dissipated));
  return py::reinterpret_steal<py::tuple>(made);
}

[[noreturn]] void raise(int code, const microslip_error& error, bool of_a_row = true) {
  if (PyErr_Occurred()) throw py::error_already_set();  // from a progress function, or Ctrl-C
  if (code == MICROSLIP_OUT_OF_MEMORY) throw std::bad_alloc();
  py::object exception = py::reinterpret_borrow<py::object>(error_type)(error.sentence);
  exception.attr("stopped") = code == MICROSLIP_STOPPED;
  exception.attr("row") = code == MICROSLIP_STOPPED && of_a_row ? py::object(py::int_(error.row))
                                                                : py::object(py::none());
  PyErr_SetObject(error_type, exception.ptr());
  throw py::error_already_set();
}

void check(int code, const microslip_error& error) {
  if (code != MICROSLIP_OK) raise(code, error);
}

[[noreturn]] void refuse(const std::string& sentence) {
  microslip_error error{};
  std::snprintf(error.sentence, sizeof error.sentence, "%s", sentence.c_str());
  raise(MICROSLIP_BAD_INPUT, error);
}

std::string taken(char* text) {
  std::string copy(text);
  microslip_free(text);
  return copy;
}

template <class Handle>
using Owned = std::unique_ptr<Handle, void (*)(Handle*)>;

struct Model {
  Owned<microslip_model> handle;

  const microslip_model* get() const { return handle.get(); }
};
using SharedModel = std::shared_ptr<Model>;

struct State {
  Owned<microslip_state> handle;
  SharedModel model;
};

Owned<microslip_model> owned(microslip_model* model) { return {model, microslip_destroy}; }
Owned<microslip_state> owned(microslip_state* state) { return {state, microslip_state_destroy}; }

std::vector<const char*> pointers(const std::vector<std::string>& texts) {
  std::vector<const char*> list;
  for (const std::string& text : texts) list.push_back(text.c_str());
  return list;
}

// ---------------------------------------------------------------------------------------- arrays

microslip_input input(const std::optional<Column>& column, py::ssize_t rows, const char* name) {
  if (!column) return {nullptr, 0};
  if (column->ndim() != 1) refuse(std::string(name) + " must be an array of one dimension");
  if (column->size() != rows)
    refuse(std::string(name) + " has " + std::to_string(column->size()) + " rows, but u has " +
           std::to_string(rows));
  // Arrays cut out of records may have strides that are no multiple of a double; Python copies
  // those before they come here.
  const py::ssize_t stride = column->strides(0) / static_cast<py::ssize_t>(sizeof(double));
  // A stride of 0 is one number repeated, which C cannot say; Python copies those too.
  return {column->data(), stride};
}

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

// ---------------------------------------------------------------------- texts, handles, joints

/// A call of the C interface that returns a text.
template <class Call>
std::string text_of(Call&& call) {
  microslip_error error;
  char* text = nullptr;
  check(call(&text, &error), error);
  return taken(text);
}

template <class Handle, class Call>
Owned<Handle> made_by(Call&& call) {
  microslip_error error;
  Handle* made = nullptr;
  check(call(&made, &error), error);
  return owned(made);
}

SharedModel from_text(const std::string& text) {
  return std::make_shared<Model>(
      Model{made_by<microslip_model>([&](microslip_model** out, microslip_error* e) {
        return microslip_create_from_text(text.c_str(), out, e);
      })});
}

SharedModel from_file(const std::string& path, const std::optional<std::string>& fit) {
  return std::make_shared<Model>(
      Model{made_by<microslip_model>([&](microslip_model** out, microslip_error* e) {
        return microslip_create_from_file(path.c_str(), fit ? fit->c_str() : nullptr, out, e);
      })});
}

std::string text_of(const Model& model) {
  return text_of(
      [&](char** out, microslip_error* e) { return microslip_model_text(model.get(), out, e); });
}

State rest(const SharedModel& model, const std::vector<double>& at) {
  if (static_cast<int>(at.size()) != microslip_directions(model->get()))
    refuse("the place of rest must have one number for each direction of the law");
  return {made_by<microslip_state>([&](microslip_state** out, microslip_error* e) {
            return microslip_rest_at_vector(model->get(), at.data(), out, e);
          }),
          model};
}

State copy(const State& state) {
  return {made_by<microslip_state>([&](microslip_state** out, microslip_error* e) {
            return microslip_state_copy(state.handle.get(), out, e);
          }),
          state.model};
}

py::bytes save(const State& state) {
  const microslip_model* model = state.model->get();
  microslip_error error;
  std::size_t size = 0;
  check(microslip_state_save(model, state.handle.get(), nullptr, 0, &size, &error), error);
  std::string bytes(size, '\0');
  check(microslip_state_save(model, state.handle.get(), bytes.data(), size, &size, &error), error);
  return bytes;
}

State load(const SharedModel& model, const std::string& bytes) {
  return {made_by<microslip_state>([&](microslip_state** out, microslip_error* e) {
            return microslip_state_load(model->get(), bytes.data(), bytes.size(), out, e);
          }),
          model};
}

/// A copy of a state for this model, also if another model of the same law made it.
State adopted(const SharedModel& model, const State& state) {
  if (state.model == model) return copy(state);
  return load(model, py::cast<std::string>(save(state)));
}

struct Joint {
  Owned<microslip_joint> handle;
  SharedModel model;
  int directions;

  explicit Joint(const SharedModel& of)
      : handle(nullptr, microslip_joint_destroy),
        model(of),
        directions(microslip_directions(of->get())) {
    microslip_error error;
    microslip_joint* made = nullptr;
    check(microslip_joint_create(of->get(), &made, &error), error);
    handle.reset(made);
  }

  State state() const {
    return {made_by<microslip_state>([&](microslip_state** out, microslip_error* e) {
              return microslip_joint_state(handle.get(), out, e);
            }),
            model};
  }
  void restore(const State& from) {
    const State mine = adopted(model, from);
    microslip_error error;
    check(microslip_joint_restore(handle.get(), mine.handle.get(), &error), error);
  }
};

// ----------------------------------------------------------------------------------------- fields

using Numbers = py::array_t<double, py::array::c_style | py::array::forcecast>;

struct Field {
  Owned<microslip_field> handle;
  std::size_t size;

  Field(const SharedModel& model, std::size_t n,
        const std::vector<std::pair<std::string, Numbers>>& each)
      : handle(nullptr, microslip_field_destroy), size(n) {
    std::vector<const char*> names;
    std::vector<const double*> values;
    for (const auto& [name, numbers] : each) {
      names.push_back(name.c_str());
      values.push_back(numbers_of(numbers, name.c_str()));
    }
    microslip_error error;
    microslip_field* made = nullptr;
    check(microslip_field_create(model->get(), n, names.data(), values.data(), names.size(), &made,
                                 &error),
          error);
    handle.reset(made);
  }

  const double* numbers_of(const Numbers& x, const std::string& name) const {
    if (x.ndim() != 1 || static_cast<std::size_t>(x.size()) != size)
      refuse(name + " must be an array of " + std::to_string(size) +
             " numbers, one for each joint");
    return x.data();
  }
  Numbers made() const { return Numbers(static_cast<py::ssize_t>(size)); }
};

/// `out`: three arrays that are filled in place, as they are.
py::tuple field_trial(Field& field, const Numbers& u, double dt, const py::object& out) {
  const double* from = field.numbers_of(u, "u");
  py::tuple answer;
  if (out.is_none()) {
    answer = py::make_tuple(field.made(), field.made(), field.made());
  } else {
    answer = py::tuple(out);
    if (answer.size() != 3) refuse("out must be three arrays: force, tangent, dissipated");
    for (const auto& x : answer)
      if (!py::isinstance<py::array_t<double, py::array::c_style>>(x))
        refuse("out must be arrays of float64 without gaps");
  }
  double* to[3];
  for (std::size_t i = 0; i < 3; ++i) {
    auto array = py::reinterpret_borrow<Numbers>(answer[i]);
    field.numbers_of(array, "out");
    to[i] = array.mutable_data();
  }
  microslip_error error;
  int code;
  {
    py::gil_scoped_release free;
    code = microslip_field_trial(field.handle.get(), from, dt, to[0], to[1], to[2], &error);
  }
  check(code, error);
  return answer;
}

py::tuple field_run(Field& field, const Numbers& u, double dt,
                    const std::optional<Numbers>& scale) {
  const bool each = u.ndim() == 2;
  if (u.ndim() != 1 && !(each && static_cast<std::size_t>(u.shape(1)) == field.size))
    refuse("u must be a signal, or an array of shape (rows, " + std::to_string(field.size) + ")");
  const double* factors = scale ? field.numbers_of(*scale, "scale") : nullptr;
  Numbers sums[3] = {field.made(), field.made(), field.made()};
  double* to[3];
  for (std::size_t i = 0; i < 3; ++i) to[i] = sums[i].mutable_data();
  const auto rows = static_cast<std::size_t>(u.shape(0));
  const double* from = u.data();
  microslip_error error;
  int code;
  {
    py::gil_scoped_release free;
    code = microslip_field_run(field.handle.get(), from, rows, each, factors, dt, to[0], to[1],
                               to[2], &error);
  }
  check(code, error);
  return py::make_tuple(sums[0], sums[1], sums[2]);
}

py::tuple trial_vector(Joint& joint, const py::object& u) {
  const auto list = py::cast<std::vector<double>>(u);
  const auto n = static_cast<py::ssize_t>(joint.directions);
  if (static_cast<py::ssize_t>(list.size()) != n)
    refuse("the law has " + std::to_string(n) + " directions: u must have as many numbers");
  microslip_error error;
  microslip_vector_response r;
  check(microslip_joint_trial_vector(joint.handle.get(), list.data(), &r, &error), error);
  Column force(std::vector<py::ssize_t>{n}), tangent(std::vector<py::ssize_t>{n, n});
  std::copy_n(r.force, n, force.mutable_data());
  std::copy_n(r.tangent, n * n, tangent.mutable_data());
  return named_trial(force.release().ptr(), tangent.release().ptr(), r.dissipated);
}

py::tuple trial(Joint& joint, const py::object& u, double dt) {
  if (joint.directions > 1) return trial_vector(joint, u);
  const double x = PyFloat_AsDouble(u.ptr());
  if (x == -1 && PyErr_Occurred()) throw py::error_already_set();
  microslip_error error;
  microslip_response r;
  const int code = microslip_joint_trial(joint.handle.get(), x, dt, &r, &error);
  if (code != MICROSLIP_OK) raise(code, error);
  return named_trial(PyFloat_FromDouble(r.force), PyFloat_FromDouble(r.tangent), r.dissipated);
}

py::tuple harmonic(const Model& model, double amplitude, double omega) {
  microslip_error error;
  microslip_harmonic h;
  int code = 0;
  {
    const py::gil_scoped_release free;
    code = microslip_first_harmonic(model.get(), amplitude, omega, &h, &error);
  }
  check(code, error);
  return py::make_tuple(h.energy, h.secant, h.a1, h.b1, h.zeta_eff, h.damping, h.closed != 0);
}

// ------------------------------------------------------------------------------------------ jobs

/// Between the thread of a job and the one of Python, which waits here: so the progress function and
/// Ctrl-C work as in any function of Python, and the job never waits for the GIL.
struct Mailbox {
  std::mutex mutex;
  std::condition_variable changed;
  double part = 0;
  std::string text;
  bool fresh = false, stop = false, done = false;

  static int post(void* user, double part, const char* text) {
    auto& box = *static_cast<Mailbox*>(user);
    const std::lock_guard lock(box.mutex);
    box.part = part;
    box.text = text;
    box.fresh = true;
    box.changed.notify_one();
    return box.stop ? 1 : 0;
  }
};

/// False: stop. An exception of Python is then pending, unless the function returned False.
bool go_on(const py::object& call, bool fresh, double part, const std::string& text) {
  const py::gil_scoped_acquire gil;
  if (PyErr_CheckSignals() != 0) return false;
  if (!fresh || call.is_none()) return true;
  try {
    return !call(part, 1.0, text).is(py::bool_(false));
  } catch (py::error_already_set& thrown) {
    thrown.restore();
    return false;
  }
}

/// Until the job is done. The GIL is not held.
void follow(Mailbox& box, const py::object& call) {
  std::unique_lock lock(box.mutex);
  for (bool done = false; !done;) {
    box.changed.wait_for(lock, std::chrono::milliseconds(20),
                         [&] { return box.done || box.fresh; });
    done = box.done;
    const bool fresh = std::exchange(box.fresh, false);
    if (box.stop) continue;  // it ends when it asks for the next time
    const double part = box.part;
    const std::string text = box.text;
    lock.unlock();
    const bool on = go_on(call, fresh, part, text);
    lock.lock();
    box.stop = !on;
  }
}

/// A column of a result, before it becomes an array: the job has no GIL.
struct TakenColumn {
  std::string place;
  std::vector<double> values;
};

struct Delivery {
  Mailbox box;
  std::vector<TakenColumn> columns;

  static int post(void* user, double part, const char* text) {
    return Mailbox::post(&static_cast<Delivery*>(user)->box, part, text);
  }
  static void take(void* user, const char* place, const double* values, std::size_t rows) {
    static_cast<Delivery*>(user)->columns.push_back({place, {values, values + rows}});
  }
};

/// The text of the result, and its columns by their places.
py::tuple run_job(const std::string& kind, const std::string& request, const py::dict& columns,
                  const py::object& call) {
  std::vector<std::string> names;
  std::vector<Column> kept;
  for (const auto& [name, column] : columns) {
    names.push_back(py::cast<std::string>(name));
    kept.push_back(py::cast<Column>(column));
  }
  std::vector<microslip_column> list;
  for (std::size_t i = 0; i < kept.size(); ++i)
    list.push_back({names[i].c_str(), static_cast<std::size_t>(kept[i].size()),
                    input(kept[i], kept[i].size(), names[i].c_str())});
  Delivery delivery;
  Mailbox& box = delivery.box;
  microslip_error error;
  char* result = nullptr;
  int code = 0;
  {
    const py::gil_scoped_release free;
    std::thread job([&] {
      code = microslip_job_run_columns(kind.c_str(), request.c_str(), list.data(), list.size(),
                                       Delivery::post, Delivery::take, &delivery, &result, &error);
      const std::lock_guard lock(box.mutex);
      box.done = true;
      box.changed.notify_one();
    });
    follow(box, call);
    job.join();
  }
  const std::string text = result ? taken(result) : "";
  if (PyErr_Occurred()) throw py::error_already_set();
  if (code != MICROSLIP_OK) raise(code, error, false);
  py::dict arrays;
  for (const TakenColumn& column : delivery.columns)
    arrays[py::str(column.place)] =
        Column(static_cast<py::ssize_t>(column.values.size()), column.values.data());
  return py::make_tuple(text, arrays);
}

std::string job_request(const std::string& kind, const std::optional<std::string>& text,
                        const std::string& path) {
  microslip_error error;
  char* request = nullptr;
  int code = 0;
  {
    const py::gil_scoped_release free;
    code = microslip_job_request(kind.c_str(), text ? text->c_str() : nullptr, path.c_str(),
                                 &request, &error);
  }
  check(code, error);
  return taken(request);
}

double stored(const State& state) {
  microslip_error error;
  double value = 0;
  check(microslip_stored(state.model->get(), state.handle.get(), &value, &error), error);
  return value;
}

}  // namespace

PYBIND11_MODULE(_core, m) {
  m.doc() = "The C interface of microslip; use the module microslip instead.";
  py::object error = py::reinterpret_steal<py::object>(PyErr_NewExceptionWithDoc(
      "microslip.Error",
      "Bad input, or a law that has no answer. Its text is the sentence that the command "
      "prints.\n\n"
      "stopped: whether the law stopped; row: at which row, counted from 0.",
      PyExc_Exception, nullptr));
  error_type = error.ptr();
  error.attr("stopped") = false;
  error.attr("row") = py::none();
  m.attr("Error") = error;
  static PyStructSequence_Field fields[] = {
      {"force", "force of the joint; (fx, fy) of planar laws"},
      {"tangent", "its derivative by the displacement; 2 × 2 of planar laws"},
      {"dissipated", "energy that this step dissipated"},
      {nullptr, nullptr}};
  static PyStructSequence_Desc description{
      "microslip.Trial", "What a trial of a joint returns: force, tangent, dissipated.", fields, 3};
  trial_type = PyStructSequence_NewType(&description);
  if (!trial_type) throw py::error_already_set();
  m.attr("Trial") = py::reinterpret_borrow<py::object>(reinterpret_cast<PyObject*>(trial_type));
  m.attr("version") = microslip_version();

  m.def("laws", [] { return text_of(microslip_laws); });
  m.def("describe", [](const std::string& model) {
    return text_of(
        [&](char** out, microslip_error* e) { return microslip_describe(model.c_str(), out, e); });
  });

  py::class_<Model, SharedModel>(m, "Model")
      .def_static("from_text", from_text)
      .def_static("from_file", from_file)
      .def("text", [](const Model& model) { return text_of(model); })
      .def("description",
           [](const Model& model) {
             return text_of([&](char** out, microslip_error* e) {
               return microslip_model_description(model.get(), out, e);
             });
           })
      .def_property_readonly("family",
                             [](const Model& model) { return microslip_family(model.get()); })
      .def_property_readonly("directions",
                             [](const Model& model) { return microslip_directions(model.get()); })
      .def("rest", rest)
      .def("load", load)
      .def("adopted", adopted)
      .def("run", run)
      .def("run_vector", run_vector)
      .def("gradient", gradient)
      .def("harmonic", harmonic)
      .def(py::pickle([](const Model& model) { return text_of(model); },
                      [](const std::string& text) { return from_text(text); }));

  m.def("run_batch", run_batch);
  m.def("run_job", run_job);
  m.def("job_request", job_request);

  py::class_<State>(m, "State",
                    "A point of a history from which it can go on. A value: the functions that "
                    "take one never change it.")
      .def("copy", copy, "A copy.")
      .def("save", save, "As bytes; Law.load gives the same state back.")
      .def_property_readonly(
          "energy", [](const State& s) { return microslip_state_energy(s.handle.get()); },
          "Energy dissipated so far.")
      .def_property_readonly("stored", stored, "Recoverable energy.")
      .def(py::pickle([](const State& s) { return py::make_tuple(s.model, save(s)); },
                      [](const py::tuple& t) {
                        return load(py::cast<SharedModel>(t[0]), py::cast<std::string>(t[1]));
                      }));

  py::class_<Field>(m, "Field", "Many joints of one law at once, on all processors.")
      .def(py::init<const SharedModel&, std::size_t,
                    const std::vector<std::pair<std::string, Numbers>>&>())
      .def("trial", field_trial, py::arg("u"), py::arg("dt") = 0.0, py::arg("out") = py::none(),
           "force, tangent and dissipated energy at displacements u, an array with one number for "
           "each joint, from the committed states; out: three such arrays that are filled instead "
           "of "
           "new ones.")
      .def(
          "commit",
          [](Field& field) {
            microslip_error e;
            check(microslip_field_commit(field.handle.get(), &e), e);
          },
          "Accepts the last trial.")
      .def("run", field_run, py::arg("u"), py::arg("dt") = 0.0, py::arg("scale") = py::none(),
           "Whole signals from the committed states: energy lost, largest size of the force and "
           "closed "
           "loops of each joint. u: a signal for all, times scale of each, or of shape (rows, "
           "joints).")
      .def_property_readonly(
          "forgotten",
          [](const Field& field) {
            std::size_t count = 0;
            microslip_error e;
            check(microslip_field_forgotten(field.handle.get(), &count, &e), e);
            return count;
          },
          "Loops that laws with eight reversals took for closed, for want of room.")
      .def("__len__", [](const Field& field) { return field.size; });

  py::class_<Joint>(m, "Joint",
                    "A law inside a program that iterates: a committed state and a trial. Every "
                    "trial starts from the committed state.")
      .def(py::init<const SharedModel&>())
      .def(
          "trial", trial, py::arg("u"), py::arg("dt") = std::numeric_limits<double>::infinity(),
          "force, tangent and dissipated energy (a Trial) at the displacement u, reached after the "
          "time dt; of laws with several directions u and force are arrays and the tangent is a "
          "matrix. Rate-independent laws ignore dt; inf means infinitely slowly.")
      .def(
          "commit",
          [](Joint& joint) {
            microslip_error e;
            check(microslip_joint_commit(joint.handle.get(), &e), e);
          },
          "Accepts the last trial.")
      .def_property("state", &Joint::state, &Joint::restore,
                    "The committed state; setting it takes the joint back to that state.")
      .def(py::pickle([](const Joint& j) { return py::make_tuple(j.model, save(j.state())); },
                      [](const py::tuple& t) {
                        Joint joint(py::cast<SharedModel>(t[0]));
                        joint.restore(load(joint.model, py::cast<std::string>(t[1])));
                        return joint;
                      }));
}
