#include "respond/page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "microslip/io/json.hpp"
#include "microslip/version.hpp"
#include "pages/html_page.hpp"
#include "pages/svg_plot.hpp"

namespace microslip::app {
namespace {

/// Okabe and Ito: told apart with any colour vision.
constexpr const char* colors[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                  "#e69f00", "#56b4e9", "#000000"};

std::string picture(const io::Panel& panel, bool alone) {
  SvgPlot plot;
  plot.width = alone ? 980 : 520;
  plot.height = alone ? 420 : 380;
  plot.x_label = panel.x.label;
  plot.y_label = panel.y.label;
  plot.log_x = panel.x.log;
  plot.log_y = panel.y.log;
  for (std::size_t i = 0; i < panel.curves.size(); ++i) {
    const io::Curve& curve = panel.curves[i];
    plot.curves.push_back(
        {curve.name, curve.x, curve.y, colors[curve.color.value_or(i) % std::size(colors)],
         curve.style == io::Style::points, curve.style == io::Style::points ? 2.2 : 1.6,
         curve.style == io::Style::dashed});
  }
  const std::string title = panel.title.empty() ? "" : "<h2>" + escaped(panel.title) + "</h2>";
  return "<section class='picture'>" + title + framed(svg_text(plot)) + "</section>\n";
}

std::string pictures(const io::Figure& figure) {
  std::string text;
  for (const io::Row& row : figure.rows) {
    const bool alone = row.panels.size() == 1;
    if (!alone) text += "<div class='two' style='margin-bottom:18px'>";
    for (const io::Panel& panel : row.panels)
      if (!panel.curves.empty()) text += picture(panel, alone);
    if (!alone) text += "</div>\n";
  }
  return text;
}

std::size_t number_of_joints(const dynamics::Structure& s) {
  return s.joints.size() + static_cast<std::size_t>(std::count_if(
                               s.interfaces.begin(), s.interfaces.end(),
                               [](const auto& interface) { return interface.law->model(); }));
}

std::string joints_table(const catalog::StructureFile& file) {
  std::string text =
      "<table><tr><th>joint</th><th class='words'>law</th><th class='words'>parameters</th></tr>\n";
  const auto add = [&](std::size_t number, const std::string& name, const std::string& model,
                       const ParameterValues& parameters) {
    text += fmt::format(
        "<tr><td>{} {}</td><td class='words'>{}</td><td class='words message'><code>{}</code></td>"
        "</tr>\n",
        number, escaped(name), escaped(model), escaped(io::values_json(parameters)));
  };
  for (std::size_t j = 0; j < file.laws.size(); ++j)
    add(j + 1, j < file.structure.joints.size() ? file.structure.joints[j].name : std::string(),
        file.laws[j].model, file.laws[j].parameters);
  std::size_t number = file.laws.size();
  for (const dynamics::InterfaceElement& interface : file.structure.interfaces)
    if (const AnyModel* law = interface.law->model())
      add(++number, interface.name, law->description().name, law->parameters());
  return text + "</table>\n";
}

}  // namespace

std::string respond_page(const std::string& name, const catalog::StructureFile& file,
                         const std::vector<PageEntry>& entries, const std::string& command_line) {
  const std::string title = std::filesystem::path(name).filename().string();
  std::string text = page_head("Response of " + escaped(title));
  const auto count = [](auto number, const std::string& one, const std::string& many) {
    return fmt::format("{} {}", number, number == 1 ? one : many);
  };
  text += fmt::format("<h1>{}</h1><p class='sub'>a structure with joints: {}, {}, {}</p>\n",
                      escaped(title),
                      count(file.structure.size(), "degree of freedom", "degrees of freedom"),
                      count(number_of_joints(file.structure), "joint", "joints"),
                      count(file.structure.loads.size(), "load", "loads"));
  if (number_of_joints(file.structure) > 0)
    text += "<section><h2>Joints</h2>" + framed(joints_table(file)) + "</section>\n";
  for (const PageEntry& entry : entries) {
    text += fmt::format("<section><h2>{}</h2><pre>{}</pre>", escaped(entry.analysis->kind),
                        escaped(entry.result.summary));
    if (!entry.result.failure.empty())
      text += "<p class='note'>" + escaped(entry.result.failure) + "</p>";
    if (!entry.analysis->output.empty())
      text += "<p class='note'>Numbers: <code>" + escaped(entry.analysis->output) + "</code></p>";
    text += "</section>\n" + pictures(entry.result.figure);
  }
  text += fmt::format(
      "<section><h2>To repeat it</h2><pre>{}</pre><p class='note'>microslip {}</p></section>\n",
      escaped(command_line), version);
  return text + page_end;
}

}  // namespace microslip::app
