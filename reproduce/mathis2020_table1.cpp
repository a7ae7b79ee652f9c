#include <cmath>

#include "mathis2020_tuning.hpp"

// Laws tuned to Jenkins at A = 1: Table 1, fig. 19 (ζ_eff against amplitude), fig. 20 (loops of
// equal area). The starred parameter of each law was tuned, the others chosen.

namespace microslip::reproduce {
namespace {

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
  outcome.figures.push_back({"", io::Figure{.title = "", .rows = {{{zeta}, 7}, {{loops}, 7}}}});
  outcome.remark =
      "Drawn with the parameters tuned here. Stribeck of Table 1 is left out: its formula is not "
      "in "
      "the text.";
  return outcome;
}

}  // namespace

Entry mathis2020_table1() {
  return {"mathis2020-table1",
          "Mathis et al. 2020, Table 1, figs 19 and 20",
          "laws tuned to the damping of a Jenkins element at amplitude 1",
          compute,
          {"dahl.sigma0", 1.05}};
}

}  // namespace microslip::reproduce
