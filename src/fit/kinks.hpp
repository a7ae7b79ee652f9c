#pragma once

#include "least_squares.hpp"

namespace microslip::fit {

/// Where a search came to rest.
enum class Rest {
  slope,   ///< nowhere: it leans, and was stopped on its way
  smooth,  ///< the slope is zero
  kink,    ///< slopes differ from side to side, and between them is zero
  jump,    ///< it leans, but no step to any side leads down: what is beyond is higher
};

/// Goes on where steps by one slope end: at a kink, the slopes of all sides together tell the way
/// down, or that there is none.
Rest settle(const Problem& problem, const SolveOptions& options, Solution& solution);

}  // namespace microslip::fit
