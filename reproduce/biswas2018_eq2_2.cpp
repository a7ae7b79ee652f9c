#include <algorithm>
#include <cmath>

#include "microslip/friction/builders.hpp"
#include "microslip/friction/sliders.hpp"
#include "support.hpp"

// Section 2.1: a scalar Duhem law, ż = f(z, u, u̇), gives one slope at one point (u, z) and one
// direction. Many sliders give two: the point is reached from rest, and again inside a loop.

namespace microslip::reproduce {
namespace biswas2018_eq2_2_parts {

constexpr double largest_load = 1.2;

double bisect(double low, double high, const auto& positive_at_high) {
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (positive_at_high(middle) ? high : low) = middle;
  }
  return (low + high) / 2;
}

/// Two slopes at the same point in the same direction, and the paths to it.
struct TwoSlopes {
  double first, second, apart;
  io::Panel panel;
};

/// Sliders driven by a load f; the answer is ξ.
TwoSlopes of_sliders(const friction::System& system) {
  const double f = 0.6, step = 1e-6;
  const auto xi = [&](std::vector<double> loads) { return friction::run(system, loads).xi; };
  const double from_rest = xi({f})[0];
  // After the excursion to 1.2 and back to m: the lower m, the smaller ξ on the way up.
  const double m = bisect(-largest_load, f, [&](double middle) {
    return xi({largest_load, middle, f}).back() > from_rest;
  });
  const auto one = xi({f, f + step}), other = xi({largest_load, m, f, f + step});
  TwoSlopes result{(one[1] - one[0]) / step,
                   (other[3] - other[2]) / step,
                   std::abs(other[2] - one[0]),
                   {"random, n = 60", {"ξ"}, {"load f"}, {}}};
  const auto path = [&](const std::vector<double>& turns, const char* name, io::Style style) {
    std::vector<double> loads;
    double before = 0;
    for (const double turn : turns) {
      for (const double load : spaced(before, turn, 60)) loads.push_back(load);
      before = turn;
    }
    result.panel.curves.push_back({name, xi(loads), loads, style});
  };
  path({f, f + 0.2}, "from rest", io::Style::solid);
  path({largest_load, m, f, f + 0.2}, "inside a loop", io::Style::dashed);
  return result;
}

Outcome compute() {
  Outcome out;
  auto& to = out.comparisons;
  const TwoSlopes random = of_sliders(friction::random_system(60, 1));
  to.push_back(
      independent("random system: distance of the two points in ξ", 0, 1e-9, random.apart));
  to.push_back(at_least("random system: slope from rest over the slope inside a loop", 1 + 1e-6,
                        std::max(random.first / random.second, random.second / random.first),
                        "a scalar law ż = f(z, u, sgn u̇) u̇ would give 1"));

  // The same for infinitely many parallel sliders, in closed form: g(u) = u − u²/4 up to u = 2.
  const auto g = [](double u) { return u - u * u / 4; };
  const double U = 1.5, u = 0.6;
  const auto inside = [&](double m) { return g(U) - 2 * g((U + m) / 2) + 2 * g((u + m) / 2); };
  const double m = bisect(-u, U, [&](double middle) { return inside(middle) > g(u); });
  const ModelSpec law{"iwan-uniform", {{"k", 1.0}, {"u_max", 2.0}}, {}};
  const Run rest = simulate(law, {u}), loop_run = simulate(law, {U, -m, u});
  to.push_back(independent("parallel sliders: force from rest and inside a loop", g(u), 1e-12,
                           loop_run.history.f[2]));
  to.push_back(independent("parallel sliders: slope from rest, 1 − u/2", 1 - u / 2, 1e-12,
                           rest.history.tangent[0]));
  to.push_back(independent("parallel sliders: slope inside the loop, 1 − (u + m)/4",
                           1 - (u + m) / 4, 1e-12, loop_run.history.tangent[2]));
  to.push_back(at_least("parallel sliders: slope from rest over the slope inside the loop",
                        1 + 1e-6, rest.history.tangent[0] / loop_run.history.tangent[2]));
  // Bouc–Wen is such a scalar law: at one z, whatever u, the slope in one direction is one.
  const Run bw = simulate(bouc_wen(1, 0.5, 0.5, 1), {0.6, 1.5, -0.4, 3}, Drive::displacement);
  const double z = bw.history.f[0];
  const Run again = simulate(bouc_wen(1, 0.5, 0.5, 1), {0.9 * z, -0.2 * z, z}, Drive::force);
  to.push_back(independent("Bouc–Wen: slope at the same z after another history, A − (β + γ) z",
                           1 - z, 1e-9, again.history.tangent[2]));
  out.figures = {{"", {"", {{{random.panel}, 7}}, 12}}};
  out.headline = "random system: slope from rest over the slope inside a loop";
  out.remark =
      "The thesis argues with a sketch (fig. 2.2) that loops which touch need more than one state. "
      "Here two histories meet at the same load and the same ξ, moving the same way, with slopes "
      "that differ; systems and loads are ours.";
  return out;
}

}  // namespace biswas2018_eq2_2_parts

Entry biswas2018_eq2_2() {
  using namespace biswas2018_eq2_2_parts;
  return {"biswas2018-eq2.2-2.3",
          "Biswas (2018), eqs (2.2)–(2.3), fig. 2.2",
          "Why one state is not enough: two histories through one point with two slopes.",
          compute,
          {"iwan-uniform.u_max", 1.05, "parallel sliders: force from rest and inside a loop"}};
}

}  // namespace microslip::reproduce
