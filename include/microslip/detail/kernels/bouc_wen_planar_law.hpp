#pragma once

#include <string_view>
#include <tuple>

#include "microslip/core/concepts.hpp"
#include "microslip/core/field.hpp"
#include "microslip/core/info.hpp"
#include "microslip/core/response.hpp"
#include "microslip/detail/kernels/bouc_wen_planar.hpp"
#include "microslip/detail/numerics/planar.hpp"

namespace microslip {

/// The part that the Bouc–Wen laws in the plane share: f = a k u + (1 − a) k z.
/// Energy: Ψ = ½ a k |u|² + ½ (1−a) k |z|²/A. A law derives from it and brings its parameters and
/// its introduction.
template <Number Real>
class BoucWenPlanarLaw {
 public:
  using Scalar = Real;
  static constexpr auto directions = microslip::directions::plane;

  struct State {
    Vec2<Real> u = zero_vector<Real>();
    Vec2<Real> f = zero_vector<Real>();
    Vec2<Real> z = zero_vector<Real>();
    static constexpr auto fields = std::tuple{
        state_field(&State::u, "u", "L", "displacement"),
        state_field(&State::f, "f", "F", "force"),
        state_field(&State::z, "z", "L", "hysteretic displacement"),
    };
  };

  constexpr State rest() const { return {}; }

  constexpr PlanarResponse<Real> step(const State& from, const Vec2<Real>& u,
                                      State& to) const noexcept {
    if (u[0] == from.u[0] && u[1] == from.u[1]) {
      const PlanarResponse<Real> unchanged{from.f, tangent_at_rest(from), Real(0)};
      to = from;
      return unchanged;
    }
    const V end = plane_moving<Real>(u), start = plane_fixed<Real>(from.u);
    const auto leg =
        flow_.advance(plane_fixed<Real>(from.z), V{end[0] - start[0], end[1] - start[1]});
    const V f{spring_ * end[0] + hysteretic_ * leg.z[0], spring_ * end[1] + hysteretic_ * leg.z[1]};
    const Vec2<Real> target = u;  // `to` may hold `u`
    to.u = target;
    to.z = plane_settled<Real>(leg.z);
    to.f = plane_settled<Real>(f);
    return {to.f, plane_tangent<Real>(f), plane_settled<Real>(T(hysteretic_ * leg.lost)),
            leg.status};
  }

  constexpr Real stored(const State& state) const noexcept {
    const Real spring = plane_settled<Real>(spring_);
    return 0.5 * (spring * dot(state.u, state.u) +
                  plane_settled<Real>(T(hysteretic_ / A_)) * dot(state.z, state.z));
  }

  /// Where an absolute value in the equations changes its branch.
  constexpr Real next_kink(const State& state, const Vec2<Real>& along) const noexcept {
    return plane_settled<Real>(flow_.next_crossing(
        plane_fixed<Real>(state.z), plane_fixed<Real>(along), value_of(state.u).norm()));
  }

 protected:
  struct Coefficients {
    Real A, beta, gamma, n, k, a;
  };
  constexpr BoucWenPlanarLaw(const Coefficients& c, bouc_wen::Coupling coupling)
      : A_(plane_fixed<Real>(c.A)),
        spring_(plane_fixed<Real>(Real(c.a * c.k))),
        hysteretic_(plane_fixed<Real>(Real((1.0 - c.a) * c.k))),
        flow_(A_, plane_fixed<Real>(c.beta), plane_fixed<Real>(c.gamma), plane_fixed<Real>(c.n),
              coupling) {}

  /// The check that all of them need: β ≥ |γ|.
  template <class Params>
  static constexpr const Params& checked(std::string_view law, const Params& params) {
    check_fields(law, params);
    const double beta = value_of(params.beta);
    check_value(law, "gamma", value_of(params.gamma), closed_interval(-beta, beta));
    return params;
  }

 private:
  using T = AlongPlane<Real>;
  using V = Vec2<T>;

  constexpr Mat2<Real> tangent_at_rest(const State& state) const noexcept {
    const Mat2<T> slope = flow_.tangent(plane_fixed<Real>(state.z));
    Mat2<Real> result;
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 2; ++j)
        result(i, j) =
            plane_settled<Real>(T(hysteretic_ * slope(i, j) + (i == j ? spring_ : T(0))));
    return result;
  }

  T A_, spring_, hysteretic_;
  bouc_wen::PlanarFlow<T> flow_;
};

/// What all of them claim.
inline constexpr Claims planar_bouc_wen_claims(Claim isotropic) {
  return {.odd = holds,
          .rate_independent = holds,
          .masing = not_applicable,
          .return_point_memory = not_applicable,
          .minor_loops_close = not_applicable,
          .dissipative = holds,
          .bounded = depends("a = 0 and beta + gamma > 0"),
          .planar_isotropic = isotropic};
}

}  // namespace microslip
