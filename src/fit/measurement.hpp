#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <span>
#include <string>
#include <vector>

#include "microslip/detail/numerics/constants.hpp"
#include "microslip/fit/problem.hpp"

/// From the answer of a law to what is recorded.
namespace microslip::fit {

/// Time since the first row, or rows.
std::vector<double> clock_of(const Data& data);

/// The numbers of the measurement of one record, plain or dual; by role.
template <class Real>
struct Measurement {
  std::array<Real, std::size(measurement_names)> numbers{Real(0), Real(1), Real(0),
                                                         Real(0), Real(0), Real(0)};
  std::vector<Real> before;

  const Real& of(Unknown::Role role) const {
    return numbers[static_cast<std::size_t>(role) - static_cast<std::size_t>(first)];
  }
  Real& of(Unknown::Role role) {
    return numbers[static_cast<std::size_t>(role) - static_cast<std::size_t>(first)];
  }
  static constexpr Unknown::Role first = Unknown::Role::offset;

  /// What is recorded `clock` after the first row, where the law answers `f`.
  Real answer(const Real& f, double clock) const {
    using Role = Unknown::Role;
    return of(Role::offset) + of(Role::drift) * clock + of(Role::gain) * f;
  }
};

template <class Real>
Measurement<Real> measurement_of(const Setup& setup, const std::vector<Unknown>& unknowns,
                                 const std::vector<Real>& p, std::size_t record, double center) {
  Measurement<Real> m;
  for (std::size_t i = 0; i < m.numbers.size(); ++i)
    if (const auto held = setup.fixed.find(std::string(measurement_names[i]));
        held != setup.fixed.end())
      m.numbers[i] = Real(held->second);
  for (std::size_t i = 0; i < unknowns.size(); ++i) {
    if (unknowns[i].record >= 0 && unknowns[i].record != static_cast<int>(record)) continue;
    if (unknowns[i].role == Unknown::Role::before)
      m.before.push_back(p[i] + center);
    else if (unknowns[i].role != Unknown::Role::parameter)
      m.of(unknowns[i].role) = p[i];
  }
  return m;
}

/// A motion through the rows of a record whose answers come a delay later. A rate-independent law also
/// stops between the rows, where the straight motion stands when it gives each answer; it is exact there. Of
/// other laws the force is a straight line between rows. Before the first row and behind the last one nothing
/// moves.
template <class Real>
class DelayedMotion {
 public:
  DelayedMotion(const std::vector<double>& clock, const Real& delay, bool stops,
                const std::vector<Real>& rows) {
    const std::size_t last = clock.size() - 1;
    std::size_t i = 0;
    for (std::size_t j = 0; j <= last; ++j) {
      rows_.push_back(motion_.size());
      motion_.push_back(rows[j]);
      const double step = j < last ? clock[j + 1] - clock[j] : infinity;
      for (; i <= last; ++i) {
        const Real share = (clock[i] - delay - clock[j]) / step;
        if (j < last && share >= 1.0) break;
        const bool outside = j == last || (j == 0 && share < 0.0);
        answers_.push_back({rows_[j], 0, outside ? Real(0) : share});
        // Steps of nothing have no derivative.
        if (!stops || outside || share < least_share || share > 1 - least_share) continue;
        answers_.back().point = motion_.size();
        motion_.push_back(rows[j] + share * (rows[j + 1] - rows[j]));
      }
    }
  }

  const std::vector<Real>& motion() const { return motion_; }
  /// By rows, from the forces along the motion.
  std::vector<Real> answers(std::span<const Real> f) const {
    std::vector<Real> result;
    for (const Answer& answer : answers_) {
      if (answer.point > 0) {
        result.push_back(f[answer.point]);
        continue;
      }
      const std::size_t j = answer.row;
      const auto next = std::upper_bound(rows_.begin(), rows_.end(), j);
      result.push_back(next == rows_.end() ? f[j] : f[j] + answer.share * (f[*next] - f[j]));
    }
    return result;
  }

 private:
  struct Answer {
    std::size_t row, point;  ///< in the motion; no point: on the line from the row to the next one
    Real share;
  };
  static constexpr double least_share = 1e-6;
  std::vector<Real> motion_;
  std::vector<std::size_t> rows_;
  std::vector<Answer> answers_;
};

}  // namespace microslip::fit
