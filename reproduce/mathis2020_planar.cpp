#include <algorithm>
#include <cmath>

#include "microslip/core/any_model.hpp"
#include "microslip/core/text.hpp"
#include "misprints.hpp"

// Section 4.4: Bouc–Wen in the plane, (46)–(48), and with different limits in both directions.

namespace microslip::reproduce {
namespace mathis2020_planar_parts {

using Plane = std::array<double, 2>;

constexpr double A = 1.3, beta = 0.9, gamma = -0.3, k = 2, alpha = 0.2;
const std::vector<Plane> corners{{0.9, 0.3},  {0.7, 1.4},  {-0.8, 0.9}, {-1.0, -1.2},
                                 {1.5, -1.0}, {3.0, -1.0}, {3.0, 2.0}};

/// Forces at the corners by (46) with αK, and (48) by steps; with n = 2 its bracket is that of (47).
std::vector<double> by_steps(double n) {
  std::vector<double> forces;
  Plane z{0, 0}, at{0, 0};
  for (const Plane& corner : corners) {
    const Plane v{corner[0] - at[0], corner[1] - at[1]};
    const auto slope = [&](const Plane& y) -> Plane {
      double bracket = 0;
      for (std::size_t i = 0; i < 2; ++i)
        bracket += beta * std::abs(v[i] * y[i]) + gamma * v[i] * y[i];
      const double size = std::hypot(y[0], y[1]);
      if (size > 0) bracket *= std::pow(size, n - 2);
      return {A * v[0] - y[0] * bracket, A * v[1] - y[1] * bracket};
    };
    constexpr int steps = 20000;
    for (int i = 0; i < steps; ++i) z = runge_kutta(slope, z, 1.0 / steps);
    at = corner;
    for (std::size_t i = 0; i < 2; ++i)
      forces.push_back(alpha * k * at[i] + (1 - alpha) * k * z[i]);
  }
  return forces;
}

ModelSpec planar(const std::string& law, double n = 2, const std::string& coupling = "") {
  ModelSpec spec{law, {{"A", A}, {"beta", beta}, {"gamma", gamma}, {"k", k}, {"a", alpha}}, {}};
  if (law != "bouc-wen-park") spec.parameters["n"] = n;
  if (!coupling.empty()) spec.options["coupling"] = coupling;
  return spec;
}

/// Forces of a law at the corners of a path that is turned by an angle.
std::vector<double> forces(const ModelSpec& spec, double angle = 0) {
  const AnyModel law = make(spec);
  AnyState state = law.rest();
  std::vector<double> result;
  const double c = std::cos(angle), s = std::sin(angle);
  for (const Plane& corner : corners) {
    const Vec2<double> u(c * corner[0] - s * corner[1], s * corner[0] + c * corner[1]);
    const auto response = law.step(state, u, state);
    result.push_back(response.force[0]);
    result.push_back(response.force[1]);
  }
  return result;
}

/// Largest change of the size of a force when the path is turned, over the largest force.
double rotation_defect(const ModelSpec& spec) {
  const auto sizes = [&](double angle) {
    const std::vector<double> f = forces(spec, angle);
    std::vector<double> result;
    for (std::size_t i = 0; i < f.size(); i += 2) result.push_back(std::hypot(f[i], f[i + 1]));
    return result;
  };
  const std::vector<double> straight = sizes(0);
  double most = 0;
  for (int degrees = 15; degrees < 90; degrees += 15)
    most = std::max(most, largest_difference(straight, sizes(degrees * pi / 180)));
  return most / largest(straight);
}

Outcome compute() {
  Outcome out;
  auto& to = out.comparisons;
  to.push_back(equation("(47) with its lost factors, by steps: largest difference of the forces", 0,
                        1e-6, largest_difference(by_steps(2), forces(planar("bouc-wen-park")))));
  for (const double n : {1.5, 3.0})
    to.push_back(equation(
        "(48), n = " + number_text(n) + ", by steps: largest difference of the forces", 0, 2e-5,
        largest_difference(by_steps(n), forces(planar("bouc-wen-planar", n, "printed")))));
  to.push_back(equation("(48) with n = 2 is (47): largest difference of the forces", 0, 1e-9,
                        largest_difference(forces(planar("bouc-wen-park")),
                                           forces(planar("bouc-wen-planar", 2, "printed")))));
  const std::string turned = "change of |F| when the path is turned, over the largest |F|: ";
  const char* why = "|u̇_x z_x| + |u̇_y z_y| depends on the axes; see mathis2020-misprints";
  to.push_back(differs(at_most(turned + "(47), called rotationally invariant", 1e-6,
                               rotation_defect(planar("bouc-wen-park"))),
                       why));
  to.push_back(differs(at_most(turned + "(48), n = 1.5, called rotationally invariant", 1e-6,
                               rotation_defect(planar("bouc-wen-planar", 1.5, "printed"))),
                       why));
  to.push_back(independent(turned + "(48), n = 1.5, with |u̇·z|", 0, 1e-6,
                           rotation_defect(planar("bouc-wen-planar", 1.5, "isotropic"))));
  to.push_back(at_least(turned + "Wang and Wen, n = 3, \"not rotationally invariant\"", 1e-6,
                        rotation_defect(planar("bouc-wen-wang-wen", 3))));
  // 4.4.2: the review names asymmetric behaviour; z tends to A/(β + γ ± 2δ) for n = 1.
  const double delta = input("delta", 0.1);
  const ModelSpec lopsided{"bouc-wen-asymmetric",
                           {{"A", 1.0},
                            {"beta", 0.5},
                            {"gamma", 0.3},
                            {"delta", delta},
                            {"n", 1.0},
                            {"k", 1.0},
                            {"a", 0.0}},
                           {}};
  const Run far = simulate(lopsided, {80, -80});
  to.push_back(
      independent("4.4.2, asymmetric: limit upwards, A/(β + γ + 2δ)", 1.0, 1e-9, far.history.f[0]));
  to.push_back(independent("4.4.2, asymmetric: limit downwards, −A/(β + γ − 2δ)", -1 / 0.6, 1e-9,
                           far.history.f[1]));
  io::Panel panel{"a circle of radius 1.5, (48) with n = 1.5", {"F_x"}, {"F_y"}, {}};
  for (const char* coupling : {"printed", "isotropic"}) {
    const AnyModel law = make(planar("bouc-wen-planar", 1.5, coupling));
    AnyState state = law.rest();
    io::Curve curve{coupling == std::string("printed") ? "as printed" : "|u̇·z|", {}, {}};
    for (int i = 0; i <= 400; ++i) {
      const double angle = 4 * pi * i / 400;
      const auto f =
          law.step(state, Vec2<double>(1.5 * std::cos(angle), 1.5 * std::sin(angle)), state).force;
      curve.x.push_back(f[0]);
      curve.y.push_back(f[1]);
    }
    panel.curves.push_back(std::move(curve));
  }
  io::Panel lopsided_panel{"4.4.2: different limits",
                           {"u"},
                           {"F"},
                           {loop(simulate(lopsided, "6*sin(t)", 4 * pi, pi / 200))}};
  out.figures = {{"", {"", {{{panel, lopsided_panel}, 6}}}}};
  out.remark =
      "Numbers and paths are ours; the review prints equations. (46) is read with αK, (47) with "
      "the "
      "factors z that it has lost. The text calls both (47) and (48) rotationally invariant, which "
      "their sums of absolute values are not; with the absolute value of the sum, as "
      "`bouc-wen-planar` has it by default, (48) is. Of the extensions of 4.4.2 the review prints "
      "no "
      "equation; deterioration is in gavin2018-ext3-7, eq. (11).";
  return out;
}

}  // namespace mathis2020_planar_parts

Entry mathis2020_planar() {
  using namespace mathis2020_planar_parts;
  return {"mathis2020-sec4.4",
          "Mathis et al. (2020), section 4.4, eqs (46)–(48)",
          "Bouc–Wen in the plane by steps, turned paths, and different limits in both directions.",
          compute,
          {"bouc-wen-park.beta", 1.05,
           "(47) with its lost factors, by steps: largest difference of the forces"}};
}

}  // namespace microslip::reproduce
