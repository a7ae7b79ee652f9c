#include <algorithm>
#include <cmath>

#include "microslip/core/text.hpp"
#include "microslip/loops/loops.hpp"
#include "microslip/loops/widening.hpp"
#include "microslip/numerics/parallel.hpp"
#include "own_cracks.hpp"

// Figs 6.4 and 6.5: the twelve load cases of Table 6.1 on two plates with 32 random cracks, the
// loops widened by eq. (6.3). App. K: the same friction on all cracks. App. L: how much plates
// differ.

namespace microslip::reproduce {
namespace biswas2018_fig6_4_parts {

constexpr std::size_t cases = std::size(crack_cases);
constexpr double side = 10;  // mm

std::vector<CrackLoop> all_cases(const CrackSettings& settings) {
  std::vector<CrackLoop> loops(cases);
  in_parallel(cases, thread_count(0),
              [&](std::size_t i) { loops[i] = crack_loop(crack_cases[i], settings); });
  return loops;
}

struct Period {
  std::vector<double> f, xi;
};
Period last_period(const CrackLoop& loop) {
  const auto from = static_cast<std::ptrdiff_t>(loop.last);
  return {{loop.f.begin() + from, loop.f.end()}, {loop.xi.begin() + from, loop.xi.end()}};
}

io::Curve widened(const Period& p, const loops::Widening& w, std::size_t colour) {
  io::Curve curve{"", p.xi, {}, io::Style::solid, colour};
  for (std::size_t i = 0; i < p.f.size(); ++i) curve.y.push_back(1e3 * w.f(p.xi[i], p.f[i]));
  return curve;
}

io::Figure in_threes(std::vector<io::Panel> panels) {
  io::Figure figure;
  figure.width = 24;
  for (std::size_t i = 0; i < panels.size(); ++i) {
    if (i % 4 == 0) figure.rows.push_back({{}, 3.6});
    figure.rows.back().panels.push_back(std::move(panels[i]));
  }
  return figure;
}

io::Panel panel(std::size_t i) {
  return {.title = "case " + std::to_string(i + 1),
          .x = {"ξ in N/mm"},
          .y = {"10³ (f − aξ − b|ξ|)"},
          .curves = {},
          .legend = false};
}

void one_model(const std::string& name, std::uint64_t seed, const std::string& suffix,
               Outcome& outcome) {
  auto& to = outcome.comparisons;
  const std::vector<CrackLoop> loops = all_cases({.seed = seed, .step = 0.002});
  std::vector<io::Panel> panels;
  double worst = 0, balance = 0, origin = 0;
  for (std::size_t i = 0; i < cases; ++i) {
    const Period p = last_period(loops[i]);
    // A polygon between rows that are close: ∮ f dξ by the trapezoidal rule.
    const double area = side * input("side", 1) * loops::work(p.xi, p.f);
    worst = std::max(worst, std::abs(area / loops[i].loss() - 1));
    balance = std::max(balance, loops[i].energy_error);
    const loops::Widening w = loops::widening(p.xi, p.f);
    panels.push_back(panel(i));
    panels.back().curves.push_back(widened(p, w, 0));
    const auto& y = panels.back().curves.back().y;
    const double height = largest(y) - smallest(y);
    origin = std::max({origin, std::abs(y.front()) / height, std::abs(y.back()) / height});
  }
  to.push_back(equation(name + ": L ∮ f dξ over the friction loss, largest difference from 1", 0,
                        5e-3, worst, "eq. (6.2); the polygon between rows leaves 3e-3"));
  to.push_back(independent(name + ": work, elastic energy and friction loss, largest difference", 0,
                           1e-8, balance));
  to.push_back(at_most(name + ": width at the origin / height of the widened loops, largest", 1e-6,
                       origin, "\"the hysteresis loops are pinched at the origin\""));
  outcome.figures.push_back({suffix, in_threes(std::move(panels))});
}

/// What interaction of the cracks, and more than one mode a crack, change in the loss: on one field
/// that is chance, so many are drawn.
void interaction(const CrackCase& one, std::vector<Comparison>& to) {
  constexpr std::size_t fields = 60;
  std::vector<double> alone(fields), one_mode(fields);
  in_parallel(fields, thread_count(0), [&](std::size_t k) {
    const std::uint64_t seed = 1000 + k;
    const double loss = crack_loop(one, {.seed = seed}).loss();
    alone[k] = 1 - crack_loop(one, {.seed = seed, .interaction = false}).loss() / loss;
    one_mode[k] = crack_loop(one, {.seed = seed, .nodes = 1}).loss() / loss - 1;
  });
  const auto add = [&](const std::string& what, const std::vector<double>& change, double mean_was,
                       double spread_was, const std::string& note) {
    double mean = 0, squares = 0;
    for (const double x : change) mean += x / fields;
    for (const double x : change) squares += (x - mean) * (x - mean) / (fields - 1);
    to.push_back(recorded(
        what + ", mean of 60 fields", mean_was, 0.003, mean,
        "standard error " + number_text(std::round(1e4 * std::sqrt(squares / fields)) / 1e4)));
    to.push_back(recorded(what + ", standard deviation over the fields", spread_was, 0.003,
                          std::sqrt(squares), note));
  };
  add("what interaction of the cracks changes in the loss", alone, 0.0098, 0.0596,
      "so a single field shows ±6 % by chance, and the mean is not different from zero");
  add("what one elliptical mode a crack changes in the loss", one_mode, 0.0028, 0.0179, "");
}

void truths(Outcome& outcome) {
  auto& to = outcome.comparisons;
  const CrackCase& one = crack_cases[1];
  const CrackLoop base = crack_loop(one, {});
  to.push_back(independent("loss of twice the load over that of the load", 4, 1e-9,
                           crack_loop(one, {.amplitude = 2}).loss() / base.loss(),
                           "D ∝ A²: without an internal length (eq. 6.1 with n = 2)"));
  interaction(one, to);
  // Over μ, on four fields.
  std::vector<double> mu{0.1, 0.3, 0.5, 0.6, 0.7, 1.0};
  std::vector<double> mean(mu.size(), 0.0);
  constexpr std::size_t fields = 4;
  std::vector<double> loss(mu.size() * fields);
  in_parallel(loss.size(), thread_count(0), [&](std::size_t k) {
    loss[k] = crack_loop(one, {.seed = 2 + k % fields, .mu = mu[k / fields]}).loss();
  });
  for (std::size_t k = 0; k < loss.size(); ++k) mean[k / fields] += loss[k] / fields;
  const auto top = std::max_element(mean.begin(), mean.end()) - mean.begin();
  to.push_back(at_least("mean loss of four fields at its maximum over that at μ = 0.1", 1.2,
                        mean[std::size_t(top)] / mean[0]));
  to.push_back(recorded("μ of the largest mean loss", 0.6, 0.01, mu[std::size_t(top)]));
  io::Figure figure;
  figure.rows.push_back({{{.title = "",
                           .x = {"μ of all cracks"},
                           .y = {"loss of a cycle in mJ/mm"},
                           .curves = {{"", mu, mean, io::Style::line, 0}},
                           .legend = false}},
                         4});
  outcome.figures.push_back({"-mu", figure});
}

Outcome compute() {
  Outcome outcome;
  one_model("fig. 6.4", 2, "", outcome);
  one_model("fig. 6.5", 3, "-6.5", outcome);
  truths(outcome);
  outcome.remark =
      "The two draws of the thesis are not printed; fields of the same distributions (seeds 2 and "
      "3) "
      "take their place, in an infinite plate, so that loops are comparable in shape alone. Loops "
      "are those of the last of one and a half periods.";
  return outcome;
}

// ------------------------------------------------------------------------------------- App. K

Outcome appendix_k() {
  Outcome outcome;
  auto& to = outcome.comparisons;
  for (const auto& [name, seed, suffix] : {std::tuple{"fig. K.1", std::uint64_t{2}, ""},
                                           std::tuple{"fig. K.2", std::uint64_t{3}, "-K.2"}}) {
    const std::vector<CrackLoop> low = all_cases({.seed = seed, .mu = input("mu", 0.1)});
    const std::vector<CrackLoop> high = all_cases({.seed = seed, .mu = 0.2});
    std::vector<io::Panel> panels;
    double least = 1e300;
    for (std::size_t i = 0; i < cases; ++i) {
      const Period p = last_period(low[i]), q = last_period(high[i]);
      const loops::Widening w = loops::widening(p.xi, p.f);
      panels.push_back(panel(i));
      panels.back().curves = {widened(p, w, 0), widened(q, w, 1)};
      least = std::min(least, high[i].loss() / low[i].loss());
    }
    to.push_back(at_least(std::string(name) + ": loss with μ = 0.2 over that with 0.1, least", 1,
                          least, "the red loops are drawn wider"));
    to.push_back(recorded(std::string(name) + ": the same for case 1", seed == 2 ? 1.527 : 1.470,
                          0.01, high[0].loss() / low[0].loss()));
    outcome.figures.push_back({suffix, in_threes(std::move(panels))});
  }
  // The rising branch from rest is straight: nothing changes its state after the first instant.
  for (const double mu : {0.2, 2.0, 5.0}) {
    const CrackLoop loop = crack_loop(crack_cases[1], {.mu = mu});
    double off = 0;
    std::size_t end = 0;
    while (end + 1 < loop.f.size() && loop.f[end + 1] > loop.f[end]) ++end;
    for (std::size_t i = 0; i <= end; ++i)
      off = std::max(off, std::abs(loop.xi[i] - loop.xi[end] * loop.f[i] / loop.f[end]));
    to.push_back(independent(
        "rising branch with μ = " + number_text(mu) + ": largest distance from a straight line / ξ",
        0, 1e-12, off / loop.xi[end], "the thesis found it bent at high μ and suspected its mesh"));
  }
  outcome.remark =
      "Fields of seeds 2 and 3 in the place of models 1 and 2. By homogeneity the way out from the "
      "stress-free state is a straight line for every μ: the curvature that the thesis reports at "
      "high μ is numerical.";
  return outcome;
}

// ------------------------------------------------------------------------------------- App. L

Outcome appendix_l() {
  Outcome outcome;
  auto& to = outcome.comparisons;
  constexpr std::size_t fields = 100;
  const CrackCase& one = crack_cases[3];
  std::vector<double> loss(fields);
  const double load = input("load", 1);
  in_parallel(fields, thread_count(0), [&](std::size_t k) {
    loss[k] = crack_loop(one, {.seed = 1000 + k, .nodes = 4, .amplitude = load}).loss();
  });
  double mean = 0, squares = 0;
  for (const double d : loss) mean += d / fields;
  for (const double d : loss) squares += (d - mean) * (d - mean) / (fields - 1);
  const double spread = std::sqrt(squares) / mean;
  std::vector<double> tens(10, 0.0);
  for (std::size_t k = 0; k < fields; ++k) tens[k / 10] += loss[k] / 10;
  double of_tens = 0;
  for (const double d : tens) of_tens += (d - mean) * (d - mean) / 9;
  to.push_back(
      recorded("mean loss of 100 fields in N", 0.03785, 0.0005, mean, "case 4 of Table 6.1"));
  to.push_back(recorded("their standard deviation / mean", 0.2888, 0.005, spread));
  to.push_back(at_most("standard deviation of means of ten × √10 over that of one field", 1.5,
                       std::sqrt(10 * of_tens) / (spread * mean),
                       "n^(−1/2), on which the estimate of 100 sets rests; ten means leave ±0.24"));
  to.push_back(at_most("standard error of the mean of 100 fields / mean", 0.1, spread / 10,
                       "\"about 100 such sets\" bring the deviation down by a factor of 10"));
  std::vector<double> sorted = loss, rank;
  std::sort(sorted.begin(), sorted.end());
  for (std::size_t k = 0; k < fields; ++k) rank.push_back((double(k) + 0.5) / fields);
  // Fig. L.1: two fields under the twelve cases.
  const std::vector<CrackLoop> first = all_cases({.seed = 2}), second = all_cases({.seed = 3});
  std::vector<double> x, y;
  double off = 0;
  for (std::size_t i = 0; i < cases; ++i) {
    x.push_back(first[i].loss());
    y.push_back(second[i].loss());
    off = std::max(off, std::abs(std::log10(y[i] / x[i])));
  }
  to.push_back(at_most("fig. L.1: largest |log10| of the ratio of the losses of two fields", 0.7,
                       off, "\"they are not very far from such a line\""));
  io::Figure figure;
  const double low = std::min(smallest(x), smallest(y)), high = std::max(largest(x), largest(y));
  figure.rows.push_back({{{.title = "",
                           .x = {"loss in the field of seed 2", true},
                           .y = {"loss in the field of seed 3", true},
                           .curves = {{"", {low, high}, {low, high}, io::Style::solid, 6},
                                      {"", x, y, io::Style::points, 0}},
                           .legend = false},
                          {.title = "100 fields, case 4",
                           .x = {"loss of a cycle"},
                           .y = {"share of the fields"},
                           .curves = {{"", sorted, rank, io::Style::solid, 0}},
                           .legend = false}},
                         5});
  outcome.figures.push_back({"", figure});
  outcome.remark =
      "Fields of the distributions of section 6.2 by seeds 1000 to 1099, four nodes a "
      "crack or more, in an infinite plate.";
  return outcome;
}

}  // namespace biswas2018_fig6_4_parts

Entry biswas2018_fig6_4() {
  using namespace biswas2018_fig6_4_parts;
  return {
      .id = "biswas2018-fig6.4",
      .source = "Biswas 2018, figs 6.2–6.5, Table 6.1, eqs (6.2) and (6.3)",
      .sentence = "Two plates with 32 random frictional cracks under twelve loads, computed here.",
      .compute = compute,
      .mutation = {"side", 1.05},
      .slow = true};
}

Entry biswas2018_app_k() {
  using namespace biswas2018_fig6_4_parts;
  return {.id = "biswas2018-appK",
          .source = "Biswas 2018, figs K.1 and K.2",
          .sentence = "The same friction on all cracks, and straight rising branches.",
          .compute = appendix_k,
          .mutation = {"mu", 1.05},
          .slow = true};
}

Entry biswas2018_app_l() {
  using namespace biswas2018_fig6_4_parts;
  return {.id = "biswas2018-appL",
          .source = "Biswas 2018, fig. L.1",
          .sentence =
              "A hundred random fields: mean and spread of the loss, and two fields under twelve "
              "loads.",
          .compute = appendix_l,
          .mutation = {"load", 1.05},
          .slow = true};
}

}  // namespace microslip::reproduce
