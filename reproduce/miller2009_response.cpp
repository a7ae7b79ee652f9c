#include <algorithm>
#include <cmath>

#include "microslip/friction/builders.hpp"
#include "microslip/friction/sliders.hpp"
#include "support.hpp"

// Miller and Quinn, section 3.4.2: the interface alone under the loads f_n = −g_0 = G sin ωt, in units K_eq = M_eq
// = μ_i = 1, so that k = n − 1, m = 1/(2(n − 1)), F_c = L_c = n and ω_c = 1. (25) prints G = F0; (26) and macroslip
// at ½ need G = 2 F0.

namespace microslip::reproduce {
namespace miller2009_response_parts {

constexpr double omega = pi / 15;
constexpr int rows_a_cycle = 200;

/// Displacements across the interface in rows of one cycle after two, over L_c.
struct Response {
  std::vector<double> load;                        ///< G sin ωt over F_c
  std::vector<double> total, other;                ///< Δ1 and Δ2
  std::vector<double> dissipative, elastic, edge;  ///< the three terms of (23)
  double lost = 0;  ///< Σ∫σ dq of the cycle, as (10) counts, over F_c L_c
};

void add_row(Response& r, int n, double load, double dissipative, double elastic, double k) {
  const double edge = load / k;  // ((f_n + g_n) − (f_0 + g_0))/2k
  r.load.push_back(load / n);
  r.dissipative.push_back(dissipative / n);
  r.elastic.push_back(elastic / n);
  r.edge.push_back(edge / n);
  r.total.push_back((elastic + dissipative + edge) / n);  // (23)
  r.other.push_back((elastic - dissipative + edge) / n);  // (24)
}

struct Steps {
  int each, all, between;
  double h;
  explicit Steps(int n)
      : each(400 * n), all(3 * each), between(each / rows_a_cycle), h(30.0 / each) {}
  bool in_last_cycle(int i) const { return i >= 2 * each; }
  bool row(int i) const { return in_last_cycle(i) && (i + 1) % between == 0; }
};

/// Eqs (1): both rows of masses, sliders between massless points u_i and v_i. The relative displacement u_i − v_i
/// is a play of that of the springs beside it; the masses move by the leapfrog rule.
Response original(int n, double G) {
  const double k = n - 1, m = 1 / (2.0 * (n - 1));
  const auto N = static_cast<std::size_t>(n - 1);
  std::vector<double> x(N, 0.0), y(N, 0.0), vx(N, 0.0), vy(N, 0.0), d(N + 1, 0.0), u(N + 1),
      v(N + 1);
  const Steps steps(n);
  Response result;
  for (int i = 0; i < steps.all; ++i) {
    const double load = G * std::sin(omega * (i + 1) * steps.h);
    for (std::size_t j = 0; j < N; ++j) {
      x[j] += steps.h * vx[j];
      y[j] += steps.h * vy[j];
    }
    for (std::size_t j = 0; j <= N; ++j) {
      const bool first = j == 0, last = j == N;
      const double springs = first || last ? k : 2 * k;  // at each of the two points
      const double upper = (first ? k * x[0] : last ? k * x[N - 1] + load : k * (x[j - 1] + x[j]));
      const double lower = (first ? k * y[0] - load : last ? k * y[N - 1] : k * (y[j - 1] + y[j]));
      // springs u = upper + σ, springs v = lower − σ, |σ| ≤ 1
      const double free = (upper - lower) / springs;
      d[j] = std::clamp(d[j], free - 2 / springs, free + 2 / springs);
      const double sigma = 0.5 * springs * (d[j] - free);
      u[j] = (upper + sigma) / springs;
      v[j] = (lower - sigma) / springs;
    }
    for (std::size_t j = 0; j < N; ++j) {
      vx[j] += steps.h * k / m * (u[j] + u[j + 1] - 2 * x[j]);
      vy[j] += steps.h * k / m * (v[j] + v[j + 1] - 2 * y[j]);
    }
    if (!steps.row(i)) continue;
    result.load.push_back(load / n);
    result.total.push_back((u[N] - v[0]) / n);
    result.other.push_back((v[N] - u[0]) / n);
  }
  return result;
}

/// The differential formulation by its two decoupled parts, (6) and (7), with all masses.
Response differential(int n, double G) {
  const double k = n - 1, m = 1 / (2.0 * (n - 1));
  const auto N = static_cast<std::size_t>(n - 1);
  std::vector<double> w(N, 0.0), vw(N, 0.0), z(N, 0.0), vz(N, 0.0), q(N + 1, 0.0);
  const Steps steps(n);
  Response result;
  for (int i = 0; i < steps.all; ++i) {
    const double load = G * std::sin(omega * (i + 1) * steps.h);
    for (std::size_t j = 0; j < N; ++j) {
      w[j] += steps.h * vw[j];
      z[j] += steps.h * vz[j];
    }
    for (std::size_t j = 0; j <= N; ++j) {
      const bool first = j == 0, last = j == N;
      const double springs = first || last ? k : 2 * k;
      const double at = first  ? z[0] + load / (2 * k)
                        : last ? z[N - 1] + load / (2 * k)
                               : 0.5 * (z[j - 1] + z[j]);
      const double next = std::clamp(q[j], at - 1 / springs, at + 1 / springs);
      if (steps.in_last_cycle(i)) result.lost += std::abs(next - q[j]);
      q[j] = next;
    }
    for (std::size_t j = 0; j < N; ++j) {
      vz[j] += steps.h * k / m * (q[j] + q[j + 1] - 2 * z[j]);
      double force = j == 0 ? -0.5 * load : j + 1 == N ? 0.5 * load : 0;
      if (j > 0) force += 0.5 * k * (w[j - 1] - w[j]);
      if (j + 1 < N) force += 0.5 * k * (w[j + 1] - w[j]);
      vw[j] += steps.h / m * force;
    }
    if (steps.row(i)) add_row(result, n, load, q[0] + q[N], w[N - 1] - w[0], k);
  }
  result.lost /= static_cast<double>(n) * n;
  return result;
}

/// The reduced-order formulation: `s` modes of the elastic chain, whose motion from rest is known, and the sliders
/// without mass by their events.
Response reduced(int n, double G, int s) {
  const double k = (n - 1) * input("K_eq", 1.0), m = 1 / (2.0 * (n - 1));
  const int N = n - 1;
  const friction::System chain = friction::chain_system(n, k / 2, std::vector<double>{1.0});
  std::vector<double> loads, across;
  for (int i = 1; i <= 3 * rows_a_cycle; ++i)
    loads.push_back(0.5 * G * std::sin(2 * pi * i / rows_a_cycle));
  const friction::Result run =
      friction::run(chain, loads, {}, {.each_row = [&](std::size_t, const friction::Vector& q) {
                      across.push_back(q[0] + q[n - 1]);
                    }});
  if (run.status != Status::ok) throw Error(run.trouble);
  Response result;
  for (int i = 2 * rows_a_cycle + 1; i <= 3 * rows_a_cycle; ++i) {
    const double t = 30.0 * i / rows_a_cycle;
    double elastic = 0;
    for (int j = 1; j < s; ++j) {  // the rigid motion is not excited
      const double angle = j * pi / N, own = std::sqrt(2 * k / m) * std::sin(0.5 * angle);
      const double height = std::sqrt(2 / (N * m));
      const double across_mode = height * (std::cos(angle * (N - 0.5)) - std::cos(0.5 * angle));
      elastic += 0.5 * G * across_mode * across_mode / (own * own - omega * omega) *
                 (std::sin(omega * t) - omega / own * std::sin(own * t));
    }
    add_row(result, n, G * std::sin(omega * t), across[std::size_t(i - 1)], elastic, k);
  }
  result.lost = (run.energy.back() - run.energy[std::size_t(2 * rows_a_cycle - 1)]) /
                (static_cast<double>(n) * n);
  return result;
}

/// D* by (10) of n sliders whose chain is pulled by F = m/n at both ends.
double closed_form(int n, double F) {
  return 8.0 / 3 * std::pow(F, 3) * n / (n - 1.0) * (1 - 1 / std::pow(n * F, 2));
}

/// Displacement across the chain at the largest load, over L_c, that its modes from `s` on have statically: the
/// springs in a row, less the first modes.
double left_out(int n, double F, int s) {
  const double k = n - 1, m = 1 / (2.0 * (n - 1));
  const int N = n - 1;
  double compliance = (N - 1) * 2 / k;  // of springs k/2
  for (int j = 1; j < s; ++j) {
    const double angle = j * pi / N;
    const double across = std::cos(angle * (N - 0.5)) - std::cos(0.5 * angle);
    compliance -= 2 * across * across / (N * m) / (2 * k / m * std::pow(std::sin(0.5 * angle), 2));
  }
  return 0.5 * F * compliance;
}

/// The part of the cycle in which a displacement does not change.
double at_rest(const std::vector<double>& x) {
  double rows = 0;
  for (std::size_t i = 1; i < x.size(); ++i)
    rows += std::abs(x[i] - x[i - 1]) <= 1e-12 * largest(x);
  return rows / static_cast<double>(x.size());
}

/// D* of a cycle of a rigid block, after two: its mass is that of (7), (n − 1) m, its friction F_c, its load G sin ωt.
double rigid_block(double G) {
  double v = 0, lost = 0;
  const int each = 200000;
  const double h = 30.0 / each;
  for (int i = 0; i < 3 * each; ++i) {
    if (i == 2 * each) lost = 0;
    const double load = G * std::sin(omega * (i + 0.5) * h);
    const double friction = v != 0 ? (v > 0 ? 1 : -1) : std::clamp(load, -1.0, 1.0);
    double next = v + 2 * h * (load - friction);
    if (next * v < 0) next = 0;
    lost += std::abs(0.5 * (v + next)) * h;
    v = next;
  }
  return lost;
}

io::Panel in_time(const Response& r, const char* title) {
  const std::vector<double> t = spaced(1.0 / rows_a_cycle, 1, r.total.size() - 1);
  return {title,
          {"t/T"},
          {"displacement / L_c"},
          {io::Curve{"Δ1", t, r.total, io::Style::solid}, io::Curve{"q_n + q_1", t, r.dissipative},
           io::Curve{"w_n-1 − w_1", t, r.elastic}}};
}

Outcome compute() {
  Outcome out;
  // (22)–(24) and fig. 9: n = 40, F0* = 0.5, loads of (25) as printed.
  const double half = 0.5 * 40;
  const Response all = original(40, half), parts = differential(40, half),
                 few = reduced(40, half, 10);
  const double size = largest(all.total);
  out.comparisons = {
      equation("(23): largest difference of Δ1 = u_n − v_1 of eqs (1) from w, q of (6)–(7), over "
               "its size",
               0, 1e-9, largest_difference(all.total, parts.total) / size),
      equation("(24): the same of Δ2 = v_n − u_1", 0, 1e-9,
               largest_difference(all.other, parts.other) / size),
      judged("fig. 9: largest difference of the two formulations over the size of Δ1",
             largest_difference(parts.total, few.total) / size,
             "drawn alike; n = 40, F0* = 0.5, s = 10"),
      at_least("fig. 9: part of the cycle in which q_n + q_1 sticks, over a row", 1,
               at_rest(few.dissipative) * rows_a_cycle, "\"stick–slip dynamics\""),
      at_most("fig. 9: rows of the cycle in which w_n−1 − w_1 rests", 1,
              at_rest(few.elastic) * rows_a_cycle, "\"smooth\""),
      independent("fig. 9: D* of the reduced form, against its closed form at F = 0.25",
                  closed_form(40, 0.25), 1e-12, few.lost),
  };

  // Fig. 10: n = 32, F0* = 0.75.
  const Response loop_full = differential(32, 0.75 * 32), loop_few = reduced(32, 0.75 * 32, 10);
  const Response beyond = differential(32, 1.5 * 32);
  const friction::System chain = friction::chain_system(32, 0.5 * 31, std::vector<double>{1.0});
  const bool slides =
      friction::run(chain, std::vector<double>{0.75 * 32}).status == Status::macroslip;
  out.comparisons.insert(
      out.comparisons.end(),
      {independent("fig. 10b: D*, loads of (25) as printed, against the closed form at F = 0.375",
                   closed_form(32, 0.375), 1e-12, loop_few.lost),
       judged("fig. 10: relative difference of D* of the two formulations",
              std::abs(loop_full.lost / loop_few.lost - 1), "drawn alike"),
       independent("fig. 10: with loads twice those of (25), the chain without mass slides as a "
                   "whole (1: yes)",
                   1, 0.1, slides ? 1 : 0),
       independent("fig. 10: with them the chain with mass goes on; D* over that of a rigid block",
                   1, 0.05, beyond.lost / rigid_block(1.5))});

  // Fig. 11: s = 10, F0* = 0.3.
  io::Panel fig11{"fig. 11", {"t/T"}, {"difference of Δ1 / L_c"}, {}};
  std::vector<double> with_ten, with_all;
  for (const int n : {20, 40, 100, 200}) {
    const Response full = differential(n, 0.3 * n), ten = reduced(n, 0.3 * n, 10);
    with_ten.push_back(largest_difference(full.total, ten.total));
    with_all.push_back(largest_difference(full.total, reduced(n, 0.3 * n, n - 1).total));
    io::Curve curve{
        "n = " + std::to_string(n), spaced(1.0 / rows_a_cycle, 1, full.total.size() - 1), {}};
    for (std::size_t i = 0; i < full.total.size(); ++i)
      curve.y.push_back(full.total[i] - ten.total[i]);
    fig11.curves.push_back(curve);
  }
  out.comparisons.insert(
      out.comparisons.end(),
      {at_most("fig. 11: largest difference of Δ1 over L_c, n = 100, s = 10", 0.01, with_ten[2],
               "the axis is drawn in units of 10⁻³, in one digit"),
       independent("fig. 11: that difference, against what the modes left out do statically",
                   left_out(100, 0.3, 10), with_all[2] + 0.01 * with_ten[2], with_ten[2],
                   "the tolerance is the difference with all modes, and 1 % for their vibrations"),
       differs(at_most("fig. 11: difference at n = 100 over that at n = 20, s = 10", 1,
                       with_ten[2] / with_ten[0],
                       "\"the reduced-order model approaches the differential formulation\""),
               "the ten modes of a chain with more masses are a smaller part of its compliance: "
               "the difference grows "
               "with n towards that of a rod"),
       judged("fig. 11: largest difference with all modes, n = 20", with_all[0],
              "only the masses of the sliders' side are left out"),
       judged("fig. 11: the same, n = 40", with_all[1], "\"approaches\": it would fall like 1/n"),
       judged("fig. 11: the same, n = 100", with_all[2], "\"approaches\": it would fall like 1/n"),
       judged("fig. 11: the same, n = 200", with_all[3], "\"approaches\": it would fall like 1/n"),
       differs(at_most("fig. 11: with all modes, difference at n = 200 over that at n = 40", 0.2,
                       with_all[3] / with_all[1],
                       "\"approaches\": of first order in 1/n it would be 1/5"),
               "the difference levels off: the masses of the sliders' side, which the reduced form "
               "leaves out, do not become fewer with n. That the reduced form approaches the "
               "differential one is not shown, neither with ten modes nor with all")});
  out.headline = out.comparisons[0].what;
  out.figures = {{"",
                  {"",
                   {{{in_time(parts, "fig. 9, differential"), in_time(few, "reduced")}, 5},
                    {{{"fig. 10",
                       {"Δ1 / L_c"},
                       {"F / F_c"},
                       {io::Curve{"differential", loop_full.total, loop_full.load},
                        io::Curve{"reduced", loop_few.total, loop_few.load}}},
                      {"twice the load, with mass",
                       {"Δ1 / L_c"},
                       {"F / F_c"},
                       {io::Curve{"", beyond.total, beyond.load, io::Style::solid}}}},
                     5},
                    {{fig11}, 5}},
                   16}}};
  out.remark =
      "Units K_eq = M_eq = μ_i = 1, ω = π/15, one cycle after two from rest; the elastic chain has "
      "no damping, so that "
      "its first vibrations stay. Figs 9–12 show loops of the massless chain at F0* = 0.5 and "
      "0.75, which exist only "
      "with the loads of (25) as printed (macroslip at 1); figs 5–8 need twice these loads "
      "(macroslip at ½). With the "
      "latter and mass, the halves of fig. 10 slide by many L_c like rigid blocks.";
  return out;
}

}  // namespace miller2009_response_parts

Entry miller2009_fig9() {
  using namespace miller2009_response_parts;
  return {"miller2009-fig9-11",
          "Miller and Quinn (2009), eqs (22)–(24), figs 9, 10, 11",
          "Displacement across the interface under harmonic loads: the parts of (23), both "
          "formulations, loops, and "
          "their difference.",
          compute,
          {"K_eq", 1.05, "fig. 9: D* of the reduced form, against its closed form at F = 0.25"}};
}

}  // namespace microslip::reproduce
