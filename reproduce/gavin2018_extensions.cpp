#include <algorithm>
#include <cmath>

#include "microslip/core/any_model.hpp"
#include "microslip/core/text.hpp"
#include "misprints.hpp"

// Extensions 3 to 7 of the notes: scaling, two directions, hardening, degrading, friction.

namespace microslip::reproduce {
namespace gavin2018_extensions_parts {

/// Extension 3: z tends to (A/(β + γ))^(1/η).
void scaling(std::vector<Comparison>& to) {
  for (const double A : {0.5, 2.0, 8.0}) {
    const Run run = simulate(bouc_wen(A, 0.6 * A, 0.4 * A, 2), {60});
    to.push_back(equation("ext. 3, (7) with β + γ = A = " + number_text(A) + ": largest z", 1, 1e-9,
                          run.history.f[0], "printed: −A < z < A"));
  }
}

using Plane = std::array<double, 2>;

/// |z| of bouc-wen-planar after the path (1, 0) → (1, 1), turned by an angle.
double turned(const std::string& coupling, double angle) {
  const AnyModel law =
      make({"bouc-wen-planar",
            {{"A", 1.0}, {"beta", 0.5}, {"gamma", 0.5}, {"n", 2.0}, {"k", 1.0}, {"a", 0.0}},
            {{"coupling", coupling}}});
  AnyState state = law.rest();
  const double c = std::cos(angle), s = std::sin(angle);
  law.step(state, Vec2<double>(c, s), state);
  const auto response = law.step(state, Vec2<double>(c - s, s + c), state);
  return response.force.norm();
}

double rotation_defect(const std::string& coupling) {
  double most = 0;
  for (int degrees = 5; degrees <= 85; degrees += 5)
    most = std::max(most, std::abs(turned(coupling, degrees * pi / 180) / turned(coupling, 0) - 1));
  return most;
}

void two_directions(std::vector<Comparison>& to) {
  to.push_back(independent("ext. 4: largest change of |f| when the path is turned, |z·u̇|", 0, 1e-9,
                           rotation_defect("isotropic")));
  to.push_back(differs(at_most("ext. 4: the same with (9) as printed, called isotropic", 1e-9,
                               rotation_defect("printed")),
                       "|z_x u̇_x| + |z_y u̇_y| depends on the axes; see gavin2018-misprints"));
  // (8)–(9) with the isotropic bracket, by steps.
  Plane z{0, 0};
  for (const Plane& v : {Plane{1, 0}, Plane{0, 1}}) {
    const auto slope = [&](const Plane& y) -> Plane {
      const double zu = y[0] * v[0] + y[1] * v[1], a = 0.5 * std::abs(zu) + 0.5 * zu;
      return {v[0] - a * y[0], v[1] - a * y[1]};
    };
    for (int i = 0; i < 2000; ++i) z = runge_kutta(slope, z, 1.0 / 2000);
  }
  to.push_back(independent("ext. 4: |f| after a right angle, (8) by steps", std::hypot(z[0], z[1]),
                           1e-9, turned("isotropic", 0)));
}

ModelSpec hardening(double kappa) {
  return {"bouc-wen-hardening",
          {{"fp", 3.0}, {"uy", 0.5}, {"kappa", kappa}, {"beta", 0.7}, {"n", 2.0}},
          {}};
}

void harden(std::vector<Comparison>& to) {
  for (const double kappa : {0.02, 0.2}) {
    const Run run = simulate(hardening(kappa), {1e-9, 60});
    const std::string name = "ext. 5, (10), κ = " + number_text(kappa) + ": ";
    to.push_back(equation(name + "slope at rest, fp/uy", 6, 1e-6, run.history.tangent[0]));
    to.push_back(
        equation(name + "slope after yield, κ fp/uy", 6 * kappa, 1e-9, run.history.tangent[1]));
  }
}

/// Extension 6 by steps: z and the damage ∫|du − dz| along a path, fp = uy = 1, κ = 0.1, β = ½.
std::vector<double> degraded(const std::vector<double>& turns, double d0) {
  std::vector<double> forces;
  double u = 0;
  Plane y{0, 0};  // z, D
  for (const double turn : turns) {
    const double d = turn > u ? 1 : -1;
    const auto slope = [&](const Plane& at) -> Plane {
      const double side = at[0] * d >= 0 ? 1 : -1;
      const double rate = 1 - at[0] * at[0] * (0.5 * side + 0.5);
      return {d * rate, std::abs(1 - rate)};
    };
    constexpr int steps = 40000;
    for (int i = 0; i < steps; ++i) y = runge_kutta(slope, y, std::abs(turn - u) / steps);
    u = turn;
    forces.push_back((0.9 * y[0] + 0.1 * u) / (1 + y[1] / d0));
  }
  return forces;
}

io::Panel degrade(std::vector<Comparison>& to) {
  const double d0 = 20;
  const ModelSpec law{
      "bouc-wen-degrading",
      {{"fp", 1.0}, {"uy", 1.0}, {"kappa", 0.1}, {"beta", 0.5}, {"n", 2.0}, {"d0", d0}},
      {}};
  const std::vector<double> turns{4, -4, 4, -4, 4};
  append(to, independent, "ext. 6, (11): force at u = ±4, by steps, turn", degraded(turns, d0),
         1e-6, simulate(law, turns).history.f);
  // Guidance for d0: a steady cycle of amplitude U ≫ uy adds 4 (U − uy) to D, so that the force is
  // halved after d0/(4 (U − 1)) cycles, within the knee.
  std::vector<double> many;
  for (int i = 0; i < 40; ++i) many.push_back(i % 2 == 0 ? 20 : -20);
  const Run long_run = simulate(law, many);
  const auto& damage = long_run.state("damage");
  to.push_back(independent("ext. 6: damage of a cycle of amplitude 20 uy over 4 (U − uy)", 1, 0.01,
                           (damage[39] - damage[37]) / (4 * 19.0)));
  return {"ext. 6: degrading, d0 = 20",
          {"u/uy"},
          {"f/fp"},
          {loop(simulate(law, "4*sin(t)", 12 * pi, pi / 200))}};
}

ModelSpec friction(double g0, double Ts, double n = 1) {
  return {"lugre-duhem",
          {{"beta", 0.5},
           {"gamma", 0.5},
           {"n", n},
           {"g0", g0},
           {"vs", 0.5},
           {"Ts", Ts},
           {"fc", 1.0},
           {"uy", 1.0}},
          {}};
}

struct StickSlip {
  double stiffness, peak;
};
/// A ramp from rest that ends fast: stiffness at once, and the largest force on the way.
StickSlip stick_slip(double g0, double Ts, io::Panel* panel = nullptr) {
  const Run run = simulate(friction(g0, Ts), "0.02*t + 0.01*t^2", 20, 0.01);
  if (panel != nullptr)
    panel->curves.push_back(loop(run, "g0 = " + number_text(g0) + ", Ts = " + number_text(Ts)));
  return {run.history.f[50] / run.history.u[50], largest(run.history.f)};
}

io::Panel stick(std::vector<Comparison>& to) {
  // Slow and fast sliding: q = g0/2 and g0, so z = (2/g0)^(1/η) and g0^(−1/η).
  for (const double n : {1.0, 2.0}) {
    const Run slow = simulate(friction(3, 0, n), "1e-4*t", 6e5, 1e4);
    const Run fast = simulate(friction(3, 0, n), "1e4*t", 6e-3, 1e-4);
    to.push_back(equation("ext. 7, (12)–(14), η = " + number_text(n) + ": static friction over fc",
                          std::pow(2, 1 / n), 1e-6, slow.history.f.back()));
    to.push_back(equation("ext. 7, (12)–(14), η = " + number_text(n) + ": kinetic friction over fc",
                          1, 1e-6, fast.history.f.back()));
  }
  // With q = 1/(1 + g0 e), probably meant, g0 scales the static friction: (1 + g0)^(1/η).
  for (const double g0 : {0.5, 3.0}) {
    ModelSpec law = friction(g0, 0, 2);
    law.options["transition"] = "meant";
    to.push_back(independent("ext. 7, (13) as probably meant, g0 = " + number_text(g0) +
                                 ", η = 2: static friction over fc, √(1 + g0)",
                             std::sqrt(1 + g0), 1e-6,
                             simulate(law, "1e-4*t", 6e5, 1e4).history.f.back()));
    to.push_back(independent(
        "ext. 7, (13) as probably meant, g0 = " + number_text(g0) + ": kinetic friction over fc", 1,
        1e-6, simulate(law, "1e4*t", 6e-3, 1e-4).history.f.back()));
  }
  io::Panel panel{"ext. 7: friction", {"u"}, {"f/fc"}, {}};
  const StickSlip base = stick_slip(1, 0.05, &panel), with_g0 = stick_slip(2, 0.05, &panel);
  const StickSlip with_Ts = stick_slip(1, 0.5, &panel);
  const auto change = [](double now, double before) { return std::abs(std::log(now / before)); };
  to.push_back(at_least("ext. 7: doubling g0 moves the stiffness more than the peak, ratio", 1,
                        change(with_g0.stiffness, base.stiffness) / change(with_g0.peak, base.peak),
                        "the text: g0 affects the stiffness more than the peak static friction"));
  to.push_back(differs(
      at_least("ext. 7: ten times Ts moves the peak more than the stiffness, ratio", 1,
               change(with_Ts.peak, base.peak) / change(with_Ts.stiffness, base.stiffness)),
      "the text: Ts affects the peak static friction more than the stiffness. On this ramp it "
      "moves the stiffness, by the force fc g0^(1/η) Ts v that stands beside z from the start, "
      "and the peak hardly: there the velocity is low or z has fallen already"));
  // At a velocity v the force jumps by Ts v at once; the slope of z that follows is the same.
  const Run jump = simulate(friction(2, 0.05), "4*t", 1e-6, 1e-7);
  to.push_back(equation("ext. 7, (14): force just after a start with velocity 4, fc g0 Ts v", 0.4,
                        1e-4, jump.history.f.back()));
  return panel;
}

Outcome compute() {
  Outcome out;
  scaling(out.comparisons);
  two_directions(out.comparisons);
  harden(out.comparisons);
  io::Panel degrading = degrade(out.comparisons), sticking = stick(out.comparisons);
  io::Panel hard{"ext. 5: hardening", {"u"}, {"f"}, {}};
  for (const double kappa : {0.0, 0.05, 0.2})
    hard.curves.push_back(loop(simulate(hardening(kappa), "2*sin(t)", 4 * pi, pi / 200),
                               "κ = " + number_text(kappa)));
  out.figures = {{"", {"", {{{hard, degrading}, 5.5}, {{sticking}, 5.5}}}}};
  out.remark =
      "The notes print equations and advice, no numbers; amplitudes and parameters are ours. "
      "Guidance for d0: a cycle of amplitude U adds about 4 (U/uy − 1) to the damage, and the "
      "force "
      "is halved when it reaches d0. The law follows (11) for the whole force; degradation of "
      "other "
      "parameters, which the notes leave open, is not offered. The notes give vs ≈ 0.001/s; the "
      "default of lugre-duhem is 1, and 0.5 is used here, so that both regimes are seen in one "
      "ramp. `lugre-duhem(transition=meant)` is (13) as "
      "probably "
      "meant.";
  return out;
}

}  // namespace gavin2018_extensions_parts

Entry gavin2018_extensions() {
  using namespace gavin2018_extensions_parts;
  return {"gavin2018-ext3-7",
          "Gavin (2018), extensions 3 to 7, eqs (7)–(14)",
          "Bounds, two directions, hardening, degrading strength, stick–slip friction.",
          compute,
          {"bouc-wen-hardening.kappa", 1.05, "ext. 5, (10), κ = 0.02: slope after yield, κ fp/uy"}};
}

}  // namespace microslip::reproduce
