#include <cmath>

#include "support.hpp"

// Bouc–Wen driven by force: minor loops stay open and the response drifts sideways.
// bouc_wen_displacement() is the second way: u(z) of a leg in closed form.

namespace microslip::reproduce {
namespace biswas2018_fig2_1_parts {

/// How far apart the displacements of equal forces are after an excursion of the force.
double opening(const ModelSpec& law, double peak, double dip) {
  const Run run = simulate(law, {peak, dip, peak}, Drive::force);
  return run.history.u[2] - run.history.u[0];
}

Outcome compute() {
  const Run run = simulate(bouc_wen(1, 0.8, 0.5, 2), "0.619*(sin(t) + 0.4*sin(4.16753*t))", 40,
                           2 * pi / 1000, Drive::force);
  const auto turns = run.turns();
  const auto& u = run.history.u;
  const std::vector<double> peaks = at(run.history.f, turns);

  Outcome out;
  auto& to = out.comparisons;
  const std::vector<double> closed = bouc_wen_displacement(1, 0.8, 0.5, 2, run.driven());
  auto first = turns;
  first.resize(8);
  append(to, independent, "displacement at turning point", at(closed, first), 1e-9, at(u, first));
  to.push_back(independent("largest difference to the closed form of u(z)", 0, 1e-9,
                           largest_difference(u, closed)));
  const double open = opening(bouc_wen(1, 0.8, 0.5, 2), peaks[0], peaks[1]);
  const auto excursion = bouc_wen_displacement(1, 0.8, 0.5, 2, {peaks[0], peaks[1], peaks[0]});
  to.push_back(independent("opening of the first minor loop, closed form of u(z)",
                           excursion[2] - excursion[0], 1e-10, open));
  to.push_back(at_least("minor loops do not close: opening of the first one over its width", 1e-6,
                        open / std::abs(u[turns[0]] - u[turns[1]]),
                        "a loop that closes misses by rounding"));
  to.push_back(judged("loops slide sideways: middle of the range of u",
                      (largest(u) + smallest(u)) / 2, "z swings evenly about 0; drawn"));
  to.push_back(independent("the same excursion with iwan4, which closes", 0, 1e-12,
                           opening({"iwan4", {}, {}}, peaks[0], peaks[1])));
  out.headline = "largest difference to the closed form of u(z)";

  out.figures = {{"", {"", {{{{"", {"u"}, {"z"}, {loop(run)}}}, 8}}, 12}}};
  out.remark =
      "Parameters and z(t) are printed, numbers of the response are not. The text says that minor "
      "loops do not close and that loops slide sideways: the first one misses closure by 0.07, and "
      "the middle of the range of u lies at 1.16 although z swings evenly about 0. The duration 40 "
      "is our choice.";
  return out;
}

}  // namespace biswas2018_fig2_1_parts

Entry biswas2018_fig2_1() {
  using namespace biswas2018_fig2_1_parts;
  return {"biswas2018-fig2.1",
          "Biswas (2018), fig. 2.1, eq. (2.1)",
          "Bouc–Wen under a two-frequency force: open minor loops and drift.",
          compute,
          {"bouc-wen.gamma", 1.05, "displacement at turning point 1"}};
}

}  // namespace microslip::reproduce
