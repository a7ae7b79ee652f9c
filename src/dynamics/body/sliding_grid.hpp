#pragma once

#include <algorithm>
#include <numbers>

#include "dynamics/fourier/fourier.hpp"

/// The equal steps of a period in which sliding bodies are integrated, unless events cut them short.
namespace microslip::dynamics {

constexpr int most_events = 100000;    ///< of a period
constexpr int most_open_rounds = 200;  ///< until a period must be closed

/// Of the displacements that a force may cause; Newton steps to a start further out are rejected.
constexpr double furthest_start = 1e6;

/// The angle within which what slips and stops again has not slipped at all.
constexpr double no_slip(bool from_rest) { return from_rest ? 1e-8 : 1e-12; }

inline Eigen::Index grid_cells(int harmonics) { return std::max(128, 16 * (harmonics + 1)); }

inline double cell_angle(int harmonics) {
  return 2 * std::numbers::pi / static_cast<double>(grid_cells(harmonics));
}

/// (K − h²ω² + ihωC) q of Fourier coefficients, function by function.
inline Eigen::MatrixXd through_body(const Eigen::MatrixXd& damping,
                                    const Eigen::MatrixXd& stiffness, const Eigen::MatrixXd& q,
                                    double omega) {
  Eigen::MatrixXd force = stiffness * q;
  for (int h = 1; h <= static_cast<int>(q.cols() / 2); ++h) {
    const double rate = h * omega;
    force.middleCols(2 * h - 1, 2) -= rate * rate * q.middleCols(2 * h - 1, 2);
    force.col(2 * h - 1) += rate * damping * q.col(2 * h);
    force.col(2 * h) -= rate * damping * q.col(2 * h - 1);
  }
  return force;
}

/// Fourier functions at angles of each step that are these parts of it.
template <class Parts>
Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> grid_rows(
    int harmonics, Eigen::Index steps, const Parts& parts) {
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> rows(
      parts.size() * steps, fourier_size(harmonics));
  for (Eigen::Index i = 0; i < steps; ++i)
    for (Eigen::Index s = 0; s < parts.size(); ++s)
      fourier_row((static_cast<double>(i) + parts[s]) * cell_angle(harmonics), harmonics,
                  rows.row(parts.size() * i + s));
  return rows;
}

}  // namespace microslip::dynamics
