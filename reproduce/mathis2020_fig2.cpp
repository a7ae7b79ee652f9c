#include <algorithm>
#include <cmath>

#include "support.hpp"

// Masing's hypothesis (2)–(3): a branch that leaves the backbone F = g(u) at (u*, F*) follows
// (F − F*)/2 = g((u − u*)/2). The figure names no backbone: tanh, with u* = 1.

namespace microslip::reproduce {
namespace mathis2020_fig2_parts {

const ModelSpec smooth{"masing-backbone", {{"g", std::string("tanh(u)")}}, {}};

/// Largest violation of (3) on the way down from u* = 1.
double violation(const ModelSpec& law) {
  double worst = 0;
  for (const double u : spaced(0.9, -1, 19)) {
    const Run down = simulate(law, {1, u});
    const Run backbone = simulate(law, {(1 - u) / 2});
    worst = std::max(worst,
                     std::abs((down.history.f[1] - down.history.f[0]) / 2 + backbone.history.f[0]));
  }
  return worst;
}

Outcome compute() {
  std::vector<double> rows = spaced(0, 1, 100);
  for (const double u : spaced(1, -1, 200)) rows.push_back(u);
  for (const double u : spaced(-1, 1, 200)) rows.push_back(u);
  const Run run = simulate(smooth, rows);
  const Run corners = simulate(smooth, {1, 0, -1, 1});
  const Run bouc = simulate({"bouc", {{"A", 1.0}, {"alpha", 1.0}, {"k", 0.0}}, {}}, {1, -1});
  const double top = std::tanh(1.0);
  Outcome out;
  out.comparisons = {
      equation("(2): F* on the backbone, g(u*)", top, 1e-13, corners.history.f[0]),
      equation("(3): force at u = 0, unloading, F* − 2 g(1/2)", top - 2 * std::tanh(0.5), 1e-13,
               corners.history.f[1]),
      equation("(3): force at u = −u*, −F*", -top, 1e-13, corners.history.f[2]),
      equation("(3): the loop closes at (u*, F*)", top, 1e-13, corners.history.f[3]),
      equation("(3) along the branch, largest violation", 0, 1e-13, violation(smooth)),
      independent("energy per cycle, 4 (2 ln cosh 1 − tanh 1)",
                  4 * (2 * std::log(std::cosh(1.0)) - top), 1e-11, corners.work(0, 3)),
      independent("(3) for iwan4, largest violation", 0, 1e-13, violation({"iwan4", {}, {}})),
      independent("(3) for masing, largest violation", 0, 1e-13, violation({"masing", {}, {}})),
      // Down from 1 − 1/e it is z = −1 + (2 − 1/e) exp(−(1 − u)).
      independent("(3) for bouc with A = α = 1, k = 0: force at u = −1 misses −F* by",
                  std::exp(-1.0) - (2 - std::exp(-1.0)) * std::exp(-2.0), 1e-13,
                  -bouc.history.f[1] - bouc.history.f[0], "Bouc's law breaks the hypothesis."),
  };
  io::Curve backbone = pieces(run, "backbone", [](std::size_t row) { return row <= 100; });
  backbone.style = io::Style::dashed;
  out.figures = {
      {"",
       {"", {{{{"", {"displacement u"}, {"force F"}, {loop(run, "branches"), backbone}}}, 8}}}}};
  out.remark =
      "The figure is a drawing without numbers; the equations (2) and (3) are what is met.";
  return out;
}

}  // namespace mathis2020_fig2_parts

Entry mathis2020_fig2() {
  using namespace mathis2020_fig2_parts;
  return {
      "mathis2020-fig2",
      "Mathis et al. (2020), fig. 2, eqs (2)–(3)",
      "Masing's hypothesis: branches are the doubled backbone.",
      compute,
      {"bouc.alpha", 1.05, "(3) for bouc with A = α = 1, k = 0: force at u = −1 misses −F* by"}};
}

}  // namespace microslip::reproduce
