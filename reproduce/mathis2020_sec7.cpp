#include <algorithm>
#include <cmath>

#include "microslip/core/error.hpp"
#include "microslip/core/text.hpp"
#include "microslip/dynamics/periodic/nonlinear_mode.hpp"
#include "microslip/dynamics/structure/modes.hpp"
#include "microslip/dynamics/time/ringdown_modes.hpp"
#include "microslip/dynamics/time/time_integration.hpp"
#include "microslip/loops/harmonic.hpp"
#include "support.hpp"

// Section 7: damping of modes from free vibration, by modal filter and Hilbert transform, for the
// three ways to model it: (118), (119), (120).

namespace microslip::reproduce {
namespace mathis2020_sec7_parts {

using dynamics::RingdownMode;
using dynamics::RingdownPoint;

/// Two equal masses between equal springs: ω = 1 with the shape (1, 1)/√2, √3 with (1, −1)/√2.
const double root2 = std::sqrt(2.0);
const Eigen::Vector2d in_phase(1 / root2, 1 / root2), opposed(1 / root2, -1 / root2);

dynamics::SparseMatrix sparse(const Eigen::Matrix2d& matrix) { return matrix.sparseView(0, 0); }

dynamics::Structure two_masses(const Eigen::Matrix2d& damping = Eigen::Matrix2d::Zero()) {
  const Eigen::Matrix2d stiffness{{2, -1}, {-1, 2}};
  return {sparse(Eigen::Matrix2d::Identity()), sparse(damping), sparse(stiffness), {}, {}};
}

constexpr double step = 0.1;

/// Both displacements after a release.
std::vector<std::vector<double>> released(const dynamics::Structure& s, const Eigen::Vector2d& x0,
                                          double until) {
  dynamics::TimeOptions options;
  options.until = until;
  options.step = step;
  options.every_step = false;
  options.x0 = x0;
  const dynamics::TimeResult r = dynamics::integrate(s, options);
  std::vector<std::vector<double>> motions(2);
  for (const Eigen::VectorXd& x : r.x)
    for (std::size_t c = 0; c < 2; ++c) motions[c].push_back(x[static_cast<Eigen::Index>(c)]);
  return motions;
}

/// The modes of a record at given frequencies.
std::vector<RingdownMode> identified(const std::vector<std::vector<double>>& motions,
                                     std::vector<double> omegas) {
  dynamics::RingdownOptions options;
  options.omegas = std::move(omegas);
  std::vector<RingdownMode> modes = dynamics::ringdown_modes(step, motions, options);
  for (const RingdownMode& mode : modes)
    if (mode.points.empty())
      throw Error("the mode at " + number_text(mode.omega) + " is not found");
  return modes;
}

/// Frequency and damping at an amplitude, linear between points.
RingdownPoint at_amplitude(const RingdownMode& mode, double amplitude) {
  for (std::size_t i = 1; i < mode.points.size(); ++i) {
    const RingdownPoint &a = mode.points[i - 1], &b = mode.points[i];
    if (a.amplitude < amplitude || b.amplitude > amplitude) continue;
    const double part = (a.amplitude - amplitude) / (a.amplitude - b.amplitude);
    return {a.t + part * (b.t - a.t), amplitude, a.omega + part * (b.omega - a.omega),
            a.zeta + part * (b.zeta - a.zeta)};
  }
  return {0, amplitude, 0, 0};
}

io::Curve damping_curve(const RingdownMode& mode, std::string name, io::Style style) {
  io::Curve curve{std::move(name), {}, {}, style};
  for (const RingdownPoint& p : mode.points) {
    curve.x.push_back(p.amplitude);
    curve.y.push_back(p.zeta);
  }
  return curve;
}

const ModelSpec weak{"iwan4", {{"Fs", 0.04}, {"KT", 0.04}, {"chi", -0.5}, {"beta", 0.5}}, {}};

Outcome identification() {
  Outcome out;
  auto& to = out.comparisons;
  // (118): modal damping. Release of the first mass moves both modes by the same amplitude.
  const double zeta[] = {input("zeta", 0.01), 0.02}, omega[] = {1, std::sqrt(3.0)};
  const Eigen::Matrix2d damping = 2 * zeta[0] * omega[0] * in_phase * in_phase.transpose() +
                                  2 * zeta[1] * omega[1] * opposed * opposed.transpose();
  const auto linear = identified(released(two_masses(damping), {1, 0}, 200), {1, std::sqrt(3.0)});
  const double expected_zeta[] = {0.01, 0.02};
  for (std::size_t j = 0; j < 2; ++j) {
    const std::string mode = "(118), mode " + std::to_string(j + 1);
    const RingdownPoint& p = linear[j].points[linear[j].points.size() / 3];
    to.push_back(equation(mode + ": damping ratio", expected_zeta[j], 1e-5, p.zeta));
    to.push_back(equation(mode + ": frequency, ω√(1 − ζ²)",
                          omega[j] * std::sqrt(1 - expected_zeta[j] * expected_zeta[j]), 1e-5,
                          p.omega));
    to.push_back(equation(mode + ": second component of the shape over the first", j == 0 ? 1 : -1,
                          1e-4, linear[j].shape[1] / linear[j].shape[0]));
  }
  // (119): a joint in the first modal coordinate. Both modes ring; the first follows the loop of
  // its own law, ω² = 1 + b1/q and ζ = a1/(2ω²q) with the first harmonic of its force.
  dynamics::Structure modal = two_masses();
  modal.joints.push_back({make(weak), in_phase});
  const Eigen::Vector2d both = 4 * (in_phase + opposed);
  const auto decoupled = identified(released(modal, both, 1800), {1, std::sqrt(3.0)});
  double off_omega = 0, off_zeta = 0;
  for (const double amplitude : {2.2, 1.5, 1.0, 0.7}) {
    const double q = root2 * amplitude;
    const loops::FirstHarmonic h = loops::first_harmonic(make(weak), q);
    const double square = 1 + h.b1 / q;
    const RingdownPoint p = at_amplitude(decoupled[0], amplitude);
    off_omega = std::max(off_omega, std::abs(p.omega - std::sqrt(square)));
    off_zeta = std::max(off_zeta, std::abs(p.zeta / (h.a1 / (2 * square * q)) - 1));
  }
  to.push_back(independent("(119): frequency against amplitude, largest difference from averaging",
                           0, 1e-4, off_omega));
  to.push_back(independent("(119): damping against amplitude, largest relative difference", 0, 0.03,
                           off_zeta));
  to.push_back(independent("(119): damping of the other mode, which has no joint", 0, 1e-5,
                           decoupled[1].points[decoupled[1].points.size() / 2].zeta));
  to.push_back(judged("(119): part of the motion that does not follow one shape",
                      decoupled[0].shape_change, "\"spatial mode shapes … unvarying\""));
  // (120): the joint holds the first mass. A mode alone is a mode; with the other one beside it,
  // "the extracted parameters are convoluted simultaneously with contributions from other modes".
  dynamics::Structure coupled = two_masses();
  coupled.joints.push_back({make(weak), Eigen::Vector2d(1, 0)});
  const dynamics::Modes at_rest = dynamics::modes_at_rest(coupled);
  const Eigen::Vector2d shape = at_rest.shapes.col(0) / at_rest.shapes(0, 0);
  const auto alone = identified(released(coupled, 3 * shape, 2200), {at_rest.omega[0]});
  const auto beside = identified(
      released(coupled, 3 * shape + 3 * at_rest.shapes.col(1) / at_rest.shapes(0, 1), 2200),
      {at_rest.omega[0], at_rest.omega[1]});
  dynamics::ModeOptions options;
  options.from = 0.5;
  options.to = 4.5;
  const dynamics::ModeCurve curve = dynamics::nonlinear_mode(coupled, options);
  const std::size_t largest = alone[0].largest;
  off_omega = off_zeta = 0;
  io::Curve balance{"harmonic balance", {}, {}, io::Style::dashed};
  for (const dynamics::ModePoint& p : curve.points) {
    const double amplitude = p.first[largest].amplitude;
    balance.x.push_back(amplitude);
    balance.y.push_back(p.zeta);
    if (amplitude < 0.7 || amplitude > 2.5) continue;
    const RingdownPoint found = at_amplitude(alone[0], amplitude);
    off_omega = std::max(off_omega, std::abs(found.omega / p.omega - 1));
    off_zeta = std::max(off_zeta, std::abs(found.zeta / p.zeta - 1));
  }
  to.push_back(
      independent("(120), mode 1 alone: frequency against the nonlinear mode by harmonic balance",
                  0, 2e-4, off_omega));
  to.push_back(independent("(120), mode 1 alone: damping against it, largest relative difference",
                           0, 0.03, off_zeta));
  for (const double amplitude : {2.0, 1.0})
    to.push_back(at_least(
        "(120), both modes: damping of mode 1 over that alone, distance from 1, over that of the "
        "uncoupled fit, at amplitude " +
            number_text(amplitude),
        1,
        std::abs(at_amplitude(beside[0], amplitude).zeta / at_amplitude(alone[0], amplitude).zeta -
                 1) /
            off_zeta,
        "identification that takes modes as uncoupled is \"no longer "
        "appropriate\""));
  io::Panel modal_panel{"(119): a joint in modal coordinate 1", {"amplitude"}, {"ζ"}, {}};
  modal_panel.curves = {damping_curve(decoupled[0], "mode 1", io::Style::solid),
                        damping_curve(decoupled[1], "mode 2", io::Style::solid)};
  io::Panel coupled_panel{"(120): a joint at mass 1", {"amplitude"}, {"ζ of mode 1"}, {}};
  coupled_panel.curves = {damping_curve(alone[0], "alone", io::Style::solid),
                          damping_curve(beside[0], "with mode 2", io::Style::solid), balance};
  out.figures = {{"", {"", {{{modal_panel, coupled_panel}, 6}}}}};
  out.headline = "(119): damping against amplitude, largest relative difference";
  out.remark =
      "Section 7 prints equations and no numbers; masses, springs and joint are ours. Frequency "
      "and "
      "damping against amplitude come from the free motion in time by `microslip ringdown`, which "
      "filters a band around each mode, combines the motions by its shape and takes the analytic "
      "signal. It is applied to a measured record in [ring-down](../ringdown.md).";
  return out;
}

}  // namespace mathis2020_sec7_parts

Entry mathis2020_sec7() {
  using namespace mathis2020_sec7_parts;
  return {"mathis2020-sec7",
          "Mathis et al. (2020), section 7, eqs (118)–(120)",
          "Frequency and damping of modes against amplitude, identified from free vibration.",
          identification,
          {"zeta", 1.05, "(118), mode 1: damping ratio"}};
}

}  // namespace microslip::reproduce
