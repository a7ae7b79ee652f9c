#include <cmath>
#include <cstdio>

#include "support.hpp"

// Energy of the pinched law per cycle, printed for x_m ≫ ε: D = 2 β K0/(K0 + 2) x_m².

namespace microslip::reproduce {
namespace biswas2018_pinched_energy_parts {

constexpr double K = 4, beta = 1.8, theta_m = 2;
constexpr double printed_energy = 2 * beta * K / (K + 2);

double steady_energy(double eps, double amplitude) {
  const Run run =
      simulate({"pinched", {{"K0", K}, {"theta_m", theta_m}, {"beta", beta}, {"eps", eps}}, {}},
               {amplitude, -amplitude, amplitude, -amplitude, amplitude});
  return run.work(2, 4);
}

/// The same at finite ε, from the solution of a leg, X = x_m + ε:
///   D = 2 [β x_m² − 2β/(1 + (ε/X)^K) (J1 + J2)],
///   J1 = ε^K [(X^(2−K) − ε^(2−K))/(2−K) − ε (X^(1−K) − ε^(1−K))/(1−K)],
///   J2 = X²/(K+2) − εX/(K+1) − X^(−K) ε^(K+2) (1/(K+2) − 1/(K+1)).
double closed_form(double eps, double amplitude) {
  const double X = amplitude + eps, r = std::pow(eps / X, K);
  const double J1 =
      std::pow(eps, K) * ((std::pow(X, 2 - K) - std::pow(eps, 2 - K)) / (2 - K) -
                          eps * (std::pow(X, 1 - K) - std::pow(eps, 1 - K)) / (1 - K));
  const double J2 = X * X / (K + 2) - eps * X / (K + 1) -
                    std::pow(X, -K) * std::pow(eps, K + 2) * (1 / (K + 2) - 1 / (K + 1));
  return 2 * (beta * amplitude * amplitude - 2 * beta / (1 + r) * (J1 + J2));
}

Outcome compute() {
  Outcome out;
  out.comparisons.push_back(equation("energy per cycle, ε = 1e-6, x_m = 1: 2 β K0/(K0 + 2)",
                                     printed_energy, 1e-6 * printed_energy,
                                     steady_energy(1e-6, 1)));
  for (const double amplitude : {0.5, 2.0})
    out.comparisons.push_back(equation("the same over x_m², x_m = " + std::to_string(amplitude),
                                       printed_energy, 1e-5,
                                       steady_energy(1e-6, amplitude) / (amplitude * amplitude)));
  std::vector<double> widths, missing, first_order;
  for (const double eps : {1e-1, 1e-2, 1e-3, 1e-4, 1e-5}) {
    const double energy = steady_energy(eps, 1);
    char name[32];
    std::snprintf(name, sizeof name, "%g", eps);
    out.comparisons.push_back(independent(std::string("ε = ") + name + ": closed form at finite ε",
                                          closed_form(eps, 1), 1e-11, energy));
    widths.push_back(eps);
    missing.push_back(1 - energy / printed_energy);
    first_order.push_back(2 * eps / (K + 1));
    if (eps <= 1e-2)
      out.comparisons.push_back(
          independent(std::string("ε = ") + name + ": missing part over 2ε/((K0 + 1) x_m)", 1,
                      0.011, missing.back() / first_order.back()));
  }
  const io::Axis x{"ε/x_m", true}, y{"1 − D/D(ε → 0)", true};
  out.figures = {{"",
                  {"",
                   {{{{"",
                       x,
                       y,
                       {{"computed", widths, missing, io::Style::points},
                        {"2ε/((K0 + 1) x_m)", widths, first_order, io::Style::solid}}}},
                     7}}}}};
  out.remark =
      "The printed formula holds for ε → 0. At finite ε the loop loses less, by the part "
      "2ε/((K0 + 1) x_m) to first order for K0 > 1. K0 = 4, β = 1.8 as in fig. 6.6(c).";
  return out;
}

}  // namespace biswas2018_pinched_energy_parts

Entry biswas2018_pinched_energy() {
  using namespace biswas2018_pinched_energy_parts;
  return {"biswas2018-pinched-energy",
          "Biswas (2018), section 6.3",
          "Energy of the pinched law per cycle, and what a finite ε changes.",
          compute,
          {"pinched.K0", 1.05, "energy per cycle, ε = 1e-6, x_m = 1: 2 β K0/(K0 + 2)"}};
}

}  // namespace microslip::reproduce
