#include "microslip/jobs/run.hpp"

#include "microslip/core/error.hpp"
#include "microslip/core/text.hpp"
#include "microslip/jobs/damping.hpp"
#include "microslip/jobs/fit.hpp"
#include "microslip/jobs/loops.hpp"
#include "microslip/jobs/ringdown.hpp"
#include "microslip/jobs/simulate.hpp"

namespace microslip::jobs {
namespace {

using Door = std::string (*)(std::string_view request, const Columns& beside, const Control&);

template <class Request, auto job>
std::string through(std::string_view request, const Columns& beside, const Control& control) {
  return to_text(job(from_text<Request>(request, "request", beside), control));
}

/// In one piece: other languages take the whole history.
SimulateResult simulate_whole(const SimulateRequest& request, const Control& control) {
  return simulate(request, control);
}

struct Kind {
  const char* name;
  Door door;
};

constexpr Kind all[] = {{"damping", through<DampingRequest, damping>},
                        {"fit", through<FitRequest, fit>},
                        {"loops", through<LoopsRequest, loops>},
                        {"ringdown", through<RingdownRequest, ringdown>},
                        {"simulate", through<SimulateRequest, simulate_whole>}};

}  // namespace

std::vector<std::string> kinds() {
  std::vector<std::string> names;
  for (const Kind& kind : all) names.emplace_back(kind.name);
  return names;
}

std::string run(std::string_view kind, std::string_view request, const Columns& beside,
                const Control& control) {
  for (const Kind& one : all)
    if (kind == one.name) return one.door(request, beside, control);
  throw Error("unknown kind of job '" + std::string(kind) + "'" + suggestion(kind, kinds()));
}

}  // namespace microslip::jobs
