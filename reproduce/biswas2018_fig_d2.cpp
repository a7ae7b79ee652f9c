#include <algorithm>
#include <cmath>

#include "microslip/catalog/catalog.hpp"
#include "microslip/dynamics/time/time_integration.hpp"
#include "support.hpp"

// Two unit masses, unit springs, a two-state damper at the first: u₁″ + 2u₁ − u₂ + f = 0,
// u₂″ − u₁ + u₂ = 0 (D.1). The print rotates A to its principal axes but not b; both are run.

namespace microslip::reproduce {
namespace biswas2018_fig_d2_parts {

constexpr double until = 60;

dynamics::Structure two_masses(double b1, double b2) {
  dynamics::SparseMatrix M(2, 2);
  M.setIdentity();
  dynamics::SparseMatrix K(2, 2);
  K.insert(0, 0) = 2;
  K.insert(0, 1) = -1;
  K.insert(1, 0) = -1;
  K.insert(1, 1) = 1;
  dynamics::Structure s{M, dynamics::SparseMatrix(2, 2), K, {}, {}};
  s.joints.push_back({make({"two-state",
                            {{"mu", 0.117e-3},
                             {"sigma", 0.0638},
                             {"alpha", 1.0 / 500},
                             {"b1", b1},
                             {"b2", b2},
                             {"ks", 0.0}},
                            {}}),
                      Eigen::Vector2d(1, 0)});
  return s;
}

dynamics::TimeResult motion(const dynamics::Structure& s, double tolerance) {
  dynamics::TimeOptions options;
  options.until = until;
  options.tolerance = tolerance;
  options.step = 0.02;
  options.every_step = false;
  options.x0 = Eigen::Vector2d(1, 0);
  return dynamics::integrate(s, options);
}

std::vector<double> displacement(const dynamics::TimeResult& r, Eigen::Index dof) {
  std::vector<double> column;
  for (const auto& x : r.x) column.push_back(x[dof]);
  return column;
}

/// Reversals of the first mass that turn back before half the range of the motion is passed.
int short_reversals(const std::vector<double>& u) {
  std::vector<double> turns;
  for (std::size_t i = 1; i + 1 < u.size(); ++i)
    if ((u[i] - u[i - 1]) * (u[i + 1] - u[i]) < 0) turns.push_back(u[i]);
  const double range = largest(turns) - smallest(turns);
  int count = 0;
  for (std::size_t i = 1; i < turns.size(); ++i)
    if (std::abs(turns[i] - turns[i - 1]) < 0.5 * range && i < turns.size() / 2) ++count;
  return count;
}

Outcome compute() {
  Outcome outcome;
  io::Figure figure{"", {}, 16};
  struct Case {
    std::string name;
    double b1, b2;
    std::vector<double> reference;  // tests/reference/two_state.py, by Verlet's method
  };
  const Case cases[] = {
      {"b as printed", 0.0326, 0.0068, {-0.5229384, 0.3422999, -0.1454285, -0.0437622}},
      {"b rotated with A", 0.0193, 0.0271, {-0.1984236, 0.1670677, 0.1014086, 0.1296944}}};
  for (const auto& [name, b1, b2, reference] : cases) {
    const dynamics::Structure s = two_masses(b1, b2);
    const dynamics::TimeResult r = motion(s, 1e-9);
    const dynamics::TimeResult finer = motion(s, 1e-11);
    double difference = 0;
    for (std::size_t i = 0; i < r.t.size(); ++i)
      difference = std::max(difference, (r.x[i] - finer.x[i]).lpNorm<Eigen::Infinity>());
    const std::vector<double> u1 = displacement(r, 0);
    std::vector<double> f;
    for (const auto& force : r.f) f.push_back(force[0]);
    outcome.comparisons.push_back(independent(
        name + ": change of the motion with a hundredth of the tolerance", 0, 1e-6, difference));
    outcome.comparisons.push_back(independent(name + ": energy that the audit misses, relative", 0,
                                              1e-7, r.audit.error() / r.largest_energy));
    outcome.comparisons.push_back(
        at_least(name + ": minor loops are there: short reversals", 1, short_reversals(u1)));
    constexpr std::size_t at20 = 1000;  // rows of 0.02
    append(outcome.comparisons, independent, name + ": u₁, u₂ at t = 20 and at t = 60:", reference,
           1e-5, {r.x.at(at20)[0], r.x.at(at20)[1], r.x.back()[0], r.x.back()[1]});
    io::Panel history{name, {"t"}, {"u₁, u₂, f"}, {}, true, false};
    history.curves.push_back({"u₁", r.t, u1, io::Style::solid, {}});
    history.curves.push_back({"u₂", r.t, displacement(r, 1), io::Style::dashed, {}});
    history.curves.push_back({"f", r.t, f, io::Style::line, {}});
    io::Panel loop{"", {"u₁"}, {"f"}, {}, false, true};
    // "A portion of the computed solution": the first 20 s here.
    const auto portion =
        static_cast<std::ptrdiff_t>(std::lower_bound(r.t.begin(), r.t.end(), 20.0) - r.t.begin());
    loop.curves.push_back({"",
                           {u1.begin(), u1.begin() + portion},
                           {f.begin(), f.begin() + portion},
                           io::Style::solid,
                           {}});
    figure.rows.push_back({{history}, 4, false});
    figure.rows.push_back({{loop}, 5, false});
  }
  outcome.figures = {{"", figure}};
  outcome.remark =
      "The initial condition is not printed; u = (1, 0) at rest is ours, and gives the more than "
      "one frequency and the short reversals that the text describes. The print diagonalises A but "
      "keeps b; b = (0.0193, 0.0271) is the consistent one.";
  return outcome;
}

}  // namespace biswas2018_fig_d2_parts

Entry biswas2018_fig_d2() {
  using namespace biswas2018_fig_d2_parts;
  return {"biswas2018-figD.2",
          "Biswas (2018), fig. D.2, eq. (D.1); Biswas and Chatterjee (2015), fig. 12",
          "Two masses with a two-state damper: free motion with minor loops.",
          compute,
          {"two-state.mu", 1.05, "b as printed: u₁, u₂ at t = 20 and at t = 60: 1"},
          "biswas2015-fig12"};
}

}  // namespace microslip::reproduce
