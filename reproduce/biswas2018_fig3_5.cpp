#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "microslip/detail/numerics/canonical_form.hpp"
#include "microslip/friction/builders.hpp"
#include "microslip/reduce/reduced_sliders.hpp"
#include "support.hpp"

// Loops of the two-state model that stands for 500 parallel sliders, for two values of α. Two ways
// to each: our own b̄ and Ā as the law m-state, and the printed ones, turned to the axes of Ā, as
// the law two-state.

namespace microslip::reproduce {
namespace biswas2018_fig3_5_parts {

constexpr const char* motion = "0.6748*sin(t) + 0.2887*sin(6.5581*t)";
constexpr double until = 12, mu0 = 0.002, stiffness = 1.0 / 500;
constexpr std::size_t rows = 12000;

struct Case {
  std::string name;
  double alpha;
  Eigen::Vector2d b;
  Eigen::Matrix2d A;  // of μ0 = 1, as printed
};

std::vector<Case> cases() {
  Eigen::Matrix2d first, second;
  first << 24.8170, -10.0836, -10.0836, 6.2967;
  second << 11.1372, -4.5175, -4.5175, 2.8222;
  return {{"α = 0.0008", 0.0008, {0.0326, 0.0068}, first},
          {"α = 0.0012", 0.0012, {0.0285, 0.0059}, second}};
}

/// In the axes of A and divided by its larger half axis squared, which changes nothing.
ModelSpec from_print(const Case& one, const std::string& method) {
  const EigenPairs axes = symmetric_eigen_pairs(mu0 * mu0 * one.A);
  const double mu = axes.values[1];
  const Eigen::Vector2d b = axes.vectors.transpose() * one.b / std::sqrt(mu);
  return two_state(stiffness / mu, axes.values[0] / mu, std::abs(b[0]), std::abs(b[1]), method);
}

ModelSpec from_sliders(const Case& one) {
  const auto p =
      reduce::project(friction::iwan_system(500, mu0), reduce::analytic_modes(500, 2, one.alpha));
  return reduce::reduced_model(p, reduce::Shape::m_state, {.minus_bx = true}, 0,
                               {.directions = 10000})
      .spec;
}

/// How far the force is from where a minor loop began when the displacement is back there: the
/// largest over all excursions, relative to the range of the force.
double largest_miss(const Run& run) {
  const auto &u = run.history.u, &f = run.history.f;
  const auto turns = run.turns();
  double worst = 0;
  for (std::size_t i = 0; i + 2 < turns.size(); ++i) {
    const double begin = u[turns[i]], inner = u[turns[i + 1]], beyond = u[turns[i + 2]];
    if ((beyond - begin) * (begin - inner) <= 0) continue;  // it is not reached again
    std::size_t row = turns[i + 1];
    while ((u[row] - begin) * (begin - inner) < 0) ++row;
    const double part = (begin - u[row - 1]) / (u[row] - u[row - 1]);
    const double back = f[row - 1] + part * (f[row] - f[row - 1]);
    worst = std::max(worst, std::abs(back - f[turns[i]]));
  }
  return worst / (largest(f) - smallest(f));
}

Outcome compute() {
  Outcome out;
  auto& to = out.comparisons;
  std::vector<io::Panel> panels;
  std::vector<Run> exact, map;
  for (const Case& one : cases()) {
    const Run ours = simulate_uniform(from_sliders(one), motion, until, rows);
    exact.push_back(simulate_uniform(from_print(one, "exact"), motion, until, rows));
    map.push_back(simulate_uniform(from_print(one, "incremental"), motion, until, rows));
    const Run& printed_run = exact.back();
    const double force = largest(printed_run.history.f);

    const double yield = mu0 / std::sqrt(one.b.dot(one.A.inverse() * one.b));
    std::size_t row = 0;
    while (std::abs(printed_run.history.f[row] - printed_run.history.u[row]) < 1e-12) ++row;
    to.push_back(independent(one.name + ": displacement of first slip, (b̄ᵀA⁻¹b̄)^(−½), to a row",
                             yield, 0.003, printed_run.history.u[row]));
    // b̄ is printed with three digits.
    to.push_back(independent(one.name + ": printed against our own b̄ and Ā, over the largest force",
                             0, 0.01,
                             largest_difference(ours.history.f, printed_run.history.f) / force));
    to.push_back(independent(
        one.name + ": map of section 3.3.5 against the exact path, over the largest force", 0, 0.01,
        largest_difference(map.back().history.f, printed_run.history.f) / force));
    // A law with return-point memory, as the sliders have, gives 0.
    to.push_back(judged(one.name + ": largest opening of the minor loops over the range",
                        largest_miss(printed_run), "the text: minor loops are captured"));
    panels.push_back(
        {one.name, {"displacement u"}, {"force f"}, {loop(printed_run, "two states")}});
    panels.back().curves[0].style = io::Style::solid;
  }
  const double apart = largest_difference(exact[0].history.f, exact[1].history.f);
  to.push_back(independent("largest difference of the two loops, exact and by the map",
                           largest_difference(map[0].history.f, map[1].history.f), 1e-3, apart));
  to.push_back(judged("the loops depend on α: their difference over the largest force",
                      apart / largest(exact[0].history.f), "the text: the fit depends on α"));
  out.figures = {{"", {"", {{panels, 6.5}}}}};
  out.remark =
      "n = 500, μ0 = 0.002, ks = 0, u(t) of eq. (3.6); the text prints b̄ and Ā (see "
      "biswas2018-sec3.3) and no number of the loops. It says that both capture minor loops and "
      "that the loops depend on α: they differ by 0.075, an eighth of the largest force, and minor "
      "loops stay open by 3 to 7 % of the range, because the law has no return-point memory. Fig. "
      "5 of Biswas and Chatterjee, Royal Society Open Science 2 (2015) 150188, is the same.";
  return out;
}

}  // namespace biswas2018_fig3_5_parts

Entry biswas2018_fig3_5() {
  using namespace biswas2018_fig3_5_parts;
  return {"biswas2018-fig3.5",
          "Biswas (2018), fig. 3.5, section 3.3.5; Biswas and Chatterjee (2015), fig. 5",
          "The two-state model of 500 parallel sliders: loops for two values of α.",
          compute,
          {"two-state.alpha", 1.05,
           "α = 0.0008: printed against our own b̄ and Ā, over the largest force"},
          "biswas2015-fig5"};
}

}  // namespace microslip::reproduce
