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
  // `reference`: seconds of the reduced form that is as right; 0 if there is none.
  const auto line = [&](const std::string& name, double seconds, double wrong, double reference) {
    fmt::print("  {:46} {:9.4f} s  error {:7.1e}", name, seconds, wrong);
    json[name] = {{"seconds", seconds}, {"error", wrong}};
    if (reference > 0) {
      fmt::print("  {:7.1f} times the reduced form", seconds / reference);
      json[name]["ratio"] = seconds / reference;
    }
    fmt::print("\n");
  };

  // Equal accuracy: the longest step with which the reduced form is not more wrong than the full one as the
  // paper solves it, all against the same reference.
  const dynamics::Structure few = reproduce::rod(reproduce::rod_burst, sliders, true, 1, 4, true);
  double fastest = 0;
  for (const double tolerance : {1e-2, 1e-3, 1e-4}) {
    long evaluations = 0;
    double wrong = 0;
    const double paper = processor_seconds(
        [&] { wrong = error(explicit_motion(full, tolerance, evaluations), exact); });
    double step = 0.2;
    while (step > 1e-3 && error(sampled(reproduce::motion_of(few, until, step)), exact) > wrong)
      step /= 2;
    double ours = 0;
    constexpr int repeated = 20;
    const double reduced = processor_seconds([&] {
                             for (int i = 0; i < repeated; ++i)
                               keep(reproduce::motion_of(few, until, step).x.back());
                           }) /
                           repeated;
    ours = error(sampled(reproduce::motion_of(few, until, step)), exact);
    const std::string name = fmt::format("full, explicit 4(5), tolerance {:g}", tolerance);
    if (ours <= wrong) {
      fastest = reduced;
      line(fmt::format("reduced, 4 modes and correction, step {:g}", step), reduced, ours, 0);
      line(name, paper, wrong, reduced);
    } else {
      line(name, paper, wrong, 0);
      fmt::print("    the reduced form does not get there: error {:.1e} with steps of {:g}\n", ours,
                 step);
    }
    json[name]["evaluations"] = evaluations;
  }

  // What the modes that are left out cost without the static correction, with steps that do not matter.
  for (const auto& [modes, corrected] :
       {std::pair{4, false}, {16, false}, {4, true}, {99, false}}) {
    const dynamics::Structure s =
        reproduce::rod(reproduce::rod_burst, sliders, true, 1, modes, corrected);
    double wrong = 0;
    const double seconds = processor_seconds(
        [&] { wrong = error(sampled(reproduce::motion_of(s, until, 0.0125)), exact); });
    line(fmt::format("reduced, {} modes{}, step 0.0125", modes, corrected ? " and correction" : ""),
         seconds, wrong, 0);
  }

  // Our own best for the full form: long steps cost Newton iterations there.
  const double one_per_cent = 0.01;
  double best_step = 0, best = 0, least = 0;
  for (const double trial : {0.02, 0.01, 0.005, 0.0025}) {
    double now = 0;
    const double time = processor_seconds(
        [&] { now = error(sampled(reproduce::motion_of(full, until, trial)), exact); });
    if (now > one_per_cent || (best_step != 0 && time > best)) continue;
    best_step = trial;
    best = time;
    least = now;
  }
  line(fmt::format("full, midpoint rule, step {:g}", best_step), best, least, fastest);
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
