#include <algorithm>
#include <cmath>

#include "support.hpp"

// dz/du = 1 − |z|^η (β sgn(u' z) + γ), (6), with β + γ = 1 and amplitude 2.

namespace microslip::reproduce {
namespace gavin2018_fig2_parts {

struct Shape {
  double beta, gamma, eta, top, energy;
};

// Steady |z| at u = ±2 from the closed forms of a leg, energy by quadrature, tests/reference/bouc_wen.py.
constexpr Shape shapes[] = {
    {0.5, 0.5, 1, 0.952521508975, 3.28261673}, {0.75, 0.25, 1, 0.959884553930, 3.80870501},
    {0.9, 0.1, 1, 0.962604925761, 4.02516968}, {1, 0, 1, 0.964027580076, 4.14388967},
    {0.5, 0.5, 2, 0.995102834622, 3.63817348}, {0.75, 0.25, 2, 0.996200882928, 4.07587282},
    {0.9, 0.1, 2, 0.996588610223, 4.25825185}, {1, 0, 2, 0.996788062220, 4.35940567}};

/// Work done from rest to u = 0.5 and back to z = 0 with β = −0.25, γ = 1.25, η = 1, which the
/// printed condition γ > 0, −γ < β < γ allows. The law refuses it, so from its two solutions:
/// loading z = 1 − e^(−u); unloading dz/du = 1 − 1.5 z.
double created_energy() {
  const double u = 0.5, z = 1 - std::exp(-u);
  const double loading = u - (1 - std::exp(-u));  // ∫ z du
  // x back from u: dz/dx = −(1 − 1.5 z), z = 2/3 + (z0 − 2/3) e^(1.5 x), zero after `way`.
  const double way = std::log((2.0 / 3) / (2.0 / 3 - z)) / 1.5;
  const double unloading = 2.0 / 3 * way + (z - 2.0 / 3) * std::expm1(1.5 * way) / 1.5;
  return unloading - loading;
}

/// The same from equation (6) by the classical Runge–Kutta method, z and ∫ z du together.
double created_energy_by_steps() {
  constexpr int steps = 20000;
  double z = 0, work = 0;
  const auto go = [&](double du, auto slope) {
    const double k1 = slope(z), k2 = slope(z + du / 2 * k1), k3 = slope(z + du / 2 * k2),
                 k4 = slope(z + du * k3);
    const double next = z + du / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    const double middle = (z + next) / 2 - du / 8 * (slope(next) - slope(z));
    work += du / 6 * (z + 4 * middle + next);
    z = next;
  };
  const double beta = -0.25, gamma = 1.25;
  for (int i = 0; i < steps; ++i) go(0.5 / steps, [&](double x) { return 1 - x * (gamma + beta); });
  const auto back = [&](double x) { return 1 - x * (gamma - beta); };
  while (z > 1e-4) go(-1e-4 / 2, back);
  while (z > 1e-12) go(-z, back);  // Newton: the slope is 1 at z = 0
  return -work;
}

Outcome compute() {
  Outcome out;
  std::vector<io::Panel> panels(2);
  double highest = 0;
  for (const Shape& s : shapes) {
    const ModelSpec law = bouc_wen(1, s.beta, s.gamma, s.eta);
    std::vector<double> rows;
    for (int i = 0; i < 24; ++i) rows.push_back(i % 2 == 0 ? 2 : -2);
    const Run steady = simulate(law, rows);
    char name[48];
    std::snprintf(name, sizeof name, "β = %g, γ = %g", s.beta, s.gamma);
    const std::string what =
        std::string(name) + ", η = " + std::to_string(static_cast<int>(s.eta)) + ": ";
    out.comparisons.push_back(
        independent(what + "steady |z| at u = 2", s.top, 1e-11, std::abs(steady.history.f.back())));
    out.comparisons.push_back(
        independent(what + "energy per cycle", s.energy, 2e-8, steady.work(21, 23)));
    highest = std::max(highest, largest(steady.history.f));
    if (s.beta == 0.9) continue;
    auto& panel = panels[s.eta == 1 ? 0 : 1];
    panel.title = s.eta == 1 ? "η = 1" : "η = 2";
    panel.x.label = "displacement u";
    panel.y.label = "z";
    panel.curves.push_back(loop(simulate(law, "2*sin(t)", 6 * pi, pi / 300), name));
  }
  out.comparisons.push_back(at_most("β + γ = 1 keeps |z| below 1: largest |z|", 1, highest));
  const Run straight = simulate(bouc_wen(1, 0.5, 0.5, 2), {2, 1.5, 1.2});
  out.comparisons.push_back(independent("γ = β: unloading has slope 1", 1, 1e-13,
                                        (straight.history.f[0] - straight.history.f[2]) / 0.8));
  out.comparisons.push_back(independent(
      "energy created from rest to z = 0, β = −0.25, γ = 1.25, η = 1", created_energy(), 1e-10,
      created_energy_by_steps(), "Allowed by the printed condition γ > 0, −γ < β < γ."));
  out.figures = {{"", {"", {{panels, 6}}}}};
  out.remark =
      "The values in the picture are not in the text; those here are ours. The printed condition "
      "for admissible β, γ has their roles exchanged: β > 0, |γ| ≤ β is right, and the last number "
      "is energy that the printed one would create.";
  return out;
}

}  // namespace gavin2018_fig2_parts

Entry gavin2018_fig2() {
  using namespace gavin2018_fig2_parts;
  return {"gavin2018-fig2",
          "Gavin (2018), fig. 2, eq. (6)",
          "How β, γ and η shape the loop; a witness against the printed condition.",
          compute,
          {"bouc-wen.beta", 1.05, "β = 0.5, γ = 0.5, η = 1: steady |z| at u = 2"}};
}

}  // namespace microslip::reproduce
