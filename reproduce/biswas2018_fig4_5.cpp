#include <cmath>

#include "microslip/catalog/catalog.hpp"
#include "microslip/catalog/fitting/fit_hints.hpp"
#include "microslip/core/text.hpp"
#include "microslip/loops/loops.hpp"
#include "support.hpp"

// Loops of a single-bolt lap joint, normalised to final slope 0, gap 2, first slope 1 (eqs
// 4.1–4.3). The finite-element loops are not available. The two-state law with α = 2/3, σ = 1/16,
// which the thesis fitted to all of them (eq. 4.20, figs 4.9 and 4.10), stands in: it is taken back
// to kN and mm with the printed a0, a1, a2, and the normalisation must find these again.

namespace microslip::reproduce {
namespace biswas2018_fig4_5_parts {

struct Case {
  std::string name;
  std::string signal;  // u in mm
  double a0, a1, a2;   // captions of figs 4.5 and 4.6
};

const std::string first_signal = "2*sin(2*pi*t) + sin(8*pi*t)";

std::vector<Case> table_4_1() {
  const auto one = [](const std::string& name, const std::string& signal) {
    return Case{name, signal, 11.1266, 28.6250, 1.1255};
  };
  return {one("1", first_signal),
          one("2", "2*sin(2*pi*t) + sin(9*pi*t)"),
          one("3", "2*sin(2*pi*t) + 0.8*sin(10*pi*t)"),
          one("4", "2*sin(2*pi*t) + 0.8*sin(11*pi*t)"),
          one("5", "2*sin(2*pi*t) + 0.6*sin(12*pi*t)"),
          one("6", "2*sin(2*pi*t) + 0.6*sin(13*pi*t)")};
}

std::vector<Case> table_4_2() {
  return {{"μ = 0.10, 20 kN", first_signal, 15.1656, 39.0379, 1.1134},
          {"μ = 0.20, 20 kN", first_signal, 8.8871, 22.8566, 1.1259},
          {"μ = 0.15, 30 kN", first_signal, 7.6868, 20.2205, 1.1195},
          {"μ = 0.15, 40 kN", first_signal, 6.9522, 18.0100, 0.9801}};
}

struct Joint {
  std::vector<double> u, f;  // mm, kN
};

Joint joint_of(const Case& one, double until = 4, double step = 1e-3) {
  const loops::Normalization back{.a0 = one.a0, .a1 = one.a1, .a2 = one.a2};
  const auto b = normalized_b(2.0 / 3, 1.0 / 16);
  const Run run = simulate(two_state(2.0 / 3, 1.0 / 16, b[0], b[1]),
                           number_text(one.a2) + "*(" + one.signal + ")", until, step);
  Joint joint;
  for (std::size_t i = 0; i < run.t.size(); ++i) {
    joint.u.push_back(back.measured_u(run.history.u[i]));
    joint.f.push_back(back.measured_f(run.history.u[i], run.history.f[i]));
  }
  return joint;
}

io::Panel normalise(const std::string& table, const Case& one, std::vector<Comparison>& to) {
  const Joint joint = joint_of(one);
  const loops::Loops found = loops::analyse({}, joint.u, joint.f);
  const loops::Normalization n = found.normalization.value();
  const auto add = [&](const std::string& what, double expected, double tolerance, double value,
                       const std::string& off = {}) {
    const Comparison one_row =
        circular(table + ", case " + one.name + ": " + what, expected, tolerance, value);
    to.push_back(off.empty() ? one_row : differs(one_row, off));
  };
  // Slopes and gap are read from the ends of the branches, which are still slightly bent; in cases
  // 5 and 6 of Table 4.1 a minor loop ends just before the tip, so they are bent more.
  const double part = one.signal.find("0.6") != std::string::npos ? 0.03 : 0.01;
  const std::string off = table == "Table 4.1" && one.name == "6"
                              ? "the final slope is read from the last part of the branch, where a "
                                "minor loop has just ended: 0.013 of the first slope instead of 0. "
                                "Times the amplitude, 2.9, it takes 3.8 % from the gap, and a0 and "
                                "a1 grow by as much; at the tip itself the slope is 0"
                              : "";
  add("a0 found again", one.a0, part * one.a0, n.a0, off);
  add("a1 found again", one.a1, part * one.a1, n.a1, off);
  add("a2 found again", one.a2, part * one.a2, n.a2);
  io::Panel panel{.title = "case " + one.name,
                  .x = {"a2 u"},
                  .y = {"a0 f - a1 u"},
                  .curves = {},
                  .legend = false};
  io::Curve curve{.name = "", .x = {}, .y = {}, .style = io::Style::solid};
  for (std::size_t i = 0; i < joint.u.size(); ++i) {
    curve.x.push_back(n.u(joint.u[i]));
    curve.y.push_back(n.f(joint.u[i], joint.f[i]));
  }
  panel.curves.push_back(std::move(curve));
  return panel;
}

io::Figure figure_of(const std::string& table, const std::vector<Case>& cases,
                     std::vector<Comparison>& to) {
  io::Figure figure;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    if (i % 2 == 0) figure.rows.push_back({{}, 4});
    figure.rows.back().panels.push_back(normalise(table, cases[i], to));
  }
  return figure;
}

/// Figs 4.9 and 4.10: one α and σ for all loads, whatever their stiffness, gap and final slope. The
/// loops go into the fit as they are, in kN and mm.
void fit_all_loads(const std::vector<Case>& cases, std::vector<Comparison>& to) {
  std::vector<fit::Data> loads;
  for (const Case& one : cases) {
    Joint joint = joint_of(one, 2, 0.02);
    loads.push_back({one.name, {}, std::move(joint.u), std::move(joint.f)});
  }
  const AnyModel law = make({"scaled(two-state-normalized)+linear", {}, {}});
  fit::Settings settings;
  settings.starts = 8;
  settings.setup.beginning = fit::Beginning::virgin;
  settings.setup.fixed = {{"scaled.input_offset", 0.0}, {"scaled.output_offset", 0.0}};
  settings.setup.separate = {"scaled.input_gain", "scaled.output_gain", "linear.k"};
  const fit::Fit found = fit::fit(law, loads, catalog::with_hints(std::move(settings), law, loads));
  const auto value = [&](const std::string& name) {
    return std::get<double>(found.parameters.front().at("scaled.two-state-normalized." + name));
  };
  to.push_back(circular("one fit of the four loads of Table 4.2 with shared α, σ: α", 2.0 / 3, 1e-6,
                        value("alpha"), "eq. (4.20); the loops were made with it"));
  to.push_back(circular("the same: σ", 1.0 / 16, 1e-6, value("sigma")));
}

Outcome compute() {
  Outcome outcome;
  outcome.figures.push_back({"", figure_of("Table 4.1", table_4_1(), outcome.comparisons)});
  outcome.figures.push_back({"-4.6", figure_of("Table 4.2", table_4_2(), outcome.comparisons)});
  fit_all_loads(table_4_2(), outcome.comparisons);

  // What the printed numbers say about the joint: the final slope s0 = a1/a0 is that of the plates
  // and the bolt, whatever friction and preload; the gap 2/a0 grows with both.
  const Case base = table_4_1().front();
  for (const Case& one : table_4_2()) {
    const double ratio = (one.a1 / one.a0) / (base.a1 / base.a0);
    outcome.comparisons.push_back(judged("final slope of " + one.name + " over that of Table 4.1",
                                         ratio,
                                         "from the printed a0 and a1 alone; 1 where the plates and "
                                         "the bolt set it"));
  }
  // a2/a0 is the first slope less the final one. Rigid Coulomb friction sticks after a reversal, so
  // the first slope is that of the glued joint, whatever μ.
  for (const Case& one : {table_4_2()[0], table_4_2()[1]})
    outcome.comparisons.push_back(
        judged("first less final slope, " + one.name + " over that of Table 4.1",
               (one.a2 / one.a0) / (base.a2 / base.a0),
               "from the printed a0 and a2 alone: 0.073, 0.101, 0.127 for μ = 0.10, 0.15, 0.20; "
               "constant for Coulomb friction without elastic slip, so the friction of the "
               "finite-element model was regularised, or its loops were not yet elastic"));
  outcome.remark =
      "The finite-element results are not available; the fitted two-state law stands in for them. "
      "Printed gaps 2/a0 in kN: 0.132, 0.180, 0.225 for μ = 0.10, 0.15, 0.20 at 20 kN, and 0.180, "
      "0.260, 0.288 for preloads of 20, 30, 40 kN at μ = 0.15: less than proportional to friction "
      "times preload.";
  return outcome;
}

}  // namespace biswas2018_fig4_5_parts

Entry biswas2018_fig4_5() {
  using namespace biswas2018_fig4_5_parts;
  return {"biswas2018-fig4.5",
          "Biswas 2018, figs 4.5, 4.6, 4.9 and 4.10",
          "Loops made from the printed fit and a0, a1, a2, and these found again by normalisation.",
          compute,
          {"two-state.alpha", 1.05}};
}

}  // namespace microslip::reproduce
