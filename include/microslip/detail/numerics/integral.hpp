#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <type_traits>
#include <utility>

#include "microslip/core/dual.hpp"

/// Error-controlled quadrature that carries derivatives, for laws whose energy has no closed form.
namespace microslip {

/// Several integrands at the same nodes, integrated at once; the error of each is controlled.
template <std::size_t N>
struct Integrands {
  std::array<double, N> values{};

  constexpr Integrands& operator+=(const Integrands& other) {
    for (std::size_t i = 0; i < N; ++i) values[i] += other.values[i];
    return *this;
  }
  friend constexpr Integrands operator+(Integrands a, const Integrands& b) { return a += b; }
  friend constexpr Integrands operator*(double factor, Integrands a) {
    for (double& value : a.values) value *= factor;
    return a;
  }
};

namespace integral_detail {

inline constexpr double agreement = 1e-10;

/// The values of one integrand or of several, without derivatives.
template <std::size_t N>
constexpr const std::array<double, N>& plain(const Integrands<N>& x) {
  return x.values;
}
template <class Real>
constexpr std::array<double, 1> plain(const Real& x) {
  return {value_of(x)};
}

template <class Real>
struct Panel {
  using Plain = std::decay_t<decltype(plain(std::declval<const Real&>()))>;
  Real fine;     ///< Kronrod, 21 points
  Plain differ;  ///< from Gauss, 10 points

  /// Whether each difference is below its own limit, `relative` of `size` or `negligible`.
  constexpr bool agrees(double relative, const Plain& size, double negligible) const {
    for (std::size_t i = 0; i < differ.size(); ++i) {
      if (!(differ[i] <= std::max(negligible, relative * std::abs(size[i])))) return false;
    }
    return true;
  }
};

/// Kronrod's 21 points around Gauss's 10: the middle first; the weights of Gauss belong to every other point.
struct Kronrod21 {
  static constexpr std::array<double, 11> abscissa{0,
                                                   0.14887433898163122,
                                                   0.2943928627014602,
                                                   0.43339539412924721,
                                                   0.56275713466860466,
                                                   0.67940956829902444,
                                                   0.7808177265864169,
                                                   0.86506336668898454,
                                                   0.93015749135570824,
                                                   0.97390652851717174,
                                                   0.99565716302580809};
  static constexpr std::array<double, 11> weights{
      0.1494455540029169,   0.14773910490133849,  0.14277593857706009,  0.13470921731147334,
      0.12349197626206584,  0.10938715880229764,  0.093125454583697601, 0.075039674810919957,
      0.054755896574351995, 0.032558162307964725, 0.011694638867371874};
  static constexpr std::array<double, 5> gauss_weights{0.29552422471475287, 0.26926671930999635,
                                                       0.21908636251598204, 0.14945134915058059,
                                                       0.066671344308688138};
};

template <class Real, class F>
constexpr Panel<Real> panel(const F& f, double from, double to) {
  using Kronrod = Kronrod21;
  const double middle = 0.5 * (from + to), half = 0.5 * (to - from);
  const Real centre = f(middle);
  Real fine = Kronrod::weights[0] * centre;
  typename Panel<Real>::Plain coarse{};
  for (std::size_t i = 1; i < Kronrod::abscissa.size(); ++i) {
    const double x = half * Kronrod::abscissa[i];
    const Real pair = f(middle - x) + f(middle + x);
    fine += Kronrod::weights[i] * pair;
    if (i % 2 == 1) {  // every other node
      for (std::size_t k = 0; k < coarse.size(); ++k)
        coarse[k] += Kronrod::gauss_weights[i / 2] * plain(pair)[k];
    }
  }
  for (std::size_t k = 0; k < coarse.size(); ++k)
    coarse[k] = half * std::abs(plain(fine)[k] - coarse[k]);
  return {half * fine, coarse};
}

/// [0, 1] with Kronrod's 7 points around Gauss's 3, for short steps, over which f hardly bends:
/// both rules could agree by accident elsewhere. The finer is exact to degree 11, the coarser to
/// degree 5.
template <class Real, class F>
constexpr Panel<Real> short_panel(const F& f) {
  constexpr double node[] = {0.960491268708020283, 0.774596669241483377, 0.434243749346802558};
  constexpr double weight[] = {0.104656226026467265, 0.268488089868333441, 0.401397414775962223};
  const Real centre = f(0.5);
  Real fine = 0.450916538658474143 * centre;
  typename Panel<Real>::Plain coarse = plain(centre);
  for (double& value : coarse) value *= 8.0 / 9;
  for (std::size_t i = 0; i < 3; ++i) {
    const Real pair = f(0.5 - 0.5 * node[i]) + f(0.5 + 0.5 * node[i]);
    fine += weight[i] * pair;
    if (i != 1) continue;
    for (std::size_t k = 0; k < coarse.size(); ++k) coarse[k] += 5.0 / 9 * plain(pair)[k];
  }
  for (std::size_t k = 0; k < coarse.size(); ++k) {
    const bool bends = !(std::abs(coarse[k] - 2 * plain(centre)[k]) <= 0.02 * std::abs(coarse[k]));
    coarse[k] = bends ? HUGE_VAL : 0.5 * std::abs(plain(fine)[k] - coarse[k]);
  }
  return {0.5 * fine, coarse};
}
inline constexpr double short_agreement = 1e-9;

}  // namespace integral_detail

/// ∫₀¹ f(s) ds of a function without change of sign (a number or Integrands), to about 1e-13 of its size where f is smooth:
/// panels are halved until the 10-point rule inside the 21-point one agrees to 1e-10. A function
/// that is itself rough at that level (rounding of a user's formula) ends with the panels it may
/// have. Differences below `negligible` do not matter.
template <class Real, class F>
[[gnu::noinline]] constexpr Real unit_integral(const F& f, double negligible = 0) {
  const auto at_once = integral_detail::short_panel<Real>(f);
  if (at_once.agrees(integral_detail::short_agreement, integral_detail::plain(at_once.fine),
                     negligible))
    return at_once.fine;
  constexpr int most_halvings = 30;
  int halvings_left = 100;                     // a power-like singularity at an end takes 30
  std::array<double, most_halvings + 1> ends;  // of the panels still to do, the nearest on top
  std::size_t count = 1;
  ends[0] = 1;
  double from = 0;
  typename integral_detail::Panel<Real>::Plain largest{};
  Real sum{};
  while (count > 0) {
    const double to = ends[count - 1];
    const auto panel = integral_detail::panel<Real>(f, from, to);
    for (std::size_t k = 0; k < largest.size(); ++k)
      largest[k] = std::max(largest[k], std::abs(integral_detail::plain(panel.fine)[k]));
    if (!panel.agrees(integral_detail::agreement, largest, negligible) && count < ends.size() &&
        halvings_left-- > 0) {
      ends[count++] = 0.5 * (from + to);
    } else {
      sum += panel.fine;
      from = to;
      --count;
    }
  }
  return sum;
}

}  // namespace microslip
