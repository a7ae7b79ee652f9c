#include "microslip/friction/sliders.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <numbers>

#include "bench.hpp"
#include "microslip/io/figure.hpp"

#ifdef MICROSLIP_SICONOS
#include <LCP_Solvers.h>
#include <LinearComplementarityProblem.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <SolverOptions.h>
#include <lcp_cst.h>
#endif

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

std::function<void()> whole_cycle(const friction::System& system, std::span<const double> loads,
                                  Method method) {
  return [&system, loads, method] {
    keep(friction::run(system, loads, {.method = method}).xi.back());
  };
}

/// Increments are timed at twenty rows spread over the cycle, each from the exact state before it,
/// and scaled: a whole cycle would take minutes. `increment` answers its ξ.
using Increment = std::function<double(const friction::State& from, double load)>;

struct Timed {
  double seconds = 0;
  std::vector<double> xi;
};

Timed time_of_increments(const friction::System& system, const std::vector<double>& loads,
                         const Increment& increment) {
  const std::size_t sampled = 20, every = loads.size() / sampled;
  Timed result;
  friction::State state = friction::rest(system);
  for (std::size_t i = 0; i < sampled; ++i) {
    const std::span<const double> rows(loads.data() + i * every, every);
    state = friction::run(system, state, rows.first(every - 1)).end;
    result.seconds += seconds([&] { result.xi.push_back(increment(state, rows.back())); });
    state = friction::run(system, state, rows.last(1)).end;
  }
  result.seconds *= static_cast<double>(every);
  return result;
}

Timed time_of_lemke(const friction::System& system, const std::vector<double>& loads) {
  const auto lemke = friction::make_solver(system, {.method = Method::lemke});
  return time_of_increments(system, loads, [&](const friction::State& from, double load) {
    lemke->start(from);
    return lemke->advance(load).xi;
  });
}

#ifdef MICROSLIP_SICONOS
/// The same increments by the lexicographic Lemke of Siconos, on the matrix of the thesis, App. A.
Timed time_of_siconos(const friction::System& system, const std::vector<double>& loads) {
  const Eigen::Index n = system.size();
  Eigen::MatrixXd M(2 * n, 2 * n);
  M.topLeftCorner(n, n) = system.mu().cwiseInverse().asDiagonal() * system.dense();
  M.topRightCorner(n, n) = M.bottomLeftCorner(n, n) = -M.topLeftCorner(n, n);
  M.bottomRightCorner(n, n) = M.topLeftCorner(n, n);
  Eigen::VectorXd q(2 * n), z(2 * n), w(2 * n);
  NumericsMatrix* matrix =
      NM_create_from_data(NM_DENSE, static_cast<int>(2 * n), static_cast<int>(2 * n), M.data());
  LinearComplementarityProblem problem{static_cast<int>(2 * n), matrix, q.data()};
  SolverOptions* options = solver_options_create(SICONOS_LCP_LEMKE);
  options->iparam[SICONOS_IPARAM_MAX_ITER] = 100000;
  const Timed result =
      time_of_increments(system, loads, [&](const friction::State& from, double load) {
        const Eigen::VectorXd g =
            (system.b() * load - system.times(from.x)).cwiseQuotient(system.mu());
        q.head(n) = Eigen::VectorXd::Ones(n) - g;
        q.tail(n) = Eigen::VectorXd::Ones(n) + g;
        z.setZero();
        w.setZero();
        int failed = 0;
        lcp_lexicolemke(&problem, z.data(), w.data(), &failed, options);
        return failed != 0 ? std::nan("") : system.b().dot(from.x + z.head(n) - z.tail(n));
      });
  solver_options_delete(options);
  return result;  // the small struct around M is left to the end of the program: M is not its own
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (!(std::abs(a[i] - b[i]) <= most)) most = std::abs(a[i] - b[i]);
  return most;
}
#endif

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

/// A cycle of `event` against the number of sliders: table, slope, picture. With
/// MICROSLIP_BENCH_LARGE set up to 5000 sliders, which takes minutes.
nlohmann::json cost_against_n(const std::vector<double>& loads,
                              const std::filesystem::path& folder) {
  std::vector<double> sizes{50, 100, 200, 400, 800, 1600}, times, events;
  if (std::getenv("MICROSLIP_BENCH_LARGE") != nullptr) sizes.insert(sizes.end(), {2500, 5000});
  nlohmann::json table = nlohmann::json::array();
  fmt::print("  event, a cycle against the number of sliders\n");
  for (const double n : sizes) {
    const friction::System system = friction::random_system(static_cast<Eigen::Index>(n), 1);
    friction::Result result;
    times.push_back(seconds([&] { result = friction::run(system, loads); }));
    events.push_back(static_cast<double>(result.events));
    fmt::print("  {:7.0f} {:9.4f} s  {:7} events\n", n, times.back(), result.events);
    table.push_back({{"sliders", n}, {"seconds", times.back()}, {"events", result.events}});
  }
  const double exponent = slope(sizes, times);
  fmt::print("  cost grows with the power {:.2f} of the number of sliders, events with {:.2f}\n",
             exponent, slope(sizes, events));
  if (!folder.empty()) {
    // Through the means of both logarithms.
    io::Curve line{fmt::format("power {:.2f}", exponent), {}, {}, io::Style::dashed};
    double middle = 0;
    for (std::size_t i = 0; i < sizes.size(); ++i)
      middle += (std::log(times[i]) - exponent * std::log(sizes[i])) / double(sizes.size());
    for (const double n : {sizes.front(), sizes.back()}) {
      line.x.push_back(n);
      line.y.push_back(std::exp(middle) * std::pow(n, exponent));
    }
    io::Panel panel{"", {"sliders", true}, {"seconds a cycle", true}, {}};
    panel.curves = {{"event", sizes, times, io::Style::points}, line};
    try {
      io::draw({"", {{{panel}, 7}}, 11}, folder / "bench-sliders.svg");
    } catch (const io::PictureUnavailable& reason) {
      fmt::print("  {}\n", reason.what());
    }
  }
  return {{"table", table}, {"exponent", exponent}, {"exponent_of_events", slope(sizes, events)}};
}

}  // namespace

nlohmann::json sliders_event_against_lemke(const std::filesystem::path& folder) {
  const friction::System system = friction::random_system(500, 1);
  const auto loads = cycle(1000);
  const auto whole = medians(
      {whole_cycle(system, loads, Method::event), whole_cycle(system, loads, Method::active_set)},
      5);
  const double event = whole[0], active_set = whole[1];
  const Timed lemke = time_of_lemke(system, loads);
  nlohmann::json json{{"event_s", event},
                      {"active_set_s", active_set},
                      {"lemke_s_scaled", lemke.seconds},
                      {"ratio_lemke_to_event", lemke.seconds / event}};
  fmt::print("\n500 random sliders, one cycle, 1000 increments\n");
  fmt::print("  event       {:9.3f} s   exact\n", event);
  fmt::print("  active-set  {:9.3f} s   {:6.1f} times event\n", active_set, active_set / event);
  fmt::print("  lemke       {:9.3f} s   {:6.1f} times event (20 increments, scaled)\n",
             lemke.seconds, lemke.seconds / event);
#ifdef MICROSLIP_SICONOS
  const Timed siconos = time_of_siconos(system, loads);
  const double difference = largest_difference(siconos.xi, lemke.xi);
  fmt::print(
      "  Siconos     {:9.3f} s   {:6.1f} times event, {:.1f} times our lemke; ξ differs by "
      "{:.1e}\n",
      siconos.seconds, siconos.seconds / event, siconos.seconds / lemke.seconds, difference);
  json["siconos_s_scaled"] = siconos.seconds;
  json["ratio_siconos_to_event"] = siconos.seconds / event;
  json["siconos_difference_of_xi"] = difference;
#else
  fmt::print("  Siconos     not installed (libsiconos-numerics-dev)\n");
#endif
  json["cost_against_n"] = cost_against_n(loads, folder);
  return json;
}

}  // namespace microslip::bench
