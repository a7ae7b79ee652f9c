#include <array>
#include <cmath>
#include <functional>

#include "microslip/core/text.hpp"
#include "misprints.hpp"

// Section 5: friction with internal displacement, (72)–(86), the printed equations by steps.

namespace microslip::reproduce {
namespace mathis2020_bristles_parts {

constexpr double stiffness = 4, sigma1 = 0.1, sigma2 = 0.05, coulomb = 0.5, onset = 0.7, vs = 0.2,
                 velocity = 0.3, turn = 2, end = 5;

/// zc + (zs − zc) exp(−(v/vs)²), (73), (77), (82).
double limit(double v) { return coulomb + (onset - coulomb) * std::exp(-v * v / (vs * vs)); }

/// Internal displacement since the last reversal, and the force of the bristles there.
struct Bristle {
  double z, base;
};
/// dz/du for a motion in the direction d.
using Slope = std::function<double(const Bristle&, double d)>;

/// Forces at the given times of a motion with constant velocity to t = 2 and back again.
std::vector<double> by_steps(const std::vector<double>& times, const Slope& slope, bool resets) {
  std::vector<double> forces;
  std::array<double, 1> z{0};
  Bristle at{0, 0};
  double t = 0;
  const auto go = [&](double until, double d) {
    const auto rate = [&](const std::array<double, 1>& y) -> std::array<double, 1> {
      return {d * velocity * slope({y[0], at.base}, d)};
    };
    constexpr int steps = 20000;
    for (int i = 0; i < steps; ++i) z = runge_kutta(rate, z, (until - t) / steps);
    t = until;
    return rate(z)[0];
  };
  for (const double time : times) {
    if (t < turn && time > turn) {
      go(turn, 1);
      if (resets) at.base = stiffness * z[0];
      if (resets) z[0] = 0;
    }
    const double d = time > turn ? -1 : 1, rate = go(time, d);
    forces.push_back(at.base + stiffness * z[0] + sigma1 * rate + sigma2 * d * velocity);
  }
  return forces;
}

void compare(std::vector<Comparison>& to, const std::string& what, const ModelSpec& law,
             const Slope& slope, io::Panel& panel, bool resets = false) {
  const std::vector<double> times{0.25, 0.6, 1.9, 2.4, 2.8, end};
  const Run run = simulate(law,
                           number_text(velocity * turn) + "-" + number_text(velocity) + "*abs(t-" +
                               number_text(turn) + ")",
                           end, 0.01);
  std::vector<double> forces;
  for (const double t : times) forces.push_back(run.history.f[run.row_at(t)]);
  append(to, equation, what + ", by steps: F at time", by_steps(times, slope, resets), 1e-6,
         forces);
  panel.curves.push_back(loop(run, law.model));
}

/// (78), (80) with |z| and the sign of the velocity; `steady` is zss.
double elastic_share(double y, double away, double most, double steady) {
  if (y <= away) return 0;
  if (y >= steady) return 1;
  return 0.5 + 0.5 * std::sin(pi * (y - (most + away) / 2) / (most - away));
}

Outcome compute() {
  Outcome out;
  auto& to = out.comparisons;
  io::Panel panel{"there and back with constant velocity", {"u"}, {"F"}, {}};
  const double g = limit(velocity);
  compare(
      to, "(72)–(74), LuGre",
      {"lugre",
       {{"sigma0", stiffness},
        {"sigma1", sigma1},
        {"sigma2", sigma2},
        {"zc", coulomb},
        {"zs", onset},
        {"vs", vs}},
       {}},
      [&](const Bristle& b, double d) { return 1 - d * stiffness * b.z / g; }, panel);
  const double away = input("zba", 0.06);
  compare(
      to, "(75)–(80) with sgn u̇ and |z|, elasto-plastic",
      {"elasto-plastic",
       {{"sigma0", stiffness},
        {"sigma1", sigma1},
        {"sigma2", sigma2},
        {"zc", coulomb},
        {"zs", onset},
        {"vs", vs},
        {"n", 2.0},
        {"zba", 0.06}},
       {}},
      [&](const Bristle& b, double d) {
        const double y = d * b.z, steady = g / stiffness;
        return 1 - elastic_share(y, away, onset / stiffness, steady) * y / steady;
      },
      panel);
  const ModelSpec friction{"",
                           {{"sigma1", sigma1},
                            {"sigma2", sigma2},
                            {"fc", coulomb},
                            {"fs", onset},
                            {"vs", vs},
                            {"delta", 2.0},
                            {"n", 2.0},
                            {"k", std::vector{stiffness}},
                            {"phi", std::vector{100.0}}},
                           {}};
  ModelSpec leuven = friction, lampaert = friction;
  leuven.model = "leuven";
  lampaert.model = "lampaert";
  const auto slides = [](double ratio) { return 1 - ratio * std::abs(ratio); };
  compare(
      to, "(81)–(84), Leuven, F_d = k z", leuven,
      [&](const Bristle& b, double d) { return slides(stiffness * b.z / (d * g - b.base)); }, panel,
      true);
  compare(
      to, "(82), (85)–(86), one element", lampaert,
      [&](const Bristle& b, double d) { return slides(stiffness * b.z / (d * g)); }, panel);
  for (io::Curve& curve : panel.curves) curve.style = io::Style::line;
  out.figures = {{"", {"", {{{panel}, 8}}}}};
  out.remark =
      "Parameters and motion are ours; the review prints equations. (75) and (80) are read with "
      "the "
      "sign of the velocity and |z|, see mathis2020-misprints; the transition curve F_d of (83) is "
      "left open by the review and is a straight line here, so that (84) is the reset at the "
      "reversal. Laws with curved transitions and several elements are tested apart.";
  return out;
}

}  // namespace mathis2020_bristles_parts

Entry mathis2020_bristles() {
  using namespace mathis2020_bristles_parts;
  return {"mathis2020-eq72-86",
          "Mathis et al. (2020), sections 5.3–5.5, eqs (72)–(86)",
          "Four laws of friction with internal displacement, their equations by steps.",
          compute,
          {"zba", 1.05, "(75)–(80) with sgn u̇ and |z|, elasto-plastic, by steps: F at time 1"}};
}

}  // namespace microslip::reproduce
