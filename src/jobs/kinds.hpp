#pragma once

#include <span>
#include <string>

#include "microslip/io/file.hpp"
#include "microslip/jobs/run.hpp"

/// The kinds of jobs behind one door.
namespace microslip::jobs {

struct Kind {
  const char* name;
  std::string (*run)(std::string_view request, const Columns& beside, const Control& control,
                     Columns* results);
  /// The text of a request from a file that a person writes; none where requests name no files.
  std::string (*from_file)(const std::string& text, const std::filesystem::path& name) = nullptr;
};

template <class Request, auto job>
std::string run_text(std::string_view request, const Columns& beside, const Control& control,
                     Columns* results) {
  const auto result = job(from_text<Request>(request, "request", beside), control);
  return results ? to_text(result, -1, *results) : to_text(result);
}

/// `file` is the member of the request that `parse` reads.
template <class Request, auto file, auto parse>
std::string text_from_file(const std::string& text, const std::filesystem::path& name) {
  Request request;
  request.name = io::source_name(name);
  request.*file = parse(text, name);
  return to_text(request, -1);
}

/// What the page for browsers does not offer: loops from geometry, identification, FMUs.
std::span<const Kind> kinds_not_in_browsers();

}  // namespace microslip::jobs
