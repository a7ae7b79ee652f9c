#include <algorithm>
#include <cmath>

#include "mathis2020_tuning.hpp"

// Laws tuned to Bouc–Wen over an interval: Table 2 with fig. 26, Table 3 with fig. 27.

namespace microslip::reproduce {
namespace mathis2020_table2_parts {

struct ElastoPlastic {
  double sigma0, sigma1, sigma2, zc, zs, vs, n, zba, zmax;
};

/// ζ_eff by steps of (75)–(80), with sgn(u̇) and |z| in their places; zba and zmax are what they are.
double stepped_zeta(const ElastoPlastic& p, double amplitude) {
  const auto rate = [&](double z, double v) {
    const double zss =
        (p.zc + (p.zs - p.zc) * std::exp(-std::pow(std::abs(v) / p.vs, p.n))) / p.sigma0;
    const double y = v < 0 ? -z : z;
    const double alpha =
        y < 0 || y <= p.zba ? 0
        : y >= zss          ? 1
                   : 0.5 + 0.5 * std::sin(pi * (y - (p.zmax + p.zba) / 2) / (p.zmax - p.zba));
    return v * (1 - alpha * y / zss);
  };
  constexpr int rows = 4000, cycles = 3;
  const double h = 2 * pi / rows;
  double z = 0, work = 0;
  for (int i = 0; i < cycles * rows; ++i) {
    if (i % rows == 0) work = 0;
    const double t = i * h, v0 = amplitude * std::cos(t), v1 = amplitude * std::cos(t + h / 2),
                 v2 = amplitude * std::cos(t + h);
    const double k1 = rate(z, v0), k2 = rate(z + h / 2 * k1, v1), k3 = rate(z + h / 2 * k2, v1),
                 k4 = rate(z + h * k3, v2);
    const double next = z + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4), middle = (z + next) / 2;
    work += (p.sigma0 * middle + p.sigma1 * rate(middle, v1) + p.sigma2 * v1) * amplitude *
            (std::sin(t + h) - std::sin(t));
    z = next;
  }
  return work / (2 * pi * amplitude * amplitude);
}

/// The row of a table with its own z_max, which (79) would make the larger of zs/σ0 and zc/σ0.
void compare_elasto_plastic(const ElastoPlastic& row, double end, double known_printed,
                            double known_by_79, std::vector<Comparison>& to) {
  const std::vector<double> amplitudes = midpoints(end, 25);
  const std::vector<double> target = zeta_eff(reference_bouc_wen(), amplitudes);
  ElastoPlastic by_79 = row;
  by_79.zmax = std::max(row.zs, row.zc) / row.sigma0;
  std::vector<double> printed_zeta, equation_zeta;
  for (const double A : amplitudes) {
    printed_zeta.push_back(stepped_zeta(row, A));
    equation_zeta.push_back(stepped_zeta(by_79, A));
  }
  const std::string name = "elasto-plastic by steps: rms difference of ζ_eff to the target, ";
  to.push_back(recorded(name + "z_max as printed in the table", known_printed, 1e-3 * known_printed,
                        rms_difference(printed_zeta, target)));
  to.push_back(recorded(name + "z_max by (79)", known_by_79, 1e-3 * known_by_79,
                        rms_difference(equation_zeta, target)));
}

const std::string with_theta =
    "the authors' Iwan law also had a ratio θ of kinetic to static friction, which is not printed; "
    "the best θ lowers the misfit and does not remove it";

Outcome over_five() {
  Outcome outcome = compare_tuning(
      5,
      {{.name = "Dahl",
        .law = {"dahl", {{"sigma0", 5.1362}, {"zc", 1.6362}, {"n", 2.0638}}, {}},
        .free = {"sigma0", "zc", "n"},
        .misfit = 0.0242248550553},
       {.name = "Jenkins",
        .law = {"jenkins", {{"k", 7.0552}, {"phi", 1.1037}}, {}},
        .free = {"k", "phi"},
        .known_to_differ = true,
        .misfit = 0.144299324415,
        .note = "the print is not a minimum of (117): the nearest one lies 8 % lower"},
       {.name = "Iwan",
        .law = {"iwan4", {{"Fs", 1.9712}, {"KT", 15.1779}, {"chi", -0.7322}, {"beta", 0.2023}}, {}},
        .free = {"Fs", "KT", "chi", "beta"},
        .known_to_differ = true,
        .theta = 0.641,
        .misfit = 0.150296,
        .note = with_theta},
       {.name = "elasto-plastic",
        .law = {"elasto-plastic",
                {{"sigma0", 8.3393},
                 {"sigma1", 0.0093},
                 {"sigma2", 0.0106},
                 {"zc", 0.8548},
                 {"zs", 1.2932},
                 {"vs", 0.1815},
                 {"n", 2.7640},
                 {"zba", 0.1204}},
                {}},
        .free = {},
        .misfit = 0.123762},
       {.name = "LuGre",
        .law = {"lugre",
                {{"sigma0", 3.6661},
                 {"sigma1", 0.2394},
                 {"sigma2", 0.0},
                 {"zc", 1.4462},
                 {"zs", 0.3002},
                 {"vs", 1.4752}},
                {}},
        .free = {},
        .added_viscous = -0.01,
        .misfit = 0.165718,
        .note = "σ2 = −0.01 gives energy; its share of ζ_eff, σ2/2, is added by hand"}});
  compare_elasto_plastic({8.3393, 0.0093, 0.0106, 0.8548, 1.2932, 0.1815, 2.7640, 0.1204, 0.1929},
                         5, 0.145127, 0.149237, outcome.comparisons);
  outcome.remark =
      "ζ_eff at 49 amplitudes in [0, 5]; the grid and the solver of the source are not printed. "
      "Only Dahl's printed parameters are a minimum of (117). With Mignolet's θ, which repairs "
      "Iwan's "
      "row of Table 1, the best that its printed row reaches here is 44 % of the misfit (θ = "
      "0.64): "
      "something else is not printed. The elasto-plastic row has a z_max of its own, 0.1929, where "
      "(79) "
      "gives 0.1551; neither meets the target.";
  return outcome;
}

Outcome over_a_third() {
  // n/zc = 2.6494 with n → ∞: |1 − z/zc|^n becomes exp(−2.6494 z); n = 10⁴ is within 1e-4 of it.
  const double rate = 7.6146 / 2.8741, n = 1e4;
  Outcome outcome = compare_tuning(
      0.3,
      {{.name = "Dahl",
        .law = {"dahl", {{"sigma0", 4.1773}, {"zc", n / rate}, {"n", n}}, {}},
        .free = {"sigma0", "zc"},
        .known_to_differ = true,
        .misfit = 0.0529021,
        .note =
            "printed with n and zc of 10⁷, where only n/zc = 2.649 matters; the minimum of (117) "
            "on our grid lies 2 % lower, at σ0 = 4.149, n/zc = 2.570"},
       {.name = "Iwan",
        .law = {"iwan4", {{"Fs", 2.6375}, {"KT", 15.1575}, {"chi", -0.6366}, {"beta", 0.1044}}, {}},
        .free = {"Fs", "KT", "chi", "beta"},
        .known_to_differ = true,
        .theta = 0.822,
        .misfit = 0.0857308,
        .note = with_theta},
       {.name = "Jenkins",
        .law = {"jenkins", {{"k", 2.5318e4}, {"phi", 3.3181e3}}, {}},
        .free = {"k", "phi"},
        .known_to_differ = true,
        .misfit = 2598.65,
        .note = "the printed φ/k = 0.131 is that of a slider, but k = 2.5e4 gives ζ_eff of "
                "thousands; the minimum is at k = 5.52, φ = 0.383"},
       {.name = "LuGre",
        .law = {"lugre",
                {{"sigma0", 4.4043},
                 {"sigma1", 0.8666},
                 {"sigma2", 0.0},
                 {"zc", 8.4148},
                 {"zs", 0.5070},
                 {"vs", 0.8548}},
                {}},
        .free = {},
        .added_viscous = -0.5067,
        .misfit = 0.0561352,
        .note = "σ2 = −0.5067 gives energy; its share of ζ_eff is added by hand. vs is printed "
                "negative, but only its square counts"}});
  compare_elasto_plastic({7.8455, 0.0127, 0.0211, 0.4820, 0.7801, 0.1686, 3.0270, -0.0055, 0.0166},
                         0.3, 0.146502, 0.206473, outcome.comparisons);
  outcome.remark =
      "ζ_eff at 49 amplitudes in [0, 0.3]. With Mignolet's θ Iwan's row keeps 78 % of its misfit "
      "(θ = 0.82). The elasto-plastic row has a negative break-away displacement, zba = −0.0055, "
      "which "
      "the law refuses: it is evaluated by steps, where no elastic range is left. Its z_max is "
      "printed "
      "beside the other parameters although (79) gives it; neither value meets the target.";
  return outcome;
}

}  // namespace mathis2020_table2_parts

Entry mathis2020_table2() {
  using namespace mathis2020_table2_parts;
  return {"mathis2020-table2",
          "Mathis et al. 2020, Table 2, fig. 26",
          "Laws tuned to the damping of Bouc–Wen over amplitudes up to 5.",
          over_five,
          {"dahl.sigma0", 1.05, "Dahl: (117) of the printed parameters over the least near them"}};
}

Entry mathis2020_table3() {
  using namespace mathis2020_table2_parts;
  return {"mathis2020-table3",
          "Mathis et al. 2020, Table 3, fig. 27",
          "Laws tuned to the damping of Bouc–Wen over amplitudes up to 0.3.",
          over_a_third,
          {"sigma0 of the simulated Dahl law", 1.05,
           "Dahl: ζ_eff at A = 0.15 against a simulated history"}};
}

}  // namespace microslip::reproduce
