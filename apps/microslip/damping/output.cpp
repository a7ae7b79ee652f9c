#include "damping/output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "microslip/io/csv.hpp"
#include "microslip/io/json.hpp"
#include "microslip/version.hpp"
#include "terminal.hpp"

namespace microslip::app {
namespace {

io::Curve curve_of(const DampingCurve& law, const std::string& quantity, double per_amplitude = 0) {
  io::Curve curve{.name = law.label, .x = {}, .y = {}};
  for (const auto& point : law.points) {
    curve.x.push_back(point.amplitude);
    curve.y.push_back(quantity_of(point, quantity) / std::pow(point.amplitude, per_amplitude));
  }
  return curve;
}

/// A logarithmic axis shows positive numbers only.
void keep_positive(io::Curve& curve) {
  std::vector<double> x, y;
  for (std::size_t i = 0; i < curve.x.size(); ++i) {
    if (!(curve.y[i] > 0)) continue;
    x.push_back(curve.x[i]);
    y.push_back(curve.y[i]);
  }
  curve.x = std::move(x);
  curve.y = std::move(y);
}

double deviation_of(const DampingCurve& curve, std::size_t point, const std::string& quantity) {
  const auto& names = damping_quantities();
  const auto place = std::find(names.begin(), names.end(), quantity) - names.begin();
  return curve.deviations[point][static_cast<std::size_t>(place)];
}

/// What does not move has no stiffness.
void keep_finite(io::Curve& curve) {
  std::vector<double> x, y;
  for (std::size_t i = 0; i < curve.x.size(); ++i) {
    if (!std::isfinite(curve.y[i])) continue;
    x.push_back(curve.x[i]);
    y.push_back(curve.y[i]);
  }
  curve.x = std::move(x);
  curve.y = std::move(y);
}

}  // namespace

std::string damping_text(const std::vector<DampingCurve>& curves) {
  std::string text;
  const auto g = [](double x) { return std::isfinite(x) ? fmt::format("{:.6g}", x) : "-"; };
  for (const DampingCurve& curve : curves) {
    std::vector<std::vector<std::string>> rows{
        {curve.amplitude(), "energy", "secant", "a1", "b1", "zeta_eff", "damping"}};
    for (const auto& p : curve.points)
      rows.push_back({g(p.amplitude), g(p.energy), g(p.secant), g(p.a1), g(p.b1), g(p.zeta_eff()),
                      g(p.damping())});
    if (!curve.deviations.empty()) {
      rows.front().insert(rows.front().end(), {"± energy", "± zeta_eff", "± damping"});
      for (std::size_t i = 0; i < curve.deviations.size(); ++i)
        for (const char* quantity : {"energy", "zeta_eff", "damping"})
          rows[i + 1].push_back(g(deviation_of(curve, i, quantity)));
    }
    text += (text.empty() ? "" : "\n") + curve.label + "\n" + table_text(rows, 0);
  }
  return text;
}

std::string damping_csv(const std::vector<DampingCurve>& curves, double omega,
                        const std::string& command_line) {
  io::Comments comments{{"microslip", std::string(version)},
                        {"command", command_line},
                        {"omega", io::exact_text(omega)}};
  if (curves.front().driven == Driven::force) comments.emplace_back("driven", "force");
  std::vector<std::vector<double>> values;
  std::vector<std::string> names;
  const auto add = [&](const std::string& name, const DampingCurve& curve, auto get) {
    names.push_back(name);
    values.emplace_back();
    for (std::size_t k = 0; k < curve.points.size(); ++k) values.back().push_back(get(k));
  };
  add(curves.front().amplitude(), curves.front(),
      [&](std::size_t k) { return curves.front().points[k].amplitude; });
  for (std::size_t i = 0; i < curves.size(); ++i) {
    const DampingCurve& curve = curves[i];
    const bool alone = curves.size() == 1;
    const std::string number = alone ? "" : " " + std::to_string(i + 1);
    comments.emplace_back("model" + number, curve.spec.model);
    comments.emplace_back("parameters" + number, io::values_json(curve.spec.parameters));
    const std::string label = alone ? "" : "_" + curve.label;
    for (const std::string quantity : {"energy", "secant", "a1", "b1", "zeta_eff", "damping"}) {
      add(quantity + label, curve,
          [&](std::size_t k) { return quantity_of(curve.points[k], quantity); });
      if (!curve.deviations.empty())
        add(quantity + "_sd" + label, curve,
            [&](std::size_t k) { return deviation_of(curve, k, quantity); });
    }
  }
  std::vector<io::ColumnView> columns;
  for (std::size_t i = 0; i < names.size(); ++i) columns.push_back({names[i], "", values[i]});
  return io::csv_text(comments, columns);
}

io::Figure damping_figure(const std::vector<DampingCurve>& curves, const MatchTarget& target,
                          bool log) {
  const bool by_force = curves.front().driven == Driven::force;
  const std::string ratio =
      by_force ? "damping ratio ζ = D/(2π F u)" : "damping ratio ζ = D/(4π · ½ k A²)";
  const std::string effective = by_force ? "ζ_eff = F a1/(2(a1² + b1²))" : "ζ_eff = a1/(2A)";
  const auto panel = [&](const std::string& label, const std::string& quantity,
                         double per_amplitude, bool log_y, bool legend) {
    io::Panel result{.title = "",
                     .x = {.label = by_force ? "force amplitude F" : "amplitude A", .log = log},
                     .y = {.label = label, .log = log_y},
                     .curves = {},
                     .legend = legend};
    for (const DampingCurve& curve : curves) {
      result.curves.push_back(curve_of(curve, quantity, per_amplitude));
      const std::size_t colour = result.curves.size() - 1;
      keep_finite(result.curves.back());
      if (log_y) keep_positive(result.curves.back());
      if (curve.deviations.empty()) continue;
      result.curves.back().color = colour;
      for (const double sign : {1.0, -1.0}) {
        io::Curve edge = curve_of(curve, quantity, per_amplitude);
        edge.name = sign > 0 ? "± 1 standard deviation" : "";
        edge.style = io::Style::dashed;
        edge.color = colour;
        for (std::size_t k = 0; k < edge.y.size(); ++k)
          edge.y[k] += sign * deviation_of(curve, k, quantity) / std::pow(edge.x[k], per_amplitude);
        keep_finite(edge);
        if (log_y) keep_positive(edge);
        result.curves.push_back(std::move(edge));
      }
    }
    if (!target.name.empty() && target.quantity == quantity && per_amplitude == 0) {
      io::Curve points{
          .name = "target", .x = target.amplitude, .y = target.value, .style = io::Style::points};
      if (log_y) keep_positive(points);
      result.curves.push_back(std::move(points));
    }
    return result;
  };
  io::Figure figure;
  const bool several =
      curves.size() > 1 || !target.name.empty() || !curves.front().deviations.empty();
  figure.rows.push_back(
      {{panel(ratio, "damping", 0, false, several), panel(effective, "zeta_eff", 0, false, false)},
       6});
  figure.rows.push_back({{panel("energy of a cycle", "energy", 0, log, target.quantity == "energy"),
                          by_force ? panel("secant stiffness F/u", "secant", 0, false, false)
                                   : panel("stiffness b1/A", "b1", 1, false, false)},
                         5});
  return figure;
}

}  // namespace microslip::app
