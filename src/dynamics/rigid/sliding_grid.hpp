#pragma once

#include <algorithm>
#include <numbers>

#include "dynamics/rigid/gauss_six.hpp"
#include "microslip/dynamics/periodic/fourier.hpp"

/// The equal steps of a period in which sliding masses and bodies are integrated, unless events cut
/// them short.
namespace microslip::dynamics {

constexpr int most_events = 100000;  ///< of a period
constexpr int most_rounds = 200;     ///< until a period must be closed

/// Of the displacements that a push may cause; what begins further out is a step astray.
constexpr double furthest_start = 1e6;

/// The angle within which what slips and stops again has not slipped at all.
constexpr double no_slip(bool from_rest) { return from_rest ? 1e-8 : 1e-12; }

inline Eigen::Index grid_cells(int harmonics) { return std::max(128, 16 * (harmonics + 1)); }

inline double cell_angle(int harmonics) {
  return 2 * std::numbers::pi / static_cast<double>(grid_cells(harmonics));
}

/// Fourier functions at the stages of all steps.
inline Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> grid_rows(
    int harmonics) {
  const Eigen::Index cells = grid_cells(harmonics);
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> rows(
      3 * cells, fourier_size(harmonics));
  for (Eigen::Index i = 0; i < cells; ++i)
    for (int s = 0; s < 3; ++s)
      fourier_row((static_cast<double>(i) + gauss_six.c[s]) * cell_angle(harmonics), harmonics,
                  rows.row(3 * i + s));
  return rows;
}

}  // namespace microslip::dynamics
