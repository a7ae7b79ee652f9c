#include "identify/page.hpp"

#include <fmt/format.h>

#include <cmath>

#include "microslip/version.hpp"
#include "pages/html_page.hpp"
#include "pages/svg_plot.hpp"

namespace microslip::app {
namespace {

std::string parameters_of(const jobs::FittedLaw& law) {
  std::string text = "<table><tr><th>number</th><th>value</th><th>standard error</th></tr>\n";
  for (const auto& [name, error] : *law.standard_errors) {
    const double deviation = std::get<double>(error);
    text += fmt::format("<tr><td>{}</td><td>{:.6g}</td><td>{}</td></tr>\n", escaped(name),
                        std::get<double>(law.parameters->at(name)),
                        std::isfinite(deviation) ? fmt::format("{:.2g}", deviation)
                                                 : std::string("not determined"));
  }
  return text + "</table>\n";
}

std::string ranking_of(const jobs::FitResult& result) {
  std::string text =
      "<section><h2>Laws</h2><table><tr><th>law</th><th>missed</th><th>held out</th>"
      "<th>AICc above the best</th></tr>\n";
  const double best = result.fits.front().aicc;
  for (const jobs::FittedLaw& law : result.fits)
    text += fmt::format("<tr><td>{}</td><td>{:.3g} %</td><td>{}</td><td>{:.4g}</td></tr>\n",
                        escaped(law.model), 100 * law.rms_relative,
                        law.holdout_rms_relative
                            ? fmt::format("{:.3g} %", 100 * *law.holdout_rms_relative)
                            : std::string(),
                        law.aicc - best);
  return text + "</table></section>\n";
}

std::string picture_of(const jobs::ShownChannel& channel) {
  SvgPlot plot;
  plot.x_label = channel.x_label;
  plot.y_label = channel.channel;
  plot.width = 980;
  plot.height = 420;
  plot.log_y = channel.x_label == "omega";
  plot.curves.push_back({"measured", channel.x, channel.measured, "#9aa3ad", true, 2.4});
  plot.curves.push_back({"identified", channel.x, channel.answer, "#0072b2", false, 1.4});
  return fmt::format("<section class='picture'><h2>{}, {}{}</h2>{}</section>\n",
                     escaped(channel.datum), escaped(channel.channel),
                     channel.holdout ? ": predicted" : "", framed(svg_text(plot)));
}

}  // namespace

std::string identify_page(const std::string& file, const jobs::FitResult& result,
                          const std::vector<jobs::ShownChannel>& shown) {
  std::string text = page_head("Identification of " + escaped(file));
  text += fmt::format("<h1>{}</h1><p class='sub'>numbers of a structure from vibration</p>\n",
                      escaped(file));
  if (!result.fits.empty() && result.fits.front().parameters) {
    const jobs::FittedLaw& best = result.fits.front();
    text += fmt::format("<p class='lead'><b>{}</b> misses {:.3g} % of what was fitted",
                        escaped(best.model), 100 * best.rms_relative);
    if (best.holdout_rms_relative)
      text += fmt::format(" and {:.3g} % of what was held out", 100 * *best.holdout_rms_relative);
    text += ".</p>\n";
    if (result.fits.size() > 1) text += ranking_of(result);
    text += "<section><h2>Numbers</h2>" + framed(parameters_of(best)) +
            (best.message.empty() ? "" : "<p>" + escaped(best.message) + "</p>") + "</section>\n";
  }
  for (const jobs::ShownChannel& channel : shown) text += picture_of(channel);
  text += "<section><h2>What was found on the way</h2><ul>\n";
  for (const std::string& note : result.notes) text += "<li>" + escaped(note) + "</li>\n";
  return text +
         fmt::format(
             "</ul><p>To repeat it:</p><pre>{}</pre><p class='note'>microslip {}</p></section>\n",
             escaped(result.command), version) +
         page_end;
}

}  // namespace microslip::app
