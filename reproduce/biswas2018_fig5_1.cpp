#include <algorithm>
#include <cmath>

#include "microslip/detail/kernels/comparison/printed_two_state.hpp"
#include "support.hpp"

// The slip direction by the explicit formula of (5.2)–(5.4) against the exact law.
// Durations and steps are not printed: 0 … 8π at 0.001. Besides the four loops: the angle between
// the direction of the formula and the exact one, over the plane of c and for other parameters.

namespace microslip::reproduce {
namespace biswas2018_fig5_1_parts {

struct Case {
  std::string number;
  double alpha, sigma, b1, b2;  // Table 5.1
  std::string signal, title;
  // From an independent program on the same grid.
  double largest_force, patched_off, incremental_off, cycle_exact, cycle_patched;
  // Largest angles in degrees on, inside and outside the ellipse. The first is where c1 changes its
  // sign, atan(1/(1 + |Q2|)), with Q2 from that program.
  double angles[3];
};

const std::vector<Case>& cases() {
  static const std::vector<Case> all{
      {"case 1",
       0.6134,
       0.2254,
       0.3353,
       0.6353,
       "3*sin(t)",
       "u = 3 sin t",
       1.5439251,
       9.405e-3,
       1.645e-4,
       6.9657,
       6.9393,
       {5.3338, 60.2, 24.9}},
      {"case 2",
       5.0000,
       0.2800,
       1.5457,
       1.2692,
       "2*sin(t) + 0.85*sin(5.1524*t)",
       "u = 2 sin t + 0.85 sin 5.1524t",
       0.8715476,
       1.276e-3,
       1.719e-4,
       3.1522,
       3.1528,
       {6.9807, 52.4, 20.7}},
      {"case 3",
       17.6663,
       0.0906,
       1.7959,
       2.5594,
       "sin(t) + 0.4*sin(4.3675*t)",
       "u = sin t + 0.4 sin 4.3675t",
       0.7721059,
       1.394e-3,
       9.69e-5,
       0.5798,
       0.5794,
       {5.7895, 66.1, 44.6}},
      {"case 4",
       7.8443,
       0.5570,
       1.9537,
       1.9020,
       "5*sin(t) + 1.9*sin(4.2314*t)",
       "u = 5 sin t + 1.9 sin 4.2314t",
       0.6655594,
       9.59e-4,
       1.587e-4,
       9.1337,
       9.1327,
       {5.8643, 39.9, 7.3}},
  };
  return all;
}

constexpr double until = 8 * pi;
constexpr std::size_t rows = 25136;  // step 0.001, divisible by the four periods of sin t

/// Work over the last 2π by trapezoids, the same for every method.
double last_work(const Run& run) {
  const auto &u = run.history.u, &f = run.history.f;
  double work = 0;
  for (std::size_t i = u.size() - rows / 4; i < u.size(); ++i)
    work += 0.5 * (f[i] + f[i - 1]) * (u[i] - u[i - 1]);
  return work;
}

io::Panel compare(const Case& one, std::vector<Comparison>& to) {
  const auto run = [&](const char* method) {
    return simulate_uniform(two_state(one.alpha, one.sigma, one.b1, one.b2, method), one.signal,
                            until, rows);
  };
  const Run exact = run("exact"), patched = run("patched"), incremental = run("incremental");
  const double force = largest(exact.history.f);
  const double off = largest_difference(patched.history.f, exact.history.f);

  const auto add = [&](Kind kind, const std::string& what, double expected, double tolerance,
                       double value) {
    to.push_back(kind(one.number + ": " + what, expected, tolerance, value, {}));
  };
  // Extremes are clipped by the grid, so they agree to the square of a step.
  add(independent, "largest force, exact", one.largest_force, 2e-6, force);
  // Largest differences sit at single rows and move with the grid: 2 %.
  add(recorded, "largest |patched − exact|", one.patched_off, 0.02 * one.patched_off, off);
  to.push_back(judged(one.number + ": the same relative to the largest force", off / force,
                      "the text: an excellent match"));
  add(recorded, "largest |incremental − exact|", one.incremental_off, 0.02 * one.incremental_off,
      largest_difference(incremental.history.f, exact.history.f));
  add(independent, "work in the last 2π, exact", one.cycle_exact, 2e-4, last_work(exact));
  // The map is of first order, and the expected value belongs to a step of 0.0002.
  add(recorded, "work in the last 2π, patched", one.cycle_patched, 5e-4, last_work(patched));

  io::Curve dashed = loop(patched, "patched");
  dashed.style = io::Style::dashed;
  return {one.number + ": " + one.title,
          {"displacement u"},
          {"force f"},
          {loop(exact, "exact"), dashed}};
}

// ------------------------------------------------------------------ over the plane of c

using Vector = PrintedTwoState::Vector;

/// The formula for mu = 1, and the exact direction beside it.
class Directions {
 public:
  Directions(double sigma, double b1, double b2) : a_(sigma, 1), printed_(a_, 1, Vector(b1, b2)) {}

  /// On the ellipse at an angle of its parameter for `reach` = 1, outside for more. The slip of c
  /// inside matters only to the trial of a step that ends outside.
  Vector c(double angle, double reach) const {
    return reach * a_.cwiseSqrt().cwiseProduct(Vector(std::cos(angle), std::sin(angle)));
  }
  /// In degrees.
  double error(const Vector& c) const {
    const Vector one = printed_.by_patching(c).direction,
                 other = printed_.by_eigenproblem(c).direction;
    return between(one, other);
  }
  /// On the ellipse the exact direction is its normal, turned inward: no eigenproblem is needed.
  double error_on_ellipse(const Vector& c) const {
    return between(printed_.by_patching(c).direction, -c.cwiseQuotient(a_));
  }

 private:
  static double between(const Vector& p, const Vector& q) {
    return 180 / pi * std::abs(std::atan2(p[0] * q[1] - p[1] * q[0], p.dot(q)));
  }
  Vector a_;
  PrintedTwoState printed_;
};

constexpr int directions = 720;
/// Inside the ellipse two directions are equally good at c1 = 0, so the plane is looked at beside
/// it.
double angle_of(int i, double part = 0.5) { return (i + part) * 2 * pi / directions; }

double worst_on_ellipse(double sigma, double b1, double b2) {
  const Directions formula(sigma, b1, b2);
  double worst = 0;
  for (int i = 0; i < directions; ++i)
    worst = std::max(worst, formula.error_on_ellipse(formula.c(angle_of(i, 1e-7), 1)));
  return worst;
}

/// Largest error at each reach, and over all of them.
io::Curve over_plane(const Case& one, std::vector<Comparison>& to) {
  const Directions formula(one.sigma, one.b1, one.b2);
  io::Curve curve{one.number, {}, {}, io::Style::line};
  double inside = 0, outside = 0, disagreement = 0;
  for (double reach = 0.01; reach < 110; reach *= std::pow(10.0, 0.05)) {
    double most = 0;
    for (int i = 0; i < directions; ++i)
      most = std::max(most, formula.error(formula.c(angle_of(i), reach)));
    curve.x.push_back(reach);
    curve.y.push_back(most);
    (reach < 1 ? inside : outside) = std::max(reach < 1 ? inside : outside, most);
  }
  for (int i = 0; i < directions; ++i) {
    const Vector c = formula.c(angle_of(i), 1);
    disagreement = std::max(disagreement, std::abs(formula.error_on_ellipse(c) - formula.error(c)));
  }
  const auto add = [&](Kind kind, const std::string& what, double expected, double tolerance,
                       double value) {
    to.push_back(kind(one.number + ": " + what, expected, tolerance, value, {}));
  };
  add(recorded, "largest angle to the exact direction on the ellipse, degrees", one.angles[0], 1e-3,
      worst_on_ellipse(one.sigma, one.b1, one.b2));
  add(independent, "eigenproblem against the normal of the ellipse, degrees", 0, 1e-5,
      disagreement);
  // The places of the largest angles lie between those looked at.
  add(recorded, "largest angle inside the ellipse, degrees", one.angles[1], 0.5, inside);
  add(recorded, "largest angle outside, degrees", one.angles[2], 0.5, outside);
  return curve;
}

/// For other parameters: b at all angles, and four ratios of the half axes squared.
io::Panel over_parameters(double& between, double& steep) {
  io::Panel panel{"largest error on the ellipse", {"angle of b, degrees"}, {"degrees"}, {}};
  for (const double sigma : {0.05, 0.2, 0.5, 0.9}) {
    io::Curve curve{
        "σ = " + std::to_string(sigma).substr(0, sigma == 0.05 ? 4 : 3), {}, {}, io::Style::line};
    for (int degrees = 2; degrees <= 88; ++degrees) {
      const double angle = degrees * pi / 180;
      curve.x.push_back(degrees);
      curve.y.push_back(worst_on_ellipse(sigma, std::cos(angle), std::sin(angle)));
      if (degrees >= 20 && degrees <= 75) between = std::max(between, curve.y.back());
      if (degrees > 86) steep = std::max(steep, curve.y.back());
    }
    panel.curves.push_back(std::move(curve));
  }
  return panel;
}

Outcome compute() {
  Outcome out;
  std::vector<io::Panel> panels;
  for (const Case& one : cases()) panels.push_back(compare(one, out.comparisons));
  io::Panel plane{"largest error at a distance", {"c over its ellipse", true}, {"degrees"}, {}};
  for (const Case& one : cases()) plane.curves.push_back(over_plane(one, out.comparisons));
  double between = 0, steep = 0;
  const io::Panel parameters = over_parameters(between, steep);
  out.comparisons.push_back(
      recorded("b between 20° and 75°, σ from 0.05 to 0.9: largest angle on the ellipse, degrees",
               13, 1, between));
  out.comparisons.push_back(
      recorded("b beyond 86°: largest angle on the ellipse, degrees", 180, 0.5, steep));
  out.figures = {{"", {"", {{{panels[0], panels[1]}, 5.5}, {{panels[2], panels[3]}, 5.5}}}},
                 {"plane", {"", {{{plane, parameters}, 6}}}}};
  out.remark =
      "The source claims an excellent match and prints no number; the largest difference is 0.6 % "
      "of "
      "the largest force in case 1 and below 0.2 % in the others. Not printed and chosen here: the "
      "duration 8π, the step 0.001 and, as in chapter 4, μ = 1. Over the plane of c the formula is "
      "good only where the loops keep c: on the ellipse it errs by 5 to 7 degrees, inside by up to "
      "66, outside by up to 45. For other parameters the error on the ellipse stays below 14 "
      "degrees while b lies between 20 and 75 degrees; near the axis of the larger half axis, "
      "beyond 86 degrees, the formula points the opposite way.";
  return out;
}

}  // namespace biswas2018_fig5_1_parts

Entry biswas2018_fig5_1() {
  using namespace biswas2018_fig5_1_parts;
  return {"biswas2018-fig5.1",
          "Biswas (2018), fig. 5.1, Table 5.1",
          "Two-state loops with the patched slip direction against the exact law.",
          compute,
          {"two-state.sigma", 1.05, "case 1: largest force, exact"}};
}

}  // namespace microslip::reproduce
