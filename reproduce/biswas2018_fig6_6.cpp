#include <algorithm>
#include <cmath>

#include "support.hpp"

// Three laws for an elastic body with microcracks, f against x for x = sin t: Reid's, Muravskii's
// and the pinched law (6.4)–(6.5), θ' = K0/(|x|+ε) (θm + β sgn(x x') − θ)|x'|, f = θ x.

namespace microslip::reproduce {
namespace biswas2018_fig6_6_parts {

constexpr double k = 2, eta = 0.9, ku = 11, K0 = 4, theta_m = 2, beta = 1.8, eps = 1e-4;

const ModelSpec reid{"reid", {{"k", k}, {"eta", eta}}, {}};
const ModelSpec muravskii{"muravskii", {{"k", k}, {"eta", eta}, {"ku", ku}}, {}};
const ModelSpec pinched{
    "pinched", {{"K0", K0}, {"theta_m", theta_m}, {"beta", beta}, {"eps", eps}}, {}};

double cycle_energy(const Run& run) { return run.work(run.row_at(2 * pi), run.row_at(4 * pi)); }

/// θ on the way back from x = 1 in the steady cycle, from the solution on a leg.
double returning_force(double x) {
  const double r = std::pow(eps / (1 + eps), K0);
  const double top = theta_m - beta + 2 * beta / (1 + r), low = theta_m - beta;
  return (low + (top - low) * std::pow((x + eps) / (1 + eps), K0)) * x;
}

/// Largest |f(x) + f(−x)| of two half-cycles.
double asymmetry(const Run& run) {
  const std::size_t half = run.row_at(3 * pi) - run.row_at(2 * pi), from = run.row_at(2 * pi);
  double worst = 0;
  for (std::size_t i = from; i < from + half; ++i)
    worst = std::max(worst, std::abs(run.history.f[i] + run.history.f[i + half]));
  return worst;
}

double least_power(const Run& run) {
  double least = 0;
  for (std::size_t i = 0; i < run.t.size(); ++i)
    least = std::min(least, run.history.f[i] * run.history.u[i]);
  return least;
}

Outcome compute() {
  const double step = pi / 600;
  const Run a = simulate(reid, "sin(t)", 4 * pi, step);
  const Run b = simulate(muravskii, "sin(t)", 4 * pi, step);
  const Run c = simulate(pinched, "sin(t)", 4 * pi, step);
  const Run back = simulate(pinched, {1, -1, 1, 0.75, 0.5, 0.25, 0});
  // Just before and after the reversal at x = 1.
  const Run jump = simulate(reid, {1, 1 - 1e-12});
  const Run no_jump = simulate(pinched, {1, 1 - 1e-12});
  const double meeting = (ku - k * (1 + eta)) / (ku - k * (1 - eta));

  Outcome out;
  out.comparisons = {
      independent("(a) reid: jump of the force at a reversal, 2 k η x_m", 2 * k * eta, 1e-10,
                  jump.history.f[0] - jump.history.f[1]),
      independent("(a) reid: energy per cycle, 2 k η x_m²", 2 * k * eta, 1e-12, cycle_energy(a)),
      independent("(b) muravskii: energy per cycle, 2 k η x_m x_1", 2 * k * eta * meeting, 1e-12,
                  cycle_energy(b),
                  "x_1 = 2/3 is where unloading with slope ku meets the lower line."),
      independent("(c) pinched: force at x = 1, k(1 + η)", k * (1 + eta), 1e-12,
                  largest(c.history.f)),
      independent("(c) pinched: energy per steady cycle", 2.3999039904, 1e-9, cycle_energy(c),
                  "The closed form of biswas2018-pinched-energy."),
      independent("(c) pinched: jump of the force at a reversal", 0, 1e-10,
                  no_jump.history.f[0] - no_jump.history.f[1]),
      independent("(c) pinched: f(x) + f(−x) in the second cycle, largest", 0, 1e-12, asymmetry(c)),
      independent("(c) pinched: f x, smallest: quadrants I and III only", 0, 1e-15, least_power(c)),
  };
  for (const auto& [row, x] : {std::pair{3, 0.75}, {4, 0.5}, {5, 0.25}, {6, 0.0}})
    out.comparisons.push_back(
        independent("(c) pinched: returning, force at x = " + std::to_string(x), returning_force(x),
                    1e-12, back.history.f[static_cast<std::size_t>(row)]));
  const io::Axis x{"displacement x"}, f{"force f"};
  out.figures = {{"",
                  {"",
                   {{{{"(a) Reid", x, f, {loop(a)}},
                      {"(b) Muravskii", x, f, {loop(b)}},
                      {"(c) pinched", x, f, {loop(c)}}},
                     6}}}}};
  out.remark =
      "Printed are the parameters of (c) alone, and curves without numbers. Ours: amplitude 1; "
      "k = 2, η = 0.9 in (a) and (b), which gives the slopes θm ± β of (c); ku = 11 in (b), which "
      "gives the energy of (c) for ε → 0. The rule behind (b) is our continuous reading of a "
      "sketch.";
  return out;
}

}  // namespace biswas2018_fig6_6_parts

Entry biswas2018_fig6_6() {
  using namespace biswas2018_fig6_6_parts;
  return {"biswas2018-fig6.6",
          "Biswas (2018), fig. 6.6, eqs (6.4)–(6.5)",
          "Reid's, Muravskii's and the pinched law: pinched loops with and without jumps.",
          compute,
          {"pinched.K0", 1.05, "(c) pinched: energy per steady cycle"}};
}

}  // namespace microslip::reproduce
