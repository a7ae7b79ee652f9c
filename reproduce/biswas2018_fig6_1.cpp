#include "support.hpp"

// Parts (b) and (d): Bouc–Wen with n = 1. Part (a) is a measurement, (c) and (e) are the six-state
// model, (f) is a sketch.

namespace microslip::reproduce {
namespace {

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
  append_derived(to, "(b) displacement at turning point",
                 {1.980420515886, -0.785220237709, 1.980420515886, -0.785220237709}, 1e-11, u_one);
  to.push_back(derived("(b) middle of the loop", 0.597600139088, 1e-11, (u_one[0] + u_one[1]) / 2));
  append_derived(to, "(d) displacement at turning point",
                 {0.825624686243, 0.613825362048, 3.068210768842, 2.234019242231, 2.382010042773,
                  0.185240499889, 0.602229492459, -0.124205559868},
                 1e-9, at(two.history.u, turns));
  to.push_back(derived(
      "(d) largest difference to the closed form of u(z)", 0, 1e-9,
      largest_difference(two.history.u, bouc_wen_displacement(A, beta, gamma, 1, two.driven()))));
  to.push_back(derived("(d) opening of the first minor loop", 0.214152699974, 1e-10,
                       excursion.history.u[2] - excursion.history.u[0]));
  to.push_back(
      derived("(d) turning points until t = 40", 53, 0.5, static_cast<double>(turns.size())));
  to.push_back(derived("(d) smallest displacement", -0.6266582270, 1e-9, smallest(two.history.u)));
  to.push_back(derived("(d) largest displacement", 5.2148563827, 1e-9, largest(two.history.u)));
  std::vector<double> drift;
  for (int cycle = 1; cycle <= 6; ++cycle)
    drift.push_back(two.history.u[two.row_at(2 * pi * cycle)]);
  append_derived(
      to, "(d) displacement at t = 2πj, j =",
      {0.7963715920, 2.1422380278, 2.5748139793, 1.6088641156, 0.2761766628, 0.0098793843}, 1e-9,
      drift);

  const io::Axis u{"u"}, z{"z"};
  out.figures = {
      {"",
       {"",
        {{{{"(b) one frequency", u, z, {loop(one)}}, {"(d) two frequencies", u, z, {loop(two)}}},
          6}}}}};
  out.remark =
      "The parameters are printed, the inputs are not. Sideways drift is possible only under a "
      "given "
      "force, so we take z = sin t for (b) and z = 0.8 (sin t + 0.4 sin 4.16753t), with the "
      "frequencies of chapter 2, for (d). One frequency gives a closed loop, off centre; two give "
      "open minor loops and drift, as the text says.";
  return out;
}

}  // namespace

Entry biswas2018_fig6_1() {
  return {"biswas2018-fig6.1", "Biswas (2018), fig. 6.1(b), (d), footnote 1 of chapter 6",
          "Bouc–Wen under a force of one and of two frequencies.", compute};
}

}  // namespace microslip::reproduce
