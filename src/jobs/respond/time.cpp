#include "jobs/respond/time.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "microslip/core/error.hpp"
#include "microslip/dynamics/time/stepper.hpp"
#include "microslip/jobs/aligned_text.hpp"

namespace microslip::jobs::respond_parts {
namespace {

using dynamics::TimeResult;

/// The table of a motion, row by row.
class TimeTable {
 public:
  TimeTable(const catalog::StructureFile& file, const catalog::Analysis& analysis)
      : structure_(file.structure), all_(analysis.columns != "sensors") {
    headings_.emplace_back("t");
    for (const char* quantity : {"x", "v"}) {
      if (all_)
        for (const std::string& label : file.labels) headings_.push_back(quantity + label);
      for (const dynamics::Sensor& sensor : structure_.sensors)
        headings_.push_back(std::string(quantity) + "_" + sensor.name);
    }
    for (std::size_t j = 1; j <= structure_.joints.size(); ++j)
      headings_.push_back("f" + std::to_string(j));
    std::size_t number = structure_.joints.size();
    for (const dynamics::InterfaceElement& interface : structure_.interfaces) {
      if (!interface.law->model()) continue;
      ++number;
      for (const std::string& direction : interface.law->model()->directions())
        headings_.push_back("f" + std::to_string(number) + "_" + direction);
    }
    headings_.emplace_back("energy");
    cells_.reserve(headings_.size());
  }

  const std::vector<std::string>& headings() const { return headings_; }

  const std::vector<double>& cells(const dynamics::TimeRow& row) {
    cells_.assign(1, row.t);
    for (const Eigen::VectorXd* motion : {&row.x, &row.v}) {
      if (all_) cells_.insert(cells_.end(), motion->begin(), motion->end());
      for (const dynamics::Sensor& sensor : structure_.sensors)
        cells_.push_back(sensor.w.dot(*motion));
    }
    cells_.insert(cells_.end(), row.f.begin(), row.f.end());
    cells_.push_back(row.energy);
    return cells_;
  }

 private:
  const dynamics::Structure& structure_;
  bool all_;
  std::vector<std::string> headings_;
  std::vector<double> cells_;
};

/// Where the motion begins: the place of a blow, else of the largest velocity or displacement.
Eigen::Index place_of_the_blow(const dynamics::Structure& structure,
                               const catalog::Analysis& analysis) {
  Eigen::Index place = 0;
  for (const dynamics::Load& load : structure.loads) {
    if (!std::holds_alternative<dynamics::Impulse>(load.signal)) continue;
    load.direction.cwiseAbs().maxCoeff(&place);
    return place;
  }
  for (const std::vector<double>* start : {&analysis.v0, &analysis.x0}) {
    const Eigen::VectorXd values =
        Eigen::Map<const Eigen::VectorXd>(start->data(), static_cast<Eigen::Index>(start->size()))
            .cwiseAbs();
    if (values.size() > 0 && values.maxCoeff(&place) > 0) return place;
  }
  return 0;
}

bool decays_freely(const dynamics::Structure& structure, double until) {
  return std::all_of(structure.loads.begin(), structure.loads.end(), [&](const auto& load) {
    if (std::holds_alternative<dynamics::Constant>(load.signal)) return true;
    const auto* impulse = std::get_if<dynamics::Impulse>(&load.signal);
    return impulse && impulse->start + impulse->duration < 0.05 * until;
  });
}

DecayCurve curve_of(const std::vector<dynamics::RingdownPoint>& points) {
  DecayCurve curve;
  for (const auto& point : points) {
    curve.t.push_back(point.t);
    curve.amplitude.push_back(point.amplitude);
    curve.omega.push_back(point.omega);
    curve.zeta.push_back(point.zeta);
  }
  return curve;
}

void add_energy(const TimeResult& r, AnalysisResult& result) {
  const dynamics::EnergyAudit& a = r.audit;
  const double size = std::max({std::abs(a.input), a.joints + a.viscous, r.largest_energy, 1e-300});
  result.summary += fmt::format("{} rows, {} steps, {} events\n", r.rows, r.steps, r.events);
  result.summary += table_text(
      {{"energy", "input", "kinetic", "elastic", "in joints", "viscous", "lost in joints", "error"},
       {"", fmt::format("{:.6g}", a.input), fmt::format("{:.6g}", a.kinetic),
        fmt::format("{:.6g}", a.elastic), fmt::format("{:.6g}", a.joints_stored),
        fmt::format("{:.6g}", a.viscous), fmt::format("{:.6g}", a.joints),
        fmt::format("{:.1e}", a.error() / size)}},
      1);
  result.rows = r.rows;
  result.steps = r.steps;
  result.events = r.events;
  result.energy = {a.input,  a.kinetic,      a.elastic, a.joints_stored, a.viscous,
                   a.joints, r.joint_energy, a.error(), a.error() / size};
}

void add_ringdown(const Ringdown& ringdown, const std::string& label, AnalysisResult& result) {
  if (ringdown.peaks.empty()) return;
  const bool several = holds_several_modes(ringdown.peaks);
  result.ringdown = {several, curve_of(ringdown.peaks), curve_of(ringdown.hilbert)};
  const auto& first = ringdown.peaks.front();
  const auto& last = ringdown.peaks.back();
  if (several)
    result.summary += fmt::format(
        "ring-down of x{}: several modes beat, so its peaks have no frequency and damping of "
        "their own; start in one mode (x0), choose another 'dof', or let 'microslip ringdown' "
        "tell them apart in the table of the motion\n",
        label);
  else
    result.summary += fmt::format(
        "ring-down of x{}: ω {:.6g} → {:.6g}, ζ {:.4g} → {:.4g} from amplitude {:.4g} to "
        "{:.4g}\n",
        label, first.omega, last.omega, first.zeta, last.zeta, first.amplitude, last.amplitude);
}

/// From rest, or from the static equilibrium where nothing else is asked.
TimeResult integrate(const Task& task, dynamics::TimeOptions options) {
  const dynamics::Structure& structure = task.file.structure;
  if (!dynamics::is_preloaded(structure) || !task.analysis.x0.empty())
    return dynamics::integrate(structure, options);
  dynamics::StaticState rest = dynamics::static_equilibrium(structure);
  if (!rest.converged)
    throw Failure(task.analysis.where + ": no equilibrium was found under the static loads");
  options.x0 = rest.x;
  return dynamics::integrate(structure, options, 0, std::move(rest.joints));
}

}  // namespace

AnalysisResult motion_in_time(const Task& task) {
  const catalog::StructureFile& file = task.file;
  const catalog::Analysis& analysis = task.analysis;
  const std::vector<dynamics::JointElement>& joints = file.structure.joints;
  AnalysisResult result;
  dynamics::TimeOptions options = time_options(analysis);
  options.progress = PartOf(task.progress);
  TimeTable table(file, analysis);
  RespondSinks::TakeRow take;
  if (task.rows) take = task.rows(table.headings());
  result.streamed = bool(take);
  if (!take)
    for (const std::string& heading : table.headings()) add_column(result, heading, {});
  Traces traces;
  traces.joints.resize(take ? 0 : std::min<std::size_t>(joints.size(), 3));
  std::vector<const dynamics::InterfaceElement*> orbits;
  for (const dynamics::InterfaceElement& interface : file.structure.interfaces)
    if (!take && interface.law->model() && orbits.size() < 2) orbits.push_back(&interface);
  for (const dynamics::InterfaceElement* interface : orbits)
    traces.orbits.emplace_back(interface->w.size());
  const bool free = decays_freely(file.structure, options.until);
  const Eigen::Index chosen =
      analysis.dof ? *analysis.dof - 1 : place_of_the_blow(file.structure, analysis);
  options.row = [&](const dynamics::TimeRow& row) {
    if (free) {
      traces.t.push_back(row.t);
      traces.x.push_back(row.x[chosen]);
      traces.v.push_back(row.v[chosen]);
    }
    for (std::size_t j = 0; j < traces.joints.size(); ++j)
      traces.joints[j].push_back(joints[j].w.dot(row.x));
    for (std::size_t i = 0; i < orbits.size(); ++i)
      for (std::size_t k = 0; k < orbits[i]->w.size(); ++k)
        traces.orbits[i][k].push_back(orbits[i]->w[k].dot(row.x));
    const std::vector<double>& cells = table.cells(row);
    if (take) {
      take(cells);
      return;
    }
    for (std::size_t i = 0; i < cells.size(); ++i) result.columns[i].second.push_back(cells[i]);
  };
  const TimeResult motion = integrate(task, std::move(options));
  result.failure = motion.message;
  add_energy(motion, result);
  Ringdown ringdown;
  if (free)
    ringdown = {dynamics::ringdown_from_peaks(traces.t, traces.x, traces.v),
                dynamics::ringdown_from_hilbert(traces.t, traces.x, traces.v)};
  add_ringdown(ringdown, file.labels[static_cast<std::size_t>(chosen)], result);
  if (!take) result.figure = motion_figure(file, result, traces, ringdown);
  return result;
}

}  // namespace microslip::jobs::respond_parts
