#include "fit/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "microslip/io/figure.hpp"
#include "microslip/version.hpp"
#include "pages/html_page.hpp"
#include "pages/svg_plot.hpp"

namespace microslip::app {
namespace {

/// Okabe and Ito: told apart with any colour vision.
constexpr const char* colors[] = {"#0072b2", "#d55e00", "#009e73"};
constexpr const char* measured_color = "#9aa3ad";

std::string file_name(const FitRecord& record) {
  return std::filesystem::path(record.data.name).filename().string();
}

/// F/L of a record in kN and mm is kN/mm.
std::string unit_text(const std::string& symbolic, const FitRecord& record) {
  std::string text;
  for (const char c : symbolic) {
    const std::string& unit = c == 'F'   ? record.force_unit()
                              : c == 'L' ? record.length_unit()
                              : c == 'T' ? record.t_unit
                                         : "";
    text += unit.empty() ? std::string(1, c) : unit;
  }
  return text == "1" ? "" : text;
}

std::vector<const FittedLaw*> shown_fits(const FitResult& answer, std::size_t most) {
  std::vector<const FittedLaw*> fits;
  for (const FittedLaw& result : answer.fits)
    if (result.fit.outcome != fit::Outcome::failed && fits.size() < most) fits.push_back(&result);
  return fits;
}

std::string loop_plot(const FitResult& answer, std::size_t r) {
  const FitRecord& record = answer.records[r];
  SvgPlot plot;
  plot.x_label = io::axis_label(record.by_force() ? "force" : "displacement", record.u_unit);
  plot.y_label = io::axis_label(record.by_force() ? "displacement" : "force", record.f_unit);
  plot.width = 980;
  plot.height = 560;
  plot.curves.push_back({"measured", record.data.u, record.data.f, measured_color, true, 3});
  const auto fits = shown_fits(answer, 3);
  // The best one last, on top of the others.
  for (std::size_t i = fits.size(); i-- > 0;)
    plot.curves.push_back({fits[i]->fit.model, record.data.u, fits[i]->fit.force[r], colors[i],
                           false, i == 0 ? 1.6 : 1.1});
  return svg_text(plot);
}

std::string residual_plot(const FitResult& answer, std::size_t r) {
  const FitRecord& record = answer.records[r];
  const fit::Fit& best = answer.fits.front().fit;
  const auto [low, high] = force_limits(record);
  SvgPlot plot;
  plot.width = 520;
  plot.height = 380;
  const bool time = !record.data.t.empty();
  plot.x_label = time ? io::axis_label("time", record.t_unit) : "row";
  plot.y_label = "fit − measured, % of range";
  const auto place = [&](std::size_t i) {
    return time ? record.data.t[i] : static_cast<double>(i + 1);
  };
  std::vector<double> x, y;
  for (std::size_t i = 0; i < record.data.rows(); ++i) {
    if (!record.data.counts(i)) continue;
    x.push_back(place(i));
    y.push_back(100 * (best.force[r][i] - record.data.f[i]) / (high - low));
  }
  for (std::size_t i = 0; i < record.held_out.size(); ++i) {
    if (!record.held_out[i]) continue;
    const std::size_t first = i;
    while (i + 1 < record.held_out.size() && record.held_out[i + 1]) ++i;
    plot.bands.push_back({place(first), place(i)});
  }
  plot.curves.push_back({best.model, std::move(x), std::move(y), colors[0], false, 1.2});
  return svg_text(plot);
}

std::string energy_plot(const FitResult& answer, std::size_t r) {
  const FitRecord& record = answer.records[r];
  using Points = std::vector<std::pair<double, double>>;
  const auto points = [&](const Points& cycles, const std::string& name, const std::string& color,
                          double size) {
    SvgCurve curve{name, {}, {}, color, true, size};
    for (const auto& [amplitude, energy] : cycles) {
      curve.x.push_back(amplitude);
      curve.y.push_back(energy);
    }
    return curve;
  };
  Points measured;
  for (const loops::Cycle& c : record.loops().cycles) measured.emplace_back(c.amplitude, c.energy);
  SvgPlot plot;
  plot.width = 520;
  plot.height = 380;
  plot.x_label = io::axis_label("amplitude of the cycle", record.u_unit);
  plot.y_label = "energy per cycle";
  if (!record.u_unit.empty() && !record.f_unit.empty())
    plot.y_label += " [" + record.force_unit() + " " + record.length_unit() + "]";
  plot.curves.push_back(points(measured, "measured", measured_color, 5));
  const auto fits = shown_fits(answer, 3);
  for (std::size_t i = fits.size(); i-- > 0;)
    plot.curves.push_back(points(fits[i]->fit.cycles[r], fits[i]->fit.model, colors[i], 2.6));
  const std::vector<double>& a = plot.curves.front().x;
  if (a.empty()) return "<p class='note'>The record has no closed cycle.</p>";
  const auto [low, high] = std::minmax_element(a.begin(), a.end());
  plot.log_x = plot.log_y = *high > 2.5 * *low;
  return svg_text(plot);
}

/// Of the words in the column status, as far as they occur.
std::string meanings(const FitResult& answer) {
  constexpr std::pair<fit::Outcome, const char*> all[] = {
      {fit::Outcome::converged, "a minimum, and the record determines every number"},
      {fit::Outcome::undetermined, "a minimum, but other numbers describe the record as well"},
      {fit::Outcome::stalled, "not yet a minimum: the last steps still led down"},
      {fit::Outcome::budget, "the time was over or the search was stopped; the best so far"}};
  std::string text;
  for (const auto& [outcome, meaning] : all)
    for (const FittedLaw& result : answer.fits)
      if (result.fit.outcome == outcome) {
        text += fmt::format("{}<b>{}</b>: {}", text.empty() ? "" : "; ", text_of(outcome), meaning);
        break;
      }
  return "<p class='note'>" + text + ".</p>\n";
}

std::string ranking(const FitResult& answer) {
  std::string text =
      "<table><tr><th>law</th><th class='words'>status</th><th>rms error</th><th "
      "class='words'></th><th>energy<br>error</th><th>hold-out<br>error</th><th>fitted<br>"
      "numbers</th><th>AICc<br>above best</th><th>BIC<br>above best</th></tr>\n";
  double worst = 1e-12;
  for (const FittedLaw* r : shown_fits(answer, answer.fits.size())) {
    worst = std::max(worst, r->fit.rms_relative);
  }
  const fit::Fit& best = answer.fits.front().fit;
  std::size_t i = 0;
  for (const FittedLaw& result : answer.fits) {
    const fit::Fit& fit = result.fit;
    if (fit.outcome == fit::Outcome::failed) {
      text += fmt::format("<tr><td>{}</td><td colspan='8' class='words message'>{}</td></tr>\n",
                          escaped(fit.model), escaped(fit.message));
      continue;
    }
    const std::string swatch =
        i < 3 ? fmt::format("<span class='swatch' style='background:{}'></span>", colors[i]) : "";
    const double length = std::max(60 * fit.rms_relative / worst, 1.0);
    text += fmt::format(
        "<tr{}><td>{}{}</td><td class='words'>{}</td><td>{}</td><td class='words'><span "
        "class='bar' style='width:{:.0f}px'></span></td><td>{}</td><td>{}</td><td>{}</td>"
        "<td>{:.1f}</td><td>{:.1f}</td></tr>\n",
        i == 0 ? " class='best'" : "", swatch, escaped(fit.model), text_of(fit.outcome),
        percent(fit.rms_relative), length, percent(fit.energy_error),
        fit.holdout_rms_relative ? percent(*fit.holdout_rms_relative) : "–", fit.free,
        fit.aicc - best.aicc, fit.bic - best.bic);
    ++i;
  }
  return text + "</table>\n" + meanings(answer);
}

std::string parameter_table(const FittedLaw& result, const FitResult& answer) {
  std::string text =
      "<table><tr><th>parameter</th><th>value</th><th class='words'>unit</th></tr>\n";
  for (const fit::Estimate& e : result.fit.estimates) {
    std::string name = e.name;
    if (e.record >= 0 && answer.records.size() > 1)
      name += " of " + file_name(answer.records[static_cast<std::size_t>(e.record)]);
    text += fmt::format("<tr><td>{}</td><td>{}</td><td class='words'>{}</td></tr>\n", escaped(name),
                        escaped(with_error(e)), escaped(unit_text(e.unit, answer.records.front())));
  }
  text += "</table>\n";
  for (const fit::Profile& p : result.profiled) {
    SvgPlot plot;
    plot.x_label = p.name;
    plot.y_label = "rms error, % of range";
    plot.height = 280;
    std::vector<double> y;
    for (const double rms : p.rms_relative) y.push_back(100 * rms);
    plot.curves.push_back({"profile of " + p.name, p.value, y, colors[0], false, 2});
    if (p.low && p.high) plot.bands.push_back({*p.low, *p.high});
    text += "<div style='max-width:640px'>" + svg_text(plot) + "</div>";
  }
  return text + fmt::format("<p class='note'>{}</p>\n", escaped(result.fit.message));
}

std::string correlation_table(const fit::Fit& fit) {
  std::vector<std::size_t> shown;
  for (std::size_t i = 0; i < fit.estimates.size(); ++i)
    if (fit.estimates[i].error && !fit.estimates[i].pinned) shown.push_back(i);
  if (shown.size() < 2) return "";
  std::string text =
      "<details><summary>Correlation of the parameters</summary><div "
      "class='wide'><table><tr><th></th>";
  for (const std::size_t i : shown) text += "<th>" + escaped(fit.estimates[i].name) + "</th>";
  text += "</tr>\n";
  for (const std::size_t i : shown) {
    text += "<tr><td>" + escaped(fit.estimates[i].name) + "</td>";
    for (const std::size_t j : shown) {
      const double c = fit.correlation(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j));
      text += fmt::format("<td style='background:rgba({},{:.2f})'>{:.2f}</td>",
                          c < 0 ? "213,94,0" : "0,114,178", 0.35 * std::abs(c), c);
    }
    text += "</tr>\n";
  }
  return text + "</table></div></details>\n";
}

/// What the laws answer.
std::string answer_of(const FitResult& answer) {
  return answer.records.front().by_force() ? "displacement" : "force";
}

std::string done(const FitResult& answer) {
  std::string text = "<section><h2>What was done</h2><ul>\n";
  for (std::size_t r = 0; r < answer.records.size(); ++r) {
    const FitRecord& record = answer.records[r];
    const std::size_t held = record.held_out_rows();
    text += fmt::format(
        "<li><code>{}</code>: {} rows, {} cycles ({} minor), amplitude {} {}, stiffness after "
        "reversals {}, noise of the {} about {} {}. Start: {}.",
        escaped(record.data.name), record.data.rows(), record.loops().cycles.size(),
        record.loops().minor_loops(), short_number(record.loops().amplitude),
        escaped(record.u_unit), short_number(initial_stiffness(record)), answer_of(answer),
        short_number(record.loops().noise_f), escaped(record.f_unit),
        beginning_text(answer.fits.front().fit.beginnings[r]));
    if (held > 0)
      text += fmt::format(
          " For the hold-out error each law was fitted again without {} rows (shaded above) and "
          "had "
          "to predict them.",
          held);
    if (const std::string weights = weights_text(record); !weights.empty())
      text += " " + escaped(weights) + ".";
    text += "</li>\n";
  }
  text += fmt::format(
      "<li>Each law: bounded least squares (Levenberg–Marquardt with exact derivatives) from up to "
      "{} starts, seed {}. Errors are relative to the range of the {}; the energy error is that "
      "of the energy summed over all cycles. Ranked by AICc, of which only differences count; bars "
      "are proportional to the rms error.</li>\n",
      answer.fits.front().fit.starts, answer.seed, answer_of(answer));
  text +=
      "<li>Standard errors contain that residuals of neighbouring rows are alike, as they are "
      "where "
      "a law misses the shape of the loop, and that numbers lean on limits.</li>\n";
  for (const std::string& note : answer.notes) text += fmt::format("<li>{}</li>\n", escaped(note));
  if (!answer.left_out.empty()) {
    std::string list;
    for (const std::string& law : answer.left_out) list += (list.empty() ? "" : ", ") + law;
    text += fmt::format("<li>Not tried: {}.</li>\n", escaped(list));
  }
  return text + fmt::format(
                    "</ul><p>To repeat it:</p><pre>{}</pre><p class='note'>microslip {}, "
                    "{:.1f} s</p></section>\n",
                    escaped(answer.command), version, answer.seconds);
}

}  // namespace

std::string fit_report(const FitResult& answer) {
  const FittedLaw& best = answer.fits.front();
  std::string files;
  for (const FitRecord& r : answer.records) files += (files.empty() ? "" : ", ") + file_name(r);
  std::string text = page_head("Fit of " + escaped(files));
  text += fmt::format("<h1>{}</h1><p class='sub'>a record of displacement and force, explained</p>",
                      escaped(files));
  text += fmt::format(
      "<p class='lead'>Best of {} {}: <b>{}</b>, which follows the {} within {} of its range "
      "(rms) and the energy of the cycles within {}",
      answer.fits.size(), answer.fits.size() == 1 ? "law" : "laws", escaped(best.fit.model),
      answer_of(answer), percent(best.fit.rms_relative), percent(best.fit.energy_error));
  if (best.fit.holdout_rms_relative)
    text += fmt::format("; held-out rows within {}", percent(*best.fit.holdout_rms_relative));
  text += ".";
  if (best.fit.outcome == fit::Outcome::undetermined)
    text += " The record does not determine all of its parameters.";
  if (answer.interrupted) text += " The search was interrupted: this is the best so far.";
  text += "</p>\n";
  for (std::size_t r = 0; r < answer.records.size(); ++r) {
    text += "<section class='picture'><h2>Loops" +
            (answer.records.size() > 1 ? ": " + escaped(file_name(answer.records[r])) : "") +
            "</h2>" + framed(loop_plot(answer, r)) + "</section>\n";
    text +=
        "<div class='two' style='margin-bottom:18px'><section><h2>Residuals of the best law</h2>" +
        framed(residual_plot(answer, r)) +
        (answer.records[r].held_out_rows() > 0
             ? "<p class='note'>Shaded: rows that the fit has not seen.</p>"
             : "") +
        "</section>\n";
    text += "<section><h2>Energy against amplitude</h2>" + framed(energy_plot(answer, r)) +
            "</section></div>\n";
  }
  text += "<section><h2>Ranking</h2>" + framed(ranking(answer)) + "</section>\n";
  text += "<section><h2>Parameters of " + escaped(best.fit.model) + "</h2>" +
          framed(parameter_table(best, answer)) + correlation_table(best.fit);
  for (const FittedLaw* other : shown_fits(answer, answer.fits.size()))
    if (other != &best)
      text += "<details><summary>" + escaped(other->fit.model) + "</summary>" +
              framed(parameter_table(*other, answer)) + "</details>\n";
  text += "</section>\n" + done(answer);
  return text + page_end;
}

}  // namespace microslip::app
