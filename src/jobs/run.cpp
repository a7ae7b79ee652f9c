#include "microslip/jobs/run.hpp"

#include <algorithm>

#include "jobs/kinds.hpp"
#include "microslip/catalog/files/error_place.hpp"
#include "microslip/core/error.hpp"
#include "microslip/core/text.hpp"
#include "microslip/jobs/damping.hpp"
#include "microslip/jobs/fit.hpp"
#include "microslip/jobs/loops.hpp"
#include "microslip/jobs/reduce.hpp"
#include "microslip/jobs/respond.hpp"
#include "microslip/jobs/ringdown.hpp"
#include "microslip/jobs/simulate.hpp"

namespace microslip::jobs {
namespace {

/// In one piece: other languages take the whole history.
SimulateResult simulate_whole(const SimulateRequest& request, const Control& control) {
  return simulate(request, control);
}

RespondResult respond_whole(const RespondRequest& request, const Control& control) {
  return respond(request, control);
}

constexpr Kind always[] = {
    {"damping", run_text<DampingRequest, damping>},
    {"fit", run_text<FitRequest, fit>},
    {"loops", run_text<LoopsRequest, loops>},
    {"reduce", run_text<ReduceRequest, reduce>,
     text_from_file<ReduceRequest, &ReduceRequest::reduction, catalog::parse_reduction>},
    {"respond", run_text<RespondRequest, respond_whole>,
     text_from_file<RespondRequest, &RespondRequest::structure, catalog::parse_structure>},
    {"ringdown", run_text<RingdownRequest, ringdown>},
    {"simulate", run_text<SimulateRequest, simulate_whole>}};

const Kind& kind_of(std::string_view name) {
  for (const std::span<const Kind> kinds : {std::span<const Kind>(always), kinds_not_in_browsers()})
    for (const Kind& kind : kinds)
      if (name == kind.name) return kind;
  throw Error("unknown kind of job '" + std::string(name) + "'" + suggestion(name, kinds()));
}

}  // namespace

std::vector<std::string> kinds() {
  std::vector<std::string> names;
  for (const std::span<const Kind> kinds : {std::span<const Kind>(always), kinds_not_in_browsers()})
    for (const Kind& kind : kinds) names.emplace_back(kind.name);
  std::sort(names.begin(), names.end());
  return names;
}

std::string run(std::string_view kind, std::string_view request, const Columns& beside,
                const Control& control, Columns* results) {
  return kind_of(kind).run(request, beside, control, results);
}

std::string request_text(std::string_view kind, const std::string& text,
                         const std::filesystem::path& name) {
  const Kind& found = kind_of(kind);
  if (!found.from_file)
    throw Error("a request of '" + std::string(kind) + "' is not a file that names others");
  return found.from_file(text, name);
}

std::string read_request(std::string_view kind, const std::filesystem::path& path) {
  try {
    return request_text(kind, io::read_file(path), path);
  } catch (const Error& error) {
    throw catalog::at_key(path, error);
  }
}

}  // namespace microslip::jobs
