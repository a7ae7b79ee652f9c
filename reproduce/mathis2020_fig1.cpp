#include <algorithm>
#include <cmath>

#include "microslip/core/text.hpp"
#include "microslip/friction/builders.hpp"
#include "microslip/friction/solver.hpp"
#include "microslip/loops/harmonic.hpp"
#include "support.hpp"

// Fig. 1: an elastic bar on rough ground, pulled at its end. Fig. 4: what a bolted lap joint shows as
// the excitation and the clamping force change.

namespace microslip::reproduce {
namespace mathis2020_fig1_parts {

// Bar of length 1, stiffness EA = 1, friction t per length: the slip zone of length F/t stretches by
// F²/(2 EA t), until it reaches the other end at Fmax = t.
std::string bar(double t) {
  return "masing-backbone(g=min(sqrt(" + number_text(2 * t) + "*u)," + number_text(t) + "))";
}

/// Displacement of the pulled end of n sliders of strength t/n in a row, springs of stiffness n.
std::vector<double> chain(friction::Index n, double t, const std::vector<double>& loads) {
  std::vector<double> b(static_cast<std::size_t>(n), 0);
  b[0] = 1;
  const double mu = t / static_cast<double>(n);
  return friction::run(friction::chain_system(n, static_cast<double>(n), {&mu, 1}, b), loads).xi;
}

Outcome bar_on_ground() {
  const double t = input("friction", 1);
  const std::vector<double> loads{0.25, 0.5, 0.75, 0.25, -0.5, 0.0, 0.75};
  const std::vector<double> coarse = chain(200, 1, loads), fine = chain(400, 1, loads);
  std::vector<double> ends;
  for (std::size_t i = 0; i < loads.size(); ++i) ends.push_back(2 * fine[i] - coarse[i]);
  const Run run = simulate({bar(t), {}, {}}, ends);
  Outcome out;
  auto& to = out.comparisons;
  for (std::size_t i = 0; i < loads.size(); ++i)
    to.push_back(independent("F at row " + std::to_string(i + 1) +
                                 ", at the displacement of many sliders in a row (extrapolated)",
                             loads[i], 1e-5, run.history.f[i]));
  const Run pulled = simulate({bar(t), {}, {}}, {0.5 - 1e-9, 0.5 + 1e-9, 2});
  to.push_back(
      independent("slope just before macroslip, EA/ℓ", 1, 1e-6, pulled.history.tangent[0]));
  to.push_back(independent("slope just after", 0, 1e-12, pulled.history.tangent[1]));
  to.push_back(independent("force beyond, Fmax = t ℓ", 1, 1e-12, pulled.history.f[2]));
  // D = (4/3) c F³ for u = c F²: what slips over x loses t x, and both branches are halves.
  const Run cycle = simulate({bar(t), {}, {}}, {0.32, -0.32, 0.32});
  to.push_back(independent("energy of a cycle of F = 0.8, 4F³/(6 EA t)", 4 * 0.512 / 6, 1e-9,
                           cycle.history.energy[2] - cycle.history.energy[0]));
  std::vector<double> rows = spaced(0, 0.8, 200);
  for (const double end : {-0.45, 0.45}) {
    const std::vector<double> leg = spaced(rows.back(), end, 200);
    rows.insert(rows.end(), leg.begin() + 1, leg.end());
  }
  out.figures = {{"", {"", {{{{"", {"u"}, {"F"}, {loop(simulate({bar(t), {}, {}}, rows))}}}, 7}}}}};
  out.headline = "slope just before macroslip, EA/ℓ";
  out.remark =
      "A sketch without numbers: EA = ℓ = t = 1 are ours. The law is `masing-backbone` with "
      "g = min(√(2 EA t u), t ℓ); the same bar cut into sliders and springs, pulled by force, is "
      "the "
      "second method. The figure shows the first loading; unloading follows from Masing's rule.";
  return out;
}

/// f = N law(u/N)-like scaling by Amontons: slip force μN at the same stiffness.
ModelSpec clamped(double N) {
  const double Fs = 0.2 * std::pow(N, input("exponent of N in the slip force", 1));
  return {"iwan4", {{"Fs", Fs}, {"KT", 10.0}, {"chi", -0.4}, {"beta", 1.0}}, {}};
}

struct Steady {
  double amplitude, largest, secant, energy;
};
/// The relative motion at resonance, where the force in phase with the velocity is the excitation:
/// a1(A) + c A = F.
Steady at_excitation(double N, double force) {
  constexpr double damper = 0.05;  // of the bodies
  const AnyModel law = make(clamped(N));
  const auto balance = [&](double A) {
    return loops::first_harmonic(law, A, 1).a1 + damper * A - force;
  };
  double low = 1e-6, high = 1e4;
  for (int i = 0; i < 100; ++i) {
    const double middle = std::sqrt(low * high);
    (balance(middle) < 0 ? low : high) = middle;
  }
  const Run run = simulate(clamped(N), {low, -low, low});
  return {low, run.history.f[2], run.history.f[2] / low,
          run.history.energy[2] - run.history.energy[0]};
}

io::Curve drawn(double N, double force) {
  const double A = at_excitation(N, force).amplitude;
  std::vector<double> rows{A, -A};
  for (const double end : {A, -A}) {
    const std::vector<double> leg = spaced(rows.back(), end, 100);
    rows.insert(rows.end(), leg.begin() + 1, leg.end());
  }
  const Run run = simulate(clamped(N), rows);
  return {"N = " + number_text(N) + ", F = " + number_text(force),
          {run.history.u.begin() + 1, run.history.u.end()},
          {run.history.f.begin() + 1, run.history.f.end()}};
}

Outcome lap_joint() {
  Outcome out;
  auto& to = out.comparisons;
  // (b): N = 1.5, growing excitation, in macroslip as in the figure.
  const std::vector<double> forces{0.42, 0.5, 0.6, 0.7};
  std::vector<Steady> b;
  for (const double force : forces) b.push_back(at_excitation(1.5, force));
  double spread = 0;
  for (const Steady& s : b) spread = std::max(spread, std::abs(s.largest / b.back().largest - 1));
  to.push_back(judged("(b) N = 1.5: largest force, spread over the excitations", spread,
                      "the text: approximately constant"));
  for (std::size_t i = 1; i < b.size(); ++i) {
    const std::string name = "(b) F = " + number_text(forces[i]) + " over the one before: ";
    to.push_back(at_least(name + "energy of a cycle", 1, b[i].energy / b[i - 1].energy,
                          "the text: the dissipation grows"));
    to.push_back(at_most(name + "secant stiffness", 1, b[i].secant / b[i - 1].secant,
                         "the text: the secant slope falls"));
  }
  // (c): one excitation, growing clamping force.
  const std::vector<double> clamps{1.2, 1.35, 1.5};
  std::vector<Steady> c;
  for (const double N : clamps) c.push_back(at_excitation(N, 0.5));
  for (std::size_t i = 1; i < c.size(); ++i) {
    const std::string name = "(c) N = " + number_text(clamps[i]) + " over the one before: ";
    to.push_back(at_least(name + "largest force", 1, c[i].largest / c[i - 1].largest,
                          "the text: grows with N"));
    to.push_back(at_least(name + "secant stiffness", 1, c[i].secant / c[i - 1].secant,
                          "the text: grows with N"));
  }
  to.push_back(identity("largest force at F = 0.7, N = 1.5 over N: the μ that was put in", 0.2,
                        1e-9, at_excitation(1.5, 0.7).largest / 1.5));
  double low = c[0].energy, high = low;
  for (const Steady& s : c) low = std::min(low, s.energy), high = std::max(high, s.energy);
  to.push_back(judged("(c) energy of a cycle: largest over smallest", high / low,
                      "the text: approximately constant"));
  io::Panel left{"(b) N = 1.5", {"u"}, {"F"}, {}}, right{"(c) F = 0.5", {"u"}, {"F"}, {}};
  for (const double force : forces) left.curves.push_back(drawn(1.5, force));
  for (const double N : clamps) right.curves.push_back(drawn(N, 0.5));
  out.figures = {{"", {"", {{{left, right}, 6}}}}};
  out.remark =
      "The measurements are not printed. The joint is `iwan4` with the slip force μN by Amontons' "
      "law and a stiffness that does not depend on N, all numbers ours: at resonance a1(A) plus a "
      "small damper carries the excitation. Where slip force and stiffness both scale with N, "
      "`scaled(law, input_gain, output_gain)` turns one law into that of another clamping force.";
  return out;
}

}  // namespace mathis2020_fig1_parts

Entry mathis2020_fig1() {
  using namespace mathis2020_fig1_parts;
  return {"mathis2020-fig1",
          "Mathis et al. (2020), fig. 1",
          "An elastic bar on rough ground: microslip that spreads, then macroslip.",
          bar_on_ground,
          {"friction", 1.05,
           "F at row 1, at the displacement of many sliders in a row (extrapolated)"}};
}

Entry mathis2020_fig4() {
  using namespace mathis2020_fig1_parts;
  return {
      "mathis2020-fig4",
      "Mathis et al. (2020), fig. 4",
      "A lap joint at resonance: loops against excitation and clamping force.",
      lap_joint,
      {"exponent of N in the slip force", -1, "(c) N = 1.35 over the one before: largest force"}};
}

}  // namespace microslip::reproduce
