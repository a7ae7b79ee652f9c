#pragma once

/// What the parts of microslip._core share.

#include <microslip.h>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace microslip_python {

namespace py = pybind11;

using Column = py::array_t<double, 0>;  // any strides, no copy of what is already double

/// What microslip.Error is made of.
inline PyObject* error_type = nullptr;

[[noreturn]] inline void raise(int code, const microslip_error& error, bool of_a_row = true) {
  if (PyErr_Occurred()) throw py::error_already_set();  // from a progress function, or Ctrl-C
  if (code == MICROSLIP_OUT_OF_MEMORY) throw std::bad_alloc();
  py::object exception = py::reinterpret_borrow<py::object>(error_type)(error.sentence);
  exception.attr("stopped") = code == MICROSLIP_STOPPED;
  exception.attr("row") = code == MICROSLIP_STOPPED && of_a_row ? py::object(py::int_(error.row))
                                                                : py::object(py::none());
  PyErr_SetObject(error_type, exception.ptr());
  throw py::error_already_set();
}

inline void check(int code, const microslip_error& error) {
  if (code != MICROSLIP_OK) raise(code, error);
}

[[noreturn]] inline void refuse(const std::string& sentence) {
  microslip_error error{};
  std::snprintf(error.sentence, sizeof error.sentence, "%s", sentence.c_str());
  raise(MICROSLIP_BAD_INPUT, error);
}

inline std::string taken(char* text) {
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

inline Owned<microslip_model> owned(microslip_model* model) { return {model, microslip_destroy}; }
inline Owned<microslip_state> owned(microslip_state* state) {
  return {state, microslip_state_destroy};
}

inline std::vector<const char*> pointers(const std::vector<std::string>& texts) {
  std::vector<const char*> list;
  for (const std::string& text : texts) list.push_back(text.c_str());
  return list;
}

/// A column of numpy as C takes it.
inline microslip_input input(const std::optional<Column>& column, py::ssize_t rows,
                             const char* name) {
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

// Histories (runs.cpp).

py::dict run(const Model& model, State& state, const Column& u, const std::optional<Column>& t,
             const std::optional<Column>& uy, bool force, bool tangent, bool stored, bool states,
             py::object call);
py::dict run_vector(const Model& model, State& state, const std::vector<Column>& u,
                    const std::optional<Column>& t, bool stored, bool states, py::object call);
py::list run_batch(const py::list& items, bool force, bool tangent, bool stored, bool states,
                   std::size_t threads, py::object call);
Column gradient(const Model& model, const Column& u, const std::optional<Column>& t,
                const std::vector<std::string>& names, std::optional<double> origin);

// Jobs in this process (jobs.cpp).

py::tuple run_job(const std::string& kind, const std::string& request, const py::dict& columns,
                  const py::object& call);
std::string job_request(const std::string& kind, const std::optional<std::string>& text,
                        const std::string& path);

}  // namespace microslip_python
