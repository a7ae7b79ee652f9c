#include "microslip/friction/sliders.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "bench.hpp"

/// Many sliders: the exact path against increments, and what a cycle costs as sliders become more.
namespace microslip::bench {
namespace {

using friction::Method;

/// One period of the two-frequency load of the thesis.
std::vector<double> cycle(int rows) {
  std::vector<double> f;
  for (int i = 1; i <= rows; ++i) {
    const double t = 2 * std::numbers::pi * i / rows;
    f.push_back(std::sin(t) + 0.4 * std::sin(4.16753 * t));
  }
  return f;
}

double time_of(const friction::System& system, std::span<const double> loads, Method method) {
  return seconds([&] { keep(friction::run(system, loads, {.method = method}).xi.back()); });
}

/// Lemke's increments are timed at twenty rows spread over the cycle, each from the exact state
/// before it, and scaled: a whole cycle would take minutes.
double time_of_lemke(const friction::System& system, const std::vector<double>& loads) {
  const std::size_t sampled = 20, every = loads.size() / sampled;
  double time = 0;
  friction::State state = friction::rest(system);
  const auto lemke = friction::make_solver(system, {.method = Method::lemke});
  for (std::size_t i = 0; i < sampled; ++i) {
    const std::span<const double> rows(loads.data() + i * every, every);
    state = friction::run(system, state, rows.first(every - 1)).end;
    lemke->start(state);
    time += seconds([&] { keep(lemke->advance(rows.back()).xi); });
    state = friction::run(system, state, rows.last(1)).end;
  }
  return time / static_cast<double>(sampled) * static_cast<double>(loads.size());
}

/// Slope of log y against log x by least squares.
double slope(const std::vector<double>& x, const std::vector<double>& y) {
  double sx = 0, sy = 0, sxx = 0, sxy = 0;
  const double n = static_cast<double>(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double a = std::log(x[i]), b = std::log(y[i]);
    sx += a;
    sy += b;
    sxx += a * a;
    sxy += a * b;
  }
  return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

}  // namespace

nlohmann::json sliders_event_against_lemke() {
  const friction::System system = friction::random_system(500, 1);
  const auto loads = cycle(1000);
  const double event = time_of(system, loads, Method::event);
  const double active_set = time_of(system, loads, Method::active_set);
  const double lemke = time_of_lemke(system, loads);
  fmt::print("\n500 random sliders, one cycle, 1000 increments\n");
  fmt::print("  event       {:9.3f} s   exact\n", event);
  fmt::print("  active-set  {:9.3f} s   {:6.1f} times event\n", active_set, active_set / event);
  fmt::print("  lemke       {:9.3f} s   {:6.1f} times event (20 increments, scaled)\n", lemke,
             lemke / event);

  std::vector<double> sizes{50, 100, 200, 400, 800}, times, events;
  nlohmann::json table = nlohmann::json::array();
  fmt::print("  event, a cycle against the number of sliders\n");
  for (const double n : sizes) {
    const friction::System other = friction::random_system(static_cast<Eigen::Index>(n), 1);
    friction::Result result;
    times.push_back(seconds([&] { result = friction::run(other, loads); }));
    fmt::print("  {:7.0f} {:9.4f} s  {:7} events\n", n, times.back(), result.events);
    table.push_back({{"sliders", n}, {"seconds", times.back()}, {"events", result.events}});
  }
  const double exponent = slope(sizes, times);
  fmt::print("  cost grows with the power {:.2f} of the number of sliders\n", exponent);
  return {{"event_s", event},        {"active_set_s", active_set},
          {"lemke_s_scaled", lemke}, {"ratio_lemke_to_event", lemke / event},
          {"cost_against_n", table}, {"exponent", exponent}};
}

}  // namespace microslip::bench
