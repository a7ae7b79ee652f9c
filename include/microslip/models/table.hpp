#pragma once

/// # table: an elastic curve through given points
///
///     f = f_i + (f_{i+1} − f_i) (u − u_i)/(u_{i+1} − u_i)   for u_i ≤ u ≤ u_{i+1}
///
/// Straight lines between the points, and the first and the last line continued beyond them. The
/// displacements must ascend. The points may come from the columns of a file: `u=@curve.csv`.
///
/// The law is elastic: it loses nothing. Stored energy counts from the place where it is least, so
/// that it is never negative; a curve whose ends pull outwards has no such place beyond its points,
/// and there the energy counted from the least place among the points may be negative.

#include <algorithm>
#include <cstddef>
#include <limits>
#include <string>
#include <tuple>
#include <vector>

#include "microslip/core/concepts.hpp"
#include "microslip/detail/kernels/elastic.hpp"

namespace microslip {

template <Number Real>
class TableCurve {
 public:
  using Scalar = Real;

  /// Displacements that ascend and their forces, at least two.
  TableCurve(const std::vector<Real>& u, const std::vector<Real>& f) {
    const std::size_t lines = u.size() - 1;
    Real energy(0);
    for (std::size_t i = 0; i < lines; ++i) {
      const Real slope = (f[i + 1] - f[i]) / (u[i + 1] - u[i]);
      lines_.push_back({u[i], f[i], slope, energy, u[i], f[i]});
      // Anchored as near to zero as it gets, so that small displacements keep all their digits.
      if (i + 1 < lines && u[i + 1] < 0.0) {
        lines_[i].anchor = u[i + 1];
        lines_[i].force_there = f[i + 1];
      } else if (i == 0 || u[i] < 0.0) {
        lines_[i].anchor = Real(0);
        lines_[i].force_there = u[i + 1] == 0.0 ? f[i + 1]
                                : u[i] == 0.0   ? f[i]
                                                : Real(f[i] - slope * u[i]);
      }
      energy += 0.5 * (f[i] + f[i + 1]) * (u[i + 1] - u[i]);
    }
    // The energy is least where the force turns from pulling down to pushing up, or at an end.
    Real least = energy < 0.0 ? energy : Real(0);
    for (std::size_t i = 0; i < lines; ++i) {
      const Line& line = lines_[i];
      if (!(line.slope > 0.0)) continue;
      const Real zero = line.u - line.force / line.slope;
      const bool here = (i == 0 || zero >= line.u) && (i + 1 == lines || zero <= u[i + 1]);
      if (here && line.energy_at(zero) < least) least = line.energy_at(zero);
    }
    for (Line& line : lines_) line.energy -= least;
  }

  ElasticPoint<Real> at(const Real& u, int side) const noexcept {
    const Line& line = lines_[side < 0 ? before(u) : after(u)];
    return {line.force_there + line.slope * (u - line.anchor), line.slope};
  }
  Real energy(const Real& u) const noexcept { return lines_[after(u)].energy_at(u); }
  Real next_kink(const Real& u, int direction) const noexcept {
    const std::size_t i = direction > 0 ? after(u) + 1 : before(u);
    // The first line has no corner at its beginning: it is continued.
    if (i == 0 || i == lines_.size())
      return Real(direction * std::numeric_limits<double>::infinity());
    return lines_[i].u;
  }

 private:
  struct Line {
    Real u, force, slope, energy;  ///< at its first point
    Real anchor, force_there;

    Real energy_at(const Real& x) const {
      return energy + (force + 0.5 * slope * (x - u)) * (x - u);
    }
  };

  /// The line that a motion upwards, or downwards, from u is on.
  std::size_t after(const Real& u) const noexcept {
    const auto next = std::upper_bound(lines_.begin() + 1, lines_.end(), u,
                                       [](const Real& x, const Line& line) { return x < line.u; });
    return static_cast<std::size_t>(next - lines_.begin()) - 1;
  }
  std::size_t before(const Real& u) const noexcept {
    const auto next = std::lower_bound(lines_.begin() + 1, lines_.end(), u,
                                       [](const Line& line, const Real& x) { return line.u < x; });
    return static_cast<std::size_t>(next - lines_.begin()) - 1;
  }

  std::vector<Line> lines_;
};

template <Number Real>
class Table : public ElasticLaw<TableCurve<Real>> {
 public:
  struct Params {
    std::vector<Real> u{Real(-2), Real(-1), Real(0), Real(1), Real(2)};
    std::vector<Real> f{Real(-3), Real(-1), Real(0), Real(1), Real(3)};

    static constexpr auto fields = std::tuple{
        field(&Params::u, "u", "L", any_number, "displacements of the points, ascending"),
        field(&Params::f, "f", "F", any_number, "forces at these displacements"),
    };
  };
  using Options = NoOptions;

  static constexpr Info info{
      .name = "table",
      .sentence = "An elastic curve given by points, straight between them and beyond.",
      .equation = "f = f_i + (f_{i+1} − f_i) (u − u_i)/(u_{i+1} − u_i)",
      .citation =
          "K. Worden, G. R. Tomlinson, Nonlinearity in Structural Dynamics, Institute of Physics "
          "Publishing (2001)",
      .claims = {.odd = depends("the points are symmetric about the origin"),
                 .rate_independent = holds,
                 .masing = depends("the points lie on one line through the origin"),
                 .return_point_memory = holds,
                 .minor_loops_close = holds,
                 .dissipative = holds,
                 .bounded = depends("the first and the last line are level"),
                 .planar_isotropic = not_applicable},
  };

  explicit Table(const Params& params, const Options& = {})
      : ElasticLaw<TableCurve<Real>>(checked(params)) {
    const std::size_t n = params.u.size();
    for (std::size_t i = 0; i < n; ++i)
      odd_ = odd_ && params.u[i] == -params.u[n - 1 - i] && params.f[i] == -params.f[n - 1 - i];
  }

  bool odd() const { return odd_; }

 private:
  static TableCurve<Real> checked(const Params& p) {
    check_fields(info.name, p);
    check_same_length(info.name, "u", p.u.size(), "f", p.f.size());
    if (p.u.size() < 2) throw Error("table.u must have at least two points");
    for (std::size_t i = 1; i < p.u.size(); ++i)
      if (!(p.u[i] > p.u[i - 1]))
        throw Error("table.u must ascend, but u[" + std::to_string(i + 1) +
                    "] = " + number_text(value_of(p.u[i])) + " follows " +
                    number_text(value_of(p.u[i - 1])));
    return {p.u, p.f};
  }

  bool odd_ = true;  ///< the points are symmetric about the origin
};

}  // namespace microslip
