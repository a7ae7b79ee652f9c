#pragma once

/// # duhem: hysteresis from two slopes, given as formulas
///
///     z' = g1(u, z) (u')⁺ − g2(u, z) (u')⁻,   f = z,   z = z0 at rest
///
/// so dz/du is g1 while u grows and g2 while it falls ((u')⁻ is the size of a falling velocity). It
/// is the mother of `bouc` (g1 = A − αz, g2 = A + αz), `dahl`, Bouc–Wen and Valanis, and whatever a
/// user writes: 1 - z^3, 1.2 - (z - 0.2*u) …
///
/// The step is error-controlled (kernels/duhem_flow.hpp). Kinks of the formulas (abs, sign, min, max) are not told by
/// next_kink, and cost many small steps; a bump narrower than a quarter of a step may be passed
/// over.
///
/// Energy: a Duhem law has no natural Ψ. This one reports z²/(2 k0), k0 = g1(0, z0) the first
/// slope, which is the energy of the spring in `bouc`; 0 if k0 ≤ 0. What a step loses is work − ΔΨ.

#include <cmath>
#include <limits>
#include <tuple>

#include "microslip/core/concepts.hpp"
#include "microslip/kernels/duhem_flow.hpp"

namespace microslip {

template <Number Real>
class Duhem {
 public:
  using Scalar = Real;

  struct Params {
    Expression g1 = Expression::parse("1-z", {"u", "z"});
    Expression g2 = Expression::parse("1+z", {"u", "z"});
    Real z0{0};

    static constexpr auto fields = std::tuple{
        field(&Params::g1, "g1", "F/L", Variables{"u", "z"}, "slope dz/du while u grows"),
        field(&Params::g2, "g2", "F/L", Variables{"u", "z"}, "slope dz/du while u falls"),
        field(&Params::z0, "z0", "F", any_number, "force at rest"),
    };
  };
  using Options = NoOptions;

  struct State {
    Real u{0};
    Real f{0};
    int direction = 0;  ///< of the last motion; 0 at rest

    static constexpr auto fields = std::tuple{
        state_field(&State::u, "u", "L", "displacement"),
        state_field(&State::f, "f", "F", "force, z"),
        state_field(&State::direction, "direction", "1", "sign of the last motion"),
    };
  };

  static constexpr Info info{
      .name = "duhem",
      .sentence = "Hysteresis whose slope is one formula while loading and another unloading.",
      .equation = "z' = g1(u, z) (u')⁺ − g2(u, z) (u')⁻,  f = z",
      .citation =
          "P. Duhem, Die dauernden Änderungen und die Thermodynamik, Zeitschrift für "
          "Physikalische Chemie 22 (1897) 545–589",
      .claims = {.odd = depends("g2(u, z) = g1(-u, -z) and z0 = 0"),
                 .rate_independent = holds,
                 .masing = fails,
                 .return_point_memory = fails,
                 .minor_loops_close = fails,
                 .dissipative = depends("the formulas make it so, as g1 = 1 - z, g2 = 1 + z does"),
                 .bounded = depends("the formulas make it so, as g1 = 1 - z, g2 = 1 + z does"),
                 .planar_isotropic = not_applicable},
  };

  explicit Duhem(const Params& params, const Options& = {}) : p_(params) {
    check_fields(info.name, params);
    const double slope = p_.g1(0.0, value_of(p_.z0));
    if (!std::isfinite(slope))
      throw Error("duhem.g1 = " + p_.g1.text() + " must have a value at u = 0, z = z0");
    const Real first = p_.g1(Real(0), p_.z0);
    compliance_ = slope > 0 ? 1.0 / first : Real(0);
  }

  State rest() const {
    State state;
    state.f = p_.z0;
    return state;
  }

  Response<Real> step(const State& from, const Real& u, State& to) const noexcept {
    const int direction = u > from.u ? 1 : u < from.u ? -1 : from.direction;
    const DuhemSlope<Real> slope{direction < 0 ? p_.g2 : p_.g1};
    if (u == from.u) {
      const Response<Real> unchanged{from.f, slope(from.u, from.f), Real(0)};
      to = from;
      return unchanged;
    }
    const auto end = DuhemFlow<Real>::advance(slope, {from.u, from.f, Real(0), Real(0)}, u);
    if (end.status != Status::ok) {
      const Response<Real> failed{from.f, Real(0), Real(0), end.status};
      to = from;
      return failed;
    }
    const Real before = energy(from.f);
    to.u = u;
    to.f = end.z;
    to.direction = direction;
    return {to.f, end.slope, end.work + before - energy(to.f)};
  }

  Real stored(const State& state) const noexcept { return energy(state.f); }

  Real next_kink(const State&, int direction) const noexcept {
    return Real(direction * std::numeric_limits<double>::infinity());
  }

 private:
  Real energy(const Real& z) const noexcept { return 0.5 * compliance_ * z * z; }

  Params p_;
  Real compliance_{0};
};

}  // namespace microslip
