#include <algorithm>
#include <boost/math/distributions/fisher_f.hpp>
#include <cmath>

#include "microslip/core/text.hpp"
#include "microslip/detail/numerics/parallel.hpp"
#include "microslip/loops/loops.hpp"
#include "microslip/loops/widening.hpp"
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
    const double area = side * loops::work(p.xi, p.f);
    worst = std::max(worst, std::abs(area / loops[i].loss() - 1));
    balance = std::max(balance, loops[i].energy_error);
    const loops::Widening w = loops::widening(p.xi, p.f);
    panels.push_back(panel(i));
    panels.back().curves.push_back(widened(p, w, 0));
    const auto& y = panels.back().curves.back().y;
    const double height = largest(y) - smallest(y);
    origin = std::max({origin, std::abs(y.front()) / height, std::abs(y.back()) / height});
  }
  to.push_back(identity(
      name + ": L ∮ f dξ over the friction loss, largest difference from 1", 0, 5e-3, worst,
      "eq. (6.2); ξ follows from the slip by Betti's theorem, so that this is the "
      "energy of the solver once more; the polygon between rows leaves 3e-3"));
  to.push_back(identity(name + ": work, elastic energy and friction loss, largest difference", 0,
                        1e-8, balance, "the solver's own sums"));
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
  to.push_back(equation("loss of twice the load over that of the load", 4, 1e-9,
                        crack_loop(one, {.amplitude = 2}).loss() / base.loss(),
                        "(6.1) with n = 2: there is no internal length"));
  // Each crack alone, in closed form, of which the loss is a sum.
  for (const std::size_t i : {1u, 4u})
    to.push_back(
        independent("case " + std::to_string(i + 1) +
                        ": loss of 32 cracks without interaction over the sum of closed forms",
                    1, 1e-9,
                    crack_loop(crack_cases[i], {.interaction = false}).loss() /
                        loss_alone(crack_cases[i], 2, input("friction in the closed form", 1)),
                    "2π a² μp (τ − μp) τ/((τ + μp) E) of a crack pressed by p and sheared by "
                    "τ > μp, which slides out, sticks and slides back in each period"));
  to.push_back(
      judged("case 2: loss on the finite plate of 10 × 10 mm over that on the infinite one",
             crack_loop(one, {.finite = true}).loss() / base.loss(),
             "the plates of the thesis are finite; edges as 40 elements a side"));
  to.push_back(
      judged("area of a semicircle by the trapezoidal rule through eight Chebyshev points, "
             "relative error",
             4.5 * std::sin(pi / 9) / (pi / 2) - 1,
             "why sums of friction × slip over the same nodes differ by 2 to 3 % where slips "
             "agree: slip ends like a root, which the trapezoidal rule misses and the "
             "weights of Chebyshev's second kind integrate exactly, as the closed forms show"));
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
  to.push_back(judged("mean loss of four fields at its maximum over that at μ = 0.1",
                      mean[std::size_t(top)] / mean[0], "ours: the thesis has μ of 0.1 and 0.2"));
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
  const double step = input("step of the seeds", 1);
  in_parallel(fields, thread_count(0), [&](std::size_t k) {
    const auto seed = 1000 + static_cast<std::uint64_t>(step * double(k));
    loss[k] = crack_loop(one, {.seed = seed, .nodes = 4}).loss();
  });
  double mean = 0, squares = 0;
  for (const double d : loss) mean += d / fields;
  for (const double d : loss) squares += (d - mean) * (d - mean) / (fields - 1);
  const double spread = std::sqrt(squares) / mean;
  std::vector<double> tens(10, 0.0);
  for (std::size_t k = 0; k < fields; ++k) tens[k / 10] += loss[k] / 10;
  double between = 0;  // of ten groups of ten, on 9 degrees of freedom
  for (const double d : tens) between += 10 * (d - mean) * (d - mean);
  const double F = between / 9 / ((squares * (fields - 1) - between) / 90);
  const boost::math::fisher_f of_draws(9, 90);
  to.push_back(
      recorded("mean loss of 100 fields in N", 0.03785, 0.0005, mean, "case 4 of Table 6.1"));
  to.push_back(recorded("their standard deviation / mean", 0.2888, 0.005, spread));
  // Means of ten scatter like n^(−1/2), on which the estimate of 100 sets rests.
  const char* draws =
      "\"converge like n^(−1/2)\": 1 on average; 98 of 100 draws lie between the bounds, which are "
      "those of Fisher's distribution with 9 and 90 degrees of freedom";
  const std::string ratio = "variance of means of ten, times 10, over that of single fields: ";
  to.push_back(at_most(ratio + "not above", quantile(of_draws, 0.99), F, draws));
  to.push_back(at_least(ratio + "not below", quantile(of_draws, 0.01), F, draws));
  to.push_back(
      judged("standard error of the mean of 100 fields / mean", spread / 10,
             "\"about 100 such sets\" bring the deviation down by a factor of 10, which is "
             "√100 whatever the loss"));
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
  to.push_back(judged("fig. L.1: largest |log10| of the ratio of the losses of two fields", off,
                      "\"they are not very far from such a line\""));
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
      .mutation = {"friction in the closed form", 1.05,
                   "case 2: loss of 32 cracks without interaction over the sum of closed forms"},
      .slow = true};
}

Entry biswas2018_app_k() {
  using namespace biswas2018_fig6_4_parts;
  return {.id = "biswas2018-appK",
          .source = "Biswas 2018, figs K.1 and K.2",
          .sentence = "The same friction on all cracks, and straight rising branches.",
          .compute = appendix_k,
          .mutation = {"mu", 2.2, "fig. K.1: loss with μ = 0.2 over that with 0.1, least"},
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
          .mutation = {"step of the seeds", 0.1,
                       "variance of means of ten, times 10, over that of single fields: not above"},
          .slow = true};
}

}  // namespace microslip::reproduce
