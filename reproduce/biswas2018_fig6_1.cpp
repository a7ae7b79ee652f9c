#include <cmath>

#include "biswas2018_six_state.hpp"
#include "support.hpp"

// Parts (b) and (d): Bouc–Wen with n = 1; (c) and (e): the six-state model of chapter 2. Part (a) is
// a measurement, (f) is a sketch.

namespace microslip::reproduce {
namespace biswas2018_fig6_1_parts {

Outcome compute() {
  const double A = 1.2, beta = 0.6, gamma = 0.45;
  const ModelSpec law = bouc_wen(A, beta, gamma, 1);
  const Run one = simulate(law, "sin(t)", 6 * pi, pi / 1000, Drive::force);
  const Run two =
      simulate(law, "0.8*(sin(t) + 0.4*sin(4.16753*t))", 40, 2 * pi / 1000, Drive::force);
  const auto turns = two.turns();
  const auto u_one = at(one.history.u, one.turns());
  const auto z_two = at(two.history.f, turns);
  const Run excursion = simulate(law, {z_two[0], z_two[1], z_two[0]}, Drive::force);

  Outcome out;
  auto& to = out.comparisons;
  const auto closed = [&](const std::vector<double>& z) {
    return bouc_wen_displacement(A, beta, gamma, 1, z);
  };
  append(to, independent, "(b) displacement at turning point",
         at(closed(one.driven()), one.turns()), 1e-11, u_one);
  auto first = turns;
  first.resize(8);
  append(to, independent, "(d) displacement at turning point", at(closed(two.driven()), first),
         1e-9, at(two.history.u, first));
  to.push_back(independent("(d) largest difference to the closed form of u(z)", 0, 1e-9,
                           largest_difference(two.history.u, closed(two.driven()))));
  const auto way = closed({z_two[0], z_two[1], z_two[0]});
  const double open = excursion.history.u[2] - excursion.history.u[0];
  to.push_back(independent("(d) opening of the first minor loop", way[2] - way[0], 1e-10, open));
  to.push_back(at_most("(b) one frequency: the loop closes, miss after a period", 1e-10,
                       std::abs(u_one[2] - u_one[0])));
  to.push_back(at_least("(d) two frequencies: minor loops stay open, over their width", 1e-6,
                        open / std::abs(two.history.u[turns[0]] - two.history.u[turns[1]]),
                        "a loop that closes misses by rounding"));
  to.push_back(judged("(d) the response drifts: middle of the range of u",
                      (largest(two.history.u) + smallest(two.history.u)) / 2,
                      "drawn; the force swings evenly about 0"));

  // (c), (e): the six-state model of chapter 2 under the same loads; its answer is ξ.
  const Run c = simulate(six_state(), "sin(t)", 6 * pi, pi / 200);
  const Run e = simulate(six_state(), "sin(t) + 0.4*sin(4.16753*t)", 20, pi / 200);
  const auto e_turns = e.turns();
  const auto loads = at(e.history.u, e_turns);
  const Run trip = simulate(six_state(), {loads[0], loads[1], loads[0]});
  const double miss = std::abs(trip.history.f[2] - trip.history.f[0]) /
                      std::abs(trip.history.f[1] - trip.history.f[0]);
  const auto c_turns = at(c.history.f, c.turns());
  to.push_back(judged("(c) one frequency: miss of the loop over its width",
                      std::abs(c_turns[4] - c_turns[2]) / std::abs(c_turns[3] - c_turns[2]),
                      "drawn closed"));
  to.push_back(judged("(e) two frequencies: miss of a minor loop over the range of ξ",
                      std::abs(trip.history.f[2] - trip.history.f[0]) /
                          (largest(e.history.f) - smallest(e.history.f)),
                      "the text: minor loops nearly close"));
  to.push_back(at_least("(d) over (e): miss of Bouc–Wen over that of the six-state model", 1,
                        open / std::abs(two.history.u[turns[0]] - two.history.u[turns[1]]) / miss,
                        "the text: those of Bouc–Wen stay open, these nearly close"));
  to.push_back(judged("(e) middle of the range of ξ over the range",
                      std::abs(largest(e.history.f) + smallest(e.history.f)) / 2 /
                          (largest(e.history.f) - smallest(e.history.f)),
                      "drawn without drift"));

  const io::Axis u{"u"}, z{"z"};
  out.figures = {
      {"",
       {"",
        {{{{"(b) one frequency", u, z, {loop(one)}}, {"(d) two frequencies", u, z, {loop(two)}}},
          6},
         {{{"(c) six states", {"ξ"}, {"f"}, {{"", c.history.f, c.history.u, io::Style::solid}}},
           {"(e) six states", {"ξ"}, {"f"}, {{"", e.history.f, e.history.u, io::Style::solid}}}},
          6}}}}};
  out.remark =
      "The parameters are printed, the inputs are not. Sideways drift is possible only under a "
      "given "
      "force, so we take z = sin t for (b) and z = 0.8 (sin t + 0.4 sin 4.16753t), with the "
      "frequencies of chapter 2, for (d). One frequency gives a closed loop, off centre; two give "
      "open minor loops and drift, as the text says.";
  return out;
}

}  // namespace biswas2018_fig6_1_parts

Entry biswas2018_fig6_1() {
  using namespace biswas2018_fig6_1_parts;
  return {"biswas2018-fig6.1",
          "Biswas (2018), fig. 6.1(b) to (e), footnote 1 of chapter 6",
          "Bouc–Wen and the six-state model under a force of one and of two frequencies.",
          compute,
          {"bouc-wen.gamma", 1.05, "(b) displacement at turning point 1"}};
}

}  // namespace microslip::reproduce
