#pragma once

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <vector>

/// Ratios inside one run. Contenders take turns, so that a slow moment of the machine hits all of
/// them; the median of the rounds counts.
namespace microslip::bench {

/// Keeps the compiler from removing work whose result nobody reads.
inline void keep(double x) { asm volatile("" : : "g"(x) : "memory"); }

inline double seconds(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Median seconds of each contender over interleaved rounds, after one round to warm up.
inline std::vector<double> medians(const std::vector<std::function<void()>>& contenders,
                                   int rounds) {
  std::vector<std::vector<double>> times(contenders.size());
  for (const auto& contender : contenders) contender();
  for (int round = 0; round < rounds; ++round)
    for (std::size_t i = 0; i < contenders.size(); ++i) times[i].push_back(seconds(contenders[i]));
  std::vector<double> result;
  for (auto& list : times) {
    std::nth_element(list.begin(), list.begin() + rounds / 2, list.end());
    result.push_back(list[static_cast<std::size_t>(rounds / 2)]);
  }
  return result;
}

/// Each prints its table to stdout and returns it for out/bench.json.
nlohmann::json two_state_against_printed_map();
nlohmann::json iwan4_against_sliders();
nlohmann::json bouc_wen_against_implicit_step();
nlohmann::json m_state_against_eigenproblem();
/// Draws bench-sliders.svg into the folder.
nlohmann::json sliders_event_against_lemke(const std::filesystem::path& folder);
nlohmann::json reduced_interface_against_full();
nlohmann::json loops_from_geometry();
nlohmann::json joints_in_structures();
nlohmann::json from_small_motions_to_large();
nlohmann::json beam_of_finite_elements();
nlohmann::json joints_with_normal_forces();
nlohmann::json large_structure_in_time();
nlohmann::json two_state_fits();
nlohmann::json laws_against_ode_solver();
nlohmann::json every_law();
nlohmann::json fields_of_joints();

}  // namespace microslip::bench
