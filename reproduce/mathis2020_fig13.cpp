#include "support.hpp"

// Prager element (50): F = k u + φ sgn u̇. Prandtl element (51)–(52): the law `jenkins`.
// Printed: k = φ = 0.5, unit amplitude.

namespace microslip::reproduce {
namespace {

constexpr double k = 0.5, phi = 0.5, amplitude = 1;

ModelSpec prandtl(double stiffness) { return {"jenkins", {{"k", stiffness}, {"phi", phi}}, {}}; }

double cycle_energy(const Run& run) { return run.work(run.row_at(2 * pi), run.row_at(4 * pi)); }

/// The element is set-valued at u̇ = 0, so each turning point appears with two forces.
struct PragerCycle {
  std::vector<double> u{-amplitude, amplitude, amplitude, -amplitude, -amplitude};
  std::vector<double> f;
  double energy = 0;

  PragerCycle() {
    const double direction[] = {1, 1, -1, -1, 1};
    for (std::size_t i = 0; i < u.size(); ++i) f.push_back(k * u[i] + phi * direction[i]);
    // Trapezoids are exact on straight lines.
    for (std::size_t i = 1; i < u.size(); ++i)
      energy += 0.5 * (f[i] + f[i - 1]) * (u[i] - u[i - 1]);
  }
};

Outcome compute() {
  const PragerCycle prager;
  const Run as_printed = simulate(prandtl(k), "sin(t)", 4 * pi, pi / 600);
  const Run stiffer = simulate(prandtl(1), "sin(t)", 4 * pi, pi / 600);
  const auto turns = stiffer.turns();

  Outcome out;
  out.comparisons = {
      derived("(a) Prager: energy per cycle, 4φU", 4 * phi * amplitude, 1e-14, prager.energy),
      derived("(a) Prager: jump of the force at a reversal, 2φ", 2 * phi, 1e-14,
              prager.f[1] - prager.f[2]),
      derived("(b) Prandtl as printed: force at u = 1, kU", k * amplitude, 1e-14,
              largest(as_printed.history.f)),
      derived("(b) Prandtl as printed: energy per cycle", 0, 1e-14, cycle_energy(as_printed),
              "The slip displacement φ/k equals the amplitude."),
      derived("(b) Prandtl with k = 1: energy per cycle, 4φ(U − φ/k)", 4 * phi * (amplitude - phi),
              1e-13, cycle_energy(stiffer)),
      derived("(b) Prandtl with k = 1: force at u = 1", phi, 1e-14, stiffer.history.f[turns[2]]),
      derived("(b) Prandtl with k = 1: force at u = 0, unloading", -phi, 1e-13,
              stiffer.history.f[stiffer.row_at(3 * pi)]),
      derived("(b) Prandtl with k = 1: force at u = 0, loading", phi, 1e-13,
              stiffer.history.f[stiffer.row_at(4 * pi)]),
  };
  io::Curve dashed = loop(as_printed, "k = 0.5");
  dashed.style = io::Style::dashed;
  const io::Axis u{"displacement u"}, f{"force F"};
  out.figures = {{"",
                  {"",
                   {{{{"(a) Prager", u, f, {{"", prager.u, prager.f, io::Style::solid}}},
                      {"(b) Prandtl", u, f, {loop(stiffer, "k = 1"), dashed}}},
                     6}}}}};
  out.remark =
      "The curves are not printed as numbers. With the printed k = φ = 0.5 and unit amplitude the "
      "Prandtl element only just does not slip, so it shows no loop, although the caption speaks "
      "of "
      "a hysteresis curve: the source contradicts itself. k = 1 is our choice to show one.";
  return out;
}

}  // namespace

Entry mathis2020_fig13() {
  return {"mathis2020-fig13", "Mathis et al. (2020), fig. 13, eqs (50)–(52)",
          "Loops of a Prager and of a Prandtl element.", compute};
}

}  // namespace microslip::reproduce
