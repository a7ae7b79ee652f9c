#include <algorithm>
#include <cmath>
#include <map>

#include "microslip/catalog/catalog.hpp"
#include "microslip/detail/numerics/signal.hpp"
#include "microslip/friction/builders.hpp"
#include "microslip/reduce/study.hpp"
#include "support.hpp"

// Full against reduced under the loads of Tables 2.1 and 2.2. The random system of the thesis
// cannot be recovered: three of our own, modes from sin t + 0.4 sin wt as in the thesis, three of
// the whole history and three of the motion just after reversals.

namespace microslip::reproduce {
namespace biswas2018_tables2_parts {

using reduce::Shape;

constexpr friction::Index sliders = 120;
constexpr std::uint64_t seeds[] = {1, 2, 3};
constexpr double until = 20, step = 0.1;

std::vector<double> rows(const std::string& signal) {
  return sample_signal(Expression::parse(signal, {"t"}), until, step).u;
}

const std::vector<std::string>& signals() {
  static const std::vector<std::string> all{
      "0.4*sin(t)+sin(4.16753*t)", "sin(t)+0.4*sin(4.16753*t)", "sin(t)+1.5*sin(4.16753*t)",
      "1.5*sin(t)+sin(4.16753*t)", "sin(t)+3*sin(4.16753*t)",   "3*sin(t)+sin(4.16753*t)",
      "sin(t)+1.5*sin(pi/4*t)",    "sin(t)+1.5*sin(pi/2*t)",    "sin(t)+1.5*sin(pi*t)",
      "sin(t)+1.5*sin(5*pi/4*t)",  "sin(t)+1.5*sin(3*pi/2*t)",  "sin(t)+1.5*sin(2*pi*t)"};
  return all;
}

struct Errors {
  double ellipsoid6, ellipsoid8, zonotope6;
};

/// Mean over the loads that the modes have not seen: all but case 2 of Table 2.1.
Errors errors_of(std::uint64_t seed, std::vector<io::Panel>& panels) {
  const auto system = friction::random_system(sliders, seed);
  reduce::Task task;
  task.fit.directions = 10000;
  for (const std::string& signal : signals())
    if (signal != signals()[1])
      task.validation.push_back(reduce::run_full(system, {}, signal, rows(signal)));
  const std::vector<std::vector<double>> loads{rows(signals()[1])};
  const reduce::MotionRecord record(system, loads);
  const auto build = [](const ModelSpec& spec) { return make(spec); };
  const auto evaluated = [&](reduce::Index main, reduce::Index after, Shape shape) {
    return reduce::evaluate(system, record.modes(main, after).basis, shape, task, build);
  };
  const auto ellipsoid = evaluated(3, 3, Shape::ellipsoid);
  const auto zonotope = evaluated(3, 3, Shape::zonotope);
  if (panels.empty())
    for (const std::size_t i : {1, 3, 5, 7}) {
      const auto& full = task.validation[i];
      panels.push_back(
          {full.name,
           {"displacement ξ"},
           {"load f"},
           {{"full", full.answer, full.loads, io::Style::solid},
            {"ellipsoid", ellipsoid.validation[i].answer, full.loads, io::Style::dashed},
            {"zonotope", zonotope.validation[i].answer, full.loads, io::Style::dashed}}});
    }
  return {mean_rms(ellipsoid.validation), mean_rms(evaluated(4, 4, Shape::ellipsoid).validation),
          mean_rms(zonotope.validation)};
}

const std::map<std::uint64_t, double> known{{1, 0.0155568}, {2, 0.0157173}, {3, 0.0128071}};

Outcome compute() {
  Outcome out;
  std::vector<io::Panel> panels;
  for (const std::uint64_t seed : seeds) {
    const Errors e = errors_of(seed, panels);
    const std::string name = "seed " + std::to_string(seed) + ": ";
    out.comparisons.push_back(judged(name + "six states, ellipsoid, rms error of ξ", e.ellipsoid6,
                                     "the text: an excellent match"));
    out.comparisons.push_back(judged(name + "eight instead of six states, ratio of errors",
                                     e.ellipsoid8 / e.ellipsoid6, "the text: no better visibly"));
    out.comparisons.push_back(
        at_most(name + "six states, exact friction over its ellipsoid: rms error", 1,
                e.zonotope6 / e.ellipsoid6, "the text: the ellipsoid is a poor fit"));
    out.comparisons.push_back(recorded(name + "rms error of ξ, six states, ellipsoid",
                                       known.at(seed), 1e-3 * known.at(seed), e.ellipsoid6));
  }
  out.figures = {{"", {"", {{{panels[0], panels[1]}, 5}, {{panels[2], panels[3]}, 5}}}}};
  out.remark =
      "The source prints loads but no number of the curves; it finds the match excellent, and "
      "eight states visibly no better than six because the ellipsoid is a poor fit of the "
      "friction. "
      "For our random systems of 120 sliders, three seeds, eight states lessen the error by 5 to "
      "16 "
      "%, and the exact friction (zonotope) on the same six modes by 16 to 31 %. What is left is "
      "the error of the modes: they come from one load, and most of these loads are larger. It "
      "weighs more with fewer sliders: of 80, the ellipsoid's error is 1 to 4 %, and with eight "
      "states the zonotope gains 24 %, 3 % and nothing for the three seeds. Errors are rms over "
      "the range of ξ, mean over the eleven loads from which no mode was taken. With 500 sliders "
      "and all "
      "twelve loads the errors are 1.1 to 2.4 % with six states, 1.0 to 2.0 % with eight, 0.5 to "
      "2.3 % "
      "with the zonotope: examples/reduce/six-state.toml, a table in docs/reduce.md, and a slow "
      "test.";
  return out;
}

}  // namespace biswas2018_tables2_parts

Entry biswas2018_tables2() {
  using namespace biswas2018_tables2_parts;
  return {"biswas2018-table2.1-2.2",
          "Biswas (2018), Tables 2.1 and 2.2, figs 2.8 and 2.9",
          "Random sliders against their reduced models under the twelve loads.",
          compute,
          {"zonotope.generators", 1.05,
           "seed 1: six states, exact friction over its ellipsoid: rms error"}};
}

}  // namespace microslip::reproduce
