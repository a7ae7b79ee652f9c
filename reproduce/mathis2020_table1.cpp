#include <cmath>

#include "mathis2020_tuning.hpp"
#include "microslip/loops/harmonic.hpp"

// Laws tuned to Jenkins at A = 1: Table 1, fig. 19 (ζ_eff against amplitude), fig. 20 (loops of
// equal area). The starred parameter of each law was tuned, the others chosen.

namespace microslip::reproduce {
namespace mathis2020_table1_parts {

struct Row {
  std::string name;
  ModelSpec law;
  std::string tuned;     // the starred parameter
  double printed_value;  // of it
  double tolerance;      // of it
  bool known_to_differ = false;
  std::string note{};
};

const std::vector<Row>& rows() {
  static const std::vector<Row> all{
      {"Dahl", {"dahl", {{"sigma0", 4.0}, {"zc", 2.0}, {"n", 1.5}}, {}}, "sigma0", 4.00, 5e-3},
      {"LuGre",
       {"lugre",
        {{"sigma0", 4.40425},
         {"sigma1", 0.01},
         {"sigma2", 0.01},
         {"zc", 1.5},
         {"zs", 1.7},
         {"vs", 0.15}},
        {}},
       "sigma0",
       4.40425,
       1e-4,
       false,
       "five decimals are printed; ζ_eff with them is 2e-6 off, so the tuning was stopped there"},
      {"elasto-plastic",
       {"elasto-plastic",
        {{"sigma0", 4.6685},
         {"sigma1", 0.01},
         {"sigma2", 0.01},
         {"zc", 1.5},
         {"zs", 1.5},
         {"vs", 0.15},
         {"n", 2.5},
         {"zba", 0.1607}},
        {}},
       "sigma0",
       4.6685,
       1e-4},
      {"Bouc-Wen", reference_bouc_wen(), "A", 0.75385, 5e-6, false,
       "with + in front of β; with the printed sign ζ_eff is 1.73"},
      {"viscous",
       {"viscous", {{"c", 1.2725}}, {}},
       "c",
       1.2725,
       5e-5,
       true,
       "c = 2 ζ_eff = 4/π = 1.27324; the print has 1.2725"},
      {"Iwan",
       {"iwan4", {{"Fs", 2.5707}, {"KT", 10.0}, {"chi", -0.3}, {"beta", 1.0}}, {}},
       "Fs",
       2.5707,
       5e-5,
       true,
       "the four printed parameters give 1.105; section 6.3 says that the law also had Mignolet's "
       "ratio of kinetic to static friction, which is not printed"},
  };
  return all;
}

Outcome compute() {
  const ModelSpec jenkins{"jenkins", {{"k", 4.0}, {"phi", 2.0}}, {}};
  const double target = zeta_eff(jenkins, 1);
  Outcome outcome;
  // D = 4φ(A − φ/k) = 4, ζ_eff = D/(2πA²).
  outcome.comparisons.push_back(
      independent("Jenkins: ζ_eff at A = 1, 4φ(A − φ/k)/(2πA²)", 2 / pi, 1e-14, target));

  std::vector<double> amplitudes = spaced(0.02, 4, 100);
  io::Panel zeta{
      .title = "fig. 19",
      .x = {"A"},
      .y = {"ζ_eff"},
      .curves = {{.name = "Jenkins", .x = amplitudes, .y = zeta_eff(jenkins, amplitudes)}}};
  io::Panel loops{.title = "fig. 20: loops at A = 1", .x = {"u"}, .y = {"f"}, .curves = {}};
  const auto add_loop = [&](const std::string& name, const ModelSpec& law) {
    const Run run = simulate(law, "sin(t)", 6 * pi, pi / 100);
    const std::size_t begin = run.row_at(4 * pi);
    io::Curve curve{.name = name, .x = {}, .y = {}};
    for (std::size_t i = begin; i < run.t.size(); ++i) {
      curve.x.push_back(run.history.u[i]);
      curve.y.push_back(run.history.f[i]);
    }
    loops.curves.push_back(std::move(curve));
  };
  add_loop("Jenkins", jenkins);

  // Finer where the curves bend; laws that see velocity cost more.
  amplitudes = spaced(0.03, 1, 20);
  for (const double amplitude : spaced(1.2, 4, 12)) amplitudes.push_back(amplitude);
  for (const Row& row : rows()) {
    const double as_printed = zeta_eff(row.law, 1);
    // A parameter of five digits leaves 1e-5 in ζ_eff.
    Comparison met = printed(row.name + ": ζ_eff at A = 1 with the printed parameters", 2 / pi,
                             1e-5, as_printed, row.note);
    met.known_to_differ = row.known_to_differ;
    const ModelSpec best = tuned(row.law, {row.tuned}, {1}, {target});
    Comparison found = printed(row.name + ": tuned " + row.tuned, row.printed_value, row.tolerance,
                               std::get<double>(best.parameters.at(row.tuned)), row.note);
    found.known_to_differ = row.known_to_differ;
    outcome.comparisons.push_back(met);
    outcome.comparisons.push_back(found);
    zeta.curves.push_back({.name = row.name, .x = amplitudes, .y = zeta_eff(best, amplitudes)});
    add_loop(row.name, best);
  }
  // The four printed parameters of Iwan's law with the fifth that section 6.3 names.
  const double theta = mignolet_theta();
  const ModelSpec iwan5 = table1_iwan(theta);
  outcome.comparisons.push_back(
      independent("Iwan with θ of the closed form: ζ_eff at A = 1 by the law iwan5", 2 / pi, 1e-6,
                  zeta_eff(iwan5, 1), "θ = 0.418 makes the printed row agree"));
  outcome.comparisons.push_back(independent(
      "Iwan: θ tuned with the law iwan5, closed form", theta, 1e-5,
      std::get<double>(tuned(table1_iwan(0.5), {"theta"}, {1}, {target}).parameters.at("theta"))));
  zeta.curves.push_back(
      {.name = "Iwan, θ = 0.418", .x = amplitudes, .y = zeta_eff(iwan5, amplitudes)});
  add_loop("Iwan, θ = 0.418", iwan5);

  // Fig. 20: an ellipse with the same a1 and b1 encloses the same area.
  io::Panel ellipses{
      .title = "fig. 20: loops and equivalent ellipses", .x = {"u"}, .y = {"f"}, .curves = {}};
  for (const auto& [name, law] : {std::pair{std::string("Jenkins"), jenkins},
                                  {std::string("Dahl"), rows()[0].law},
                                  {std::string("Iwan, θ = 0.418"), iwan5}}) {
    const loops::FirstHarmonic h = loops::first_harmonic(make(law), 1, 1);
    const Run run = simulate(law, "sin(t)", 6 * pi, pi / 400);
    const std::size_t begin = run.row_at(4 * pi);
    outcome.comparisons.push_back(
        independent("fig. 20, " + name + ": area π a1 of the ellipse over that of a simulated loop",
                    1, 1e-4, pi * h.a1 / run.work(begin, run.t.size() - 1)));
    const std::size_t color = ellipses.curves.size() / 2;
    io::Curve loop{name, {}, {}, io::Style::solid, color},
        ellipse{"", {}, {}, io::Style::dashed, color};
    for (std::size_t i = begin; i < run.t.size(); ++i) {
      loop.x.push_back(run.history.u[i]);
      loop.y.push_back(run.history.f[i]);
      ellipse.x.push_back(std::sin(run.t[i]));
      ellipse.y.push_back(h.b1 * std::sin(run.t[i]) + h.a1 * std::cos(run.t[i]));
    }
    ellipses.curves.push_back(std::move(loop));
    ellipses.curves.push_back(std::move(ellipse));
  }
  outcome.figures.push_back(
      {"", io::Figure{.title = "", .rows = {{{zeta}, 7}, {{loops}, 7}, {{ellipses}, 7}}}});
  outcome.remark =
      "Drawn with the parameters tuned here. Iwan's row agrees with a fifth parameter, Mignolet's "
      "ratio θ = 0.418 of kinetic to static friction: D = 4AθM₁ + (1 + θ)(1 − 3θ)M₂ for the "
      "sliders "
      "φ ≤ A. Figs 21 to 25 are drawn with it. Stribeck of Table 1 (μ = 1.02935, α = 0.01, β = "
      "0.10, "
      "γ = 0.50) is left out: its formula is not in the text, and none of the usual ones has these "
      "four parameters.";
  return outcome;
}

}  // namespace mathis2020_table1_parts

Entry mathis2020_table1() {
  using namespace mathis2020_table1_parts;
  return {"mathis2020-table1",
          "Mathis et al. 2020, Table 1, figs 19 and 20",
          "Laws tuned to the damping of a Jenkins element at amplitude 1; loops and equivalent "
          "ellipses.",
          compute,
          {"dahl.sigma0", 1.05, "Dahl: ζ_eff at A = 1 with the printed parameters"}};
}

}  // namespace microslip::reproduce
