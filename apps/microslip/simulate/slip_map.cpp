#include "simulate/slip_map.hpp"

#include <algorithm>

#include "figures/slip_map_figure.hpp"
#include "microslip/catalog/sliders/sliders_setup.hpp"
#include "microslip/core/error.hpp"
#include "microslip/io/figure.hpp"
#include "microslip/jobs/simulate.hpp"
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

namespace {

/// Loads and factors on friction at the ends of the straight pieces of the factor, and the rows where they
/// are, with fractions.
struct Pieces {
  std::vector<double> loads, factors, rows;

  /// From a row of these to a row of the input.
  double row_at(double place) const {
    const double inside = std::clamp(place, 0.0, static_cast<double>(rows.size() - 1));
    const auto i = std::min(static_cast<std::size_t>(inside), rows.size() - 1);
    const double next = i + 1 < rows.size() ? rows[i + 1] : rows[i];
    return rows[i] + (inside - static_cast<double>(i)) * (next - rows[i]);
  }
};

Pieces pieces_of(const friction::FactorHistory& factor, const std::vector<double>& t,
                 const std::vector<double>& loads) {
  Pieces all{{loads[0]}, {factor.at(t[0])}, {0}};
  for (std::size_t row = 1; row < loads.size(); ++row)
    for (const auto& piece : factor.pieces(t[row - 1], t[row])) {
      all.loads.push_back(piece.part < 1
                              ? loads[row - 1] + piece.part * (loads[row] - loads[row - 1])
                              : loads[row]);
      all.factors.push_back(piece.factor);
      all.rows.push_back(static_cast<double>(row) - 1 + piece.part);
    }
  return all;
}

}  // namespace

void draw_slip_map(const std::filesystem::path& path, const Job& job, const Input& input,
                   bool from_first_row) {
  ParameterValues parameters = job.model.parameters();
  if (!input.mu.empty()) parameters["mu_factor"] = jobs::friction_factor(input.path.t, input.mu);
  catalog::SlidersSetup setup = catalog::make_sliders_setup(parameters, job.model.options());
  if (input.drive == Drive::force) throw Error("--slip-map does not go with --drive force");
  setup.solver.log_slips = true;
  std::vector<double> loads = input.path.u;
  if (from_first_row)
    for (double& u : loads) u -= input.path.u.front();
  const bool varying = !setup.factor.constant();
  const Pieces pieces = varying ? pieces_of(setup.factor, input.path.t, loads) : Pieces{};
  const friction::Result result =
      varying ? friction::run(*setup.system, pieces.loads, pieces.factors, setup.solver,
                              {.slips = true})
              : friction::run(*setup.system, loads, setup.solver, {.slips = true});
  const auto row = [&](double place) { return varying ? pieces.row_at(place) : place; };
  if (result.status != Status::ok)
    throw Failure(std::string(explain(result.status)) +
                  (result.trouble.empty() ? "" : "; " + result.trouble));

  SlipMap map;
  for (const friction::Slip& slip : result.slips)
    map.stretches.push_back({static_cast<double>(slip.slider + 1),
                             slip.direction > 0 ? Motion::forward : Motion::back, row(slip.begin),
                             row(slip.end)});
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
