#include "handles.hpp"
#include "microslip/jobs/run.hpp"

namespace microslip::c {
namespace {

jobs::Columns columns_of(const microslip_column* columns, std::size_t count) {
  if (count > 0) require(columns, "columns");
  jobs::Columns all;
  for (std::size_t i = 0; i < count; ++i) {
    const microslip_column& column = columns[i];
    require(column.name, "columns[i].name");
    if (column.rows > 0) require(column.values.data, column.name);
    std::vector<double>& values = all[column.name];
    const std::ptrdiff_t stride = column.values.stride == 0 ? 1 : column.values.stride;
    values.resize(column.rows);
    for (std::size_t row = 0; row < column.rows; ++row)
      values[row] = column.values.data[static_cast<std::ptrdiff_t>(row) * stride];
  }
  return all;
}

std::string run(const char* kind, const char* request, const jobs::Columns& columns,
                microslip_job_progress progress, void* user, jobs::Columns* results = nullptr) {
  jobs::Control control;
  if (progress)
    control.progress = [=](double part, std::string_view text) {
      return progress(user, part, std::string(text).c_str()) == 0;
    };
  try {
    return jobs::run(kind, request, columns, control, results);
  } catch (const jobs::Interrupted&) {
    throw Interrupted();
  } catch (const jobs::Failure& failure) {
    throw Stopped{MICROSLIP_STATUS_OK, 0, failure.what()};
  }
}

}  // namespace
}  // namespace microslip::c

using namespace microslip;

extern "C" {

int microslip_job_run(const char* kind, const char* request, const microslip_column* columns,
                      size_t count, microslip_job_progress progress, void* user, char** result,
                      microslip_error* error) {
  return c::guarded(error, [&] {
    c::require(kind, "kind");
    c::require(request, "request");
    c::require(result, "result");
    *result = c::copied(c::run(kind, request, c::columns_of(columns, count), progress, user));
  });
}

int microslip_job_run_columns(const char* kind, const char* request,
                              const microslip_column* columns, size_t count,
                              microslip_job_progress progress, microslip_job_take take, void* user,
                              char** result, microslip_error* error) {
  return c::guarded(error, [&] {
    c::require(kind, "kind");
    c::require(request, "request");
    c::require(result, "result");
    if (!take) throw Error("take must not be null");
    jobs::Columns results;
    const std::string text =
        c::run(kind, request, c::columns_of(columns, count), progress, user, &results);
    for (const auto& [place, values] : results)
      take(user, place.c_str(), values.data(), values.size());
    *result = c::copied(text);
  });
}

int microslip_job_request(const char* kind, const char* text, const char* path, char** request,
                          microslip_error* error) {
  return c::guarded(error, [&] {
    c::require(kind, "kind");
    c::require(path, "path");
    c::require(request, "request");
    *request =
        c::copied(text ? jobs::request_text(kind, text, path) : jobs::read_request(kind, path));
  });
}

int microslip_job_kinds(char** json, microslip_error* error) {
  return c::guarded(error, [&] {
    c::require(json, "json");
    std::string text;
    for (const std::string& kind : jobs::kinds())
      text += (text.empty() ? "[\"" : ", \"") + kind + "\"";
    *json = c::copied(text + "]");
  });
}

}  // extern "C"
