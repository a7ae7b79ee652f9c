#pragma once

/// # preisach: relays with any density, given as a formula
///
///     f = k u − ∬ μ(a, b) (γ_ab[u] − γ_ab at rest) da db,   b ≤ a
///
/// The relay γ_ab goes from −1 to 1 where u rises through a, and back where u falls through b; at
/// rest those with a + b > 0 are at −1. Right after a reversal none has switched yet, and the
/// stiffness is k; every relay on the way then takes 2μ from the force. Where μ depends on a − b alone
/// this is an Iwan law with Masing's rules: `preisach(k=2,density=exp(b-a))` is
/// `masing-backbone(g=1-exp(-2*u))`. Otherwise loops of the same size differ from place to place,
/// which no system of sliders in parallel can do; minor loops between the same two displacements are
/// still all of one shape, and close.
///
/// After a reversal at u_r the force changes by k (u − u_r) − 2 d E, E = ∬ μ over the triangle
/// between u_r and u (Everett's integral); the memory is the reversals that were not wiped out, and
/// no grid of relays exists. E, the loss ∬ μ (a − b) and the work are integrals over what a step passes,
/// by quadrature with error control (numerics/integral.hpp). A density with jumps is slow here; the
/// law `preisach-table` holds those in closed form.
///
/// Energy: relay (a, b) with the force −γμ stores −γμ (u − (a + b)/2) and loses μ (a − b) where it
/// switches; the spring stores ½ k u². Counted from rest.

#include <array>
#include <cmath>
#include <limits>
#include <tuple>

#include "microslip/core/concepts.hpp"
#include "microslip/core/fit_hints.hpp"
#include "microslip/detail/kernels/preisach.hpp"
#include "microslip/detail/numerics/integral.hpp"
#include "microslip/detail/numerics/same_function.hpp"

namespace microslip {

/// The formula has no parameters, so derivatives enter through the sides of a strip alone.
template <Number Real>
class FormulaRelays {
 public:
  explicit FormulaRelays(Expression density) : density_(std::move(density)) {}

  Real count(int d, const Real& s, const Real& r, bool virgin) const noexcept {
    const double end = value_of(s), start = virgin ? -end : value_of(r);
    Real count(plain_line(d, end, start).count);
    if constexpr (!std::is_same_v<Real, double>) {
      const Real de = s - end, dr = virgin ? Real(-de) : Real(r - start);
      count += slope(d, end, start) * de - at(d, end, start) * dr;
    }
    return count;
  }

  PreisachStrip<Real> strip(int d, const Real& from, const Real& to, const Real& corner,
                            bool virgin) const noexcept {
    const double start = value_of(from), end = value_of(to), r = value_of(corner);
    const auto lower = [&](double s) { return virgin ? -s : r; };
    const auto sum = over(start, end, [&](double s) { return plain_line(d, s, lower(s)); });
    PreisachStrip<Real> strip{Real(sum.count), Real(sum.ahead), Real(sum.width)};
    if constexpr (!std::is_same_v<Real, double>) {  // what moving the sides of the strip adds
      const Real ds = from - start, de = to - end;
      const auto first = plain_line(d, start, lower(start)), last = plain_line(d, end, lower(end));
      strip.count += last.count * de - first.count * ds;
      strip.ahead += sum.count * de - (end - start) * first.count * ds;
      strip.width += last.width * de - first.width * ds;
      if (!virgin) {
        const auto side = over(start, end, [&](double s) {
          const double density = at(d, s, r);
          return PreisachLine<double>{density, (s - r) * density};
        });
        const Real dr = corner - r;
        strip.count -= side.count * dr;
        strip.ahead -= side.ahead * dr;
        strip.width -= side.width * dr;
      }
    }
    return strip;
  }

  /// Kinks of the formula are not told.
  Real next_break(int, const Real&, bool) const noexcept {
    return Real(std::numeric_limits<double>::infinity());
  }

  const Expression& formula() const noexcept { return density_; }

 private:
  double at(int d, double s, double r) const noexcept {
    return d < 0 ? density_(-r, -s) : density_(s, r);
  }
  PreisachLine<double> plain_line(int d, double s, double r) const noexcept {
    const double way = s - r;
    const auto sum = unit_integral<Integrands<2>>([&](double t) {
      const double density = way * at(d, s, s - t * way);
      return Integrands<2>{{density, t * way * density}};
    });
    return {sum.values[0], sum.values[1]};
  }
  /// d/ds of the count from a fixed r: the relay at the end, and dμ/ds along the line.
  double slope(int d, double s, double r) const noexcept {
    const double way = s - r;
    const Dual<1> moving(s, 0);
    return at(d, s, s) +
           way * unit_integral<double>([&](double t) {
             const Dual<1> fixed(r + t * way);
             return (d < 0 ? density_(Dual<1>(-fixed), Dual<1>(-moving)) : density_(moving, fixed))
                 .v[0];
           });
  }
  template <class Line>
  static PreisachStrip<double> over(double from, double to, const Line& line) noexcept {
    const double way = to - from;
    const auto sum = unit_integral<Integrands<3>>([&](double t) {
      const PreisachLine<double> at = line(to - t * way);
      return Integrands<3>{{way * at.count, t * way * way * at.count, way * at.width}};
    });
    return {sum.values[0], sum.values[1], sum.values[2]};
  }

  Expression density_;
};

template <Number Real>
class Preisach : public PreisachLaw<Real, FormulaRelays<Real>> {
 public:
  struct Params {
    Real k{2};
    Expression density = Expression::parse("exp(b-a)", {"a", "b"});

    static constexpr auto fields = std::tuple{
        field(&Params::k, "k", "F/L", non_negative, "stiffness right after a reversal"),
        field(&Params::density, "density", "F/L^2", Variables{"a", "b"},
              "density of relays that switch at a while u rises and at b while it falls"),
    };
  };
  using Options = NoOptions;

  static constexpr Info info{
      .name = "preisach",
      .sentence = "Relays with any density of switching places, given as a formula.",
      .equation = "f = k u − ∬ μ(a, b) γ_ab[u] da db,  f = 0 at rest",
      .citation =
          "F. Preisach, Über die magnetische Nachwirkung, Zeitschrift für Physik 94 (1935) "
          "277–302; "
          "D. H. Everett, A general approach to hysteresis, part 4, Transactions of the Faraday "
          "Society 51 (1955) 1551–1557",
      .claims = {.odd = depends("density(a, b) = density(-b, -a)"),
                 .rate_independent = holds,
                 .masing = depends("the density is a function of a - b alone"),
                 .return_point_memory = holds,
                 .minor_loops_close = holds,
                 .dissipative = depends("the density is nowhere negative"),
                 .bounded = depends("k and the density say so"),
                 .planar_isotropic = not_applicable},
  };

  static FitHints fit_hints() {
    return {.left_out = "its density is a formula; loops finds that of preisach-table"};
  }

  explicit Preisach(const Params& params, const Options& = {})
      : PreisachLaw<Real, FormulaRelays<Real>>(params.k, FormulaRelays<Real>(params.density)) {
    check_fields(info.name, params);
    if (!std::isfinite(params.density(0.0, 0.0)))
      throw Error("preisach.density = " + params.density.text() +
                  " must have a value at a = b = 0");
  }

  bool odd() const {
    const Expression& density = this->density().formula();
    return same_function<2>([&](double a, double b) { return density(a, b); },
                            [&](double a, double b) { return density(-b, -a); });
  }
};

}  // namespace microslip
