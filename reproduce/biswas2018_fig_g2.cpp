#include <cmath>

#include "iwan_fit.hpp"
#include "microslip/catalog/fitting/fit_hints.hpp"
#include "microslip/contact/solver.hpp"
#include "microslip/core/error.hpp"
#include "microslip/core/text.hpp"
#include "microslip/numerics/signal.hpp"
#include "own_joints.hpp"

// Fig. G.2 and the remark of section 4.6 that more states fit better, whose details the thesis does
// not present: laws fitted to case 1 of Table 4.1 and compared on all six, which are loops of a
// joint of our own and not of a law. Once with tied normals, once with plates that may separate.

namespace microslip::reproduce {
namespace {

constexpr double step = 0.01;

std::vector<double> motion(const char* signal, double scale) {
  std::vector<double> u = sample_signal(Expression::parse(signal, {"t"}), 3, step).u;
  for (double& x : u) x *= scale;
  return u;
}

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

/// The same motions with plates that may separate; the normalisation is that of the first loop.
std::vector<JointLoop> open_loops() {
  const contact::LapJoint joint = chapter_4_joint(0.15, 20e3);
  const double scale = chapter_4_a2 / saturation(joint.tied()).normalization().a2;
  std::vector<JointLoop> loops;
  loops::Normalization n;
  for (const char* signal : joint_inputs) {
    JointLoop loop{motion(signal, scale), {}};
    const contact::Result run = contact::run(joint.problem(), loop.u);
    if (run.status != Status::ok) throw Error("the open joint stopped: " + run.trouble);
    for (std::size_t i = 0; i < loop.u.size(); ++i)
      loop.f.push_back(joint.force(loop.u[i], run.xi[i]));
    if (loops.empty()) n = loops::analyse({}, loop.u, loop.f).normalization.value();
    loops.push_back(normalised(n, loop));
  }
  return loops;
}

/// The law with m states, first slope 1: 2m numbers. The law with one state fewer is a start.
fit::Fit fit_states(std::size_t m, const JointLoop& loop, const fit::Fit* fewer) {
  std::vector<double> a(m, 1), b(m, 0.3);
  if (fewer) {
    a = std::get<std::vector<double>>(fewer->parameters.front().at("a"));
    b = std::get<std::vector<double>>(fewer->parameters.front().at("b"));
    a.push_back(0.5 * largest(a));
    b.push_back(0.1);
  } else {
    for (std::size_t i = 0; i < m; ++i) a[i] = std::pow(0.1, double(i));
  }
  const ParameterValues start{{"a", a}, {"b", b}, {"alpha", 1.0}, {"ks", 0.0}};
  const AnyModel law = make({"m-state", start, {}});
  const fit::Data data{"case 1", {}, loop.u, loop.f};
  fit::Settings settings;
  settings.starts = 6;
  settings.setup.beginning = fit::Beginning::virgin;
  settings.setup.fixed = {{"alpha", 1.0}, {"ks", 0.0}};
  settings.guesses = {start};
  return fit::fit(law, {data}, catalog::with_hints(std::move(settings), law, {data}));
}

double rms(const std::vector<double>& a, const std::vector<double>& b) {
  double squares = 0;
  for (std::size_t i = 0; i < a.size(); ++i) squares += (a[i] - b[i]) * (a[i] - b[i]);
  return std::sqrt(squares / double(a.size()));
}

/// rms over the gap of a law with given parameters on each loop.
std::vector<double> errors(const AnyModel& law, const std::vector<JointLoop>& loops,
                           std::vector<std::vector<double>>* force = nullptr) {
  std::vector<double> all;
  for (const JointLoop& loop : loops) {
    const std::vector<double> f = law.run({{}, loop.u, {}}).f;
    all.push_back(rms(f, loop.f) / 2);
    if (force) force->push_back(f);
  }
  return all;
}

void compare(const std::string& kind, const std::vector<JointLoop>& loops, Outcome& outcome) {
  auto& to = outcome.comparisons;
  std::vector<std::vector<double>> two;
  std::vector<std::vector<double>> by_states;  // errors of m = 2, 3, 4 on the six cases
  fit::Fit fit;
  for (const std::size_t m : {2u, 3u, 4u}) {
    fit = fit_states(m, loops.front(), m > 2 ? &fit : nullptr);
    const AnyModel law = make({"m-state", fit.parameters.front(), {}});
    by_states.push_back(errors(law, loops, m == 2 ? &two : nullptr));
  }
  const IwanFit iwan = fit_iwan(20, loops.front().u, loops.front().f, false);
  std::vector<double> by_iwan;
  std::vector<io::Panel> panels;
  for (std::size_t i = 0; i < loops.size(); ++i) {
    const JointLoop& loop = loops[i];
    const IwanFit here = compare_iwan(20, iwan.mu0, loop.u, loop.f, false);
    by_iwan.push_back(here.rms / 2);
    const std::string name = kind + ", case " + std::to_string(i + 1) + ": ";
    to.push_back(at_most(name + "rms of 20 Iwan sliders over that of two states", 1,
                         by_iwan[i] / by_states[0][i], "\"superior\""));
    for (const std::size_t more : {1u, 2u})
      to.push_back(at_most(name + "rms of " + std::to_string(more + 2) + " states over that of " +
                               std::to_string(more + 1),
                           1, by_states[more][i] / by_states[more - 1][i]));
    panels.push_back({.title = name,
                      .x = {"normalised u"},
                      .y = {"normalised f"},
                      .curves = {{"joint", loop.u, loop.f, io::Style::solid, 0},
                                 {"Iwan, n = 20", loop.u, here.force, io::Style::dashed, 1},
                                 {"two states", loop.u, two[i], io::Style::dashed, 3}},
                      .legend = i == 0});
  }
  outcome.figures.push_back({outcome.figures.empty() ? "" : "-open", in_pairs(panels)});
}

Outcome compute() {
  Outcome outcome;
  compare("tied", tied_loops(), outcome);
  compare("with separation", open_loops(), outcome);
  return outcome;
}

}  // namespace

Entry biswas2018_fig_g2() {
  return {"biswas2018-figG.2",
          "Biswas 2018, section 4.6, fig. G.2",
          "Two, three and four states and 20 Iwan sliders, fitted to loops of a joint of our own.",
          compute,
          {"masing.phi", 1.05}};
}

}  // namespace microslip::reproduce
