#include <algorithm>
#include <cmath>

#include "support.hpp"

// Far out on a monotone motion the two-state law tends to a steady slip state (App. I):
//   (4.12) c = αq − b u → ∓A b/√(bᵀAb)     (4.13) q → b u/α ∓ A b/(α√(bᵀAb))
//   (4.14) f → (1 − bᵀb/α) u ± √(bᵀAb)/α.
// The approach is exponential in u, so u = 60 is far enough for 1e-10.

namespace microslip::reproduce {
namespace biswas2018_eq4_12_parts {

struct Set {
  std::string name;
  double alpha, sigma, b1, b2;
  bool normalized;
};

std::vector<Set> sets() {
  std::vector<Set> all;
  for (const auto& [alpha, sigma, name] :
       {std::tuple{0.5, 0.49, "α 0.5, σ 0.49"}, std::tuple{2. / 3, 1. / 16, "α 2/3, σ 1/16"}}) {
    const auto [b1, b2] = normalized_b(alpha, sigma);
    all.push_back({name, alpha, sigma, b1, b2, true});
  }
  all.push_back({"Table 5.1 (1)", 0.6134, 0.2254, 0.3353, 0.6353, false});
  all.push_back({"Table 5.1 (2)", 5.0000, 0.2800, 1.5457, 1.2692, false});
  all.push_back({"Table 5.1 (3)", 17.6663, 0.0906, 1.7959, 2.5594, false});
  all.push_back({"Table 5.1 (4)", 7.8443, 0.5570, 1.9537, 1.9020, false});
  return all;
}

using Pair = std::array<double, 2>;

double saturation(const Set& set) {
  return std::sqrt(set.sigma * set.b1 * set.b1 + set.b2 * set.b2);
}

/// c = −s; the law keeps s along and across its saturated direction, relative to the half axes of
/// the ellipse.
Pair c_of(const Set& set, double along, double across) {
  const double root = std::sqrt(set.sigma);
  const double n1 = root * set.b1 / saturation(set), n2 = set.b2 / saturation(set);
  return {-root * (n1 * along - n2 * across), -(n2 * along + n1 * across)};
}

/// c and q of a row.
struct SlipState {
  Pair c, q;
  SlipState(const Set& set, const Run& run, std::size_t row)
      : c(c_of(set, run.state("along")[row], run.state("across")[row])),
        q{(c[0] + set.b1 * run.history.u[row]) / set.alpha,
          (c[1] + set.b2 * run.history.u[row]) / set.alpha} {}
};

double distance(const Pair& a, const Pair& b) {
  return std::max(std::abs(a[0] - b[0]), std::abs(a[1] - b[1]));
}

Pair saturated_c(const Set& set, double direction) {
  const double scale = -direction / saturation(set);
  return {scale * set.sigma * set.b1, scale * set.b2};
}

/// Largest deviation from each equation, of u = 60 and u = −60.
void compare(const Set& set, std::vector<Comparison>& to) {
  double in_c = 0, in_q = 0, in_f = 0, in_rate = 0;
  const double slope = 1 - (set.b1 * set.b1 + set.b2 * set.b2) / set.alpha;
  const double half_gap = saturation(set) / set.alpha;
  for (const double d : {1.0, -1.0}) {
    const Run run =
        simulate(two_state(set.alpha, set.sigma, set.b1, set.b2), {d * 30, d * 60, d * 61});
    const SlipState here(set, run, 1), next(set, run, 2);
    const double u = run.history.u[1];
    const Pair c = saturated_c(set, d);
    in_c = std::max(in_c, distance(here.c, c));
    in_q = std::max(
        in_q, distance(here.q, {(c[0] + set.b1 * u) / set.alpha, (c[1] + set.b2 * u) / set.alpha}));
    in_f = std::max(in_f, std::abs(run.history.f[1] - (slope * u + d * half_gap)));
    in_rate = std::max(in_rate, distance({d * (next.q[0] - here.q[0]), d * (next.q[1] - here.q[1])},
                                         {set.b1 / set.alpha, set.b2 / set.alpha}));
  }
  const auto deviation = [&](const std::string& which, double value) {
    to.push_back(equation(set.name + ": deviation from " + which, 0, 1e-10, value));
  };
  deviation("(4.12), c", in_c);
  deviation("(4.13), q", in_q);
  deviation("(4.14), f", in_f);
  deviation("App. I, dq/du = b/α", in_rate);
  if (set.normalized) {
    to.push_back(equation(set.name + ": (4.16) final slope 1 − bᵀb/α", 0, 1e-15, slope));
    to.push_back(equation(set.name + ": (4.17) half gap √(bᵀAb)/α", 1, 1e-15, half_gap));
  }
}

/// How fast c gets there, on a logarithmic axis.
io::Curve approach(const Set& set) {
  const Run run = simulate(two_state(set.alpha, set.sigma, set.b1, set.b2), spaced(0, 15, 3000));
  io::Curve curve{set.name, {}, {}};
  const Pair goal = saturated_c(set, 1);
  for (std::size_t row = 0; row < run.history.u.size(); ++row) {
    const double left = distance(SlipState(set, run, row).c, goal);
    if (left < 1e-13) break;  // rounding from here on
    curve.x.push_back(run.history.u[row]);
    curve.y.push_back(left);
  }
  return curve;
}

Outcome compute() {
  Outcome out;
  io::Panel panel{"", {"displacement u"}, {"largest component of |c − c_s|", true}, {}};
  for (const Set& set : sets()) {
    compare(set, out.comparisons);
    panel.curves.push_back(approach(set));
  }
  out.figures = {{"", {"", {{{panel}, 8}}, 12}}};
  out.remark =
      "The source prints the equations without a picture; the figure shows how c approaches its "
      "limit, exponentially until rounding. In (4.11) the sign ±c_s is to be read with +c_s for "
      "u → +∞.";
  return out;
}

}  // namespace biswas2018_eq4_12_parts

Entry biswas2018_eq4_12() {
  using namespace biswas2018_eq4_12_parts;
  return {"biswas2018-eq4.12-4.17",
          "Biswas (2018), eqs (4.11)–(4.17), App. I",
          "Steady slip of the two-state law far out, for six parameter sets.",
          compute,
          {"two-state.sigma", 1.05, "α 0.5, σ 0.49: deviation from (4.14), f"}};
}

}  // namespace microslip::reproduce
