#include <fmt/format.h>

#include <exception>
#include <filesystem>

#include "bench.hpp"
#include "microslip/io/file.hpp"
#include "microslip/version.hpp"

/// microslip_bench FILE.json
int main(int argc, char** argv) {
  try {
    namespace bench = microslip::bench;
    nlohmann::json results{{"version", microslip::version}};
    results["two-state"] = bench::two_state_against_printed_map();
    results["iwan4"] = bench::iwan4_against_sliders();
    results["bouc-wen"] = bench::bouc_wen_against_implicit_step();
    results["m-state"] = bench::m_state_against_eigenproblem();
    results["sliders"] = bench::sliders_event_against_lemke(
        argc > 1 ? std::filesystem::absolute(argv[1]).parent_path() : std::filesystem::path());
    results["structures"] = bench::joints_in_structures();
    results["fit"] = bench::two_state_fits();
    results["ode-solver"] = bench::laws_against_ode_solver();
    results["laws"] = bench::every_law();
    if (argc > 1) {
      microslip::io::write_file(argv[1], results.dump(2) + "\n");
      fmt::print("\nwritten to {}\n", argv[1]);
    }
  } catch (const std::exception& error) {
    fmt::print(stderr, "microslip_bench: {}\n", error.what());
    return 1;
  }
}
