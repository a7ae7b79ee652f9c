#pragma once

#include <cstddef>
#include <string>
#include <string_view>
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
  std::vector<double> t;  ///< empty when there is no time
  std::vector<double> u;  ///< displacement (the first one: ux, ut), or force when driven by force
  std::vector<double> uy{};  ///< only of laws with a direction y
  std::vector<double> un{};  ///< only of laws with a direction n

  /// The column of a direction: x and t are the first one.
  std::vector<double>& along(std::string_view direction) {
    return direction == "y" ? uy : direction == "n" ? un : u;
  }
  const std::vector<double>& along(std::string_view direction) const {
    return const_cast<Path&>(*this).along(direction);
  }
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
  std::vector<double> u, uy, un;  ///< displacement of each row
  std::vector<double> f, fy, fn;  ///< force
  std::vector<double> energy;     ///< dissipated so far
  std::vector<double> tangent;    ///< df/du (scalar laws)
  std::vector<double> stored;     ///< recoverable energy
  std::vector<StateColumn> states;
  Status status = Status::ok;  ///< if not ok, the rows end before the one that failed
  std::string reason{};        ///< what the status alone does not say, for a person

  /// The columns of a direction: x and t are the first one.
  std::vector<double>& u_along(std::string_view direction) {
    return direction == "y" ? uy : direction == "n" ? un : u;
  }
  std::vector<double>& f_along(std::string_view direction) {
    return direction == "y" ? fy : direction == "n" ? fn : f;
  }
  const std::vector<double>& u_along(std::string_view direction) const {
    return const_cast<History&>(*this).u_along(direction);
  }
  const std::vector<double>& f_along(std::string_view direction) const {
    return const_cast<History&>(*this).f_along(direction);
  }
};

}  // namespace microslip
