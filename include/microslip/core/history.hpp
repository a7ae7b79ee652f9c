#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "microslip/core/response.hpp"

namespace microslip {

/// Where a history starts: at rest at u = 0 and driven to the first row, or at rest at the first
/// row.
enum class Start { virgin, first_row };

/// Which column is given; the other one is computed.
enum class Drive { displacement, force };

/// The input of a law: rows in order. Between rows the motion is linear in time.
struct Path {
  std::vector<double> t;   ///< empty when there is no time
  std::vector<double> u;   ///< displacement (ux in the plane), or force when driven by force
  std::vector<double> uy;  ///< only in the plane
};

/// What to record besides force and energy.
struct Record {
  bool tangent = false;
  bool stored = false;
  bool states = false;
};

struct StateColumn {
  std::string name;
  std::vector<double> values;
};

/// The answer, one entry a row. Vectors that were not asked for are empty.
struct History {
  std::vector<double> u, uy;    ///< displacement of each row
  std::vector<double> f, fy;    ///< force
  std::vector<double> energy;   ///< dissipated so far
  std::vector<double> tangent;  ///< df/du (scalar laws)
  std::vector<double> stored;   ///< recoverable energy
  std::vector<StateColumn> states;
  Status status = Status::ok;  ///< if not ok, the rows end before the one that failed
  std::string reason{};        ///< what the status alone does not say, for a person
};

}  // namespace microslip
