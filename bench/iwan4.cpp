#include "microslip/models/iwan4.hpp"

#include <fmt/format.h>

#include <Eigen/Core>
#include <cmath>
#include <random>

#include "bench.hpp"

namespace microslip::bench {
namespace {

using Law = Iwan4<double>;

/// The continuum cut into n sliders of equal width in φ; each takes the stiffness and the slip
/// force of its piece, the last one also the lump at φmax.
struct Sliders {
  Eigen::ArrayXd k, limit, f, trial;

  Sliders(const Iwan4Backbone<double>& g, Eigen::Index n)
      : k(n + 1), limit(n + 1), f(Eigen::ArrayXd::Zero(n + 1)) {
    const auto moment = [&](double phi, double p) { return g.R * std::pow(phi, p) / p; };
    for (Eigen::Index i = 0; i < n; ++i) {
      const double a = g.phi_max * static_cast<double>(i) / static_cast<double>(n);
      const double b = g.phi_max * static_cast<double>(i + 1) / static_cast<double>(n);
      k[i] = moment(b, g.chi + 1) - moment(a, g.chi + 1);
      limit[i] = moment(b, g.chi + 2) - moment(a, g.chi + 2);
    }
    k[n] = g.S;
    limit[n] = g.S * g.phi_max;
  }

  double move(double du) {
    f = (f + k * du).min(limit).max(-limit);
    return f.sum();
  }

  /// The same with what the sliders lose: force times slip.
  double move(double du, double& energy) {
    trial = f + k * du;
    f = trial.min(limit).max(-limit);
    energy += ((trial - f) * f / k).sum();
    return f.sum();
  }
};

/// A random walk between turning points that shrink and grow, so that loops nest and are wiped out;
/// eight rows a leg.
std::vector<double> nested_path(std::size_t legs) {
  std::mt19937_64 random(20050901);
  std::vector<double> u;
  double from = 0;
  for (std::size_t leg = 0; leg < legs; ++leg) {
    const double size = 2.0 * static_cast<double>(random() % 1000 + 1) / 1000.0;
    const double to = (leg % 2 == 0 ? 1 : -1) * size;
    for (int i = 1; i <= 8; ++i) u.push_back(from + (to - from) * i / 8);
    from = to;
  }
  return u;
}

}  // namespace

nlohmann::json iwan4_against_sliders() {
  const Law law{Law::Params{}};
  const auto u = nested_path(2500);
  const auto exact = [&] {
    auto state = law.rest();
    double sum = 0;
    for (const double x : u) {
      const auto reply = law.step(state, x, state);
      sum += reply.force + reply.dissipated;
    }
    keep(sum);
  };
  const auto discrete = [&](bool with_energy) {
    Sliders sliders(law.backbone(), 1000);
    double sum = 0;
    double energy = 0;
    double before = 0;
    for (const double x : u) {
      sum += with_energy ? sliders.move(x - before, energy) : sliders.move(x - before);
      before = x;
    }
    keep(sum + energy);
  };
  const auto time = medians({exact, [&] { discrete(true); }, [&] { discrete(false); }}, 9);
  const double rows = static_cast<double>(u.size());
  fmt::print("\niwan4, random path with nested reversals, {} rows\n", u.size());
  const auto row = [&](const char* what, double seconds) {
    fmt::print("  {:42} {:8.1f} ns a step, {:5.1f} times the first\n", what, seconds / rows * 1e9,
               seconds / time[0]);
  };
  row("turning points: force, energy, tangent", time[0]);
  row("1000 sliders, vectorised: force, energy", time[1]);
  row("1000 sliders, vectorised: force alone", time[2]);
  fmt::print("\n");

  nlohmann::json errors = nlohmann::json::array();
  fmt::print("  sliders   largest error of the force / Fs\n");
  for (const Eigen::Index n : {10, 30, 100, 300, 1000, 3000}) {
    Sliders sliders(law.backbone(), n);
    auto state = law.rest();
    double before = 0;
    double error = 0;
    for (const double x : u) {
      error = std::max(error, std::abs(sliders.move(x - before) - law.step(state, x, state).force));
      before = x;
    }
    fmt::print("  {:7d}   {:.2e}\n", n, error);
    errors.push_back({{"sliders", n}, {"error", error}});
  }
  return {{"exact_ns", time[0] / rows * 1e9},
          {"sliders_1000_ns", time[1] / rows * 1e9},
          {"ratio", time[1] / time[0]},
          {"sliders_1000_force_alone_ns", time[2] / rows * 1e9},
          {"ratio_force_alone", time[2] / time[0]},
          {"error_of_sliders", errors}};
}

}  // namespace microslip::bench
