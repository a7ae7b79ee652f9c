#include <algorithm>
#include <cmath>

#include "microslip/core/text.hpp"
#include "microslip/loops/loops.hpp"
#include "support.hpp"

// Section 4: Bouc's operator with a general kernel (18)–(20), the Iwan models of sections 4.8.1 and
// 4.8.3, (55)–(60); section 5.6: the general flow form of Valanis, (89).

namespace microslip::reproduce {
namespace mathis2020_sec4_parts {

// ------------------------------------------------------------------------------------- (18)–(20)

/// ∫ g over [from, to] by Simpson's rule.
template <class G>
double simpson(const G& g, double from, double to, int n = 2000) {
  double sum = g(from) + g(to);
  for (int i = 1; i < n; ++i) sum += (i % 2 == 1 ? 4 : 2) * g(from + (to - from) * i / n);
  return sum * (to - from) / (3 * n);
}

/// (19)–(20) leg by leg: z = Σ ∫ G(V − V(s)) φ(u) du.
template <class G, class Phi>
std::vector<double> printed_operator(const std::vector<double>& turns, const G& kernel,
                                     const Phi& phi) {
  std::vector<double> z;
  for (std::size_t rows = 1; rows <= turns.size(); ++rows) {
    double left = 0, from = 0, sum = 0;
    for (std::size_t i = 0; i < rows; ++i) left += std::abs(turns[i] - (i ? turns[i - 1] : 0));
    for (std::size_t i = 0; i < rows; ++i) {
      const double d = turns[i] > from ? 1 : -1, way = std::abs(turns[i] - from);
      const double start = from, at = left;
      sum += d * simpson([&](double x) { return kernel(at - x) * phi(start + d * x); }, 0, way);
      left -= way;
      from = turns[i];
    }
    z.push_back(sum);
  }
  return z;
}

Outcome bouc_operator() {
  const std::vector<double> turns{1.5, -0.8, 0.6, 0.1, 2.0, -2.0};
  Outcome out;
  auto& to = out.comparisons;
  const ModelSpec two{"bouc-kernel",
                      {{"A", std::vector{1.0, 0.6}},
                       {"alpha", std::vector{0.7, 3.0}},
                       {"phi", "1+0.5*cos(2*u)"},
                       {"k", 0.0}},
                      {}};
  append(to, equation, "(18)–(20), G of two exponentials, φ = 1 + cos(2u)/2: z at turn",
         printed_operator(
             turns, [](double v) { return std::exp(-0.7 * v) + 0.6 * std::exp(-3 * v); },
             [](double u) { return 1 + 0.5 * std::cos(2 * u); }),
         1e-9, simulate(two, turns).history.f);
  // 1/(1 + v)² = ∫ s e^(−s) e^(−sv) ds in equal steps of ln s.
  std::vector<double> A, alpha;
  const double h = input("step of ln s", 0.25);
  for (int i = -48; i < 18; ++i) {
    const double s = std::exp(0.25 * i);
    A.push_back(h * s * s * std::exp(-s));
    alpha.push_back(s);
  }
  const ModelSpec slow{"bouc-kernel", {{"A", A}, {"alpha", alpha}, {"phi", "1"}, {"k", 0.0}}, {}};
  append(to, equation, "(18)–(20), G = 1/(1 + v)², from 66 exponentials: z at turn",
         printed_operator(
             turns, [](double v) { return 1 / ((1 + v) * (1 + v)); }, [](double) { return 1.0; }),
         1e-6, simulate(slow, turns).history.f);
  const std::string signal = "2*sin(t)";
  out.figures = {
      {"",
       {"",
        {{{{"two exponentials, φ = 1 + cos(2u)/2",
            {"u"},
            {"z"},
            {loop(simulate(two, signal, 4 * pi, pi / 200))}},
           {"G = 1/(1 + v)²", {"u"}, {"z"}, {loop(simulate(slow, signal, 4 * pi, pi / 200))}}},
          6}}}}};
  out.remark =
      "No figure is printed; kernel, weight and path are ours. The printed double integral is "
      "evaluated leg by leg by Simpson's rule; the law `bouc-kernel` keeps one state for each "
      "exponential. A kernel that is no exponential is a sum of many: completely monotone ones "
      "always are.";
  return out;
}

// ---------------------------------------------------------------------------------- 4.8, (55)–(60)

Outcome iwan_forms() {
  Outcome out;
  auto& to = out.comparisons;
  // Table 1's Iwan row through (59) and back through (60).
  const double Fs = 2.5707, KT = 10, chi = -0.3, beta = 1;
  const double q = beta + (chi + 1) / (chi + 2);
  const double phi_max = Fs * (1 + beta) / (KT * q);
  const double R = input("R", Fs * (chi + 1) / (std::pow(phi_max, chi + 2) * q));
  const double S = Fs / phi_max * beta / q;
  const ModelSpec four{"iwan4", {{"Fs", Fs}, {"KT", KT}, {"chi", chi}, {"beta", beta}}, {}};
  const ModelSpec power{"iwan-power", {{"R", R}, {"S", S}, {"phi_max", phi_max}, {"chi", chi}}, {}};
  const ModelSpec formula{
      "iwan-density",
      {{"rho", number_text(R) + "*phi^" + number_text(chi)}, {"phi_max", phi_max}, {"S", S}},
      {}};
  const std::vector<double> path{0.1, 0.5, -0.3, 0.2, 0.15, 1.2, -2.0, -1.4, 3.0};
  const Run exact = simulate(four, path), by_power = simulate(power, path);
  to.push_back(equation("(59): force by (R, S, φmax) against (Fs, KT, β), largest difference", 0,
                        1e-12, largest_difference(exact.history.f, by_power.history.f)));
  to.push_back(equation("(56): force at macroslip, Fs by (60)",
                        R * std::pow(phi_max, chi + 2) / (chi + 2) + S * phi_max, 1e-10,
                        by_power.history.f.back()));
  to.push_back(equation("(57): first slope, KT by (60)",
                        Fs * (1 + beta) / (phi_max * (beta + (chi + 1) / (chi + 2))), 1e-6,
                        simulate(power, {1e-12}).history.tangent[0]));
  to.push_back(independent("(55) with ρ as a formula, by quadrature: largest difference", 0, 1e-9,
                           largest_difference(exact.history.f, simulate(formula, path).history.f)));
  // (55) with ρ as bars of equal mass: the force differs in the second order of their width.
  const auto bars = [&](int n) {
    std::vector<double> edges, rho;
    for (int i = 0; i <= n; ++i)
      edges.push_back(phi_max * std::pow(static_cast<double>(i) / n, 1 / (chi + 1)));
    for (int i = 0; i < n; ++i) {
      const double mass = R * std::pow(phi_max, chi + 1) / (chi + 1) / n;
      rho.push_back(mass / (edges[std::size_t(i) + 1] - edges[std::size_t(i)]));
    }
    edges.push_back(phi_max * (1 + 1e-9));
    rho.push_back(S / (phi_max * 1e-9));
    const ModelSpec table{"iwan-table", {{"phi", edges}, {"rho", rho}, {"k", 0.0}}, {}};
    return largest_difference(exact.history.f, simulate(table, path).history.f);
  };
  const double twenty = bars(20), forty = bars(40);
  to.push_back(independent("(55) with ρ as 40 bars over 20 bars: ratio of the differences", 0.25,
                           0.06, forty / twenty));
  // 4.8.3: the history-free form.
  ModelSpec free = four;
  free.options["method"] = "history-free";
  const auto energy = [&](const ModelSpec& law, double U) {
    const Run run = simulate(law, {U, -U, U, -U, U, -U, U});
    return run.history.energy[6] - run.history.energy[4];
  };
  to.push_back(independent("4.8.3: history-free, energy of a cycle beyond macroslip over exact", 1,
                           1e-9, energy(free, 3 * phi_max) / energy(four, 3 * phi_max)));
  double before = 1;
  for (const double part : {0.7, 0.3, 0.1}) {
    const double off = std::abs(energy(free, part * phi_max) / energy(four, part * phi_max) - 1);
    const std::string at = "4.8.3: energy of a cycle of U = " + number_text(part) + " φmax, ";
    to.push_back(judged(at + "distance from exact, relative", off,
                        "what the scaled distribution of sliders costs in microslip"));
    if (before != 1)
      to.push_back(at_least(at + "this distance over that at the larger amplitude", 1, off / before,
                            "the form is exact in macroslip and departs from there"));
    before = off;
  }
  // 4.8.4: the density from a record, as `loops --law` writes it; tried on another amplitude.
  std::vector<double> motion{0};
  for (const double end : {0.9, -0.9, 0.9, -0.9, 0.9}) {
    const std::vector<double> leg = spaced(motion.back(), end * phi_max, 400);
    motion.insert(motion.end(), leg.begin() + 1, leg.end());
  }
  const Run record = simulate(four, motion);
  const loops::Loops found = loops::analyse({}, record.history.u, record.history.f);
  const ModelSpec identified{"iwan-table",
                             {{"phi", found.density.edges},
                              {"rho", found.density.density},
                              {"k", std::max(0.0, found.density.elastic)}},
                             {}};
  to.push_back(
      independent("4.8.4: density identified at U = 0.9 φmax: energy at 0.5 φmax over exact", 1,
                  0.02, energy(identified, 0.5 * phi_max) / energy(four, 0.5 * phi_max)));
  const double mass = R * std::pow(0.9 * phi_max, chi + 1) / (chi + 1);
  double bars_mass = 0;
  for (std::size_t i = 0; i < found.density.density.size(); ++i)
    bars_mass += found.density.density[i] * (found.density.edges[i + 1] - found.density.edges[i]);
  to.push_back(independent("4.8.4: stiffness of the sliders below 0.9 φmax, ∫ρ dφ, over exact", 1,
                           0.02, bars_mass / mass));
  io::Panel panel{"U = 0.7 φmax with a minor loop", {"u"}, {"F"}, {}};
  std::vector<double> rows{0};
  for (const double end : {0.7, -0.7, 0.2, -0.1, 0.7, -0.7, 0.7}) {
    const std::vector<double> leg = spaced(rows.back(), end * phi_max, 100);
    rows.insert(rows.end(), leg.begin() + 1, leg.end());
  }
  panel.curves = {loop(simulate(four, rows), "exact"), loop(simulate(free, rows), "history-free")};
  panel.curves[1].style = io::Style::dashed;
  out.figures = {{"", {"", {{{panel}, 8}}}}};
  out.remark =
      "Numbers of Table 1's Iwan row. The review describes Brake's analytical form in two "
      "sentences, "
      "without its equation; the method history-free of `iwan4` is what these sentences say (only "
      "the last reversal counts, and the branch is the virgin curve scaled to end at macroslip). "
      "It "
      "is exact from macroslip, and wrong for small cycles, where the exact law costs no more: it "
      "keeps the reversals that still matter and no sliders.";
  return out;
}

// ------------------------------------------------------------------------------------------- (89)

/// (89) by steps: dF = E0 dq + λ(Et q − F) dz, dz = |dq − κ dF/E0|. dF stands on both sides, so each
/// step solves a scalar equation; of its two branches the one whose sign of dq − κ dF/E0 is right
/// counts. Returns the force at the turns, or nothing where no branch is.
std::vector<double> flow_form(const std::vector<double>& turns, double E0, double Et, double lambda,
                              double kappa, int steps) {
  std::vector<double> forces;
  double q = 0, F = 0;
  for (const double turn : turns) {
    const double dq = (turn - q) / steps;
    for (int i = 0; i < steps; ++i) {
      // Midpoint rule: two passes, the second with the slope at the middle.
      double slope = E0;
      double at_q = q, at_F = F;
      for (int pass = 0; pass < 2; ++pass) {
        const double d = dq > 0 ? 1 : -1, e = d * lambda / E0 * (Et * at_q - at_F);
        // τ = 1 + e|1 − κτ|
        const double first = (1 + e) / (1 + kappa * e), second = (1 - e) / (1 - kappa * e);
        if (1 - kappa * first >= -1e-15)
          slope = E0 * first;
        else if (1 - kappa * second <= 1e-15)
          slope = E0 * second;
        else
          return forces;
        at_q = q + 0.5 * dq;
        at_F = F + 0.5 * dq * slope;
      }
      q += dq;
      F += slope * dq;
    }
    q = turn;
    forces.push_back(F);
  }
  return forces;
}

Outcome flow() {
  const double E0 = 2, Et = 0.3, lambda = input("lambda", 1.4);
  const std::vector<double> turns{1.2, 0.4, 0.9, -1.5, 2.0, -2.0};
  Outcome out;
  auto& to = out.comparisons;
  for (const double kappa : {0.0, 0.4, 0.8, 0.95}) {
    const ModelSpec law{"valanis", {{"E0", E0}, {"Et", Et}, {"lambda", 1.4}, {"kappa", kappa}}, {}};
    append(to, equation, "(89) by steps, κ = " + number_text(kappa) + ": F at turn",
           flow_form(turns, E0, Et, lambda, kappa, 20000), 2e-5, simulate(law, turns).history.f);
  }
  const std::vector<double> linear = flow_form(turns, E0, Et, lambda, 1, 100);
  std::vector<double> spring;
  for (const double q : turns) spring.push_back(E0 * q);
  to.push_back(equation("(89), κ = 1: a linear spring, largest difference", 0, 1e-9,
                        largest_difference(linear, spring), "the text below (87) says so too"));
  // κ > 1: the sign of dq − κ dF/E0 turns. Loading is defined, unloading ends where e = 1/κ.
  const std::vector<double> beyond = flow_form({2.0, -2.0}, E0, Et, lambda, 1.5, 20000);
  to.push_back(independent("(89), κ = 1.5: turns that the equation reaches of two", 1, 0.25,
                           static_cast<double>(beyond.size()),
                           "after the reversal e > 1/κ: no rate satisfies the equation"));
  const ModelSpec law{"valanis", {{"E0", E0}, {"Et", Et}, {"lambda", 1.4}, {"kappa", 0.8}}, {}};
  out.figures = {
      {"",
       {"",
        {{{{"κ = 0.8", {"q"}, {"F"}, {loop(simulate(law, "1.5*sin(t)", 4 * pi, pi / 200))}}},
          7}}}}};
  out.remark =
      "Printed is ż = |q̇ − κ F/E0|, which adds a velocity to a displacement; with Ḟ, "
      "as here, (89) reduces to (87) for κ in [0, 1), as the text says: see mathis2020-misprints. "
      "For "
      "κ > 1 loading goes on along the other branch of the absolute value, and after a reversal "
      "there "
      "is none. So `valanis` takes κ < 1, and nothing of (89) is lost by that.";
  return out;
}

}  // namespace mathis2020_sec4_parts

Entry mathis2020_eq18() {
  using namespace mathis2020_sec4_parts;
  return {"mathis2020-eq18-20",
          "Mathis et al. (2020), eqs (18)–(20)",
          "Bouc's operator with a general kernel and weight.",
          bouc_operator,
          {"step of ln s", 1.05, "(18)–(20), G = 1/(1 + v)², from 66 exponentials: z at turn 1"}};
}

Entry mathis2020_sec4_8() {
  using namespace mathis2020_sec4_parts;
  return {"mathis2020-sec4.8",
          "Mathis et al. (2020), sections 4.8.1, 4.8.3, eqs (55)–(60)",
          "Iwan models by parameters, density, formula, bars; the history-free form.",
          iwan_forms,
          {"R", 1.05, "(59): force by (R, S, φmax) against (Fs, KT, β), largest difference"}};
}

Entry mathis2020_eq89() {
  using namespace mathis2020_sec4_parts;
  return {"mathis2020-eq89",
          "Mathis et al. (2020), eq. (89)",
          "The general flow form of Valanis' law, for κ below, at and above 1.",
          flow,
          {"lambda", 1.05, "(89) by steps, κ = 0: F at turn 1"}};
}

}  // namespace microslip::reproduce
