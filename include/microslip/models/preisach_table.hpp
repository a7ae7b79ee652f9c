#pragma once

/// # preisach-table: relays whose density is given cell by cell
///
///     f = k u − ∬ μ(a, b) (γ_ab[u] − γ_ab at rest) da db,   b ≤ a,   μ constant in each cell
///
/// The relay γ_ab goes from −1 to 1 where u rises through a, and back where u falls through b; at
/// rest those with a + b > 0 are at −1. Right after a reversal none has switched yet, and the
/// stiffness is k; every relay on the way then takes 2μ from the force. Loops of the same size differ from place to
/// place, which no system of sliders in parallel can do; minor loops between the same two displacements are
/// all of one shape, and close.
///
/// The density is constant where a lies between two neighbours of `at` and b between two others. The densities come row by row, from the lowest a on: the first row has one cell
/// (a triangle on the diagonal a = b), the second two, and so on; n + 1 places make n (n + 1)/2 cells.
/// Beyond the places there are no relays. Force, loss and stored energy are closed forms.
///
/// Densities are what first-order reversal curves show: rise far, fall to b, rise again to a. With
/// f(b, a) the force there, Everett's integral is E(a, b) = ½ (k (a − b) − f(b, a) + f(b, b)), and a cell
/// holds the second difference of E. `microslip loops FILE --preisach LAW.json` does this for a record.
///
/// Energy: relay (a, b) with the force −γμ stores −γμ (u − (a + b)/2) and loses μ (a − b) where it
/// switches; the spring stores ½ k u². Counted from rest, where it is not the least if k is small beside the
/// relays: the stored energy may be negative. Every cycle loses.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <tuple>
#include <vector>

#include "microslip/core/concepts.hpp"
#include "microslip/core/fit_hints.hpp"
#include "microslip/detail/kernels/preisach.hpp"

namespace microslip {

template <Number Real>
class TableRelays {
 public:
  TableRelays(const std::vector<Real>& at, const std::vector<Real>& density)
      : up_{at, density}, down_(up_) {
    const std::size_t n = at.size() - 1;
    for (std::size_t i = 0; i <= n; ++i) down_.at[i] = -at[n - i];
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j <= i; ++j)
        down_.density[cell(i, j)] = up_.density[cell(n - 1 - j, n - 1 - i)];
  }

  Real count(int d, const Real& s, const Real& r, bool virgin) const noexcept {
    return along(plane(d), s, virgin ? Real(-s) : r).count;
  }

  /// Between the places the sums along a line are polynomials of second degree in s, which two points
  /// of Gauss's rule integrate with a factor (end − s).
  PreisachStrip<Real> strip(int d, const Real& from, const Real& to, const Real& corner,
                            bool virgin) const noexcept {
    PreisachStrip<Real> sum;
    for (Real s = from; s < to;) {
      const Real end = std::min(to, next_break(d, s, virgin));
      const Real half = 0.5 * (end - s), middle = 0.5 * (end + s);
      for (const double side : {-1.0, 1.0}) {
        const Real x = middle + side * 0.57735026918962576 * half;
        const auto at = along(plane(d), x, virgin ? Real(-x) : corner);
        sum.count += half * at.count;
        sum.ahead += half * (to - x) * at.count;
        sum.width += half * at.width;
      }
      s = end;
    }
    return sum;
  }

  Real next_break(int d, const Real& s, bool virgin) const noexcept {
    Real next(std::numeric_limits<double>::infinity());
    for (const Plane* plane : {&this->plane(d), &this->plane(-d)}) {
      const auto place = std::upper_bound(plane->at.begin(), plane->at.end(), s);
      if (place != plane->at.end()) next = std::min(next, *place);
      if (!virgin) break;
    }
    return next;
  }

  bool symmetric() const {
    const auto same = [](const Real& a, const Real& b) { return value_of(a) == value_of(b); };
    return std::equal(up_.at.begin(), up_.at.end(), down_.at.begin(), same) &&
           std::equal(up_.density.begin(), up_.density.end(), down_.density.begin(), same);
  }

 private:
  /// Seen by a motion upwards, or mirrored so that one downwards is the same.
  struct Plane {
    std::vector<Real> at, density;
  };

  static std::size_t cell(std::size_t a, std::size_t b) { return a * (a + 1) / 2 + b; }
  const Plane& plane(int d) const noexcept { return d < 0 ? down_ : up_; }

  static PreisachLine<Real> along(const Plane& plane, const Real& s, const Real& r) noexcept {
    PreisachLine<Real> sum;
    const auto above = std::upper_bound(plane.at.begin(), plane.at.end(), s);
    if (above == plane.at.begin() || above == plane.at.end()) return sum;
    const auto row = static_cast<std::size_t>(above - plane.at.begin()) - 1;
    for (std::size_t j = row + 1; j-- > 0 && plane.at[j + 1] > r;) {
      const Real top = j == row ? s : plane.at[j + 1], bottom = std::max(plane.at[j], r);
      const Real count = plane.density[cell(row, j)] * (top - bottom);
      sum.count += count;
      sum.width += count * (s - 0.5 * (top + bottom));
    }
    return sum;
  }

  Plane up_, down_;
};

template <Number Real>
class PreisachTable : public PreisachLaw<Real, TableRelays<Real>> {
 public:
  struct Params {
    Real k{1};
    std::vector<Real> at{Real(-1), Real(0), Real(1)};
    std::vector<Real> density{Real(0.25), Real(0.125), Real(0.25)};

    static constexpr auto fields = std::tuple{
        field(&Params::k, "k", "F/L", non_negative, "stiffness right after a reversal"),
        field(&Params::at, "at", "L", any_number, "places between which relays switch, ascending"),
        field(&Params::density, "density", "F/L^2", non_negative,
              "density of each cell: rows of rising a, in each from the lowest b to the diagonal"),
    };
  };
  using Options = NoOptions;

  static constexpr Info info{
      .name = "preisach-table",
      .sentence = "Relays whose density is given cell by cell, as reversal curves show it.",
      .equation = "f = k u − ∬ μ(a, b) γ_ab[u] da db,  μ constant in each cell",
      .citation =
          "I. D. Mayergoyz, Mathematical Models of Hysteresis, Springer (1991); D. H. Everett, "
          "Transactions of the Faraday Society 51 (1955) 1551–1557",
      .claims = {.odd = depends("the densities are symmetric about a = -b"),
                 .rate_independent = holds,
                 .masing =
                     depends("the density is a function of a - b alone as far as the motion goes"),
                 .return_point_memory = holds,
                 .minor_loops_close = holds,
                 .dissipative = holds,
                 .bounded = depends("k = 0"),
                 .planar_isotropic = not_applicable},
  };

  static FitHints fit_hints() {
    return {.springs = {"k"}, .left_out = "loops finds its cells in reversal curves"};
  }

  explicit PreisachTable(const Params& params, const Options& = {})
      : PreisachLaw<Real, TableRelays<Real>>(params.k, relays(params)) {}

  bool odd() const { return this->density().symmetric(); }

 private:
  static TableRelays<Real> relays(const Params& p) {
    check_fields(info.name, p);
    if (p.at.size() < 2) throw Error("preisach-table.at must have at least two places");
    for (std::size_t i = 1; i < p.at.size(); ++i)
      if (!(p.at[i] > p.at[i - 1]))
        throw Error("preisach-table.at must ascend, but at[" + std::to_string(i + 1) +
                    "] = " + number_text(value_of(p.at[i])) + " follows " +
                    number_text(value_of(p.at[i - 1])));
    const std::size_t n = p.at.size() - 1;
    if (p.density.size() != n * (n + 1) / 2)
      throw Error("preisach-table.density has " + std::to_string(p.density.size()) + " elements; " +
                  std::to_string(n + 1) + " places make " + std::to_string(n * (n + 1) / 2) +
                  " cells");
    return {p.at, p.density};
  }
};

}  // namespace microslip
