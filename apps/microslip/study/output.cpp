#include "study/output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "microslip/version.hpp"
#include "pages/html_page.hpp"
#include "pages/svg_plot.hpp"
#include "terminal.hpp"

namespace microslip::app {
namespace {

std::string plain(double x) { return std::isfinite(x) ? fmt::format("{:.5g}", x) : "-"; }

std::vector<std::vector<std::string>> numbers_table(const study::StudyResult& result) {
  std::vector<std::vector<std::string>> rows{
      {"", "runs", "mean", "±", "deviation", "min", "5 %", "median", "95 %", "max"}};
  for (const study::NumberAnswer& n : result.numbers)
    rows.push_back({n.name, std::to_string(n.count), plain(n.mean),
                    std::isfinite(n.standard_error) ? fmt::format("{:.2g}", n.standard_error) : "-",
                    plain(n.deviation), plain(n.min), plain(n.quantiles[1]), plain(n.quantiles[3]),
                    plain(n.quantiles[5]), plain(n.max)});
  return rows;
}

std::vector<std::vector<std::string>> limits_table(const study::StudyResult& result) {
  std::vector<std::vector<std::string>> rows{{"", "limit", "probability to exceed it", "95 %"}};
  for (const study::NumberAnswer& n : result.numbers)
    if (n.exceeds)
      rows.push_back({n.name, plain(n.exceeds->limit), plain(n.exceeds->probability),
                      plain(n.exceeds->low) + " to " + plain(n.exceeds->high)});
  return rows;
}

std::vector<std::vector<std::string>> indices_table(const study::NumberAnswer& number) {
  std::vector<std::vector<std::string>> rows{{number.name + " by", "alone", "±", "in all", "±"}};
  for (const study::SobolIndex& s : number.indices)
    rows.push_back({s.input, fmt::format("{:.3f}", s.first), fmt::format("{:.3f}", s.first_error),
                    fmt::format("{:.3f}", s.total), fmt::format("{:.3f}", s.total_error)});
  return rows;
}

/// The correlation of ranks.
double rank_correlation(const std::vector<double>& x, const std::vector<double>& y) {
  const auto ranks = [](const std::vector<double>& values) {
    std::vector<std::size_t> order(values.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
    std::vector<double> rank(values.size());
    for (std::size_t k = 0; k < order.size(); ++k) rank[order[k]] = static_cast<double>(k);
    return rank;
  };
  const std::vector<double> a = ranks(x), b = ranks(y);
  const double middle = 0.5 * static_cast<double>(x.size() - 1);
  double ab = 0, aa = 0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    ab += (a[k] - middle) * (b[k] - middle);
    aa += (a[k] - middle) * (a[k] - middle);
  }
  return aa > 0 ? ab / aa : 0;
}

struct Sample {
  std::vector<std::vector<double>> numbers, values;  ///< by row
};

/// Some of the runs that succeeded, evenly spread.
Sample sample_of(const study::Study& study, const study::Store& store, std::uint64_t done) {
  constexpr std::uint64_t most = 2000;
  const std::uint64_t every = std::max<std::uint64_t>(1, done / most);
  Sample sample;
  std::uint64_t k = 0;
  store.each([&](const study::Store::Row& row) {
    if (row.i >= study.runs() || !row.outcome.failure.empty() || k++ % every != 0) return;
    sample.numbers.push_back(row.outcome.numbers);
    sample.values.push_back(row.outcome.values);
  });
  return sample;
}

io::Row number_row(const study::StudyResult& result, const study::NumberAnswer& answer,
                   const Sample& sample, std::size_t place) {
  std::vector<double> y;
  std::vector<std::size_t> rows;
  for (std::size_t r = 0; r < sample.values.size(); ++r)
    if (!std::isnan(sample.values[r][place])) {
      rows.push_back(r);
      y.push_back(sample.values[r][place]);
    }
  std::vector<double> sorted = y, share;
  std::sort(sorted.begin(), sorted.end());
  for (std::size_t k = 0; k < sorted.size(); ++k)
    share.push_back((static_cast<double>(k) + 0.5) / static_cast<double>(sorted.size()));
  io::Panel distribution{"", {answer.name}, {"share of runs below"}, {}, true, true};
  distribution.curves.push_back({"", sorted, share, io::Style::solid, 0});
  if (answer.exceeds)
    distribution.curves.push_back(
        {"limit", {answer.exceeds->limit, answer.exceeds->limit}, {0, 1}, io::Style::dashed, 1});
  io::Row row{{distribution}, 5, false};
  std::size_t best = 0;
  double strongest = -1;
  std::vector<double> best_x;
  for (std::size_t input = 0; input < std::min<std::size_t>(result.inputs.size(), 500); ++input) {
    std::vector<double> x;
    for (const std::size_t r : rows) x.push_back(sample.numbers[r][input]);
    const double strength = std::abs(rank_correlation(x, y));
    if (strength > strongest) {
      strongest = strength;
      best = input;
      best_x = std::move(x);
    }
  }
  if (!best_x.empty() && y.size() > 1)
    row.panels.push_back({"",
                          {result.inputs[best]},
                          {answer.name},
                          {{"", best_x, y, io::Style::points, 0}},
                          false,
                          true});
  return row;
}

std::string html_table(const std::vector<std::vector<std::string>>& rows) {
  std::string text = "<table>";
  for (std::size_t r = 0; r < rows.size(); ++r) {
    text += "<tr>";
    for (const std::string& cell : rows[r])
      text += (r == 0 ? "<th>" : "<td>") + escaped(cell) + (r == 0 ? "</th>" : "</td>");
    text += "</tr>\n";
  }
  return framed(text + "</table>");
}

}  // namespace

std::string study_text(const study::StudyResult& result) {
  std::string text =
      fmt::format("{}: {} runs of {}, design {}, seed {}; {} failed\n", result.study, result.done,
                  result.kind, result.design, result.seed, result.failed);
  if (!result.numbers.empty()) text += "\n" + table_text(numbers_table(result), 1);
  const auto limits = limits_table(result);
  if (limits.size() > 1) text += "\n" + table_text(limits, 1);
  for (const study::NumberAnswer& n : result.numbers)
    if (!n.indices.empty()) text += "\n" + table_text(indices_table(n), 1);
  for (const study::CurveAnswer& c : result.curves) {
    const auto widest = std::max_element(c.median.begin(), c.median.end(),
                                         [](double a, double b) { return !(a >= b); });
    if (widest == c.median.end() || std::isnan(*widest)) continue;
    const auto k = static_cast<std::size_t>(widest - c.median.begin());
    text += fmt::format(
        "\n{}({}): the median is largest at {:.5g}: {:.5g}, 5 to 95 %: {:.5g} to {:.5g}\n", c.name,
        c.abscissa, c.grid[k], c.median[k], c.low[k], c.high[k]);
  }
  for (const study::FailureCount& f : result.failures)
    text +=
        "\n" +
        wrapped(fmt::format("failed {} times, first run {}: {}", f.count, f.first, f.message), 2);
  return text + (result.failures.empty() ? "" : "\n");
}

io::Figure study_figure(const study::Study& study, const study::Store& store,
                        const study::StudyResult& result) {
  io::Figure figure;
  const Sample sample = sample_of(study, store, result.done);
  std::size_t place = 0, number = 0, curve = 0;
  for (const study::Quantity& q : study.quantities()) {
    if (q.is_curve()) {
      const study::CurveAnswer& c = result.curves[curve++];
      io::Panel panel{"", {c.abscissa}, {c.name}, {}, true, false};
      // Where no run has a value there is no point.
      const auto add = [&](const char* name, const std::vector<double>& y, io::Style style,
                           std::size_t color) {
        io::Curve line{name, {}, {}, style, color};
        for (std::size_t k = 0; k < y.size(); ++k)
          if (!std::isnan(y[k])) {
            line.x.push_back(c.grid[k]);
            line.y.push_back(y[k]);
          }
        if (!line.x.empty()) panel.curves.push_back(std::move(line));
      };
      add("median", c.median, io::Style::solid, 0);
      add("5 and 95 %", c.low, io::Style::dashed, 0);
      add("", c.high, io::Style::dashed, 0);
      add("largest", c.maximum, io::Style::solid, 1);
      if (!panel.curves.empty()) figure.rows.push_back({{panel}, 6, false});
    } else {
      const study::NumberAnswer& n = result.numbers[number++];
      if (n.count > 1) figure.rows.push_back(number_row(result, n, sample, place));
    }
    place += q.size();
  }
  return figure;
}

std::string study_page(const study::StudyResult& result, const io::Figure& figure,
                       const std::string& command_line) {
  static constexpr const char* colors[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7"};
  std::string text = page_head("Study " + escaped(result.study));
  text += fmt::format(
      "<h1>{}</h1><p class='sub'>{} runs of {}, {} inputs, design {}, seed {}; {} failed</p>\n",
      escaped(result.study), result.done, escaped(result.kind), result.inputs.size(),
      escaped(result.design), result.seed, result.failed);
  if (!result.numbers.empty())
    text += "<section><h2>Numbers</h2>" + html_table(numbers_table(result)) + "</section>\n";
  if (const auto limits = limits_table(result); limits.size() > 1)
    text += "<section><h2>Limits</h2>" + html_table(limits) + "</section>\n";
  for (const study::NumberAnswer& n : result.numbers)
    if (!n.indices.empty())
      text += "<section><h2>Where the variance comes from: " + escaped(n.name) + "</h2>" +
              html_table(indices_table(n)) + "</section>\n";
  for (const io::Row& row : figure.rows) {
    text += "<div class='two' style='margin-bottom:18px'>";
    for (const io::Panel& panel : row.panels) {
      SvgPlot plot;
      plot.width = 520;
      plot.height = 380;
      plot.x_label = panel.x.label;
      plot.y_label = panel.y.label;
      for (const io::Curve& curve : panel.curves)
        plot.curves.push_back(
            {curve.name, curve.x, curve.y, colors[curve.color.value_or(0) % std::size(colors)],
             curve.style == io::Style::points, 1.6, curve.style == io::Style::dashed});
      text += "<section class='picture'>" + framed(svg_text(plot)) + "</section>\n";
    }
    text += "</div>\n";
  }
  if (!result.failures.empty()) {
    std::vector<std::vector<std::string>> rows{{"runs", "first", "failure"}};
    for (const study::FailureCount& f : result.failures)
      rows.push_back({std::to_string(f.count), std::to_string(f.first), f.message});
    text += "<section><h2>Failures</h2>" + html_table(rows) + "</section>\n";
  }
  if (!result.notes.empty()) {
    text += "<section><h2>Notes</h2><ul>";
    for (const std::string& note : result.notes) text += "<li>" + escaped(note) + "</li>";
    text += "</ul></section>\n";
  }
  text += fmt::format(
      "<section><h2>To repeat it</h2><pre>{}</pre><p class='note'>microslip {}</p></section>\n",
      escaped(command_line), version);
  return text + page_end;
}

}  // namespace microslip::app
