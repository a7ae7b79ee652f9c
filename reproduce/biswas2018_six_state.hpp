#pragma once

#include "support.hpp"

/// The six-state model of Biswas (2018), eqs (2.23)–(2.25), as printed, under two-frequency loads.
namespace microslip::reproduce {

ModelSpec six_state();

struct SixStateCase {
  std::string title, signal;
  std::size_t turns;                     ///< of the load in 0 … 20
  std::vector<double> loads, responses;  ///< at the first turning points
  double lowest, highest;                ///< response over the turning points and the end
};

/// Six load cases, a panel each. The durations are not printed: 0 … 20.
Outcome six_state_loops(const std::vector<SixStateCase>& cases);

}  // namespace microslip::reproduce
