#include <chrono>
#include <condition_variable>
#include <limits>
#include <mutex>
#include <thread>

#include "core.hpp"

/// Jobs, in the process of Python.
namespace microslip_python {
namespace {

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

}  // namespace

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

}  // namespace microslip_python
