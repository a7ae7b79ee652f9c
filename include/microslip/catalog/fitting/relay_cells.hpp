#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace microslip::catalog {

/// Densities of the law preisach-table, found in a record.
struct RelayCells {
  double k = 0;                 ///< stiffness right after a reversal
  std::vector<double> at;       ///< places, evenly from the least to the largest displacement
  std::vector<double> density;  ///< of each cell, not negative
  std::size_t told_apart =
      0;           ///< combinations of cells that the record determines; all: as many as cells
  double rms = 0;  ///< of what is left of the force
};

/// The force is linear in k and the densities, whatever the history, so that any record fits them by
/// least squares with bounds; first-order reversal curves pass every cell. A constant of the force is
/// free.
RelayCells relay_cells(std::span<const double> u, std::span<const double> f, std::size_t sides);

}  // namespace microslip::catalog
