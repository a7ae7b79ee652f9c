#pragma once

#include <filesystem>
#include <memory>

#include "microslip/core/description.hpp"
#include "microslip/friction/factor_history.hpp"
#include "microslip/friction/solver.hpp"

/// From the values of a parameter file to a system of sliders, for those who need more of it than
/// the law `sliders` answers: who slips when, positions, modes.
namespace microslip::catalog {

struct SlidersSetup {
  std::shared_ptr<const friction::System> system;
  friction::SolverOptions solver;
  bool minus_bx = false;  ///< the answer is c0 u − bᵀx, otherwise bᵀx
  double c0 = 1;
  friction::FactorHistory factor;  ///< on friction, in time
  ParameterValues parameters;      ///< those that this kind of system has, with defaults
  OptionValues options;
};

/// Options may stand among the parameters, as they do in a file without sections. Throws Error for
/// names that do not exist or have no meaning for this kind of system.
SlidersSetup make_sliders_setup(const ParameterValues& parameters, const OptionValues& options);

/// File names among the values (K, mu, b) count from the folder of the file that gives them.
void resolve_slider_files(const std::filesystem::path& folder, ParameterValues& values);

/// The law as front ends see it.
Description sliders_description();

}  // namespace microslip::catalog
