#include "ringdown/output.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "microslip/io/csv.hpp"
#include "microslip/version.hpp"
#include "terminal.hpp"

namespace microslip::app {
namespace {

using dynamics::RingdownPoint;

constexpr double whole_turn = 2 * std::numbers::pi;

std::string frequency_unit(const DecayRecord& record) {
  return record.t_unit.empty() ? "" : record.t_unit == "s" ? "Hz" : "1/" + record.t_unit;
}

std::string omega_unit(const DecayRecord& record) {
  return record.t_unit.empty() ? "" : "rad/" + record.t_unit;
}

std::string first_to_last(const RingdownMode& mode, double RingdownPoint::*number, int digits,
                          double divided_by = 1) {
  const double first = mode.points.front().*number / divided_by;
  const double last = mode.points.back().*number / divided_by;
  return fmt::format("{:.{}g} → {:.{}g}", first, digits, last, digits);
}

std::string shape_text(const RingdownMode& mode) {
  std::string text;
  for (const double x : mode.shape) text += fmt::format("{}{:.3g}", text.empty() ? "" : ", ", x);
  return text;
}

}  // namespace

std::string ringdown_text(const DecayRecord& record, const std::vector<RingdownMode>& modes) {
  std::string text = fmt::format("{}: {} rows; {}\n", record.source, record.rows, record.taken);
  text +=
      fmt::format("decay from t = {:.6g} on (row {} of {}), step {:.6g}; amplitudes of {}\n\n",
                  record.start, record.first_row, record.rows, record.step,
                  record.quantity == dynamics::Quantity::displacement ? "the columns as they are"
                                                                      : "displacement");
  const bool several = record.motions.size() > 1;
  const auto heading = [](const char* name, const std::string& unit) {
    return unit.empty() ? std::string(name) : fmt::format("{} [{}]", name, unit);
  };
  std::vector<std::vector<std::string>> rows{
      {"mode", heading("frequency", frequency_unit(record)), "damping ratio", "± at the end",
       heading("amplitude", record.amplitude_unit), "points", "half band", "cut at each end"}};
  if (several) rows.front().insert(rows.front().end(), {"of", "not in shape", "shape"});
  for (std::size_t i = 0; i < modes.size(); ++i) {
    const RingdownMode& mode = modes[i];
    const bool found = !mode.points.empty();
    rows.push_back({std::to_string(i + 1),
                    found ? first_to_last(mode, &RingdownPoint::omega, 6, whole_turn)
                          : fmt::format("{:.6g}", mode.omega / whole_turn),
                    found ? first_to_last(mode, &RingdownPoint::zeta, 3) : "-",
                    found ? fmt::format("{:.1g}", mode.points.back().zeta_error) : "-",
                    found ? first_to_last(mode, &RingdownPoint::amplitude, 3) : "-",
                    std::to_string(mode.points.size()),
                    fmt::format("{:.4g}", mode.band / whole_turn),
                    fmt::format("{:.4g}", mode.window / 2)});
    if (several)
      rows.back().insert(
          rows.back().end(),
          {record.names[mode.largest], fmt::format("{:.1g}", mode.shape_change), shape_text(mode)});
  }
  return text + table_text(rows, 1);
}

std::string ringdown_csv(const DecayRecord& record, const std::vector<RingdownMode>& modes,
                         const std::string& command_line) {
  io::Comments comments{{"microslip", std::string(version)},
                        {"command", command_line},
                        {"source", record.source},
                        {"start", io::exact_text(record.start)}};
  std::vector<std::vector<double>> values(8);
  for (std::size_t i = 0; i < modes.size(); ++i) {
    comments.emplace_back(fmt::format("mode {}", i + 1),
                          fmt::format("half band {:.6g}, window {:.6g}, amplitude of {}, shape {}",
                                      modes[i].band / whole_turn, modes[i].window,
                                      record.names[modes[i].largest], shape_text(modes[i])));
    for (const RingdownPoint& p : modes[i].points) {
      const double row[] = {static_cast<double>(i + 1),
                            record.start + p.t,
                            p.amplitude,
                            p.omega,
                            p.omega / whole_turn,
                            p.zeta,
                            p.omega_error,
                            p.zeta_error};
      for (std::size_t c = 0; c < values.size(); ++c) values[c].push_back(row[c]);
    }
  }
  const io::ColumnView columns[] = {{"mode", "", values[0]},
                                    {"t", record.t_unit, values[1]},
                                    {"amplitude", record.amplitude_unit, values[2]},
                                    {"omega", omega_unit(record), values[3]},
                                    {"frequency", frequency_unit(record), values[4]},
                                    {"zeta", "", values[5]},
                                    {"omega_error", omega_unit(record), values[6]},
                                    {"zeta_error", "", values[7]}};
  return io::csv_text(comments, columns);
}

io::Figure ringdown_figure(const DecayRecord& record, const std::vector<RingdownMode>& modes) {
  io::Panel motion{"",   {io::axis_label("t", record.t_unit)}, {record.names.front()}, {}, false,
                   false};
  io::Curve trace{"", {}, record.motions.front(), io::Style::solid, 0};
  for (std::size_t i = 0; i < trace.y.size(); ++i)
    trace.x.push_back(record.start + record.step * static_cast<double>(i));
  motion.curves.push_back(std::move(trace));
  const io::Axis amplitude{io::axis_label("amplitude", record.amplitude_unit), true};
  io::Panel ridge{"",
                  {io::axis_label("t", record.t_unit)},
                  {io::axis_label("frequency", frequency_unit(record))},
                  {},
                  true,
                  false};
  io::Panel decay{"", {io::axis_label("t", record.t_unit)}, amplitude, {}, true, false};
  io::Panel shift{"", amplitude, {"frequency / last"}, {}, false, true};
  io::Panel damping{"", amplitude, {"damping ratio ζ"}, {}, false, true};
  for (std::size_t i = 0; i < modes.size(); ++i) {
    if (modes[i].points.empty()) continue;
    const double last = modes[i].points.back().omega;
    const std::string name =
        fmt::format("{}: {:.4g} {}", i + 1, last / whole_turn, frequency_unit(record));
    io::Curve a{name, {}, {}, io::Style::line, i}, w = a, z = a;
    io::Curve centre{name, {}, {}, io::Style::solid, i}, low{"", {}, {}, io::Style::dashed, i};
    for (const RingdownPoint& p : modes[i].points) {
      a.x.push_back(record.start + p.t);
      centre.y.push_back(p.omega / whole_turn);
      low.y.push_back((p.omega - modes[i].band) / whole_turn);
      a.y.push_back(p.amplitude);
      w.x.push_back(p.amplitude);
      w.y.push_back(p.omega / last);
      z.x.push_back(p.amplitude);
      z.y.push_back(p.zeta);
    }
    io::Curve high = low;
    for (double& edge : high.y) edge += 2 * modes[i].band / whole_turn;
    centre.x = low.x = high.x = a.x;
    for (io::Curve* curve : {&centre, &low, &high}) ridge.curves.push_back(std::move(*curve));
    decay.curves.push_back(std::move(a));
    shift.curves.push_back(std::move(w));
    damping.curves.push_back(std::move(z));
  }
  io::Figure figure{"", {{{motion}, 3, false}}, 16};
  if (!decay.curves.empty()) {
    figure.rows.push_back({{ridge}, 4, false});
    figure.rows.push_back({{decay}, 4, false});
    figure.rows.push_back({{shift, damping}, 5, false});
  }
  return figure;
}

}  // namespace microslip::app
