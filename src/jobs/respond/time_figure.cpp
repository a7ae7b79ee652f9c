#include <algorithm>
#include <cmath>

#include "jobs/respond/time.hpp"

namespace microslip::jobs::respond_parts {
namespace {

constexpr std::size_t most_curves = 4;  ///< in one panel

io::Panel ringdown_panel(const Ringdown& ringdown, const std::string& label,
                         double dynamics::RingdownPoint::*number) {
  io::Panel panel{"", {"amplitude"}, {label}, {}, true, true};
  const auto add = [&](const char* name, const std::vector<dynamics::RingdownPoint>& points,
                       io::Style style) {
    io::Curve curve{name, {}, {}, style, {}};
    for (const auto& point : points) {
      curve.x.push_back(point.amplitude);
      curve.y.push_back(point.*number);
    }
    if (!curve.x.empty()) panel.curves.push_back(std::move(curve));
  };
  add("peaks", ringdown.peaks, io::Style::points);
  add("Hilbert", ringdown.hilbert, io::Style::solid);
  return panel;
}

/// The first joints with several directions: the orbit of the first two, and their forces against them.
std::vector<io::Row> orbit_rows(const catalog::StructureFile& file, const AnalysisResult& result,
                                const Traces& traces) {
  std::vector<io::Row> rows;
  std::size_t number = file.structure.joints.size(), shown = 0;
  for (const dynamics::InterfaceElement& interface : file.structure.interfaces) {
    if (!interface.law->model()) continue;
    ++number;
    if (shown == traces.orbits.size()) break;
    const std::vector<std::vector<double>>& u = traces.orbits[shown++];
    const std::vector<std::string> names = interface.law->model()->directions();
    const std::string joint = "joint " + std::to_string(number);
    io::Panel orbit{joint, {"u" + names[0]}, {"u" + names[1]}, {}, false, true};
    orbit.curves.push_back({"", u[0], u[1], io::Style::solid, {}});
    io::Row row{{orbit}, 5, false};
    for (std::size_t k = 0; k < 2; ++k) {
      io::Panel panel{joint, {"u" + names[k]}, {"f" + names[k]}, {}, false, true};
      panel.curves.push_back({"",
                              u[k],
                              *result.column("f" + std::to_string(number) + "_" + names[k]),
                              io::Style::solid,
                              {}});
      row.panels.push_back(std::move(panel));
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace

/// In the decay of one mode amplitudes fall and the frequency changes slowly. Where several modes
/// beat, amplitudes rise again or the distance of peaks jumps.
bool holds_several_modes(const std::vector<dynamics::RingdownPoint>& peaks) {
  double largest = 0;
  for (const auto& point : peaks) largest = std::max(largest, point.amplitude);
  std::size_t seen = 0, odd = 0;
  for (std::size_t i = 1; i < peaks.size(); ++i) {
    if (peaks[i].amplitude < 0.02 * largest) continue;  // rounding and rest
    ++seen;
    const bool rises = peaks[i].amplitude > 1.02 * peaks[i - 1].amplitude;
    const bool jumps = std::abs(peaks[i].omega - peaks[i - 1].omega) > 0.2 * peaks[i - 1].omega;
    odd += rises || jumps ? 1 : 0;
  }
  if (seen >= 4 && 10 * odd > seen) return true;
  // A motion that decays has no negative damping at its ends, unless modes beat there.
  return !peaks.empty() && peaks.back().amplitude < peaks.front().amplitude &&
         std::min(peaks.front().zeta, peaks.back().zeta) < 0;
}

io::Figure motion_figure(const catalog::StructureFile& file, const AnalysisResult& result,
                         const Traces& traces, const Ringdown& ringdown) {
  const auto& t = *result.column("t");
  // Sensors first: somebody asked for them.
  std::vector<std::string> shown;
  for (const dynamics::Sensor& sensor : file.structure.sensors) shown.push_back("x_" + sensor.name);
  for (const std::string& label : file.labels)
    if (shown.size() < most_curves && result.column("x" + label)) shown.push_back("x" + label);
  shown.resize(std::min(shown.size(), most_curves));
  io::Panel motion{"", {"t"}, {"displacement"}, {}, true, false};
  for (const std::string& name : shown)
    motion.curves.push_back({name, t, *result.column(name), io::Style::line, {}});
  io::Figure figure{"", {{{motion}, 5, true}}, 16};
  io::Panel energy{"", {"t"}, {"energy lost in joints"}, {}, false, false};
  energy.curves.push_back({"", t, *result.column("energy"), io::Style::solid, {}});
  figure.rows.push_back({{energy}, 3, false});
  if (!traces.joints.empty()) {
    io::Row loops{{}, 5, false};
    for (std::size_t j = 0; j < traces.joints.size(); ++j) {
      io::Panel panel{
          "joint " + std::to_string(j + 1), {"displacement"}, {"force"}, {}, false, true};
      panel.curves.push_back({"",
                              traces.joints[j],
                              *result.column("f" + std::to_string(j + 1)),
                              io::Style::solid,
                              {}});
      loops.panels.push_back(std::move(panel));
    }
    figure.rows.push_back(std::move(loops));
  }
  for (io::Row& row : orbit_rows(file, result, traces)) figure.rows.push_back(std::move(row));
  if (ringdown.peaks.size() > 4 && !holds_several_modes(ringdown.peaks))
    figure.rows.push_back({{ringdown_panel(ringdown, "ω", &dynamics::RingdownPoint::omega),
                            ringdown_panel(ringdown, "ζ", &dynamics::RingdownPoint::zeta)},
                           5,
                           false});
  return figure;
}

}  // namespace microslip::jobs::respond_parts
