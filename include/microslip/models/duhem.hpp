#pragma once

/// # duhem: hysteresis from two slopes, given as formulas
///
///     z' = g1(u, z) (u')⁺ − g2(u, z) (u')⁻,   f = z,   z = z0 at rest
///
/// so dz/du is g1 while u grows and g2 while it falls ((u')⁻ is the size of a falling velocity). It
/// is the mother of `bouc` (g1 = A − αz, g2 = A + αz), `dahl`, Bouc–Wen and Valanis, and whatever a
/// user writes: 1 - z^3, 1.2 - (z - 0.2*u) …
///
/// The step has a closed form if the slopes are a + b z + c u, and is error-controlled if not
/// (kernels/duhem_flow.hpp). Kinks of the formulas (abs, sign, min, max) are not told by
/// next_kink, and cost many small steps; a bump narrower than a quarter of a step may be passed
/// over.
///
/// Energy: a Duhem law has no natural Ψ. This one reports z²/(2 k0), k0 = g1(0, z0) the first
/// slope, which is the energy of the spring in `bouc`; 0 if k0 ≤ 0. What a step loses is work − ΔΨ.

#include <array>
#include <cmath>
#include <tuple>

#include "microslip/core/concepts.hpp"
#include "microslip/detail/kernels/duhem_flow.hpp"
#include "microslip/detail/kernels/duhem_law.hpp"

namespace microslip {

template <Number Real>
class Duhem : public DuhemLaw<Real> {
 public:
  using typename DuhemLaw<Real>::State;

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

  static constexpr Info info{
      .name = "duhem",
      .sentence = "Hysteresis whose slope is one formula while loading and another unloading.",
      .equation = "z' = g1(u, z) (u')⁺ − g2(u, z) (u')⁻,  f = z",
      .citation =
          "P. Duhem, Die dauernden Änderungen und die Thermodynamik, Zeitschrift für "
          "Physikalische Chemie 22 (1897) 545–589",
      .claims = duhem_claims(depends("g2(u, z) = g1(-u, -z) and z0 = 0"), holds),
  };

  explicit Duhem(const Params& params, const Options& = {})
      : DuhemLaw<Real>(params.z0, params.g1(Real(0), params.z0)), p_(params) {
    check_fields(info.name, params);
    if (!std::isfinite(p_.g1(0.0, value_of(p_.z0))))
      throw Error("duhem.g1 = " + p_.g1.text() + " must have a value at u = 0, z = z0");
  }

  bool odd() const { return value_of(p_.z0) == 0 && slopes_are_mirrored(p_.g1, p_.g2); }

  bool repeats() const { return loops_repeat(p_.g1, p_.g2, value_of(p_.z0)); }

  Response<Real> step(const State& from, const Real& u, State& to) const noexcept {
    const bool falls = this->direction(from, u) < 0;
    const DuhemSlope<Real> slope{falls ? p_.g2 : p_.g1, affine_[falls]};
    if (u == from.u) return this->stay(from, slope(from.u, from.f), Status::ok, to);
    const auto end = DuhemFlow<Real>::advance(slope, {from.u, from.f, Real(0), Real(0)}, u);
    if (end.status != Status::ok) return this->stay(from, Real(0), end.status, to);
    return this->arrive(from, u, end.z, end.slope, end.work, to);
  }

 private:
  Params p_;
  std::array<bool, 2> affine_{affine_slope(p_.g1), affine_slope(p_.g2)};
};

}  // namespace microslip
