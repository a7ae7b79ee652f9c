#include <algorithm>
#include <cmath>

#include "microslip/friction/builders.hpp"
#include "microslip/friction/factor_history.hpp"
#include "microslip/friction/sliders.hpp"
#include "support.hpp"

// Miller and Quinn: how friction enters. Fig. 6 (D* against μ), friction that varies along the interface, whose
// exponents Quinn and Segalman find between 2 and 3, and friction that varies in time, which the paper names as a
// future direction.

namespace microslip::reproduce {
namespace miller2009_friction_parts {

/// Energy by (10) of a steady cycle of n sliders with the given limits, K_eq = 1, chain loads ±F at both ends.
double cycle(const std::vector<double>& mu, double F) {
  const auto n = static_cast<double>(mu.size());
  const friction::System chain = friction::chain_system(static_cast<friction::Index>(mu.size()),
                                                        0.5 * (n - 1) * input("K_eq", 1.0), mu);
  const friction::Result run = friction::run(chain, std::vector<double>{F, -F, F});
  if (run.status != Status::ok) throw Error(run.trouble);
  return run.energy[2] - run.energy[0];
}

double slope(const std::vector<double>& x, const std::vector<double>& y) {
  return std::log(y.back() / y.front()) / std::log(x.back() / x.front());
}

// ------------------------------------------------------------------------------------- fig. 6

Outcome against_mu() {
  constexpr int n = 40;
  std::vector<double> mu, D, scaled;
  double starred = 0;
  for (int i = 0; i < 13; ++i) {
    const double total = 0.55 * std::pow(20, i / 12.0);  // macroslip at 0.5
    const std::vector<double> limits(n, total / n);
    mu.push_back(total);
    D.push_back(cycle(limits, 0.25));
    scaled.push_back(D.back() / (total * total));  // D* = D/(F_c L_c)
    // The same load in units of the friction.
    starred = std::max(starred, std::abs(cycle(limits, 0.25 * total) / (total * total) -
                                         8.0 / 3 / 64 * n / (n - 1.0) * (1 - 0.01)));
  }
  Outcome out;
  std::vector<double> few_mu, few_D;
  for (std::size_t i = 0; i < mu.size(); ++i)
    if (mu[i] < 2.2) {
      few_mu.push_back(mu[i]);
      few_D.push_back(D[i]);
    }
  const std::vector<double> fine(4000, 1.0 / 4000), finer(4000, 2.0 / 4000);
  out.comparisons = {
      equation("D of 4000 sliders at F0 = 0.25, μ = 1, against (26), 8/3 F0³/(K_eq μ)",
               8.0 / 3 / 64, 0.001 / 24, cycle(fine, 0.25)),
      equation("the same at μ = 2, relative to μ = 1: 1/μ", 0.5, 2e-4,
               cycle(finer, 0.25) / cycle(fine, 0.25)),
      at_most("n = 40: D falls from each μ to the next, largest ratio", 1,
              [&] {
                double most = 0;
                for (std::size_t i = 1; i < D.size(); ++i)
                  most = std::max(most, D[i - 1] > 0 ? D[i] / D[i - 1] : 0);
                return most;
              }()),
      independent("at F0* = 0.25 of each μ, D* against its closed form: largest difference", 0,
                  1e-12, starred),
      independent("D above μ = 10, where the load of 0.25 is below the first limit", 0, 1e-15,
                  cycle(std::vector<double>(n, 10.1 / n), 0.25)),
  };
  io::Curve limit{"(26)", mu, {}, io::Style::dashed};
  for (const double m : mu) limit.y.push_back(8.0 / 3 / 64 / m);
  io::Curve shown{"n = 40", {}, {}, io::Style::line_points};
  for (std::size_t i = 0; i < mu.size(); ++i)
    if (D[i] > 0) {
      shown.x.push_back(mu[i]);
      shown.y.push_back(D[i]);
    }
  out.figures = {
      {"", {"", {{{{"", {"μ", true}, {"D / (F_c L_c at μ = 1)", true}, {shown, limit}}}, 7}}, 12}}};
  out.remark =
      "F0 = 0.25 in units of the friction at μ = 1 and K_eq = 1; the load is twice that of (25). "
      "In starred quantities, "
      "with F0 over the μ of each case, nothing depends on μ; at a fixed load D falls as 1/μ and "
      "D* = D/(F_c L_c) as "
      "1/μ³. The text does not say which of them fig. 6 draws.";
  return out;
}

// ----------------------------------------------------------------------- along the interface

struct Shape {
  const char* name;
  double p;
};

Outcome along() {
  constexpr friction::Index n = 20000;
  Outcome out;
  io::Panel panel{"", {"F / F_c", true}, {"D*", true}, {}};
  std::vector<double> exponents;
  double worst = 0;
  for (const auto& [name, p] :
       {Shape{"uniform", 0}, {"p = 1/2", 0.5}, {"linear", 1}, {"p = 2", 2}, {"p = 4", 4}}) {
    const std::vector<double> mu =
        friction::friction_limits(n, 1, friction::Distribution::power, p);
    io::Curve curve{name, {}, {}, io::Style::line_points};
    for (const double F : {0.1, 0.14, 0.2, 0.28, 0.4}) {
      const double D = cycle(mu, F);
      curve.x.push_back(F);
      curve.y.push_back(D);
      // Each half is a rod of half of the length: t ℓ/(p + 1) = 1/2, EA/ℓ of the springs k/2 = (n − 1)/2 over n/2
      // of them: 1. A cycle loses 4 F0 u0/(2p + 3) on each side.
      const double u = (p + 1) / (p + 2) * F * std::pow(F / 0.5, 1 / (p + 1));
      worst = std::max(worst, std::abs(D / (2 * 4 * F * u / (2 * p + 3)) - 1));
    }
    exponents.push_back(slope(curve.x, curve.y));
    panel.curves.push_back(curve);
    out.comparisons.push_back(
        independent(std::string("exponent of D, friction ") + name + ", (2p + 3)/(p + 1)",
                    (2 * p + 3) / (p + 1), 0.005, exponents.back()));
  }
  out.comparisons.push_back(
      independent("largest relative difference from 8 F0 u0/(2p + 3) of two rods (`slip-front`)", 0,
                  0.005, worst));
  out.comparisons.push_back(at_least("least exponent", 2,
                                     *std::min_element(exponents.begin(), exponents.end()),
                                     "Quinn and Segalman: between 2 and 3"));
  out.comparisons.push_back(
      at_most("largest exponent", 3.01, *std::max_element(exponents.begin(), exponents.end())));
  // A parabola over the whole interface grows linearly from its ends.
  const std::vector<double> parabola =
      friction::friction_limits(n, 1, friction::Distribution::parabolic);
  out.comparisons.push_back(
      independent("exponent of D of a parabola at small loads, that of linear friction", 2.5, 0.02,
                  slope({0.001, 0.002}, {cycle(parabola, 0.001), cycle(parabola, 0.002)})));
  out.figures = {{"", {"", {{{panel}, 7}}, 12}}};
  out.remark =
      "20000 sliders pulled at both ends, friction of sum 1 that grows with the power p of the "
      "distance from the nearer "
      "end, F/F_c from 0.1 to 0.4; macroslip at ½. The closed form is that of the law "
      "`slip-front`.";
  return out;
}

// ---------------------------------------------------------------------------------- in time

/// n sliders pulled at one end by F: all that slips slips one way while friction falls, so that spring j carries F −
/// jγμ, k = μ = 1.
struct Falling {
  double u = 0, stored = 0;
};
Falling falling(int n, double F, double factor) {
  Falling result;
  for (int j = 1; j <= n; ++j) {
    const double N = std::max(0.0, F - j * factor);
    result.u += N;
    result.stored += 0.5 * N * N;
  }
  return result;
}

Outcome in_time() {
  Outcome out;
  constexpr int n = 60;
  constexpr double F = 12.4;
  std::vector<double> b(n, 0.0);
  b[0] = 1;
  const friction::System chain =
      friction::chain_system(n, input("k", 1.0), std::vector<double>{1.0}, b);
  // The load rests while friction falls from 1 to 0.3 and rises again.
  const std::vector<double> factors{1, 0.3, 1};
  const friction::Result rest = friction::run(chain, std::vector<double>(3, F), factors);
  const Falling high = falling(n, F, 1), low = falling(n, F, 0.3);
  const double lost = F * (low.u - high.u) - (low.stored - high.stored);

  // A vibrating preload: the load swings once while the friction does five times.
  const friction::FactorHistory factor(Expression::parse("1+0.3*sin(5*t)", {"t"}), 1e-8);
  const auto follow = [&](const friction::FactorHistory& history, friction::Method method, int rows,
                          std::vector<double>* u, std::vector<double>* f) {
    const auto solver = friction::make_solver(chain, {.method = method, .varying = true});
    solver->start(friction::rest(chain));
    double load = 0, before = 0;
    std::string trouble;
    for (int i = 1; i <= rows; ++i) {
      const double t = 4 * pi * i / rows, next = F * std::sin(t);
      // An increment needs no chords: it has the friction of its end.
      const friction::Step step =
          method == friction::Method::event
              ? friction::advance_in_time(*solver, history, load, 4 * pi * (i - 1) / rows, next, t,
                                          trouble)
              : solver->advance_with(next, history.at(t));
      if (step.status != Status::ok) throw Error(trouble);
      load = next;
      if (2 * i == rows) before = solver->dissipated();
      if (u) u->push_back(solver->xi());
      if (f) f->push_back(load);
    }
    return solver->dissipated() - before;
  };
  std::vector<double> u, f, u_constant, f_constant;
  const double exact = follow(factor, friction::Method::event, 800, &u, &f);
  const double constant = follow(friction::FactorHistory(Expression::parse("1+0*t", {"t"}), 1e-8),
                                 friction::Method::event, 800, &u_constant, &f_constant);
  // Rows cut the load, too: both ways on the same rows of the load would not be independent of it.
  const double coarse = follow(factor, friction::Method::active_set, 4000, nullptr, nullptr);
  const double fine = follow(factor, friction::Method::active_set, 8000, nullptr, nullptr);
  const double limit = 2 * fine - coarse;
  out.comparisons = {
      independent("end displacement after friction fell to 0.3 at rest, against Σ(F − 0.3 j)",
                  low.u, 1e-10 * low.u, rest.xi[1]),
      independent("energy lost meanwhile, against F Δu − Δ stored", lost, 1e-10 * lost,
                  rest.energy[1] - rest.energy[0]),
      independent("end displacement while friction rises again: change", 0, 1e-12,
                  rest.xi[2] - rest.xi[1]),
      independent("factor 1 + 0.3 sin 5t: energy of the second cycle, against implicit increments, "
                  "extrapolated",
                  limit, 2e-3 * limit, exact),
      at_least(
          "the same over that of constant friction", 1.05, exact / constant,
          "friction that falls lets the front move in; it does not come back when friction rises"),
  };
  out.figures = {{"",
                  {"",
                   {{{{"",
                       {"end displacement"},
                       {"load"},
                       {io::Curve{"constant friction", u_constant, f_constant, io::Style::dashed},
                        io::Curve{"factor 1 + 0.3 sin 5t", u, f, io::Style::solid}}}},
                     7}},
                   12}}};
  out.remark =
      "60 sliders, k = μ = 1, pulled at one end by 12.4 sin t. Between rows load and factor are "
      "linear, and events are "
      "found exactly; a formula is followed by chords to 1e-8. (9)–(10) hold with σ_i(t) as it "
      "stands.";
  return out;
}

}  // namespace miller2009_friction_parts

Entry miller2009_fig6() {
  using namespace miller2009_friction_parts;
  return {"miller2009-fig6",
          "Miller and Quinn (2009), fig. 6",
          "Energy per cycle of the dissipative chain against its friction.",
          against_mu,
          {"K_eq", 1.05, "D of 4000 sliders at F0 = 0.25, μ = 1, against (26), 8/3 F0³/(K_eq μ)"}};
}
Entry miller2009_distributions() {
  using namespace miller2009_friction_parts;
  return {"miller2009-distributions",
          "Miller and Quinn (2009), sections 2 and 3.4.1",
          "Friction that varies along the interface: exponents of the energy between 2 and 3.",
          along,
          {"K_eq", 1.05,
           "largest relative difference from 8 F0 u0/(2p + 3) of two rods (`slip-front`)"}};
}
Entry miller2009_in_time() {
  using namespace miller2009_friction_parts;
  return {"miller2009-friction-in-time",
          "Miller and Quinn (2009), sections 3.1 and 5",
          "Friction that varies in time: slip under a load at rest, and loops with a vibrating "
          "preload.",
          in_time,
          {"k", 1.05, "end displacement after friction fell to 0.3 at rest, against Σ(F − 0.3 j)"}};
}

}  // namespace microslip::reproduce
