#include <algorithm>
#include <cmath>
#include <limits>

#include "support.hpp"

// dz/du = 1 − z^η sgn u', (2)–(5): bouc-wen with A = 1, β = 1, γ = 0, n = η, f = z.

namespace microslip::reproduce {
namespace gavin2018_fig1_parts {

/// Fig. 1: dz/du = 1 − z^η sgn u' for η = 3 as short strokes, with the loop's own direction.
io::Panel vector_field(double direction) {
  const double gap = std::numeric_limits<double>::quiet_NaN(), eta = 3;
  io::Curve strokes{"", {}, {}, io::Style::solid, 0};
  for (const double u : spaced(-2, 2, 16))
    for (const double z : spaced(-1, 1, 16)) {
      const double slope = 1 - direction * std::pow(z, eta), half = 0.08 / std::hypot(1, 2 * slope);
      for (const double end : {-half, half}) {
        strokes.x.push_back(u + end);
        strokes.y.push_back(z + slope * end);
      }
      strokes.x.push_back(gap);
      strokes.y.push_back(gap);
    }
  return {direction > 0 ? "fig. 1: dz/du for u' > 0, η = 3" : "fig. 1: dz/du for u' < 0, η = 3",
          {"u"},
          {"z"},
          {strokes},
          false};
}

Outcome compute() {
  Outcome out;
  // Virgin curves by quadrature of du = dz/(1 − z^η), tests/reference/bouc_wen.py; η = 1 and 2 are closed.
  struct Knee {
    double eta, at_one, at_two;
  };
  const Knee knees[] = {{1, 1 - std::exp(-1.0), 1 - std::exp(-2.0)},
                        {2, std::tanh(1.0), std::tanh(2.0)},
                        {3, 0.82304054, 0.98947869},
                        {5, 0.88302242, 0.99899184},
                        {7, 0.91258479, 0.99989478}};
  double last = 0, least_slope = 1, least_growth = 1;
  std::vector<io::Curve> curves;
  for (const Knee& knee : knees) {
    const ModelSpec law = bouc_wen(1, 1, 0, knee.eta);
    const std::string name = "η = " + std::to_string(static_cast<int>(knee.eta));
    const Run virgin = simulate(law, {1e-9, 1, 2, 60});
    out.comparisons.push_back(independent(name + ": z(1)", knee.at_one, 6e-9, virgin.history.f[1]));
    out.comparisons.push_back(independent(name + ": z(2)", knee.at_two, 6e-9, virgin.history.f[2]));
    out.comparisons.push_back(
        equation(name + ": slope at z = 0", 1, 1e-8, virgin.history.tangent[0]));
    out.comparisons.push_back(equation(name + ": slope in the direction of motion as z → 1", 0,
                                       1e-12, virgin.history.tangent[3]));
    const Run back = simulate(law, {60, 60 - 1e-12});
    out.comparisons.push_back(equation(name + ": slope against the motion, z → 1: 1 + z^η", 2, 1e-8,
                                       back.history.tangent[1]));
    least_growth = std::min(least_growth, virgin.history.f[1] - last);
    last = virgin.history.f[1];
    const Run cycle = simulate(law, "2*sin(t)", 4 * pi, pi / 300);
    least_slope = std::min(least_slope, smallest(cycle.history.tangent));
    if (knee.eta != 2 && knee.eta != 5) curves.push_back(loop(cycle, name));
  }
  out.comparisons.push_back(
      at_least("a larger η gives a sharper knee: least growth of z(1)", 0, least_growth));
  out.comparisons.push_back(
      independent("dz/du below zero by", 0, 1e-12, std::max(0.0, -least_slope)));
  // The notes call Dahl's law, (1 − z sgn u')^η, equivalent to (5) with η = 1: with exponent 1.
  const ModelSpec dahl{"dahl", {{"sigma0", 1.0}, {"zc", 1.0}, {"n", 1.0}}, {}};
  const std::vector<double> rows{0.5, 2, -1, -0.3, -3, 1};
  out.comparisons.push_back(
      independent("dahl with exponent 1 against η = 1, largest difference", 0, 1e-13,
                  largest_difference(simulate(dahl, rows).history.f,
                                     simulate(bouc_wen(1, 1, 0, 1), rows).history.f)));
  out.figures = {{"",
                  {"",
                   {{{{"", {"displacement u"}, {"z"}, curves}}, 6},
                    {{vector_field(1), vector_field(-1)}, 5}}}}};
  out.remark =
      "The notes print the equation and statements about it, no numbers; η = 1, 3, 7 in the "
      "picture are ours. Dahl's law equals η = 1 only for Dahl's exponent 1.";
  return out;
}

}  // namespace gavin2018_fig1_parts

Entry gavin2018_fig1() {
  using namespace gavin2018_fig1_parts;
  return {"gavin2018-fig1",
          "Gavin (2018), fig. 1, eqs (2)–(5)",
          "How the exponent sets the knee of dz/du = 1 − z^η sgn u'.",
          compute,
          {"bouc-wen.beta", 1.05, "η = 1: z(1)"}};
}

}  // namespace microslip::reproduce
