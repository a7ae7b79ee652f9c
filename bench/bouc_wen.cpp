#include "microslip/models/bouc_wen.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "bench.hpp"

namespace microslip::bench {
namespace {

using Law = BoucWen<double>;

/// The step that structural codes use: backward Euler on z' = A u' − β|u'||z|^(n−1) z − γ u'|z|^n,
/// solved by Newton. First order in the increment.
double implicit_step(const Law::Params& p, double z, double du) {
  double y = z;
  for (int i = 0; i < 50; ++i) {
    const double power = std::pow(std::abs(y), p.n);
    const double side = p.gamma + p.beta * (du * y >= 0 ? 1.0 : -1.0);
    const double residual = y - z - du * (p.A - side * power);
    const double slope = 1 + du * side * p.n * std::pow(std::abs(y), p.n - 1) * (y >= 0 ? 1 : -1);
    const double change = residual / slope;
    y -= change;
    if (std::abs(change) < 1e-14) break;
  }
  return y;
}

constexpr int cycles = 3;

std::vector<double> load(int rows_a_cycle) {
  std::vector<double> u;
  for (int i = 0; i <= cycles * rows_a_cycle; ++i)
    u.push_back(3 * std::sin(2 * std::numbers::pi * i / rows_a_cycle));
  return u;
}

/// Work of the last cycle, by the trapezoid of forces: what a structural code reports.
double implicit_energy(const Law::Params& p, const std::vector<double>& u, int rows_a_cycle) {
  double z = 0;
  double work = 0;
  for (std::size_t i = 1; i < u.size(); ++i) {
    const double next = implicit_step(p, z, u[i] - u[i - 1]);
    if (i > u.size() - 1 - static_cast<std::size_t>(rows_a_cycle))
      work += p.k * 0.5 * (z + next) * (u[i] - u[i - 1]);
    z = next;
  }
  return work;
}

/// The exact law needs the turning points alone.
double exact_energy(const Law& law) {
  auto state = law.rest();
  double energy = 0;
  for (int cycle = 0; cycle < cycles; ++cycle)
    for (const double u : {3.0, -3.0}) {
      const double lost = law.step(state, u, state).dissipated;
      if (cycle == cycles - 1) energy += lost;
    }
  return energy;
}

}  // namespace

nlohmann::json bouc_wen_against_implicit_step() {
  nlohmann::json tables = nlohmann::json::object();
  fmt::print("\nbouc-wen, β = γ = 0.5, a = 0, three cycles of amplitude 3 z∞\n");
  for (const double n : {1.0, 2.0, 1.5}) {
    Law::Params p{};
    p.A = 1;
    p.beta = 0.5;
    p.gamma = 0.5;
    p.n = n;
    p.k = 1;
    p.a = 0;
    const Law law(p);
    // The last cycle of the exact law starts and ends at −3, that of the sampled one at 0: both are
    // steady to rounding, because z saturates.
    const double truth = exact_energy(law);
    nlohmann::json rows = nlohmann::json::array();
    fmt::print(
        "  n = {}: energy error a cycle, implicit rows a cycle, seconds: implicit, exact, ratio\n",
        n);
    for (const double wanted : {1e-2, 1e-3, 1e-4, 1e-5}) {
      int rows_a_cycle = 16;
      while (rows_a_cycle < 2'000'000 &&
             std::abs(implicit_energy(p, load(rows_a_cycle), rows_a_cycle) / truth - 1) > wanted)
        rows_a_cycle *= 2;
      const auto u = load(rows_a_cycle);
      const int repeats = std::max(1, 200'000 / rows_a_cycle);
      const auto time = medians({[&] {
                                   for (int i = 0; i < repeats; ++i)
                                     keep(implicit_energy(p, u, rows_a_cycle));
                                 },
                                 [&] {
                                   for (int i = 0; i < repeats; ++i) keep(exact_energy(law));
                                 }},
                                5);
      fmt::print("    {:.0e} {:9d} {:12.3g} {:12.3g} {:8.0f}\n", wanted, rows_a_cycle,
                 time[0] / repeats, time[1] / repeats, time[0] / time[1]);
      rows.push_back({{"energy_error", wanted},
                      {"implicit_rows_per_cycle", rows_a_cycle},
                      {"ratio", time[0] / time[1]}});
    }
    tables[fmt::format("n={}", n)] = rows;
  }
  return tables;
}

}  // namespace microslip::bench
