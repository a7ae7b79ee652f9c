#include <algorithm>
#include <cmath>

#include "microslip/detail/numerics/dense.hpp"
#include "microslip/friction/builders.hpp"
#include "microslip/friction/sliders.hpp"
#include "miller2009_rod.hpp"
#include "reproduce/explicit_structure.hpp"
#include "support.hpp"

// Miller and Quinn: the dissipative chain (figs 5, 8) and the rod with the interface (figs 15–18, 20).
// Loads and energies are the corrected ones of `miller2009-misprints`.

namespace microslip::reproduce {
namespace miller2009_interface_parts {

// ---------------------------------------------------------------------------- the chain alone

/// D* of a steady cycle by (10) of the chain without mass, in units of F_c L_c: n sliders of μ = 1 joined
/// by springs k = n − 1 (K_eq = 1), loads (f_0 − g_0)/2 = F0 at both ends. The event solver has half of k.
double without_mass(int n, double F) {
  const double k = (n - 1) * input("K_eq", 1.0);
  const friction::System chain = friction::chain_system(n, k / 2, std::vector<double>{1.0});
  const double peak = F * n;
  const friction::Result run = friction::run(chain, std::vector<double>{peak, -peak, peak});
  return (run.energy[2] - run.energy[0]) / (static_cast<double>(n) * n);
}

/// The same with the masses of (7), by explicit steps: sliders without mass follow their springs as plays,
/// masses are moved by the leapfrog rule. ω* = π/15; one cycle after two.
double with_mass(int n, double F) {
  const double k = n - 1, m = 1 / (2.0 * (n - 1)), omega = pi / 15;
  const auto count = static_cast<std::size_t>(n);
  std::vector<double> z(count - 1, 0.0), v(count - 1, 0.0), q(count, 0.0);
  const int steps = 400 * n;  // a fifth of the shortest period is 0.4/n ω_c
  const double h = 30.0 / steps;
  double lost = 0;
  for (int i = 0; i < 3 * steps; ++i) {
    if (i == 2 * steps) lost = 0;
    const double load = F * n * std::sin(omega * (i + 1) * h);
    for (std::size_t j = 0; j < z.size(); ++j) z[j] += h * v[j];
    for (std::size_t j = 0; j < count; ++j) {
      const bool first = j == 0, last = j + 1 == count;
      const double springs = first || last ? k : 2 * k;
      const double at = first  ? z[0] + load / k
                        : last ? z[count - 2] + load / k
                               : 0.5 * (z[j - 1] + z[j]);
      const double next = std::clamp(q[j], at - 1 / springs, at + 1 / springs);
      lost += std::abs(next - q[j]);
      q[j] = next;
    }
    for (std::size_t j = 0; j < z.size(); ++j) v[j] += h * k / m * (q[j] + q[j + 1] - 2 * z[j]);
  }
  return lost / (static_cast<double>(n) * n);
}

/// The cycle of n sliders at F0* = m/n in closed form.
double closed_form(int n, double F) {
  return 8.0 / 3 * std::pow(F, 3) * n / (n - 1.0) * (1 - 1 / std::pow(n * F, 2));
}

Outcome chain() {
  constexpr int n = 40;
  Outcome out;
  io::Curve massless{"without mass", {}, {}, io::Style::points},
      massive{"with mass", {}, {}, io::Style::line_points},
      limit{"8/3 F0*³", {}, {}, io::Style::dashed};
  double worst = 0;
  for (int m = 1; m < n / 2; ++m) {
    const double F = static_cast<double>(m) / n, D = without_mass(n, F);
    worst = std::max(worst, std::abs(D - closed_form(n, F)));
    if (m == 1) continue;
    massless.x.push_back(F);
    massless.y.push_back(D);
    limit.x.push_back(F);
    limit.y.push_back(8.0 / 3 * std::pow(F, 3));
    if (m % 3 != 2) continue;
    massive.x.push_back(F);
    massive.y.push_back(with_mass(n, F));
  }
  const double at_quarter = without_mass(n, 0.25);
  out.comparisons = {
      equation("fig. 5: D* at F0* = 0.25, n = 40, against (26)", 8.0 / 3 / 64, 0.05 * 8.0 / 3 / 64,
               at_quarter, "(26) is the continuum; 40 sliders lose 1.6 % more"),
      independent("fig. 5: largest difference from 8/3 F*³ n/(n−1) (1 − 1/m²) at F* = m/n", 0,
                  1e-12, worst),
      printed("fig. 5: F0* below which no energy is lost (~0.025)", 0.025, 0.0005,
              [] {
                double low = 0, high = 0.1;
                while (high - low > 1e-6)
                  (without_mass(n, 0.5 * (low + high)) > 0 ? high : low) = 0.5 * (low + high);
                return high;
              }()),
      judged(
          "fig. 5: largest relative difference of the chain with mass",
          [&] {
            double most = 0;
            for (std::size_t i = 0; i < massive.x.size(); ++i)
              most = std::max(most, std::abs(massive.y[i] / closed_form(n, massive.x[i]) - 1));
            return most;
          }(),
          "\"almost coincident\""),
  };
  // Fig. 8: convergence in n, of first order from n/(n − 1).
  const double limit_value = 8.0 / 3 / 64;
  const double coarse = without_mass(100, 0.25) - limit_value,
               fine = without_mass(400, 0.25) - limit_value;
  out.comparisons.push_back(independent(
      "fig. 8: order of convergence of D* in n, from n = 100 and 400",
      std::log((closed_form(100, 0.25) - limit_value) / (closed_form(400, 0.25) - limit_value)) /
          std::log(4),
      1e-6, std::log(coarse / fine) / std::log(4)));
  out.figures = {
      {"", {"", {{{{"", {"F0*", true}, {"D*", true}, {limit, massless, massive}}}, 7}}, 12}}};
  out.remark =
      "Loads twice those of (25). Fig. 6 is `miller2009-fig6`, the cost of fig. 7 "
      "`miller2009-fig7-17`.";
  return out;
}

// ----------------------------------------------------------------------------------- the rod

/// Largest difference of the free end from the motion of the full form by an explicit solver with error
/// control, which shares the matrices and nothing else.
double against_explicit(const Motion& motion, double mu) {
  const dynamics::Structure s = rod(rod_burst, 20, false, mu);
  const ExplicitStructure equation(s);
  const dynamics::Direction& tip = s.sensors[0].w;
  Eigen::VectorXd y = equation.rest();
  std::size_t row = 0;
  double before = 0, x0 = 0, v0 = 0, most = 0;
  dormand_prince(equation, y, 0, motion.t.back(), 1e-5, equation.scale(1e-3, 1e-3),
                 [&](double t, const Eigen::VectorXd& state) {
                   const double x1 = tip.dot(state.head(s.size())),
                                v1 = tip.dot(state.segment(s.size(), s.size())), h = t - before;
                   for (; row < motion.t.size() && motion.t[row] <= t; ++row) {
                     const double p = (motion.t[row] - before) / h;  // Hermite's cubic
                     const double x = x0 * (1 + 2 * p) * (1 - p) * (1 - p) +
                                      x1 * p * p * (3 - 2 * p) +
                                      h * p * (1 - p) * (v0 * (1 - p) - v1 * p);
                     most = std::max(most, std::abs(x - motion.x[row]));
                   }
                   before = t, x0 = x1, v0 = v1;
                 });
  return most;
}

Outcome transient() {
  constexpr double mu = 1;
  const Motion monolithic = motion_of(rod(rod_burst, 0, true, mu), 40, 0.02);
  const Motion full = motion_of(rod(rod_burst, 20, false, mu), 40, 0.01);
  const Motion reduced = motion_of(rod(rod_burst, 20, true, mu), 40, 0.01);
  const Motion fig18 = motion_of(rod(rod_burst, 40, true, mu), 100, 0.02);
  const Motion half_steps = motion_of(rod(rod_burst, 20, false, mu), 40, 0.005);
  double apart = 0, most = 0, halved = 0;
  for (std::size_t i = 0; i < full.x.size(); ++i) {
    apart = std::max(apart, std::abs(full.x[i] - reduced.x[i]));
    most = std::max(most, std::abs(full.x[i]));
    halved = std::max(halved, std::abs(full.x[i] - half_steps.x.at(2 * i)));
  }
  // Of the free vibration, the energy of a mass and of all springs does not decay: largest values before
  // and after τ = 26.
  double before = 0, after = 0;
  for (std::size_t i = 0; i < monolithic.t.size(); ++i)
    if (monolithic.t[i] > 12)
      (monolithic.t[i] < 26 ? before : after) =
          std::max(monolithic.t[i] < 26 ? before : after, std::abs(monolithic.x[i]));
  const Peaks peaks = peaks_of(fig18, 12);
  io::Curve rate{"(31)", {}, {}, io::Style::line_points};
  for (std::size_t i = 1; i + 1 < peaks.A.size(); ++i) {
    rate.x.push_back(peaks.A[i]);
    rate.y.push_back(-(std::log(peaks.A[i + 1]) - std::log(peaks.A[i - 1])) /
                     (peaks.t[i + 1] - peaks.t[i - 1]));
  }
  const auto third = rate.y.size() / 3;
  const auto mean = [&](std::size_t from, std::size_t to) {
    double sum = 0;
    for (std::size_t i = from; i < to; ++i) sum += rate.y[i];
    return sum / static_cast<double>(to - from);
  };
  Outcome out;
  out.comparisons = {
      judged("fig. 15: largest displacement after τ = 26 over that before, without interface",
             after / before, "drawn without decay; several modes are left by the burst"),
      judged("fig. 16: largest difference of the two forms over the largest displacement",
             apart / most, "\"almost identical\"; n = 20, s = 4"),
      independent("fig. 16: free end of the full form, an explicit solver over the midpoint rule, "
                  "largest difference over the largest displacement",
                  0, 2 * halved / most,
                  against_explicit(full, input("mu of the explicit solver", 1.0)) / most,
                  "Runge–Kutta 4(5) with a tolerance of 1e-5; the tolerance is twice what half the "
                  "step of the midpoint rule changes"),
      judged("fig. 16: energy lost up to τ = 40, reduced over full form",
             reduced.lost.back() / full.lost.back(), "\"almost identical\""),
      at_most("fig. 18: decay rate of the last third over that of the first", 1,
              mean(2 * third, rate.y.size()) / mean(0, third),
              "it falls with the amplitude; n = 40, s = 4"),
  };
  out.figures = {
      {"",
       {"",
        {{{{"",
            {"τ"},
            {"a_r"},
            {io::Curve{"monolithic", monolithic.t, monolithic.x, io::Style::dashed},
             io::Curve{"full", full.t, full.x}, io::Curve{"reduced", reduced.t, reduced.x}}}},
          7},
         {{{"", {"A_i"}, {"η_i"}, {rate}}}, 7}},
        12}}};
  out.remark =
      "r = 10, the sixth mass replaced, δ = 0.25, μ = 1. (27c) has a free end, (29b) w_{n−1}, (31) "
      "its sign. The forms "
      "differ by the modes left out and by the masses of the sliders' side; with 8 modes by 2 %. "
      "Costs (fig. 17): `miller2009-fig7-17`.";
  return out;
}

// ------------------------------------------------------------------------- harmonic loading

/// Energy of the last of 24 cycles.
double loss_per_cycle(double delta, double mu) {
  const double omega = pi / 8, cycle = 16;
  const Motion m = motion_of(rod(ramped(delta, omega), 40, true, mu), 24 * cycle, 0.04);
  const auto back = static_cast<std::size_t>(std::lround(cycle / 0.04));
  return m.lost.back() - m.lost[m.lost.size() - 1 - back];
}

/// Load at which the first slider slips: 2 μ_1 = |g_0| of the stuck rod at ω, from its linear equations.
double threshold(double mu) {
  const dynamics::Structure s = rod("0", 40, true, 1e9);
  const double k_e = 2.0 * rod_elements / (1 + 1 / 39.0), omega = pi / 8;

  Eigen::MatrixXd K = Eigen::MatrixXd(s.K) - omega * omega * Eigen::MatrixXd(s.M);
  for (const auto& w : s.interfaces[0].w) K += k_e * w.dense() * w.dense().transpose();
  const Eigen::VectorXd x = dense::solve(K, s.loads[0].direction);
  double most = 0;
  for (const auto& w : s.interfaces[0].w) most = std::max(most, std::abs(k_e * w.dot(x)));
  return 2 * mu / 40 / most;
}

double slope(const std::vector<double>& x, const std::vector<double>& y, double from, double to) {
  double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (x[i] < from || x[i] > to || !(y[i] > 1e-6)) continue;
    const double a = std::log(x[i]), b = std::log(y[i]);
    n += 1;
    sx += a;
    sy += b;
    sxx += a * a;
    sxy += a * b;
  }
  return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

Outcome harmonic() {
  const double mu = input("mu", 1.0);
  const double first = threshold(mu);
  std::vector<double> delta, lost;
  for (const double d : {0.05, 0.07, 0.1, 0.14, 0.2, 0.28, 0.4, 0.56, 0.8, 1.1}) {
    delta.push_back(d);
    lost.push_back(loss_per_cycle(d, mu));
  }
  Outcome out;
  out.comparisons = {
      printed("fig. 20: δ below which nothing is lost (~0.0450)", 0.045, 0.0025, first),
      independent("the same from the motion: loss just below, relative to that above", 0, 1e-12,
                  loss_per_cycle(0.99 * first, mu) / loss_per_cycle(1.1 * first, mu)),
      at_least("loss just above", 1e-12, loss_per_cycle(1.1 * first, mu)),
      differs(printed("fig. 20: exponent of D, D > 1e-6 (2.72), over δ = 0.1 … 0.4", 2.72, 0.05,
                      slope(delta, lost, 0.09, 0.45)),
              "between threshold and macroslip the exponent is 3 and more, as for the interface "
              "alone; no range "
              "of the fit gave 2.72"),
      recorded("exponent over δ = 0.05 … 0.4, from the threshold on", 3.398, 0.01,
               slope(delta, lost, 0.04, 0.45)),
      recorded("exponent over δ = 0.05 … 1.1, into macroslip", 3.737, 0.01,
               slope(delta, lost, 0.04, 1.2)),
  };
  out.headline = out.comparisons[0].what;
  out.figures = {{"",
                  {"",
                   {{{{"",
                       {"δ", true},
                       {"D per cycle", true},
                       {io::Curve{"reduced, n = 40, s = 4", delta, lost, io::Style::line_points}}}},
                     7}},
                   12}}};
  out.remark =
      "r = 10, n = 40, s = 4, ω = π/8, the ramp of (32). How the exponent depends on the range of "
      "the fit is shown by "
      "three ranges.";
  return out;
}

}  // namespace miller2009_interface_parts

Entry miller2009_fig5() {
  using namespace miller2009_interface_parts;
  return {"miller2009-fig5-8",
          "Miller and Quinn (2009), figs 5, 8",
          "Energy per cycle of the dissipative chain against the load, with and without mass.",
          chain,
          {"K_eq", 1.05, "fig. 5: largest difference from 8/3 F*³ n/(n−1) (1 − 1/m²) at F* = m/n"}};
}
Entry miller2009_fig15() {
  using namespace miller2009_interface_parts;
  return {"miller2009-fig15-18",
          "Miller and Quinn (2009), figs 15, 16, 18",
          "The rod with and without the interface after a burst; decay rate against amplitude.",
          transient,
          {"mu of the explicit solver", 1.05,
           "fig. 16: free end of the full form, an explicit solver over the midpoint rule, largest "
           "difference over the largest displacement"}};
}
Entry miller2009_fig20() {
  using namespace miller2009_interface_parts;
  return {"miller2009-fig20",
          "Miller and Quinn (2009), fig. 20",
          "Energy per cycle of the jointed rod against the load; its exponent.",
          harmonic,
          {"mu", 1.05, "fig. 20: δ below which nothing is lost (~0.0450)"}};
}

}  // namespace microslip::reproduce
