#include "support.hpp"

// Prager element (50): F = k u + φ sgn u̇. Prandtl element (51)–(52): the law `jenkins`.
// Printed: k = φ = 0.5, unit amplitude.

namespace microslip::reproduce {
namespace mathis2020_fig13_parts {

constexpr double k = 0.5, phi = 0.5, amplitude = 1;

ModelSpec prandtl(double stiffness) { return {"jenkins", {{"k", stiffness}, {"phi", phi}}, {}}; }

double cycle_energy(const Run& run) { return run.work(run.row_at(2 * pi), run.row_at(4 * pi)); }

/// The element is set-valued at u̇ = 0, so the steady cycle has rows just beside each turning point.
Run prager_cycle() {
  const double beside = amplitude * (1 - 1e-12);
  return simulate({"prager", {{"k", k}, {"phi", phi}}, {}},
                  {amplitude, beside, -amplitude, -beside, amplitude, beside, -amplitude});
}

Outcome compute() {
  const Run prager = prager_cycle();
  const auto& f = prager.history.f;
  const Run as_printed = simulate(prandtl(k), "sin(t)", 4 * pi, pi / 600);
  const Run stiffer = simulate(prandtl(1), "sin(t)", 4 * pi, pi / 600);
  const auto turns = stiffer.turns();

  Outcome out;
  out.comparisons = {
      equation("(a) Prager: force before the reversal, k U + φ", k * amplitude + phi, 1e-14, f[0]),
      equation("(a) Prager: force after the reversal, k U − φ", k * amplitude - phi, 1e-11, f[1]),
      independent("(a) Prager: energy per cycle, 4φU", 4 * phi * amplitude, 1e-13,
                  prager.work(2, 6)),
      equation("(b) Prandtl as printed: force at u = 1, kU", k * amplitude, 1e-14,
               largest(as_printed.history.f)),
      differs(at_least("(b) Prandtl as printed: energy per cycle of the hysteresis loop", 1e-6,
                       cycle_energy(as_printed)),
              "the caption and the curve show a loop; with the printed k = φ = 0.5 the slip "
              "displacement φ/k equals the amplitude and there is none"),
      independent("(b) Prandtl with k = 1: energy per cycle, 4φ(U − φ/k)",
                  4 * phi * (amplitude - phi), 1e-13, cycle_energy(stiffer)),
      independent("(b) Prandtl with k = 1: force at u = 1", phi, 1e-14,
                  stiffer.history.f[turns[2]]),
      independent("(b) Prandtl with k = 1: force at u = 0, unloading", -phi, 1e-13,
                  stiffer.history.f[stiffer.row_at(3 * pi)]),
      independent("(b) Prandtl with k = 1: force at u = 0, loading", phi, 1e-13,
                  stiffer.history.f[stiffer.row_at(4 * pi)]),
  };
  io::Curve dashed = loop(as_printed, "k = 0.5");
  dashed.style = io::Style::dashed;
  const io::Axis x{"displacement u"}, y{"force F"};
  out.figures = {{"",
                  {"",
                   {{{{"(a) Prager", x, y, {loop(prager)}},
                      {"(b) Prandtl", x, y, {loop(stiffer, "k = 1"), dashed}}},
                     6}}}}};
  out.remark =
      "The curves are not printed as numbers. With the printed k = φ = 0.5 and unit amplitude the "
      "Prandtl element only just does not slip, so it shows no loop, although the caption speaks "
      "of "
      "a hysteresis curve: the source contradicts itself. k = 1 is our choice to show one.";
  return out;
}

}  // namespace mathis2020_fig13_parts

Entry mathis2020_fig13() {
  using namespace mathis2020_fig13_parts;
  return {"mathis2020-fig13",
          "Mathis et al. (2020), fig. 13, eqs (50)–(52)",
          "Loops of a Prager and of a Prandtl element.",
          compute,
          {"prager.phi", 1.05, "(a) Prager: force before the reversal, k U + φ"}};
}

}  // namespace microslip::reproduce
