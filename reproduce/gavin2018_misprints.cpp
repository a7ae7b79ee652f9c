#include <array>
#include <cmath>

#include "misprints.hpp"

namespace microslip::reproduce {
namespace gavin2018_misprints_parts {

/// Energy created from rest to u = ½ and back to z = 0 by (6) with β = b, γ = 1 − b, η = 1: from
/// z = 1 − e^(−u) loading and dz/du = 1 − (γ − β) z unloading.
double created(double beta) {
  const double u = 0.5, z = 1 - std::exp(-u), g = 1 - 2 * beta;
  const double loading = u - z;
  const double way = -std::log1p(-g * z) / g;
  const double unloading = way / g + (z - 1 / g) * std::expm1(g * way) / g;
  return std::max(0.0, unloading - loading);
}

using Plane = std::array<double, 2>;

/// |z| after the path (1, 0) → (1, 1), turned by an angle, by (8)–(9) with A = 1, β = γ = ½, η = 2.
double after_turn(double angle, bool printed_bracket) {
  Plane z{0, 0};
  for (const double heading : {angle, angle + pi / 2}) {
    const Plane v{std::cos(heading), std::sin(heading)};
    const auto slope = [&](const Plane& y) -> Plane {
      const double one = y[0] * v[0], two = y[1] * v[1];
      const double loss = printed_bracket ? std::abs(one) + std::abs(two) : std::abs(one + two);
      const double a = 0.5 * loss + 0.5 * (one + two);
      return {v[0] - a * y[0], v[1] - a * y[1]};
    };
    for (int i = 0; i < 4000; ++i) z = runge_kutta(slope, z, 1.0 / 4000);
  }
  return std::hypot(z[0], z[1]);
}

double rotation_defect(bool printed_bracket) {
  double most = 0;
  for (int degrees = 5; degrees <= 85; degrees += 5)
    most = std::max(most, std::abs(after_turn(degrees * pi / 180, printed_bracket) /
                                       after_turn(0, printed_bracket) -
                                   1));
  return most;
}

/// Static over kinetic friction of (12)–(14): slow and fast sliding of lugre-duhem, Ts = 0.
double friction_ratio(double g0, double n) {
  const ModelSpec law{"lugre-duhem",
                      {{"beta", 0.5},
                       {"gamma", 0.5},
                       {"n", n},
                       {"g0", g0},
                       {"vs", 1.0},
                       {"Ts", 0.0},
                       {"fc", 1.0},
                       {"uy", 1.0}},
                      {}};
  const Run slow = simulate(law, "1e-4*t", 6e5, 1e4), fast = simulate(law, "1e4*t", 6e-3, 1e-4);
  return slow.history.f.back() / fast.history.f.back();
}

/// Largest difference of Dahl's law with an exponent and (5) with η = 1.
double from_dahl(double exponent) {
  const std::vector<double> path{0.5, 2, -1, -0.3, -3, 1};
  return largest_difference(
      simulate({"dahl", {{"sigma0", 1.0}, {"zc", 1.0}, {"n", exponent}}, {}}, path).history.f,
      simulate(bouc_wen(1, 1, 0, 1), path).history.f);
}

Outcome compute() {
  using enum Comparison::Against;
  const double top = simulate(bouc_wen(2, 1, 1, 2), {60}).history.f[0];
  Outcome out = decided({
      {"Extension 2, eq. (6)", "γ > 0, −γ < β < γ respects the second law",
       "β > 0, −β ≤ γ ≤ β: the roles are exchanged",
       "energy created from rest to z = 0, β + γ = 1, η = 1: as printed β = −¼, as meant β = ¾",
       "none may be", independent, 0, 1e-12, created(-0.25), created(0.75)},
      {"Extension 3, eq. (7)", "β + γ = A gives −A < z < A", "−1 < z < 1",
       "largest z for A = 2, β = γ = 1, η = 2", "what (7) tends to", equation, top, 1e-9, 2.0, 1.0},
      {"Extension 3", "(6) with α + β = 1", "β + γ = 1", "bound of z for β = 0.75, γ = 0.25",
       "(6) has no α", equation, 1, 1e-9, std::nullopt,
       simulate(bouc_wen(1, 0.75, 0.25, 2), {60}).history.f[0]},
      {"Extension 4, eq. (9)", "β(|z_x u̇_x| + |z_y u̇_y|): called isotropic",
       "no misprint: the law of Park, Wen and Ang has this bracket, and the word does not hold for "
       "it; "
       "with β|z_x u̇_x + z_y u̇_y| it does",
       "largest change of |z| when a path with a right angle is turned",
       "none for an isotropic law", independent, 0, 1e-9, rotation_defect(true),
       rotation_defect(false)},
      {"Extension 7", "Dahl's law (1 − z sgn u̇)^η is equivalent to (5) with η = 1",
       "for Dahl's exponent 1", "largest difference of the forces; as printed with exponent 2",
       "none if equivalent", independent, 0, 1e-12, from_dahl(2), from_dahl(1)},
      {"Extension 7, eq. (13)", "q = g0/(1 + exp(−(u̇/vs)²))",
       "probably q = 1/(1 + g0 exp(−(u̇/vs)²)), so that g0 sets the static friction",
       "static over kinetic friction, g0 = 3, η = 1, without the factor g0^(1/η) of (14)",
       "1 + g0 if g0 scales the static friction, as the text says; the print gives 2 whatever g0",
       statement, 4, 1e-6, friction_ratio(3, 1), std::nullopt},
      {"Extension 7", "as Ts goes to zero, the static friction drops to f_c",
       "it drops to 2^(1/η) f_c, the quasi-static value",
       "static over kinetic friction at Ts = 0, "
       "g0 = 1, η = 2",
       "1, as the text says", statement, 1, 1e-6, friction_ratio(1, 2), std::nullopt},
  });
  io::Panel panel{"", {"turn of the path, degrees"}, {"|z| after a right angle"}, {}};
  for (const bool as_printed : {true, false}) {
    io::Curve curve{as_printed ? "(9) as printed" : "|z·u̇|",
                    {},
                    {},
                    as_printed ? io::Style::solid : io::Style::dashed};
    for (int degrees = 0; degrees <= 90; degrees += 3) {
      curve.x.push_back(degrees);
      curve.y.push_back(after_turn(degrees * pi / 180, as_printed));
    }
    panel.curves.push_back(std::move(curve));
  }
  out.figures = {{"", {"", {{{panel}, 7}}, 12}}};
  return out;
}

}  // namespace gavin2018_misprints_parts

Entry gavin2018_misprints() {
  using namespace gavin2018_misprints_parts;
  return {"gavin2018-misprints",
          "Gavin (2018)",
          "Conditions, bounds and couplings as printed and as they must be.",
          compute,
          {"bouc-wen.beta", 1.05,
           "Extension 3, eq. (7), as meant: largest z for A = 2, β = γ = 1, η = 2"}};
}

}  // namespace microslip::reproduce
