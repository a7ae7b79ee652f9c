#include <cmath>

#include "support.hpp"

// Coulomb friction (70), and the energies printed in the text: 4 μN u0 per cycle against
// 2π ζ ω ω_n u0² of a dashpot, c = 2 ζ ω_n at unit mass.

namespace microslip::reproduce {
namespace mathis2020_fig17_parts {

constexpr double limit = 1;          // μN
constexpr double c = 0.3;            // 2 ζ ω_n
constexpr std::size_t steps = 2000;  // per period

double energy(const ModelSpec& law, double amplitude) {
  const Run run = simulate_uniform(law, std::to_string(amplitude) + "*sin(t)", 4 * pi, 2 * steps);
  return run.work(steps, 2 * steps);
}

Outcome compute() {
  const ModelSpec coulomb{"coulomb", {{"fc", limit}}, {}};
  const ModelSpec viscous{"viscous", {{"c", c}}, {}};
  Outcome out;
  for (const double u0 : {0.5, 1.0, 2.0}) {
    const std::string where = ", u0 = " + std::to_string(u0).substr(0, 3);
    out.comparisons.push_back(equation("Coulomb: energy per cycle, 4 μN u0" + where, 4 * limit * u0,
                                       1e-11, energy(coulomb, u0)));
    // Between rows the motion is straight, which loses (2π/N)²/12 of the energy of a sine.
    const double sine = pi * c * u0 * u0;
    out.comparisons.push_back(equation("viscous: energy per cycle, 2π ζ ω ω_n u0²" + where, sine,
                                       1e-6 * sine, energy(viscous, u0)));
    out.comparisons.push_back(independent("viscous: part lost to straight rows, (2π/N)²/12" + where,
                                          std::pow(2 * pi / steps, 2) / 12, 1e-9,
                                          1 - energy(viscous, u0) / sine));
  }
  const Run run = simulate(coulomb, "sin(t)", 4 * pi, pi / 500);
  const Run held{simulate(coulomb, "min(t,1)", 2, 0.5)};
  out.comparisons.push_back(
      equation("(70): force while moving up, μN", limit, 1e-15, run.history.f[10]));
  out.comparisons.push_back(
      equation("(70): force while moving down, −μN", -limit, 1e-15, run.history.f[run.row_at(pi)]));
  out.comparisons.push_back(independent("held at rest after moving up", limit, 1e-15,
                                        held.history.f.back(), "Ours: at u' = 0 the last value."));
  std::vector<double> velocity;
  for (const double t : run.t) velocity.push_back(std::cos(t));
  out.figures = {
      {"",
       {"",
        {{{{"(a)", {"velocity u'"}, {"force F"}, {{"", velocity, run.history.f, io::Style::solid}}},
           {"(b)", {"displacement u"}, {"force F"}, {loop(run)}}},
          6}}}}};
  out.remark = "Printed are the equation and the two energies; μN = 1 and c = 0.3 are ours.";
  return out;
}

}  // namespace mathis2020_fig17_parts

Entry mathis2020_fig17() {
  using namespace mathis2020_fig17_parts;
  return {"mathis2020-fig17",
          "Mathis et al. (2020), fig. 17, eq. (70)",
          "Coulomb friction: force against velocity and displacement, energy per cycle.",
          compute,
          {"coulomb.fc", 1.05, "Coulomb: energy per cycle, 4 μN u0, u0 = 0.5"}};
}

}  // namespace microslip::reproduce
