#pragma once

/// # duhem-rate: hysteresis from two slopes that may depend on the velocity
///
///     z' = g1(u, z, v) (u')⁺ − g2(u, z, v) (u')⁻,   v = u',   f = z,   z = z0 at rest
///
/// The general form z' = f(z, u') g(u') of Duhem's law: `duhem` is the case without v, the bristle of
/// `lugre` the case g1 = 1 − z/g(v), and `lugre-duhem` the case g1 = 1 − z^n (β + γ) q(v). The
/// formulas must have a value at v = 0, which an infinitely slow motion meets.
///
/// Over a step the velocity is constant, so that the step is that of `duhem` with one number more
/// (kernels/duhem_flow.hpp); the tangent is carried through it.
///
/// Energy: as in `duhem`, Ψ = z²/(2 k0), k0 = g1(0, z0, 0); 0 if k0 ≤ 0. What a step loses is
/// work − ΔΨ.

#include <array>
#include <cmath>
#include <string>
#include <tuple>
#include <utility>

#include "microslip/core/concepts.hpp"
#include "microslip/detail/kernels/duhem_flow.hpp"
#include "microslip/detail/kernels/duhem_law.hpp"
#include "microslip/detail/kernels/relaxation.hpp"
#include "microslip/detail/numerics/with_tangent.hpp"

namespace microslip {

template <Number Real>
class DuhemRate : public DuhemLaw<Real> {
 public:
  using typename DuhemLaw<Real>::State;

  struct Params {
    Expression g1 = Expression::parse("1-(1+v)*z", {"u", "z", "v"});
    Expression g2 = Expression::parse("1+(1-v)*z", {"u", "z", "v"});
    Real z0{0};

    static constexpr auto fields = std::tuple{
        field(&Params::g1, "g1", "F/L", Variables{"u", "z", "v"}, "slope dz/du while u grows"),
        field(&Params::g2, "g2", "F/L", Variables{"u", "z", "v"}, "slope dz/du while u falls"),
        field(&Params::z0, "z0", "F", any_number, "force at rest"),
    };
  };
  using Options = NoOptions;

  static constexpr Info info{
      .name = "duhem-rate",
      .sentence = "Hysteresis whose slope is a formula of displacement, force and velocity.",
      .equation = "z' = g1(u, z, v) (u')⁺ − g2(u, z, v) (u')⁻,  v = u',  f = z",
      .citation =
          "M. F. M. Naser, F. Ikhouane, Consistency of the Duhem model with hysteresis, "
          "Mathematical Problems in Engineering 2013, 586130",
      .claims = duhem_claims(depends("g2(u, z, v) = g1(-u, -z, -v) and z0 = 0"),
                             depends("v does not occur in the formulas")),
  };

  explicit DuhemRate(const Params& params, const Options& = {})
      : DuhemLaw<Real>(params.z0, params.g1(Real(0), params.z0, Real(0))), p_(params) {
    check_fields(info.name, params);
    for (const auto& [name, formula] : {std::pair{"g1", &p_.g1}, std::pair{"g2", &p_.g2}})
      if (!std::isfinite((*formula)(0.0, value_of(p_.z0), 0.0)))
        throw Error("duhem-rate." + std::string(name) + " = " + formula->text() +
                    " must have a value at u = 0, z = z0, v = 0");
  }

  bool odd() const { return value_of(p_.z0) == 0 && slopes_are_mirrored(p_.g1, p_.g2); }

  bool repeats() const { return loops_repeat(p_.g1, p_.g2, value_of(p_.z0)); }

  Response<Real> step(const State& from, const Real& u, double dt, State& to) const noexcept {
    const bool falls = this->direction(from, u) < 0;
    const Expression& formula = falls ? p_.g2 : p_.g1;
    if (u == from.u) return this->stay(from, formula(from.u, from.f, Real(0)), Status::ok, to);
    const T start = fixed(from.u), end = moving(u);
    const T v = relaxation::velocity(T(end - start), dt);
    const auto leg = DuhemFlow<T>::advance({formula, affine_[falls], &v},
                                           {start, fixed(from.f), T(0), T(0)}, end);
    if (leg.status != Status::ok) return this->stay(from, Real(0), leg.status, to);
    return this->arrive(from, u, settled<Real>(leg.z), Real(slope_along(leg.z)),
                        settled<Real>(leg.work), to);
  }

  constexpr ForceInMotion<Real> force(const State& at, const Real& /*v*/) const noexcept {
    return {at.f, Real(0)};
  }

 private:
  using T = WithTangent<Real>;

  Params p_;
  std::array<bool, 2> affine_{affine_slope(p_.g1), affine_slope(p_.g2)};
};

}  // namespace microslip
