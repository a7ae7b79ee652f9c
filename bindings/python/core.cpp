/// microslip._core: the C interface as Python objects, nothing more. What a person uses is written
/// in Python, in the folder microslip.

#include "core.hpp"

namespace microslip_python {
namespace {

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

double stored(const State& state) {
  microslip_error error;
  double value = 0;
  check(microslip_stored(state.model->get(), state.handle.get(), &value, &error), error);
  return value;
}

}  // namespace
}  // namespace microslip_python

PYBIND11_MODULE(_core, m) {
  using namespace microslip_python;
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
