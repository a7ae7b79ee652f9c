#include "fit/output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "microslip/io/figure.hpp"
#include "terminal.hpp"

namespace microslip::app {
namespace {

std::string record_text(const FitRecord& r) {
  std::string text =
      fmt::format("{}: {} rows; {}; {} {}", r.data.name, r.data.rows(), r.taken,
                  r.loops().cycles.size(), r.loops().cycles.size() == 1 ? "cycle" : "cycles");
  if (r.loops().minor_loops() > 0)
    text += fmt::format(", {} of them minor", r.loops().minor_loops());
  const auto with_unit = [](double x, const std::string& unit) {
    return short_number(x) + (unit.empty() ? "" : " " + unit);
  };
  text += (r.by_force() ? ", force amplitude " : ", amplitude ") +
          with_unit(r.loops().amplitude, r.u_unit) +
          (r.by_force() ? ", displacement ±" : ", force ±") +
          with_unit(r.loops().force_level, r.f_unit);
  if (const std::size_t held = r.held_out_rows(); held > 0)
    text += fmt::format("; {} rows held out for the prediction", held);
  if (const std::string weights = weights_text(r); !weights.empty()) text += "; " + weights;
  return text + "\n";
}

std::string parameters_text(const FittedLaw& result, const FitResult& answer) {
  const fit::Fit& fit = result.fit;
  std::string text = fit.model + ", " + std::string(text_of(fit.outcome)) + "\n";
  std::vector<std::vector<std::string>> rows;
  for (const fit::Estimate& e : fit.estimates) {
    std::string name = e.name;
    if (e.record >= 0 && answer.records.size() > 1)
      name += " of " + answer.records[static_cast<std::size_t>(e.record)].data.name;
    rows.push_back({"  " + name, with_error(e)});
  }
  std::size_t widest = 0;
  for (const auto& row : rows) widest = std::max(widest, width(row[0]));
  for (const auto& row : rows) text += padded(row[0], widest + 2) + row[1] + "\n";
  for (const fit::Profile& p : result.profiled)
    text += fmt::format("  {}: 95 % interval by profile likelihood from {} to {}\n", p.name,
                        p.low ? short_number(*p.low) : "below what was looked at",
                        p.high ? short_number(*p.high) : "above what was looked at");
  return text + "  " + wrapped(fit.message, 2) + "\n";
}

/// Of all ranked laws: that they differ says as much as their errors.
std::string predictions_text(const FitResult& answer) {
  std::string text;
  for (std::size_t i = 0; i < answer.predicted.size(); ++i) {
    const FitRecord& r = answer.predicted[i];
    std::string at;
    for (const auto& [name, value] : r.covariates)
      at += (at.empty() ? "" : ", ") + name + " = " + short_number(value);
    std::vector<std::vector<std::string>> table{{"predicted by", "rms error", "± of the fit",
                                                 "± of the law", "energy", "± of the fit",
                                                 "± of the law", "measured", "status"}};
    const double square = r.scale * r.scale;
    for (const FittedLaw& law : answer.fits) {
      if (law.predicted.size() <= i) continue;
      const fit::Prediction& p = law.predicted[i];
      table.push_back(
          {law.fit.model, percent(p.rms_relative), percent(p.deviation_relative),
           percent(p.misfit_relative), short_number(square * p.energy),
           short_number(square * p.energy_deviation), short_number(square * p.energy_misfit),
           short_number(square * p.measured_energy), std::string(text_of(law.fit.outcome))});
    }
    if (table.size() > 1)
      text += r.data.name + (at.empty() ? "" : " at " + at) + ":\n" + table_text(table) + "\n";
  }
  return text;
}

}  // namespace

std::string weights_text(const FitRecord& record) {
  if (record.weight_column.empty()) return "";
  std::string text = "rows weighted by column '" + record.weight_column + "'";
  if (const std::size_t zero = record.weightless_rows(); zero > 0)
    text += fmt::format(", {} of them not compared", zero);
  return text;
}

std::string short_number(double x) { return std::isfinite(x) ? fmt::format("{:.5g}", x) : "-"; }

std::string percent(double share) {
  if (!std::isfinite(share)) return "-";
  const double p = 100 * share;
  if (p != 0 && p < 1e-3) return fmt::format("{:.0e} %", p);
  return fmt::format("{:.{}f} %", p, p < 0.1 ? 4 : p < 10 ? 2 : 1);
}

std::string with_error(const fit::Estimate& e) {
  if (e.pinned) return short_number(e.value) + "  (held)";
  if (e.runs_away) return short_number(e.value) + "  (without end)";
  if (e.at_limit)
    return short_number(e.value) +
           (e.error && *e.error > 0 ? fmt::format(" ± {:.2g}", *e.error) : "") + "  (at its limit)";
  if (!e.error && e.name.rfind("before", 0) == 0)
    return short_number(e.value) + "  (wiped out by the record)";
  if (!e.error) return short_number(e.value) + "  (not determined)";
  if (*e.error < 1e-9 * std::abs(e.value)) return fmt::format("{:.10g}", e.value);
  // As many digits as the error leaves.
  const double size = std::max(std::abs(e.value), *e.error);
  const int digits =
      std::clamp(static_cast<int>(std::ceil(std::log10(size / *e.error))) + 2, 2, 12);
  return fmt::format("{:.{}g} ± {:.2g}", e.value, digits, *e.error);
}

std::string beginning_text(fit::Beginning beginning) {
  return std::string(jobs::words_of<fit::Beginning>.at(static_cast<std::size_t>(beginning)));
}

std::string fit_text(const FitResult& answer) {
  std::string text;
  if (const fit::Fit& best = answer.fits.front().fit;
      best.outcome != fit::Outcome::failed && !fit::describes(best))
    text +=
        wrapped(fmt::format("NO LAW DESCRIBES THIS RECORD: the best misses {} of its range, and "
                            "the energy by {}.",
                            percent(best.rms_relative), percent(best.energy_error)),
                0) +
        "\n";
  for (const FitRecord& record : answer.records) text += record_text(record);
  std::vector<std::vector<std::string>> rows{
      {"law", "rms error", "energy error", "hold-out", "fitted", "AICc", "BIC", "status"}};
  std::vector<std::vector<std::string>> unfinished{rows.front()};
  std::string failures;
  for (const FittedLaw& result : answer.fits) {
    const fit::Fit& fit = result.fit;
    if (fit.outcome == fit::Outcome::failed) {
      failures += fit.model + ": " + fit.message + "\n";
      continue;
    }
    const bool finished =
        fit.outcome == fit::Outcome::converged || fit.outcome == fit::Outcome::undetermined;
    (finished || &result == &answer.fits.front() ? rows : unfinished)
        .push_back({fit.model, percent(fit.rms_relative), percent(fit.energy_error),
                    fit.holdout_rms_relative ? percent(*fit.holdout_rms_relative) : "-",
                    std::to_string(fit.free), fmt::format("{:.1f}", fit.aicc),
                    fmt::format("{:.1f}", fit.bic), std::string(text_of(fit.outcome))});
  }
  if (rows.size() > 1) text += "\n" + table_text(rows) + "\n";
  if (unfinished.size() > 1)
    text += "not finished, the best so far (--time-budget gives more):\n" + table_text(unfinished) +
            "\n";
  std::string not_tried;
  for (const std::string& law : answer.left_out)
    if (law.ends_with("before its turn)")) not_tried += (not_tried.empty() ? "" : ", ") + law;
  if (!not_tried.empty()) text += wrapped("not tried: " + not_tried, 2) + "\n\n";
  text += predictions_text(answer);
  std::size_t shown = 0;
  for (const FittedLaw& result : answer.fits)
    if (result.fit.outcome != fit::Outcome::failed && shown++ < 3)
      text += parameters_text(result, answer) + "\n";
  return text + failures;
}

void draw_fits(const FitResult& answer, const std::string& file) {
  io::Figure figure;
  for (std::size_t r = 0; r < answer.records.size(); ++r) {
    const FitRecord& record = answer.records[r];
    io::Panel panel;
    panel.title = answer.records.size() > 1 ? record.data.name : "";
    panel.x.label = io::axis_label(record.by_force() ? "force" : "u", record.u_unit);
    panel.y.label = io::axis_label(record.by_force() ? "displacement" : "f", record.f_unit);
    constexpr std::size_t black = 3;
    panel.curves.push_back({"measured", record.data.u, record.data.f, io::Style::points, black});
    std::vector<const fit::Fit*> best;
    for (const FittedLaw& result : answer.fits)
      if (result.fit.outcome != fit::Outcome::failed && best.size() < 3)
        best.push_back(&result.fit);
    // The best one last, on top of the others.
    for (std::size_t k = best.size(); k-- > 0;)
      panel.curves.push_back(
          {best[k]->model, record.data.u, best[k]->force[r], io::Style::solid, k});
    figure.rows.push_back({{panel}, 8});
  }
  io::draw(figure, file);
}

}  // namespace microslip::app
