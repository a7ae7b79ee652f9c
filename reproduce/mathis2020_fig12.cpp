#include <algorithm>
#include <cmath>

#include "support.hpp"

// A drawing of the Prager (parallel) and the Prandtl (series) element; what can be checked are
// their equations (50)–(52) along a path with many reversals, k = φ = 0.5.

namespace microslip::reproduce {
namespace mathis2020_fig12_parts {

constexpr double k = 0.5, phi = 0.5, r = phi / k;

/// Play of half-width r, step by step from its definition.
std::vector<double> play(const std::vector<double>& u) {
  std::vector<double> p;
  double last = 0;
  for (const double x : u) p.push_back(last = std::max(x - r, std::min(x + r, last)));
  return p;
}

Outcome compute() {
  // Amplitude 3 and two frequencies without a common period: reversals of all sizes.
  const std::string path = "2*sin(t)+sin(sqrt(11)*t)";
  const Run prandtl = simulate({"jenkins", {{"k", k}, {"phi", phi}}, {}}, path, 40, 0.02);
  const auto& u = prandtl.history.u;
  const auto& f = prandtl.history.f;
  const std::vector<double> p = play(u);

  double beyond = 0, identity = 0, evolution = 0, slider = 0;
  for (std::size_t i = 1; i < u.size(); ++i) {
    // (52): z = u − F/k moves with u exactly while |F| = φ and u'(u − z) > 0.
    const double z = u[i] - f[i] / k, before = u[i - 1] - f[i - 1] / k;
    const double du = u[i] - u[i - 1];
    const bool slips = std::abs(f[i - 1]) >= phi * (1 - 1e-14) && du * (u[i - 1] - before) > 0;
    const bool stays = std::abs(f[i - 1] + k * du) <= phi;
    if (slips) slider = std::max(slider, std::abs(z - before - du));
    if (stays) evolution = std::max(evolution, std::abs(z - before));
    beyond = std::max(beyond, std::abs(f[i]) - phi);
    identity = std::max(identity, std::abs(f[i] / k + p[i] - u[i]));
  }

  // A Prager element driven by force slips only where |F − k u| reaches φ: k u is the play of F.
  const ModelSpec prager{"prager", {{"k", k}, {"phi", phi}}, {}};
  std::vector<double> force;
  for (const double x : u) force.push_back(k * x);
  const Run pushed = simulate(prager, force, Drive::force);
  const double by_force = largest_difference(pushed.history.u, p);
  const Run moving = simulate(prager, path, 40, 0.02);
  double sliding = 0;
  for (std::size_t i = 1; i < moving.t.size(); ++i) {
    const double du = moving.history.u[i] - moving.history.u[i - 1];
    if (du == 0) continue;
    const double expected = k * moving.history.u[i] + (du > 0 ? phi : -phi);
    sliding = std::max(sliding, std::abs(moving.history.f[i] - expected));
  }

  Outcome out;
  out.comparisons = {
      equation("(50) Prager: F − k u − φ sgn u', largest", 0, 1e-14, sliding),
      equation("(50) Prager driven by force: u − play(F)/k, largest", 0, 1e-14, by_force),
      equation("(51) Prandtl: |F| beyond φ", 0, 1e-14, std::max(0.0, beyond)),
      equation("(52) Prandtl: z' while it sticks, largest step", 0, 1e-14, evolution),
      equation("(52) Prandtl: z' − u' while it slips, largest step", 0, 1e-14, slider),
      independent("stop + play − identity, largest", 0, 1e-14, identity),
  };
  const io::Axis x{"displacement u"}, y{"force F"};
  out.figures = {
      {"", {"", {{{{"Prager", x, y, {loop(moving)}}, {"Prandtl", x, y, {loop(prandtl)}}}, 6}}}}};
  out.remark = "The figure is a drawing; the equations under it are what is met. k and φ are ours.";
  return out;
}

}  // namespace mathis2020_fig12_parts

Entry mathis2020_fig12() {
  using namespace mathis2020_fig12_parts;
  return {"mathis2020-fig12",
          "Mathis et al. (2020), fig. 12, eqs (50)–(52)",
          "Prager and Prandtl elements: slider beside and behind a spring.",
          compute,
          {"jenkins.phi", 1.05, "(51) Prandtl: |F| beyond φ"}};
}

}  // namespace microslip::reproduce
