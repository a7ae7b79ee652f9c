#include <cmath>

#include "support.hpp"

// Bouc's law (22) is Bouc–Wen with n = 1 and no γ. Plotted is z.

namespace microslip::reproduce {
namespace mathis2020_fig8_parts {

constexpr double A = 1, alpha = 0.75;

/// (27), its constants from continuity at each reversal.
std::vector<double> printed_solution(const std::vector<double>& u) {
  std::vector<double> z{0};
  double d = 0, constant = 0;
  for (std::size_t i = 1; i < u.size(); ++i) {
    const double direction = u[i] > u[i - 1] ? 1 : -1;
    if (direction != d) {
      d = direction;
      constant = (A - d * alpha * z.back()) * std::exp(d * alpha * u[i - 1]);
    }
    z.push_back(-d / alpha * (constant * std::exp(-d * alpha * u[i]) - A));
  }
  return z;
}

Outcome compute() {
  const ModelSpec law = bouc_wen(A, alpha, 0, 1);
  const Run run = simulate(law, "sin(t)", 2.5 * pi, pi / 1000);
  const Run steady = simulate(law, "sin(t)", 42 * pi, pi / 100);
  const auto& f = run.history.f;
  const std::size_t first = run.row_at(0.5 * pi), second = run.row_at(1.5 * pi), end = f.size() - 1;
  const double limit = A / alpha * std::tanh(alpha);

  const std::vector<double> by_print = printed_solution(run.history.u);
  double off_backbone = 0;
  for (std::size_t i = 0; i <= first; ++i)
    off_backbone = std::max(off_backbone,
                            std::abs(f[i] - A / alpha * (1 - std::exp(-alpha * run.history.u[i]))));

  Outcome out;
  out.comparisons = {
      equation("largest deviation from the backbone (29)", 0, 1e-13, off_backbone),
      equation("largest deviation from the branches (27)", 0, 1e-13,
               largest_difference(f, by_print)),
      equation("z at t = 3π/2, u = −1, by (27)", by_print[second], 1e-12, f[second]),
      equation("what the loop misses to close after one period, by (27)",
               by_print[end] - by_print[first], 1e-12, f[end] - f[first]),
      independent("z at u = 1 after many periods, (A/α) tanh α", limit, 1e-12,
                  steady.history.f[steady.row_at(40.5 * pi)]),
      independent("energy of a steady cycle, 4(A/α)(1 − tanh(α)/α)",
                  4 * A / alpha * (1 - std::tanh(alpha) / alpha), 1e-12,
                  steady.work(steady.row_at(40 * pi), steady.row_at(42 * pi))),
  };
  const auto rises = [&](std::size_t i) { return run.history.u[i] > run.history.u[i - 1]; };
  const auto falls = [&](std::size_t i) { return !rises(i); };
  out.figures = {{"",
                  {"",
                   {{{{"",
                       {"displacement u"},
                       {"z"},
                       {pieces(run, "u̇ > 0", rises), pieces(run, "u̇ < 0", falls)}}},
                     8}},
                   12}}};
  out.remark =
      "The caption gives A and α; k is not printed, and the plotted quantity is taken to be z. The "
      "printed solutions are the closed forms (27) and (29).";
  return out;
}

}  // namespace mathis2020_fig8_parts

Entry mathis2020_fig8() {
  using namespace mathis2020_fig8_parts;
  return {"mathis2020-fig8",
          "Mathis et al. (2020), fig. 8, eqs (22)–(29)",
          "Loop of Bouc's law over one and a quarter periods.",
          compute,
          {"bouc-wen.beta", 1.05, "largest deviation from the backbone (29)"}};
}

}  // namespace microslip::reproduce
