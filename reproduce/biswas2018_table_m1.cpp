#include <cmath>

#include "refit.hpp"

// Table M.1: K0, θm and β̃ of the pinched law (6.5), ε = 1e-4, fitted to the twelve loops of
// fig. 6.8 in the first quadrant. Those loops (finite elements with cracks) are not available;
// loops made with the printed numbers are fitted instead.

namespace microslip::reproduce {
namespace biswas2018_table_m1_parts {

constexpr double rows[][3] = {
    {0.8091, 3.9400e-4, 4.8670e-4}, {0.9094, 1.2323e-4, 8.7557e-4}, {0.4543, 7.110e-4, 0.0014},
    {0.6600, 3.2359e-4, 7.9801e-4}, {1.8723, 2.7797e-6, 4.1697e-4}, {4.7454, 1.0211e-7, 3.8258e-4},
    {4.3396, 9.6901e-5, 4.2733e-4}, {3.4291, 1.1566e-4, 4.8399e-4}, {3.9350, 1.0398e-4, 4.4147e-4},
    {4.1819, 1.1658e-4, 4.6170e-4}, {4.3097, 3.6350e-5, 4.4812e-4}, {4.3257, 4.4764e-5, 4.5683e-4}};

/// First quadrant: from 0 to 1 and back, then minor reversals.
std::vector<double> motion() {
  std::vector<double> x;
  for (int i = 1; i <= 300; ++i) {
    const double t = 2 * pi * i / 100;
    x.push_back(0.5 * (1 - std::cos(t)) + (i > 200 ? 0.15 * (1 - std::cos(4 * t)) : 0));
  }
  return x;
}

Outcome compute() {
  Outcome outcome;
  std::vector<io::Panel> panels;
  int number = 0;
  for (const auto& [K0, theta, beta] : rows) {
    const std::string name = "case " + std::to_string(++number);
    const Refit refit = refit_own_loops(
        {"pinched", {{"K0", K0}, {"theta_m", theta}, {"beta", beta}, {"eps", 1e-4}}, {}}, "pinched",
        motion(), {{"eps", 1e-4}});
    outcome.comparisons.push_back(circular(name + ": K0", K0, 1e-6, refit.found("K0")));
    outcome.comparisons.push_back(circular(name + ": θm / β̃", theta / beta, 1e-6,
                                           refit.found("theta_m") / refit.found("beta")));
    outcome.comparisons.push_back(circular(name + ": β̃", beta, 1e-6 * beta, refit.found("beta")));
    if (number <= 6) panels.push_back(refit.panel(name));
  }
  io::Figure figure;
  figure.title = "Loops of Table M.1 and their refits";
  figure.rows = {{{panels[0], panels[1], panels[2]}, 4.5},
                 {{panels[3], panels[4], panels[5]}, 4.5}};
  outcome.figures = {{"", figure}};
  outcome.remark =
      "The loops of fig. 6.8 and their amplitudes are not printed (1 here): what is recovered are "
      "the printed numbers from loops made with them.";
  return outcome;
}

}  // namespace biswas2018_table_m1_parts

Entry biswas2018_table_m1() {
  using namespace biswas2018_table_m1_parts;
  return {
      "biswas2018-tableM.1",
      "Biswas 2018, Table M.1",
      "Loops of the pinched law made with twelve printed sets, and these found again from them.",
      compute,
      {"pinched.K0", 1.05}};
}

}  // namespace microslip::reproduce
