#include <fmt/format.h>

#include <cmath>
#include <ctime>
#include <functional>
#include <map>
#include <numbers>
#include <string>

#include "bench.hpp"
#include "microslip/friction/sliders.hpp"
#include "reproduce/explicit_structure.hpp"
#include "reproduce/miller2009_rod.hpp"

/// The jointed rod of Miller and Quinn with 100 sliders: the reduced interface against the full differential one,
/// solved as the paper does and as we do best; and the chain of sliders against their number.
namespace microslip::bench {
namespace {

using reproduce::Motion;

constexpr int sliders = 100, rows = 800;
constexpr double until = 40;

/// Processor time: other programs of the machine do not count.
double processor_seconds(const std::function<void()>& work) {
  const std::clock_t start = std::clock();
  work();
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

/// The free end at equal times, from the rows of a motion.
std::vector<double> sampled(const std::vector<double>& t, const std::vector<double>& x) {
  std::vector<double> result;
  std::size_t i = 1;
  for (int row = 1; row <= rows; ++row) {
    const double time = until * row / rows;
    while (i + 1 < t.size() && t[i] < time) ++i;
    const double part = (time - t[i - 1]) / (t[i] - t[i - 1]);
    result.push_back(x[i - 1] + part * (x[i] - x[i - 1]));
  }
  return result;
}
std::vector<double> sampled(const Motion& m) { return sampled(m.t, m.x); }

/// Largest difference over the largest displacement.
double error(const std::vector<double>& x, const std::vector<double>& exact) {
  double most = 0, size = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    most = std::max(most, std::abs(x[i] - exact[i]));
    size = std::max(size, std::abs(exact[i]));
  }
  return most / size;
}

/// The full interface by Dormand and Prince with error control.
std::vector<double> explicit_motion(const dynamics::Structure& s, double tolerance,
                                    long& evaluations) {
  const reproduce::ExplicitStructure equation(s);
  const Eigen::VectorXd tip = s.sensors[0].w.dense();
  Eigen::VectorXd y = equation.rest();
  std::vector<double> t{0}, x{0};
  evaluations =
      reproduce::dormand_prince(equation, y, 0, until, tolerance, equation.scale(1e-3, 1e-3),
                                [&](double time, const Eigen::VectorXd& now) {
                                  t.push_back(time);
                                  x.push_back(tip.dot(now.head(s.size())));
                                })
          .evaluations;
  return sampled(t, x);
}

nlohmann::json jointed_rod() {
  const dynamics::Structure full = reproduce::rod(reproduce::rod_burst, sliders, false, 1);
  fmt::print(
      "\nRod with an interface of {} sliders, 40 time units; error of the free end over its "
      "largest displacement\n",
      sliders);
  // Two fine solutions of the full form tell how far the reference itself can be trusted.
  const std::vector<double> exact = sampled(reproduce::motion_of(full, until, 0.001));
  const double doubt = error(sampled(reproduce::motion_of(full, until, 0.002)), exact);
  nlohmann::json json{{"error_of_reference", doubt}};
  const auto line = [&](const std::string& name, double seconds, double wrong, double reference) {
    fmt::print("  {:44} {:9.4f} s  error {:7.1e}  {:8.1f} times the reduced form\n", name, seconds,
               wrong, seconds / reference);
    json[name] = {{"seconds", seconds}, {"error", wrong}, {"ratio", seconds / reference}};
  };

  // The longest step with which the reduced form is as right as its modes allow.
  for (const int modes : {4, 16}) {
    const dynamics::Structure few = reproduce::rod(reproduce::rod_burst, sliders, true, 1, modes);
    const double best = error(sampled(reproduce::motion_of(few, until, 0.0025)), exact);
    double step = 0.0025, wrong = best;
    for (double trial = 0.2; trial > 0.0025; trial /= 2) {
      wrong = error(sampled(reproduce::motion_of(few, until, trial)), exact);
      step = trial;
      if (wrong <= 1.2 * best) break;
    }
    constexpr int repeated = 10;
    const double reduced = processor_seconds([&] {
                             for (int i = 0; i < repeated; ++i)
                               keep(reproduce::motion_of(few, until, step).x.back());
                           }) /
                           repeated;
    const std::string name = fmt::format("reduced, {} modes, step {:g}", modes, step);
    line(name, reduced, wrong, reduced);

    // The loosest tolerance of the explicit solver, as right as that.
    double tolerance = 1e-2;
    long evaluations = 0;
    while (tolerance > 1e-9 && error(explicit_motion(full, tolerance, evaluations), exact) > wrong)
      tolerance /= 10;
    double other = 0;
    const double paper = processor_seconds(
        [&] { other = error(explicit_motion(full, tolerance, evaluations), exact); });
    line(fmt::format("full, explicit 4(5), tolerance {:g}", tolerance), paper, other, reduced);
    json[name]["evaluations_of_the_explicit_solver"] = evaluations;

    // Long steps cost Newton iterations here: the step that is fastest of those that are right.
    double best_step = 0, ours = 0, least = 0;
    for (const double trial : {0.02, 0.01, 0.005, 0.0025}) {
      double now = 0;
      const double time = processor_seconds(
          [&] { now = error(sampled(reproduce::motion_of(full, until, trial)), exact); });
      if (now > wrong || (best_step != 0 && time > ours)) continue;
      best_step = trial;
      ours = time;
      least = now;
    }
    line(fmt::format("full, midpoint rule, step {:g}", best_step), ours, least, reduced);
  }
  return json;
}

/// One cycle of a chain that is pulled at one end, k = 1, μ = 1/n, F = 0.8 sin: 1.25 cycles in 200 rows.
struct Chain {
  double seconds, loss;
};
Chain chain(int n) {
  std::vector<double> b(static_cast<std::size_t>(n), 0.0);
  b[0] = 1;
  const friction::System system = friction::chain_system(n, 1, std::vector<double>{1.0 / n}, b);
  std::vector<double> loads;
  for (int i = 1; i <= 200; ++i)
    loads.push_back(0.8 * std::sin(2 * std::numbers::pi * 1.25 * i / 200));
  Chain result{};
  result.seconds =
      processor_seconds([&] { result.loss = friction::run(system, loads).energy.back(); });
  return result;
}

nlohmann::json chain_against_n() {
  fmt::print("\nChain of n sliders pulled at one end, 1.25 cycles in 200 rows, exact\n");
  nlohmann::json table = nlohmann::json::array();
  std::vector<double> log_n, log_s;
  // Siconos 4.4, lexicographic Lemke, on a machine like this: seconds of a row.
  const std::map<int, double> lemke{{100, 6.9e-3}, {250, 86e-3}, {500, 1.214}};
  chain(500);
  for (const int n : {100, 250, 500, 1000, 10000, 100000}) {
    const Chain one = chain(n);
    const double m = 0.8 * n, closed = 5.0 / 6 * std::pow(0.8, 3) * n * (1 - 1 / (m * m));
    fmt::print("  {:7} {:10.5f} s  {:9.5f} s a cycle  loss {:12.6f}, off by {:.0e}", n, one.seconds,
               one.seconds / 1.25, one.loss, std::abs(one.loss / closed - 1));
    nlohmann::json row{{"sliders", n},
                       {"seconds", one.seconds},
                       {"loss", one.loss},
                       {"relative_error", std::abs(one.loss / closed - 1)}};
    if (const auto known = lemke.find(n); known != lemke.end()) {
      row["ratio_to_siconos_on_record"] = 200 * known->second / one.seconds;
      fmt::print("  Siconos on record: {:.0f} times", 200 * known->second / one.seconds);
    }
    fmt::print("\n");
    table.push_back(row);
    if (n >= 1000) {
      log_n.push_back(std::log(n));
      log_s.push_back(std::log(one.seconds));
    }
  }
  const double slope = (log_s.back() - log_s.front()) / (log_n.back() - log_n.front());
  fmt::print("  cost grows with the power {:.2f} of n from 1000 to 100000\n", slope);
  return {{"table", table}, {"exponent", slope}};
}

}  // namespace

nlohmann::json reduced_interface_against_full() {
  nlohmann::json json{{"rod", jointed_rod()}};
  json["chain"] = chain_against_n();
  return json;
}

}  // namespace microslip::bench
