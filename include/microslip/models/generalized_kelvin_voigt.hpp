#pragma once

/// # generalized-kelvin-voigt: Kelvin–Voigt elements in series
///
///     u = Σ u_i,   f = k_i u_i + c_i u_i'   for every i
///
/// Driven by displacement, the elements have to agree on a common force. In the Laplace domain
/// f/u = 1/J with J(s) = Σ 1/(k_i + c_i s), whose zeros −r_j separate its poles −k_i/c_i, so
///
///     1/J(s) = k∞ + c∞ s + Σ g_j s/(s + r_j),
///     1/k∞ = Σ 1/k_i,   1/c∞ = Σ 1/c_i,   1/g_j = r_j Σ c_i/(k_i − c_i r_j)² :
///
/// a spring, a dashpot and n − 1 Maxwell branches of relaxation time 1/r_j in parallel, which are
/// solved exactly for any step (kernels/relaxation.hpp). Both forms have the same stored energy,
/// because a passive network of springs and dashpots fixes it by its response alone.
///
/// Elements of equal k_i/c_i move together; they are one element with the sums of 1/k_i and 1/c_i.

#include <boost/math/tools/toms748_solve.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

#include "microslip/core/concepts.hpp"
#include "microslip/core/fit_hints.hpp"
#include "microslip/detail/kernels/relaxation.hpp"

namespace microslip {

template <Number Real>
class GeneralizedKelvinVoigt : public RelaxationLaw<Real> {
 public:
  struct Params {
    std::vector<Real> k{Real(1), Real(2)};
    std::vector<Real> c{Real(1), Real(0.2)};
    static constexpr auto fields = std::tuple{
        field(&Params::k, "k", "F/L", positive, "stiffness of each element"),
        field(&Params::c, "c", "F T/L", positive, "damping coefficient of each element"),
    };
  };
  using Options = NoOptions;

  static constexpr Info info{
      .name = "generalized-kelvin-voigt",
      .sentence = "Kelvin–Voigt elements in series, each with its own creep time.",
      .equation = "u = Σ u_i,  f = k_i u_i + c_i u_i'",
      .citation = "R. Lakes, Viscoelastic Materials, Cambridge University Press (2009)",
      .claims = relaxation_claims,
  };

  static FitHints fit_hints() {
    return {.elements = {{.by = "c", .over = "k", .in_parallel = false}}};
  }

  explicit GeneralizedKelvinVoigt(const Params& params, const Options& = {})
      : RelaxationLaw<Real>(built(params)) {}

 private:
  /// J(s) = Σ weight/(s + pole), poles ascending.
  struct Element {
    Real weight, pole;
  };

  static RelaxationSpectrum<Real> built(const Params& p) {
    check_fields(info.name, p);
    check_same_length(info.name, "k", p.k.size(), "c", p.c.size());
    const std::vector<Element> elements = distinct(p);
    Real softness(0), fluidity(0);
    for (std::size_t i = 0; i < p.k.size(); ++i) {
      softness += 1.0 / p.k[i];
      fluidity += 1.0 / p.c[i];
    }
    RelaxationSpectrum<Real> spectrum{1.0 / softness, 1.0 / fluidity, {}, {}};
    for (std::size_t j = 0; j + 1 < elements.size(); ++j) {
      const Real r = zero_between(elements, j);
      Real slope(0);
      for (const Element& e : elements) slope += e.weight / square(e.pole - r);
      spectrum.k.push_back(1.0 / (r * slope));
      spectrum.tau.push_back(1.0 / r);
    }
    return spectrum;
  }

  /// Poles closer than rounding resolves count as one, at their mean: the branch between them
  /// would have a stiffness of the order of their squared distance.
  static std::vector<Element> distinct(const Params& p) {
    std::vector<Real> poles(p.k.size());
    for (std::size_t i = 0; i < poles.size(); ++i) poles[i] = p.k[i] / p.c[i];
    std::vector<Element> elements;
    for (const std::size_t i : ascending(poles)) {
      const Element e{1.0 / p.c[i], poles[i]};
      if (elements.empty() || e.pole > elements.back().pole * (1 + 1e-10)) {
        elements.push_back(e);
        continue;
      }
      Element& last = elements.back();
      const Real sum = last.weight + e.weight;
      last = {sum, (last.weight * last.pole + e.weight * e.pole) / sum};
    }
    return elements;
  }

  /// The zero of Σ weight/(pole − r) between poles j and j + 1, where the sum rises from −∞ to ∞.
  /// Multiplied by the distances to both poles it is finite at the ends of the interval.
  static Real zero_between(const std::vector<Element>& elements, std::size_t j) {
    const double low = value_of(elements[j].pole);
    const double gap = value_of(elements[j + 1].pole) - low;
    const auto scaled = [&](double t) {
      double others = 0;
      for (std::size_t i = 0; i < elements.size(); ++i)
        if (i != j && i != j + 1)
          others += value_of(elements[i].weight) / (value_of(elements[i].pole) - low - t * gap);
      return -value_of(elements[j].weight) * (1 - t) + value_of(elements[j + 1].weight) * t +
             others * gap * t * (1 - t);
    };
    std::uintmax_t iterations = 200;
    const auto bracket = boost::math::tools::toms748_solve(
        scaled, 0.0, 1.0, boost::math::tools::eps_tolerance<double>(53), iterations);
    const double found = low + 0.5 * (bracket.first + bracket.second) * gap;
    // One Newton step carries the derivatives.
    Real sum(0), slope(0);
    for (const Element& e : elements) {
      const Real distance = e.pole - found;
      sum += e.weight / distance;
      slope += e.weight / square(distance);
    }
    return found - sum / slope;
  }
};

}  // namespace microslip
