#include <cmath>

#include "iwan_fit.hpp"
#include "microslip/catalog/fitting/fit_hints.hpp"
#include "microslip/contact/solver.hpp"
#include "microslip/core/error.hpp"
#include "microslip/core/text.hpp"
#include "microslip/detail/numerics/signal.hpp"
#include "own_joints.hpp"

// Fig. G.2 and the remark of section 4.6 that more states fit better, whose details the thesis does
// not present: laws fitted to case 1 of Table 4.1 and compared on all six, which are loops of a
// joint of our own and not of a law. Once with tied normals, once with plates that may separate.

namespace microslip::reproduce {
namespace biswas2018_fig_g2_parts {

constexpr double step = 0.02;

JointLoop normalised(const loops::Normalization& n, const JointLoop& loop) {
  JointLoop bar;
  for (std::size_t i = 0; i < loop.u.size(); ++i) {
    bar.u.push_back(n.u(loop.u[i]));
    bar.f.push_back(n.f(loop.u[i], loop.f[i]));
  }
  return bar;
}

/// The six loops in normalised form, where the gap is 2.
std::vector<JointLoop> tied_loops() {
  const contact::TiedInterface joint = chapter_4_joint(0.15, 20e3).tied();
  const loops::Normalization n = saturation(joint).normalization();
  std::vector<JointLoop> loops;
  for (const char* signal : joint_inputs)
    loops.push_back(normalised(n, follow(joint, signal, chapter_4_a2 / n.a2, 3, step)));
  return loops;
}

/// The first motion, and a sine of the same amplitude, with plates that may separate.
struct OpenLoops {
  JointLoop loop;    ///< normalised as that of tied normals
  double asymmetry;  ///< rms of the even part of the steady loop under a sine, over the gap
};
OpenLoops open_loops() {
  const contact::LapJoint joint = chapter_4_joint(0.15, 20e3);
  const loops::Normalization n = saturation(joint.tied()).normalization();
  const double scale = chapter_4_a2 / n.a2;
  const auto force = [&](const std::vector<double>& u) {
    const contact::Result run = contact::run(joint.problem(), u);
    if (run.status != Status::ok) throw Error("the open joint stopped: " + run.trouble);
    std::vector<double> f;
    for (std::size_t i = 0; i < u.size(); ++i) f.push_back(joint.force(u[i], run.xi[i]));
    return f;
  };
  JointLoop loop{sample_signal(Expression::parse(joint_inputs[0], {"t"}), 3, step).u, {}};
  for (double& u : loop.u) u *= scale;
  loop.f = force(loop.u);
  std::vector<double> sine;
  constexpr std::size_t half = 50;
  for (std::size_t i = 1; i <= 6 * half; ++i)
    sine.push_back(largest(loop.u) * std::sin(pi * double(i) / half));
  const std::vector<double> f = force(sine);
  std::vector<double> even;
  for (std::size_t i = 4 * half; i < 5 * half; ++i) even.push_back(0.5 * (f[i] + f[i + half]));
  double mean = 0, squares = 0;
  for (const double e : even) mean += e / half;
  for (const double e : even) squares += (e - mean) * (e - mean) / half;
  return {normalised(n, loop), std::sqrt(squares) * n.a0 / 2};
}

/// A law with m states and first slope 1, which has 2m numbers, and an offset of the force.
struct States {
  ParameterValues parameters;
  double offset = 0;
  std::vector<double> force(const std::vector<double>& u) const {
    History h = make({"m-state", parameters, {}}).run({{}, u, {}});
    if (h.status != Status::ok) throw Error("the law stopped");
    for (double& x : h.f) x += offset;
    return h.f;
  }
};

/// Starts from the law with one state fewer, if there is one.
States fit_states(std::size_t m, const JointLoop& loop, const States& fewer, bool with_offset) {
  std::vector<double> a, b;
  if (m > 2) {
    a = std::get<std::vector<double>>(fewer.parameters.at("a"));
    b = std::get<std::vector<double>>(fewer.parameters.at("b"));
    a.push_back(std::sqrt(a.front() * a.back()));
    b.push_back(0.3);
  } else {
    a = {0.1, 1.5};
    b = {0.6, 0.8};
  }
  const ParameterValues start{{"a", a}, {"b", b}, {"alpha", 1.0}, {"ks", 0.0}};
  const AnyModel law = make({"m-state", start, {}});
  const fit::Data data{"case 1", {}, loop.u, loop.f};
  fit::Settings settings;
  settings.starts = 1;
  settings.setup.beginning = fit::Beginning::virgin;
  settings.setup.fixed = {{"alpha", 1.0}, {"ks", 0.0}};
  if (with_offset) settings.setup.free = {"offset"};
  settings.guesses = {start};
  const fit::Fit fit = fit::fit(law, {data}, catalog::with_hints(std::move(settings), law, {data}));
  States found{fit.parameters.front()};
  for (const fit::Estimate& e : fit.estimates)
    if (e.name == "offset") found.offset = e.value;
  return found;
}

double rms(const std::vector<double>& a, const std::vector<double>& b) {
  double squares = 0;
  for (std::size_t i = 0; i < a.size(); ++i) squares += (a[i] - b[i]) * (a[i] - b[i]);
  return std::sqrt(squares / double(a.size()));
}

/// Fitted to the first loop, compared with all of them; rms over the gap.
struct Errors {
  std::vector<std::vector<double>> of_states;  ///< of two, three, … states on each loop
  std::vector<double> of_iwan;
};

Errors compare(const std::vector<JointLoop>& loops, std::size_t most, bool with_offset,
               io::Figure& figure) {
  Errors errors;
  States two, states;
  for (std::size_t m = 2; m <= most; ++m) {
    states = fit_states(m, loops.front(), states, with_offset);
    if (m == 2) two = states;
    errors.of_states.emplace_back();
    const double factor = m == 3 ? input("motion of three states", 1) : 1;
    for (const JointLoop& loop : loops) {
      std::vector<double> u = loop.u;
      for (double& x : u) x *= factor;
      errors.of_states.back().push_back(rms(states.force(u), loop.f) / 2);
    }
  }
  const IwanFit iwan = fit_iwan(20, loops.front().u, loops.front().f, with_offset);
  std::vector<io::Panel> panels;
  for (std::size_t i = 0; i < loops.size(); ++i) {
    const JointLoop& loop = loops[i];
    std::vector<double> force = iwan_force(20, iwan.mu0, loop.u);
    for (double& f : force) f += iwan.zeta;
    errors.of_iwan.push_back(rms(force, loop.f) / 2);
    panels.push_back({.title = "case " + std::to_string(i + 1),
                      .x = {"normalised u"},
                      .y = {"normalised f"},
                      .curves = {{"joint", loop.u, loop.f, io::Style::solid, 0},
                                 {"Iwan, n = 20", loop.u, force, io::Style::dashed, 1},
                                 {"two states", loop.u, two.force(loop.u), io::Style::dashed, 3}},
                      .legend = i == 0});
  }
  figure = in_pairs(panels);
  return errors;
}

Outcome compute() {
  Outcome outcome;
  auto& to = outcome.comparisons;
  io::Figure figure;
  const Errors tied = compare(tied_loops(), 4, false, figure);
  outcome.figures.push_back({"", figure});
  constexpr double before[] = {0.0123, 0.0161, 0.0158, 0.0175, 0.0189, 0.0196};
  for (std::size_t i = 0; i < std::size(before); ++i) {
    const std::string name = "case " + std::to_string(i + 1) + ": ";
    to.push_back(recorded(name + "rms of two states / gap", before[i], 3e-4, tied.of_states[0][i],
                          i == 0 ? "fitted; the other cases are predicted" : ""));
    to.push_back(at_most(name + "rms of three states over that of two", 1,
                         tied.of_states[1][i] / tied.of_states[0][i],
                         "\"using more states in the model, an even better fit is possible\""));
    to.push_back(at_most(name + "rms of four states over that of three", 1,
                         tied.of_states[2][i] / tied.of_states[1][i]));
    to.push_back(differs(at_most(name + "rms of 20 Iwan sliders over that of two states", 1,
                                 tied.of_iwan[i] / tied.of_states[0][i]),
                         "\"superior\" for the joint of the thesis; strengths of the sliders are "
                         "uniform in eq. (G.2), which suits some pressures and not those of ours"));
  }
  const OpenLoops open = open_loops();
  const Errors separated = compare({open.loop}, 3, true, figure);
  outcome.figures.push_back({"-open", figure});
  const std::string name = "with separation, case 1: ";
  to.push_back(recorded(name + "rms of two states / gap", 0.0579, 0.001, separated.of_states[0][0],
                        "an offset of the force is fitted too; over the gap of tied normals"));
  to.push_back(judged(name + "rms of three states over that of two",
                      separated.of_states[1][0] / separated.of_states[0][0],
                      "with plates that separate, more states bring nothing"));
  to.push_back(recorded("with separation, a sine of the same amplitude: rms of the even part / gap",
                        0.0637, 0.001, open.asymmetry, "no odd law has an even part"));
  outcome.remark =
      "Answer to the open claim: yes. On loops of a joint with tied normals three states leave a "
      "third of what two leave, also on the five inputs that were not fitted; a fourth state "
      "brings "
      "5 to 18 % more. Where plates may separate, further states bring nothing: contact forces "
      "change with the motion, loops differ in tension and compression, and all these laws are "
      "odd. The joint is that of biswas2018-sec4.2, whose dimensions are ours, so errors of the "
      "laws against each other are comparable with the thesis, not the errors themselves. "
      "Laws have 2m numbers (first slope 1), the Iwan model has one.";
  return outcome;
}

}  // namespace biswas2018_fig_g2_parts

Entry biswas2018_fig_g2() {
  using namespace biswas2018_fig_g2_parts;
  return {
      .id = "biswas2018-figG.2",
      .source = "Biswas 2018, section 4.6, fig. G.2",
      .sentence =
          "Two, three and four states and 20 Iwan sliders, fitted to loops of a joint of our own.",
      .compute = compute,
      .mutation = {"motion of three states", 1.05, "case 1: rms of three states over that of two"},
      .slow = true};
}

}  // namespace microslip::reproduce
