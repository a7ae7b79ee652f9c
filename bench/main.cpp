#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "bench.hpp"
#include "microslip/core/error.hpp"
#include "microslip/io/file.hpp"
#include "microslip/version.hpp"

namespace microslip::bench {
namespace {

using Part = std::pair<std::string, std::function<nlohmann::json()>>;

std::vector<Part> parts(const std::filesystem::path& pictures) {
  return {{"two-state", two_state_against_printed_map},
          {"iwan4", iwan4_against_sliders},
          {"bouc-wen", bouc_wen_against_implicit_step},
          {"m-state", m_state_against_eigenproblem},
          {"sliders", [pictures] { return sliders_event_against_lemke(pictures); }},
          {"interface", reduced_interface_against_full},
          {"contact", loops_from_geometry},
          {"structures", joints_in_structures},
          {"small-motions", from_small_motions_to_large},
          {"beam", beam_of_finite_elements},
          {"normal-forces", joints_with_normal_forces},
          {"large", large_structure_in_time},
          {"fit", two_state_fits},
          {"ode-solver", laws_against_ode_solver},
          {"laws", every_law},
          {"field", fields_of_joints}};
}

/// The file is written anew after each part, so that an interrupted run keeps what is done.
void run(const std::filesystem::path& file, const std::set<std::string>& wanted) {
  const auto all = parts(std::filesystem::absolute(file).parent_path());
  for (const std::string& name : wanted)
    if (std::none_of(all.begin(), all.end(), [&](const Part& part) { return part.first == name; }))
      throw Error("unknown part '" + name +
                  "'; allowed are two-state, iwan4, bouc-wen, m-state, sliders, interface, "
                  "contact, structures, small-motions, beam, normal-forces, large, fit, "
                  "ode-solver, laws, field");
  nlohmann::json results{{"version", version}};
  for (const auto& [name, measure] : all) {
    if (!wanted.empty() && !wanted.contains(name)) continue;
    results[name] = measure();
    std::fflush(stdout);
    io::write_file(file, results.dump(2) + "\n");
  }
  fmt::print("\nwritten to {}\n", file.string());
}

}  // namespace
}  // namespace microslip::bench

/// microslip_bench FILE.json [PART...]
int main(int argc, char** argv) {
  try {
    if (argc < 2) throw microslip::Error("call it as microslip_bench FILE.json [PART...]");
    microslip::bench::run(argv[1], {argv + 2, argv + argc});
  } catch (const std::exception& error) {
    fmt::print(stderr, "microslip_bench: {}\n", error.what());
    return 2;
  }
}
