#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "bench.hpp"
#include "bench_laws.inc"  // generated: includes every law and defines MICROSLIP_BENCH_LAWS
#include "microslip/catalog/registry/law_entry.hpp"

namespace microslip::bench {
namespace {

Path load() {
  using std::numbers::pi;
  Path path;
  for (int i = 0; i <= 20000; ++i) {
    const double t = i * 1e-3;
    path.t.push_back(t);
    path.u.push_back(1.1255 * (2 * std::sin(2 * pi * t) + std::sin(8 * pi * t)));
  }
  return path;
}

/// The same work as a whole-history call: displacement, force and dissipated energy of every row.
template <class M>
void run_static(const M& law, const Path& path, History& out) {
  out.u = path.u;
  std::vector<double>& force = out.f;
  std::vector<double>& energy = out.energy;
  force.resize(path.u.size());
  energy.resize(path.u.size());
  auto state = law.rest();
  double sum = 0;
  for (std::size_t i = 0; i < path.u.size(); ++i) {
    const auto reply = [&] {
      if constexpr (RateDependentLaw<M>)
        return law.step(state, path.u[i], 1e-3, state);
      else
        return law.step(state, path.u[i], state);
    }();
    sum += reply.dissipated;
    force[i] = reply.force;
    energy[i] = sum;
  }
  keep(force.back() + energy.back());
}

template <template <class> class M>
void time_law(const Path& path, nlohmann::json& table, std::vector<double>& ratios) {
  if constexpr (!VectorLaw<M<double>>) {
    const M<double> law{typename M<double>::Params{}};
    const AnyModel erased = catalog::make_any<M<double>>({}, {});
    History one, other;  // their memory is used again, as over the pieces of a long history
    const auto time = medians({[&] { run_static(law, path, one); },
                               [&] {
                                 Checkpoint at = erased.begin(path);
                                 erased.run(path, Drive::displacement, {}, at, other);
                                 keep(other.f.back() + other.energy.back());
                               }},
                              21);
    const double rows = static_cast<double>(path.u.size());
    const std::string name(M<double>::info.name);
    fmt::print("  {:24} {:9.1f} {:9.1f} {:8.3f}\n", name, time[0] / rows * 1e9,
               time[1] / rows * 1e9, time[1] / time[0]);
    table[name] = {{"static_ns", time[0] / rows * 1e9},
                   {"erased_ns", time[1] / rows * 1e9},
                   {"ratio", time[1] / time[0]}};
    ratios.push_back(time[1] / time[0]);
  }
}

}  // namespace

nlohmann::json every_law() {
  const Path path = load();
  nlohmann::json table = nlohmann::json::object();
  std::vector<double> ratios;
  fmt::print("\nevery law, ns a step       static    erased    ratio\n");
#define MICROSLIP_BENCH_LAW(Class) time_law<Class>(path, table, ratios);
  MICROSLIP_BENCH_LAWS(MICROSLIP_BENCH_LAW)
#undef MICROSLIP_BENCH_LAW
  std::nth_element(ratios.begin(), ratios.begin() + std::ptrdiff_t(ratios.size() / 2),
                   ratios.end());
  const double median = ratios[ratios.size() / 2];
  fmt::print("  median ratio of the erased to the static path: {:.3f}\n", median);
  return {{"laws", table}, {"median_ratio_erased_to_static", median}};
}

}  // namespace microslip::bench
