#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "dynamics/support.hpp"
#include "microslip/core/error.hpp"
#include "microslip/dynamics/periodic/averaging.hpp"
#include "microslip/dynamics/periodic/frequency_response.hpp"
#include "microslip/dynamics/periodic/nonlinear_mode.hpp"
#include "microslip/dynamics/structure/reduction.hpp"
#include "microslip/dynamics/time/time_integration.hpp"
#include "support/random.hpp"

/// Every law of the registry in every analysis of those drawn for it. Where one has no meaning the sentence
/// says why. Curves are short, but in the sweep.
namespace microslip::dynamics {
namespace every_analysis_test {

struct Analysis {
  std::string name;
  std::function<void(const Structure&)> run;  ///< expects what a result must have
};

void integrates(Structure structure, Method method) {
  TimeOptions options;
  options.method = method;
  options.until = 8;  // a period and some more
  options.tolerance = 1e-5;
  if (method == Method::midpoint) options.step = 0.02;
  if (method == Method::newmark) options.step = 0.005;  // of order one where velocity counts
  std::get<Tones>(structure.loads[0].signal).list[0].omega = 0.9;
  const TimeResult r = integrate(structure, options);
  EXPECT_EQ(r.message, "");
  EXPECT_EQ(r.t.back(), 8);
  // Newmark's method balances no energy where force is lost at once, but by friction.
  if (method != Method::newmark || structure.joints[0].model.rigid()) {
    EXPECT_LT(std::abs(r.audit.error()), 1e-3 * r.largest_energy + 1e-15);
  }
}

void responds(const Structure& structure, Along along, int harmonics) {
  FrequencyResponseOptions options;
  options.along = along;
  options.omega = 0.9;
  options.from = microslip::testing::full_sweep() ? 0.95 : 0.998;
  options.to = microslip::testing::full_sweep() ? 1.05 : 1.002;
  options.harmonics = harmonics;
  options.largest_step = 0.5;
  options.stability = options.peaks = false;
  const FrequencyResponse r = frequency_response(structure, options);
  // Known limit (docs/respond.md): the branch ends early, and says so.
  if (r.end != CurveEnd::reached && structure.joints[0].model.description().name == "maxwell-slip")
    return;
  EXPECT_EQ(r.end, CurveEnd::reached);
  EXPECT_TRUE(r.loops_closed);
  EXPECT_LT(r.energy_balance, 1e-8);
}

void has_mode(ModeCurve (*analysis)(const Structure&, const ModeOptions&),
              const Structure& structure) {
  ModeOptions options;
  // Rigid friction stops motions whose spring pulls less than it holds.
  options.from = structure.joints[0].model.rigid() ? 4 : 0.8;
  options.to = (microslip::testing::full_sweep() ? 1.5 : 1.02) * options.from;
  options.harmonics = 3;
  options.largest_step = 0.5;
  const ModeCurve curve = analysis(structure, options);
  EXPECT_EQ(curve.end, CurveEnd::reached);
  ASSERT_FALSE(curve.points.empty());
  EXPECT_GT(curve.points.back().omega, 0);
  EXPECT_GE(curve.points.back().zeta, 0);
}

std::vector<Analysis> analyses() {
  return {
      {"time", [](const Structure& s) { integrates(s, Method::events); }},
      {"midpoint", [](const Structure& s) { integrates(s, Method::midpoint); }},
      {"newmark", [](const Structure& s) { integrates(s, Method::newmark); }},
      {"cvode", [](const Structure& s) { integrates(s, Method::cvode); }},
      {"frequency-response", [](const Structure& s) { responds(s, Along::frequency, 3); }},
      {"load-response", [](const Structure& s) { responds(s, Along::level, 3); }},
      {"load-response by amplitude", [](const Structure& s) { responds(s, Along::amplitude, 3); }},
      {"nonlinear-mode", [](const Structure& s) { has_mode(nonlinear_mode, s); }},
      {"quasi-static", [](const Structure& s) { has_mode(quasi_static_mode, s); }},
      {"averaging", [](const Structure& s) { EXPECT_GE(averaged(s, 1).zeta, 0); }},
      {"modal-joints",
       [](const Structure& s) { responds(modal_joints(s, 1).decoupled, Along::frequency, 1); }},
  };
}

/// The part of a sentence that says why an analysis does not apply; empty where it does.
std::string why_not(const AnyModel& model, const std::string& analysis) {
  const Description& law = model.description();
  const bool periodic =
      analysis != "time" && analysis != "midpoint" && analysis != "newmark" && analysis != "cvode";
  // A joint acts along one direction and answers a displacement.
  if (law.family == Family::planar) return "direction";
  if (law.driven == Driven::force) return "driven by force";
  // Its strength falls with every cycle: nothing is periodic.
  if (!model.repeats() && periodic) return "never repeats its loop";
  if (analysis == "quasi-static" && model.rate_dependent()) return "has no time";
  // CVODE is given a force that follows from the path; velocities and jumps do not.
  if (analysis == "cvode" && (model.rate_dependent() || model.rigid())) return "without jumps";
  return "";
}

class EveryAnalysis : public ::testing::TestWithParam<std::string> {};

/// A third of the laws for each analysis, another one each time; all of them in the sweep, which has the minutes that
/// maxwell-slip takes.
bool drawn(const std::string& law, const std::string& analysis) {
  using namespace microslip::testing;
  if (law == "maxwell-slip" && !full_sweep()) return false;
  return full_sweep() || Rng(seed_for(base_seed(), law + analysis, 0)).below(3) == 0;
}

TEST_P(EveryAnalysis, takes_every_law) {
  for (const Analysis& analysis : analyses()) {
    if (analysis.name != GetParam()) continue;
    for (const catalog::Law& entry : catalog::laws()) {
      if (!drawn(entry.description.name, analysis.name)) continue;
      SCOPED_TRACE(entry.description.name);
      const AnyModel model = law(entry.description.name);
      const Structure structure = oscillator(model, 2, 1, 0.05, 1);
      const std::string reason = why_not(model, analysis.name);
      try {
        analysis.run(structure);
        EXPECT_EQ(reason, "") << "was not refused";
      } catch (const Error& error) {
        EXPECT_NE(reason, "") << error.what();
        EXPECT_NE(std::string(error.what()).find(reason), std::string::npos) << error.what();
      }
    }
  }
}

std::vector<std::string> names() {
  std::vector<std::string> all;
  for (const Analysis& analysis : analyses()) all.push_back(analysis.name);
  return all;
}

INSTANTIATE_TEST_SUITE_P(Registry, EveryAnalysis, ::testing::ValuesIn(names()),
                         [](const auto& which) {
                           std::string name = which.param;
                           for (char& c : name)
                             if (c == '-' || c == ' ') c = '_';
                           return name;
                         });

}  // namespace every_analysis_test
}  // namespace microslip::dynamics
