#include <array>
#include <cmath>

#include "mathis2020_tuning.hpp"
#include "microslip/loops/harmonic.hpp"
#include "misprints.hpp"

namespace microslip::reproduce {
namespace mathis2020_misprints_parts {

/// z after the ramp u: 0 → 1 in the time T for ż = (1 − z)·(u̇ or 1).
double ramp(double T, bool with_rate) {
  std::array<double, 1> z{0};
  const auto slope = [&](const std::array<double, 1>& y) -> std::array<double, 1> {
    return {(1 - y[0]) * (with_rate ? 1 / T : 1)};
  };
  for (int i = 0; i < 2000; ++i) z = runge_kutta(slope, z, T / 2000);
  return z[0];
}

/// Table 1's Bouc–Wen with one or the other sign of β.
double bouc_wen_zeta(double sign) {
  return zeta_eff(
      {"bouc-wen",
       {{"A", 0.75385}, {"beta", 1.0}, {"gamma", sign}, {"n", 0.5}, {"k", 10.0}, {"a", 0.0}},
       {}},
      1);
}

/// z_x at u_x = 1 of (47a) with u_y = 0, A = 1, β = 0.8, γ = 0.2.
double park(bool with_factor) {
  std::array<double, 1> z{0};
  const auto slope = [&](const std::array<double, 1>& y) -> std::array<double, 1> {
    const double loss = with_factor ? std::abs(y[0]) * y[0] : std::abs(y[0]);
    return {1 - 0.8 * loss - 0.2 * y[0] * y[0]};
  };
  for (int i = 0; i < 2000; ++i) z = runge_kutta(slope, z, 1.0 / 2000);
  return z[0];
}

/// Slope after yield over the slope at rest of Bouc–Wen with the ratio a of both.
double last_over_first(double a) {
  const ModelSpec law{"bouc-wen",
                      {{"A", 1.0}, {"beta", 0.5}, {"gamma", 0.5}, {"n", 2.0}, {"k", 3.0}, {"a", a}},
                      {}};
  const Run run = simulate(law, {1e-9, 60});
  return run.history.tangent[1] / run.history.tangent[0];
}

/// |z| after the path (1, 0) → (1, 1), turned by an angle, by (48) with A = 1, β = 0.8, γ = 0.2,
/// n = 2, which is (47) with its lost factors.
double after_turn(double angle, bool printed_bracket) {
  std::array<double, 2> z{0, 0};
  for (const double heading : {angle, angle + pi / 2}) {
    const double vx = std::cos(heading), vy = std::sin(heading);
    const auto slope = [&](const std::array<double, 2>& y) -> std::array<double, 2> {
      const double x = vx * y[0], both = x + vy * y[1];
      const double size = printed_bracket ? std::abs(x) + std::abs(vy * y[1]) : std::abs(both);
      const double loss = 0.8 * size + 0.2 * both;
      return {vx - loss * y[0], vy - loss * y[1]};
    };
    for (int i = 0; i < 4000; ++i) z = runge_kutta(slope, z, 1.0 / 4000);
  }
  return std::hypot(z[0], z[1]);
}

double rotation_defect(bool printed_bracket) {
  const double straight = after_turn(0, printed_bracket);
  double most = 0;
  for (int degrees = 5; degrees <= 85; degrees += 5)
    most = std::max(most, std::abs(after_turn(degrees * pi / 180, printed_bracket) / straight - 1));
  return most;
}

/// Phase φ0 of x = A sin(Ωτ + φ0) for x″ + 2εζx′ + x = εΓ sin Ωτ, exactly.
double linear_phase(double zeta, double alpha, double eps) {
  const double Omega = 1 + eps * alpha;
  return std::atan2(-2 * eps * zeta * Omega, 1 - Omega * Omega);
}

/// dA0/dΓ and d(A0/Γ)/dΓ along the resonance curve of iwan4, Γ = a1(A0).
struct Slopes {
  double amplitude, ratio;
};
Slopes resonance_slopes(double A) {
  const ModelSpec iwan{"iwan4", {{"Fs", 2.5707}, {"KT", 10.0}, {"chi", -0.3}, {"beta", 1.0}}, {}};
  const double h = 1e-3 * A, above = 2 * (A + h) * zeta_eff(iwan, A + h),
               below = 2 * (A - h) * zeta_eff(iwan, A - h);
  return {2 * h / (above - below), ((A + h) / above - (A - h) / below) / (above - below)};
}

/// z at u = −1 of (75) with α = 1 and a steady value of 0.375, with and without sgn u̇.
double elasto_plastic(bool with_sign) {
  constexpr double steady = 0.375;
  // dz/du = 1 − s z/z_ss with s = sgn u̇ = −1, or s = 1 as printed.
  const double s = with_sign ? -1 : 1;
  std::array<double, 1> z{0};
  const auto slope = [&](const std::array<double, 1>& y) -> std::array<double, 1> {
    return {1 - s * y[0] / steady};
  };
  for (int i = 0; i < 4000; ++i) z = runge_kutta(slope, z, -6.0 / 4000);
  return z[0];
}

double valanis_slope(double kappa, double u) {
  const Run run =
      simulate({"valanis", {{"E0", 1.0}, {"Et", 0.1}, {"lambda", 1.0}, {"kappa", kappa}}, {}}, {u});
  return run.history.tangent[0];
}

/// (89) at constant velocity up to q = 1, E0 = λ = 1, Et = 0.1, κ = 0.5; with Ḟ, or F as printed.
double valanis_flow(double duration, bool dotted) {
  const double v = 1 / duration;
  std::array<double, 2> y{0, 0};  // q, F
  const auto slope = [&](const std::array<double, 2>& at) -> std::array<double, 2> {
    const double pull = 0.1 * at[0] - at[1];
    if (!dotted) return {v, v + pull * std::abs(v - 0.5 * at[1])};
    return {v, v * (1 + pull) / (1 + 0.5 * pull)};  // solved for Ḟ
  };
  for (int i = 0; i < 2000; ++i) y = runge_kutta(slope, y, duration / 2000);
  return y[1];
}

Outcome compute() {
  using enum Comparison::Against;
  const ModelSpec printed_lugre{"lugre",
                                {{"sigma0", 3.6661},
                                 {"sigma1", 0.2394},
                                 {"sigma2", 0.0},
                                 {"zc", 1.4462},
                                 {"zs", 0.3002},
                                 {"vs", 1.4752}},
                                {}};
  const double zeta = 0.1, alpha = 0.05;
  const double phase = linear_phase(zeta, alpha, 1e-7);
  // (101) and (109) with the printed sign; atan2 keeps the quadrant.
  const double by_101 = std::atan2(zeta, -alpha);
  const Slopes small = resonance_slopes(0.1);
  const Run jenkins = simulate({"jenkins", {{"k", 0.5}, {"phi", 0.5}}, {}}, {1, -1, 1});
  Outcome out = decided({
      {"eq. (12)", "ż = g1(u, z) for u̇ > 0, g2(u, z) for u̇ < 0", "ż = g1 u̇, ż = g2 u̇",
       "z at u = 1 reached in 2 s over that reached in 1 s, g1 = 1 − z",
       "1 for the rate-independent law of the text", statement, 1, 1e-9,
       ramp(2, false) / ramp(1, false), ramp(2, true) / ramp(1, true)},
      {"eqs (34)–(38)", "[α sgn(zu̇) − β]|z|ⁿ",
       "+β, as (33) above it has, where both terms are subtracted, and as Table 1 needs; figs 9 to "
       "11 use −β "
       "as printed",
       "ζ_eff at A = 1 of Table 1's Bouc–Wen", "2/π, to which the table is tuned", printed, 2 / pi,
       2e-5, bouc_wen_zeta(-1), bouc_wen_zeta(1)},
      {"eq. (46)", "F = K u + (1 − α) K z, K called the post-yield stiffness",
       "F = αK u + (1 − α) K z, K the pre-yield stiffness",
       "slope after yield over the first slope, α = 0.1",
       "α, the ratio of both stiffnesses (below (31)); as printed 1/(2 − α)", equation, 0.1, 1e-9,
       1 / 1.9, last_over_first(0.1)},
      {"eqs (47)", "−β|u̇_x z_x| alone",
       "−β|u̇_x z_x| z_x, and u̇_x instead of u̇_y at the end of (47b)",
       "z_x at u_x = 1, u_y = 0, A = 1, β = 0.8, γ = 0.2", "tanh 1, of Bouc–Wen with n = 2",
       independent, std::tanh(1.0), 1e-9, park(false), park(true)},
      {"eqs (47), (48)", "β|u̇_x z_x| + β|u̇_y z_y|, called rotationally invariant",
       "no misprint: the law of Park, Wen and Ang has this bracket, and the words do not hold for "
       "it; with "
       "β|u̇_x z_x + u̇_y z_y| they do",
       "largest change of |z| when a path with a right angle is turned, β = 0.8, γ = 0.2, n = 2",
       "none for a law that is rotationally invariant", statement, 0, 1e-9, rotation_defect(true),
       rotation_defect(false)},
      {"eqs (75), (80)", "ż = (1 − α z/z_ss) u̇", "ż = (1 − α sgn(u̇) z/z_ss) u̇, and |z| in α_m",
       "z at u = −6, z_ss = 0.375, α = 1", "−z_ss", independent, -0.375, 1e-6,
       elasto_plastic(false), elasto_plastic(true)},
      {"below eq. (87)", "κ = 1 makes the law a linear spring",
       "so it is at κ = 1 exactly; but κ → 1 is the stick–slip element, slope E_t after slip",
       "slope at u = 60 over E0, κ = 0.999, E_t/E0 = 0.1", "E_t/E0", independent, 0.1, 1e-6, 1.0,
       valanis_slope(0.999, 60)},
      {"below eq. (87)", "κ = 0 makes it a stick–slip element, slope E0 up to the limit",
       "κ = 0 is the smooth exponential curve",
       "slope at u = 0.5 over E0, κ = 0, λ = 1, E_t/E0 = 0.1", "0.1 + 0.9 exp(−½)", independent,
       0.1 + 0.9 * std::exp(-0.5), 1e-9, 1.0, valanis_slope(0, 0.5)},
      {"eq. (89)", "ż = |q̇ − κF/E0|", "ż = |q̇ − κḞ/E0|: F has lost its dot",
       "F at q = 1 reached in 2 s over that reached in 1 s, κ = 0.5",
       "1 for (87), to which the text reduces it", statement, 1, 1e-9,
       valanis_flow(2, false) / valanis_flow(1, false),
       valanis_flow(2, true) / valanis_flow(1, true), true},
      {"eqs (100a), (101), (108a), (109)", "a1/2 = (Γ/2) sin φ0, resonance at φ0 = π/2",
       "a1/2 = −(Γ/2) sin φ0, resonance at −π/2; (103) is right",
       "φ0 of a linear oscillator, ζ = 0.1, α = 0.05, ε → 0", "its exact response", independent,
       phase, 1e-5, by_101, std::atan2(-zeta, -alpha)},
      {"eq. (115a)", "∂A0/∂Γ < 0 in the unsaturated region", "∂(A0/Γ)/∂Γ < 0; A0 itself grows",
       "sign of the derivative along the resonance curve of Iwan's law at A0 = 0.1", "−1",
       statement, -1, 0.1, std::copysign(1, small.amplitude), std::copysign(1, small.ratio)},
      {"Table 1, viscous", "c = 1.2725", "c = 1.27324 = 4/π", "ζ_eff at A = 1",
       "2/π, to which the table is tuned", printed, 2 / pi, 1e-5, 1.2725 / 2,
       zeta_eff({"viscous", {{"c", 4 / pi}}, {}}, 1)},
      {"Table 1, Iwan", "four parameters", "a fifth, Mignolet's θ = 0.418, which section 6.3 names",
       "ζ_eff at A = 1", "2/π, to which the table is tuned", printed, 2 / pi, 1e-3,
       mignolet_zeta(1), mignolet_zeta(0.418)},
      {"Table 2, LuGre", "σ0 = 3.6661 …, tuned to Bouc–Wen", "open: no repair is known",
       "ζ_eff at A = 1, with σ2/2 added", "that of Bouc–Wen, 2/π", printed, 2 / pi, 0.02,
       zeta_eff(printed_lugre, 1) - 0.005, std::nullopt},
      {"fig. 13(b)", "k = φ = 0.5, unit amplitude: a hysteresis loop", "any k > 0.5",
       "energy per cycle over 4φU; as meant with k = 1", "1 − φ/(kU), which is 0 as printed",
       independent, 0.5, 1e-9, jenkins.work(0, 2) / 2,
       simulate({"jenkins", {{"k", 1.0}, {"phi", 0.5}}, {}}, {1, -1, 1}).work(0, 2) / 2},
  });
  io::Panel panel{"Table 1, Iwan with Mignolet's θ", {"θ"}, {"ζ_eff at A = 1"}, {}};
  io::Curve curve{"closed form", spaced(0, 1, 50), {}, io::Style::solid};
  for (const double theta : curve.x) curve.y.push_back(mignolet_zeta(theta));
  panel.curves = {curve, {"2/π", {0, 1}, {2 / pi, 2 / pi}, io::Style::dashed}};
  out.figures = {{"", {"", {{{panel}, 7}}, 12}}};
  out.remark = "Equations (10), (27), (29), (59)–(64) and (103) are right.";
  return out;
}

}  // namespace mathis2020_misprints_parts

Entry mathis2020_misprints() {
  using namespace mathis2020_misprints_parts;
  return {"mathis2020-misprints",
          "Mathis et al. (2020)",
          "Signs, factors and table entries as printed and as they must be.",
          compute,
          {"bouc-wen.beta", 1.05, "eqs (34)–(38), as meant: ζ_eff at A = 1 of Table 1's Bouc–Wen"}};
}

}  // namespace microslip::reproduce
