#include "simulate/slip_map.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "microslip/catalog/sliders/sliders_setup.hpp"
#include "microslip/core/error.hpp"
#include "microslip/io/figure.hpp"
#include "terminal.hpp"

namespace microslip::app {
namespace {

/// Row positions with fractions become times; without time they count from 1 as rows do elsewhere.
double place(double position, const std::vector<double>& t) {
  if (t.empty()) return position + 1;
  if (position <= 0) return t.front();
  const auto row = std::min(static_cast<std::size_t>(position), t.size() - 1);
  if (row + 1 >= t.size()) return t.back();
  return t[row] + (position - static_cast<double>(row)) * (t[row + 1] - t[row]);
}

}  // namespace

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

  const double gap = std::numeric_limits<double>::quiet_NaN();
  io::Curve up{"slips forward", {}, {}, io::Style::solid, 0};
  io::Curve down{"slips back", {}, {}, io::Style::solid, 1};
  for (const friction::Slip& slip : result.slips) {
    io::Curve& curve = slip.direction > 0 ? up : down;
    const auto slider = static_cast<double>(slip.slider + 1);
    curve.x.insert(curve.x.end(),
                   {place(slip.begin, input.path.t), place(slip.end, input.path.t), gap});
    curve.y.insert(curve.y.end(), {slider, slider, gap});
  }
  const std::string time = input.path.t.empty() ? "row" : io::axis_label("t", input.t_unit);
  const double n = static_cast<double>(setup.system->size());
  std::vector<double> t = input.path.t;
  if (t.empty())
    for (std::size_t i = 0; i < loads.size(); ++i) t.push_back(static_cast<double>(i + 1));
  // Of both panels: they stand above one another.
  const io::Axis whole{.label = time, .from = t.front(), .to = t.back()};
  io::Panel map{.x = whole,
                .y = {.label = "slider", .from = 0.0, .to = n + 1},
                .curves = {up, down},
                .air_in_x = false};
  io::Panel load{.x = whole,
                 .y = {.label = io::axis_label("u", input.u_unit)},
                 .curves = {{"", t, input.path.u, io::Style::solid, 2}},
                 .legend = false,
                 .air_in_x = false};
  io::draw({.rows = {{{map}, 10, true}, {{load}, 3}}}, path);
}

}  // namespace microslip::app
