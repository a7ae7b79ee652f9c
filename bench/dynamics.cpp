#include <fmt/format.h>
#include <sys/resource.h>

#include <cmath>

#include "bench.hpp"
#include "dynamics/balance/harmonic_balance.hpp"
#include "dynamics/jointed_beam.hpp"
#include "dynamics/slip.hpp"
#include "microslip/catalog/catalog.hpp"
#include "microslip/dynamics/periodic/frequency_response.hpp"
#include "microslip/dynamics/periodic/nonlinear_mode.hpp"
#include "microslip/dynamics/time/time_integration.hpp"

namespace microslip::bench {
namespace {

using namespace dynamics;

struct Law {
  std::string name;
  ParameterValues parameters;
};

const std::vector<Law>& laws() {
  static const std::vector<Law> all{
      {"jenkins", {{"k", 0.25}, {"phi", 0.2}}},
      {"iwan4", {{"Fs", 0.2}, {"KT", 0.25}, {"chi", -0.5}, {"beta", 0.5}}},
      {"bouc-wen",
       {{"A", 1.0}, {"beta", 0.5}, {"gamma", 0.3}, {"n", 1.0}, {"k", 0.25}, {"a", 0.0}}}};
  return all;
}

AnyModel make(const Law& law) { return catalog::make({law.name, law.parameters, {}}); }

/// n masses in a row, each with a joint to ground, all shaken. One mass is problem A.
Structure chain(const Law& law, Eigen::Index n) {
  Structure s{SparseMatrix(n, n), SparseMatrix(n, n), SparseMatrix(n, n), {}, {}};
  s.M.setIdentity();
  for (Eigen::Index i = 1; i <= n; ++i) {
    add_along(s.K, between(n, 0, i), 0.75);
    add_along(s.C, between(n, 0, i), 0.01);
    if (i > 1) add_along(s.K, between(n, i - 1, i), 1);
    s.joints.push_back({make(law), between(n, 0, i)});
  }
  s.loads.push_back({Eigen::VectorXd::Ones(n), Tones{{{0.2, 0, 1, 0.9}}}});
  return s;
}

/// The motion of a joint in problem A, and what a finest evaluation answers to it.
struct Motion {
  Motion(const AnyModel& model, double scale) : q(Eigen::VectorXd::Zero(15)) {
    q << 0, 2.4, 0.6, 0, 0, 0.05, 0.03, 0, 0, 0.01, 0, 0, 0, 0, 0.003;
    q *= scale;
    truth = PeriodicJoint(model, 7, {.level = 3}).evaluate(q, 1, false).coefficients;
  }
  /// Relative to the largest coefficient.
  double error(PeriodicJoint& joint) const {
    const Eigen::VectorXd difference = joint.evaluate(q, 1, true).coefficients - truth;
    return difference.cwiseAbs().maxCoeff() / truth.cwiseAbs().maxCoeff();
  }
  Eigen::VectorXd q, truth;
};

nlohmann::json one_joint() {
  fmt::print("\none joint, 7 harmonics: Fourier coefficients of the force and their Jacobian\n");
  nlohmann::json table;
  for (const Law& law : laws()) {
    const AnyModel model = make(law);
    const Motion motion(model, 1);
    PeriodicJoint exact(model, 7);
    PeriodicOptions options;
    options.rule = Rule::sampled;
    PeriodicJoint sampled(model, 7, options);
    const auto time = medians({[&] { keep(exact.evaluate(motion.q, 1, true).coefficients[1]); },
                               [&] { keep(sampled.evaluate(motion.q, 1, true).coefficients[1]); }},
                              301);
    fmt::print(
        "  {:9} event-exact {:6.1f} µs, error {:.0e}; 1024 samples {:7.1f} µs, error {:.0e}\n",
        law.name, time[0] * 1e6, motion.error(exact), time[1] * 1e6, motion.error(sampled));
    table[law.name] = {{"event_exact_us", time[0] * 1e6},
                       {"event_exact_error", motion.error(exact)},
                       {"sampled_us", time[1] * 1e6},
                       {"sampled_error", motion.error(sampled)},
                       {"ratio", time[1] / time[0]}};
  }
  return table;
}

/// Far beyond the knee, and in small loops, whose memory fades slowly.
nlohmann::json bouc_wen_exponents() {
  fmt::print("\nthe same for bouc-wen, amplitude 2.47 and 0.74, where z saturates at about 1\n");
  nlohmann::json table;
  for (const double n : {1.0, 1.3, 1.7, 2.0, 2.5, 3.0, 5.0}) {
    const AnyModel model = make(laws().back()).with({{"n", n}});
    const Motion large(model, 1), small(model, 0.3);
    PeriodicJoint joint(model, 7);
    const auto time = medians({[&] { keep(joint.evaluate(large.q, 1, true).coefficients[1]); },
                               [&] { keep(joint.evaluate(small.q, 1, true).coefficients[1]); }},
                              301);
    fmt::print("  n = {:3}: {:6.1f} µs, error {:.0e}; {:6.1f} µs, error {:.0e}\n", n, time[0] * 1e6,
               large.error(joint), time[1] * 1e6, small.error(joint));
    table.push_back({{"n", n},
                     {"large_us", time[0] * 1e6},
                     {"large_error", large.error(joint)},
                     {"small_us", time[1] * 1e6},
                     {"small_error", small.error(joint)}});
  }
  return table;
}

nlohmann::json against_time_integration() {
  fmt::print("\nsteady response at ω = 0.9 to 1e-6: harmonic balance against time integration\n");
  nlohmann::json table;
  for (const Law& law : laws()) {
    const Structure s = chain(law, 1);
    FrequencyResponseOptions options;
    options.from = 0.7;
    options.to = 1.2;
    options.harmonics = 7;
    const double branch = medians({[&] { keep(frequency_response(s, options).residual); }}, 5)[0];
    HarmonicBalance balance(s, 31);
    const auto solve = [&] {
      Eigen::VectorXd y = balance.starts().linear_response(0.9);
      keep(solve_at(balance, y).residual);
    };
    // The transient decays with the damping of the structure: e^{−0.005 t}, to 1e-6.
    TimeOptions time;
    time.until = std::log(1e6) / 0.005;
    time.tolerance = 1e-8;
    time.every_step = false;
    const auto cost = medians({solve, [&] { keep(integrate(s, time).energy.back()); }}, 5);
    fmt::print(
        "  {:9} balance with 31 harmonics {:7.2f} ms, time integration {:7.2f} ms: {:.0f} times; "
        "whole branch, 7 harmonics {:.1f} ms\n",
        law.name, cost[0] * 1e3, cost[1] * 1e3, cost[1] / cost[0], branch * 1e3);
    table[law.name] = {{"balance_ms", cost[0] * 1e3},
                       {"time_integration_ms", cost[1] * 1e3},
                       {"ratio", cost[1] / cost[0]},
                       {"branch_ms", branch * 1e3}};
  }
  return table;
}

nlohmann::json against_size() {
  fmt::print("\none solution of a chain with a jenkins joint at every mass\n");
  nlohmann::json rows = nlohmann::json::array();
  const auto row = [&](Eigen::Index joints, int harmonics) {
    HarmonicBalance balance(chain(laws().front(), joints), harmonics);
    int iterations = 0;
    const auto solve = [&] {
      Eigen::VectorXd y = balance.starts().linear_response(0.9);
      iterations = solve_at(balance, y).iterations;
    };
    const double time = medians({solve}, joints > 100 ? 1 : 3)[0];
    fmt::print("  {:5d} joints {:3d} harmonics: {:9.2f} ms, {} iterations\n", joints, harmonics,
               time * 1e3, iterations);
    rows.push_back({{"joints", joints},
                    {"harmonics", harmonics},
                    {"ms", time * 1e3},
                    {"iterations", iterations}});
  };
  for (const Eigen::Index joints : {1, 10, 100, 1000}) row(joints, 3);
  for (const int harmonics : {7, 15, 31, 63}) row(1, harmonics);
  return rows;
}

}  // namespace

/// A mass on a spring as stiff as the joint, from 1e-8 to 1e3 slip displacements.
nlohmann::json from_small_motions_to_large() {
  fmt::print(
      "\none mass from 1e-8 to 1e3 slip displacements: mode, and responses at five levels\n");
  nlohmann::json table;
  double iwan = 0;
  for (const std::string name :
       {"iwan4", "bouc-wen", "dahl", "valanis", "masing-smooth", "two-state", "lugre"}) {
    const AnyModel model = catalog::make({name, {}, {}});
    const double k = stiffness_at_rest(model), slip = slip_displacement(model),
                 omega = std::sqrt(2 * k);
    ModeOptions mode;
    mode.from = 1e-8 * slip;
    mode.to = 1e3 * slip;
    ModeCurve curve;
    const double mode_time =
        seconds([&] { curve = nonlinear_mode(oscillator(model, 0, 1, 0, k), mode); });
    double response_time = 0;
    std::size_t points = 0;
    bool reached = curve.end == CurveEnd::reached;
    for (const double level : {1e-8, 1e-5, 1e-2, 1.0, 1e3}) {
      FrequencyResponseOptions options;
      options.from = 0.7 * omega;
      options.to = 1.4 * omega;
      const Structure s = oscillator(model, level * slip * k, 1, 0.02 * omega, k);
      FrequencyResponse response;
      response_time += seconds([&] { response = frequency_response(s, options); });
      points = std::max(points, response.branch.size());
      reached = reached && response.end == CurveEnd::reached;
    }
    if (name == "iwan4") iwan = mode_time + response_time;
    fmt::print(
        "  {:13} mode {:3d} points {:6.3f} s; responses at most {:3d} points, {:6.3f} s; {:5.1f} "
        "times iwan4{}\n",
        name, curve.points.size(), mode_time, points, response_time,
        (mode_time + response_time) / iwan, reached ? "" : "; NOT ALL REACHED THE END");
    table[name] = {{"mode_points", curve.points.size()},
                   {"mode_seconds", mode_time},
                   {"response_points", points},
                   {"response_seconds", response_time},
                   {"reached", reached},
                   {"ratio", (mode_time + response_time) / iwan}};
  }
  return table;
}

/// As a finite-element code delivers it, with Rayleigh damping.
nlohmann::json beam_of_finite_elements() {
  const JointedBeam beam;
  const Structure s = beam.structure();
  fmt::print("\nbeam of {} degrees of freedom with rotations, {} jenkins joints, three harmonics\n",
             s.size(), s.joints.size());
  ModeOptions mode;
  mode.from = 1e-5;
  mode.to = 1e-2;
  mode.harmonics = 3;
  ModeCurve curve;
  const double time = seconds([&] { curve = nonlinear_mode(s, mode); });
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const double megabytes = static_cast<double>(usage.ru_maxrss) / 1024;
  fmt::print("  mode: {:.1f} s, {} points, {} at {:.3g}; largest memory of the run {:.0f} MB\n",
             time, curve.points.size(), curve.end == CurveEnd::reached ? "ends" : "STOPS",
             curve.points.empty() ? 0 : curve.points.back().amplitude, megabytes);
  return {{"seconds", time},
          {"points", curve.points.size()},
          {"reached", curve.end == CurveEnd::reached},
          {"megabytes", megabytes}};
}

nlohmann::json joints_in_structures() {
  return {{"one_joint", one_joint()},
          {"bouc_wen_exponents", bouc_wen_exponents()},
          {"against_time_integration", against_time_integration()},
          {"size", against_size()}};
}

}  // namespace microslip::bench
