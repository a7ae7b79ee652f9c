#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "bench.hpp"
#include "microslip/contact/cracks.hpp"
#include "microslip/contact/lap_joint.hpp"
#include "microslip/contact/solver.hpp"
#include "microslip/friction/solver.hpp"

/// Loops from geometry: cracked plates and lap joints.
namespace microslip::bench {
namespace {

std::vector<double> sine(int cycles, int rows, double amplitude = 1) {
  std::vector<double> f;
  for (int i = 1; i <= cycles * rows; ++i)
    f.push_back(amplitude * std::sin(2 * std::numbers::pi * i / rows));
  return f;
}

/// 32 cracks of 10 nodes, one cycle: the path from event to event, against increments between the
/// same rows that factor their matrix anew.
nlohmann::json cracked_plate() {
  const contact::CrackedPlate plate({.E = 210e3, .nu = 0.3, .length = 10},
                                    contact::random_cracks({.n = 32, .seed = 1}), {-50, 100, 0},
                                    {.nodes = 10, .most_nodes = 10});
  const auto loads = sine(1, 400);
  contact::Result exact;
  const double events = seconds([&] { exact = contact::run(plate.problem(), loads); });
  contact::Vector w = contact::Vector::Zero(2 * plate.problem().nodes());
  std::vector<contact::Contact> nodes = contact::rest(plate.problem()).nodes;
  int solves = 0;
  constexpr std::size_t measured = 40;
  const double increments = 10 * seconds([&] {
                              for (std::size_t i = 0; i < measured; ++i) {
                                const contact::Increment step = contact::increment(
                                    plate.problem(), plate.problem().b() * loads[i], w, nodes);
                                w = step.w;
                                nodes = step.nodes;
                                solves += step.iterations;
                              }
                            });
  fmt::print("  32 cracks, {} nodes, one cycle of 400 rows: {:.3f} s, {} changes, {} solves\n",
             plate.problem().nodes(), events, exact.events, exact.iterations);
  fmt::print("  increments with a factorisation each (from 40 rows): {:.3f} s, {:.0f} times\n",
             increments, increments / events);
  return {{"nodes", plate.problem().nodes()}, {"seconds", events},
          {"changes", exact.events},          {"solves", exact.iterations},
          {"increments_seconds", increments}, {"status_ok", exact.status == Status::ok}};
}

/// The same cycle with more cracks at the same density: the side of the plate grows.
nlohmann::json more_cracks() {
  nlohmann::json table = nlohmann::json::array();
  const auto loads = sine(1, 400);
  std::vector<double> x, y;
  for (const int n : {16, 32, 64}) {
    contact::RandomCracks field{.n = n, .seed = 1};
    field.region *= std::sqrt(n / 32.0);
    field.gap = 0.5;
    const contact::CrackedPlate plate({.E = 210e3, .nu = 0.3, .length = 10 * std::sqrt(n / 32.0)},
                                      contact::random_cracks(field), {-50, 100, 0},
                                      {.nodes = 10, .most_nodes = 10});
    contact::Result run;
    const double time = seconds([&] { run = contact::run(plate.problem(), loads); });
    fmt::print("  {:3} cracks, {:4} nodes: {:.3f} s, {} changes{}\n", n, plate.problem().nodes(),
               time, run.events, run.status == Status::ok ? "" : " (stopped: " + run.trouble + ")");
    table.push_back({{"cracks", n},
                     {"nodes", plate.problem().nodes()},
                     {"seconds", time},
                     {"changes", run.events},
                     {"status_ok", run.status == Status::ok}});
    x.push_back(std::log(static_cast<double>(plate.problem().nodes())));
    y.push_back(std::log(time));
  }
  const double slope = (y.back() - y.front()) / (x.back() - x.front());
  fmt::print("  cost of a cycle grows with the power {:.2f} of the nodes\n", slope);
  return {{"table", table}, {"exponent", slope}};
}

contact::LapJoint joint_of(int along, int through) {
  contact::LapPlates plates;
  plates.mesh = {along, through};
  return {plates, {.pressure = [](double x) { return 3 * x * (20 - x) / 10; }}, 0.3};
}

/// A joint against its interface nodes: set-up, and 20 cycles with tied and unilateral normals.
nlohmann::json lap_joint() {
  nlohmann::json table = nlohmann::json::array();
  const auto u = sine(20, 100, 0.025);
  std::vector<double> x, y;
  for (const int along : {100, 200, 400, 800}) {
    std::unique_ptr<contact::LapJoint> joint;
    const double set_up =
        seconds([&] { joint = std::make_unique<contact::LapJoint>(joint_of(along, 6)); });
    const contact::TiedInterface tied = joint->tied();
    const double sliders = seconds([&] { keep(friction::run(tied.system, u).xi.back()); });
    contact::Result open;
    const double unilateral = seconds([&] { open = contact::run(joint->problem(), u); });
    const auto n = static_cast<double>(joint->nodes());
    fmt::print(
        "  joint of {:3.0f} interface nodes: set-up {:.3f} s; 20 cycles tied {:.3f} s, unilateral "
        "{:.3f} s, {} changes{}\n",
        n, set_up, sliders, unilateral, open.events,
        open.status == Status::ok ? "" : " (stopped: " + open.trouble + ")");
    table.push_back({{"interface_nodes", n},
                     {"set_up_seconds", set_up},
                     {"tied_seconds", sliders},
                     {"unilateral_seconds", unilateral},
                     {"changes", open.events},
                     {"status_ok", open.status == Status::ok}});
    x.push_back(std::log(n));
    y.push_back(std::log(unilateral));
  }
  const double slope = (y.back() - y[1]) / (x.back() - x[1]);
  fmt::print("  cost of unilateral cycles grows with the power {:.2f} of the nodes\n", slope);
  return {{"table", table}, {"exponent_unilateral", slope}};
}

}  // namespace

nlohmann::json loops_from_geometry() {
  fmt::print("Loops from geometry\n");
  nlohmann::json result{
      {"cracks", cracked_plate()}, {"more_cracks", more_cracks()}, {"joint", lap_joint()}};
  fmt::print("\n");
  return result;
}

}  // namespace microslip::bench
