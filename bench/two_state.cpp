#include "microslip/models/two_state.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "bench.hpp"
#include "microslip/detail/numerics/signal.hpp"
#include "microslip/friction/sliders.hpp"

namespace microslip::bench {
namespace {

using Law = TwoState<double>;

/// ū = 1.1255 (2 sin 2πt + sin 8πt), sampled evenly.
std::vector<double> load(double until, double dt) {
  using std::numbers::pi;
  std::vector<double> u;
  const auto rows = static_cast<std::size_t>(std::llround(until / dt));
  for (std::size_t i = 0; i <= rows; ++i) {
    const double t = static_cast<double>(i) * dt;
    u.push_back(1.1255 * (2 * std::sin(2 * pi * t) + std::sin(8 * pi * t)));
  }
  return u;
}

void run(const Law& law, const std::vector<double>& u) {
  auto state = law.rest();
  double energy = 0;
  double force = 0;
  for (const double x : u) {
    const auto reply = law.step(state, x, state);
    force += reply.force;
    energy += reply.dissipated;
  }
  keep(force + energy);
}

/// Largest error of the force over one cycle with rows every dt, relative to the largest force.
/// Compared at the rows themselves, where the exact law has no error at all.
double printed_error(const Law& printed, const Law& exact, double dt) {
  auto p = printed.rest();
  auto e = exact.rest();
  double error = 0;
  double largest = 0;
  for (const double u : load(1, dt)) {
    const double wanted = exact.step(e, u, e).force;
    error = std::max(error, std::abs(printed.step(p, u, p).force - wanted));
    largest = std::max(largest, std::abs(wanted));
  }
  return error / largest;
}

/// Thesis, Table G.2, case 1: printed times are 60.61, 69.62 and 11.61 s for 100 cycles.
nlohmann::json table_g2() {
  const auto rows = load(10, 1e-3);
  const friction::System sliders = friction::iwan_system(20, 0.0948);
  const Law ode{Law::Params{}, {.method = Law::Method::ode, .tolerance = 1e-5}};
  const Law map{Law::Params{}, {.method = Law::Method::incremental}};
  const Law exact{Law::Params{}};
  const auto lcp = [&] {
    keep(friction::run(sliders, rows, {.method = friction::Method::lemke}).xi.back());
  };
  const auto time = medians(
      {lcp, [&] { run(ode, rows); }, [&] { run(map, rows); }, [&] { run(exact, rows); }}, 3);
  fmt::print("Table G.2 of the thesis, case 1, times over that of the incremental map\n");
  fmt::print("            Iwan, 20 sliders, LCP   ODE, 1e-5   incremental map      exact\n");
  fmt::print("  printed   {:21.2f} {:11.2f} {:17.2f} {:>10}\n", 60.61 / 11.61, 69.62 / 11.61, 1.0,
             "-");
  fmt::print("  here      {:21.2f} {:11.2f} {:17.2f} {:10.3f}\n\n", time[0] / time[2],
             time[1] / time[2], 1.0, time[3] / time[2]);
  return {{"lcp", time[0] / time[2]}, {"ode", time[1] / time[2]}, {"exact", time[3] / time[2]}};
}

}  // namespace

nlohmann::json two_state_against_printed_map() {
  const Law exact{Law::Params{}};
  const Law printed{Law::Params{}, {.method = Law::Method::incremental}};
  const auto cycles = load(100, 1e-3);
  const auto time = medians({[&] { run(exact, cycles); }, [&] { run(printed, cycles); }}, 15);
  const double rows = static_cast<double>(cycles.size());
  fmt::print("two-state, α = 2/3, σ = 1/16, 100 cycles of 1000 rows\n");
  fmt::print("  exact                    {:9.1f} ns a step\n", time[0] / rows * 1e9);
  fmt::print("  printed incremental map  {:9.1f} ns a step, {:.0f} times slower\n\n",
             time[1] / rows * 1e9, time[1] / time[0]);

  // The exact law is exact at any rows: it needs only the turning points of the load.
  const auto turning =
      sample_signal(Expression::parse("1.1255*(2*sin(2*pi*t)+sin(8*pi*t))", {"t"}), 1.0, 1.0);
  constexpr int repeats = 1000;
  const double exact_cycle = medians({[&] {
                                       for (int i = 0; i < repeats; ++i) run(exact, turning.u);
                                     }},
                                     5)[0] /
                             repeats;

  // The printed map is of first order: measured while it takes seconds, extrapolated beyond.
  constexpr double finest = 1e-5;
  const double finest_error = printed_error(printed, exact, finest);
  nlohmann::json table = nlohmann::json::array();
  fmt::print(
      "  error wanted   printed map: dt, seconds a cycle      exact: seconds a cycle   ratio\n");
  for (const double wanted : {1e-3, 1e-6, 1e-9}) {
    double dt = 1e-2;
    while (dt > finest && printed_error(printed, exact, dt) > wanted) dt /= 2;
    const bool measured = dt > finest;
    if (!measured) dt = finest * wanted / finest_error;
    const double seconds_a_cycle = time[1] / rows / dt;
    fmt::print("  {:.0e}          {:.1e}  {:10.3g} {:<14}   {:.3g} {:25.3g}\n", wanted, dt,
               seconds_a_cycle, measured ? "measured dt" : "extrapolated", exact_cycle,
               seconds_a_cycle / exact_cycle);
    table.push_back({{"error", wanted},
                     {"dt", dt},
                     {"dt_is", measured ? "measured" : "extrapolated at first order"},
                     {"printed_seconds_per_cycle", seconds_a_cycle},
                     {"exact_seconds_per_cycle", exact_cycle},
                     {"ratio", seconds_a_cycle / exact_cycle}});
  }
  fmt::print("\n");
  const nlohmann::json times = table_g2();
  return {{"exact_ns", time[0] / rows * 1e9},
          {"incremental_ns", time[1] / rows * 1e9},
          {"ratio", time[1] / time[0]},
          {"time_to_error", table},
          {"table_g2", times}};
}

}  // namespace microslip::bench
