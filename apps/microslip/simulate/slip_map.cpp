#include "simulate/slip_map.hpp"

#include "figures/slip_map_figure.hpp"
#include "microslip/catalog/sliders/sliders_setup.hpp"
#include "microslip/core/error.hpp"
#include "microslip/io/figure.hpp"
#include "terminal.hpp"

namespace microslip::app {
void refuse_slip_map(const std::vector<Job>& jobs) {
  if (jobs.size() != 1 || jobs.front().spec.model != "sliders")
    throw Error("--slip-map draws the sliders of one model 'sliders', and " +
                (jobs.size() == 1 ? "'" + jobs.front().spec.model + "' is not that"
                                  : std::to_string(jobs.size()) + " models are given"));
  if (jobs.front().resumed)
    throw Error("--slip-map starts from rest and cannot go on from a saved state");
}

void draw_slip_map(const std::filesystem::path& path, const Job& job, const Input& input,
                   bool from_first_row) {
  catalog::SlidersSetup setup = catalog::make_sliders_setup(job.spec.parameters, job.spec.options);
  if (input.drive == Drive::force) throw Error("--slip-map does not go with --drive force");
  setup.solver.log_slips = true;
  std::vector<double> loads = input.path.u;
  if (from_first_row)
    for (double& u : loads) u -= input.path.u.front();
  const friction::Result result =
      friction::run(*setup.system, loads, setup.solver, {.slips = true});
  if (result.status != Status::ok)
    throw Failure(std::string(explain(result.status)) +
                  (result.trouble.empty() ? "" : "; " + result.trouble));

  SlipMap map;
  for (const friction::Slip& slip : result.slips)
    map.stretches.push_back({static_cast<double>(slip.slider + 1),
                             slip.direction > 0 ? Motion::forward : Motion::back, slip.begin,
                             slip.end});
  map.place = {.label = "slider",
               .from = 0,
               .to = static_cast<double>(setup.system->size() + 1),
               .whole = true};
  map.t = input.path.t;
  map.t_label = input.path.t.empty() ? "row" : io::axis_label("t", input.t_unit);
  map.drive = input.path.u;
  map.drive_label = io::axis_label("u", input.u_unit);
  io::draw(slip_map_figure(map), path);
}

}  // namespace microslip::app
