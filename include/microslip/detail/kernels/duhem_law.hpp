#pragma once

#include <limits>
#include <tuple>

#include "microslip/core/field.hpp"
#include "microslip/core/info.hpp"
#include "microslip/core/response.hpp"

namespace microslip {

/// Whether g2(x) = g1(−x) in all variables, as the form of the formulas tells.
bool slopes_are_mirrored(const Expression& g1, const Expression& g2);
/// Whether a periodic motion may lead to a loop that repeats, as the form of the formulas tells. None does
/// where one slope is larger than the other for all u and z, and for any velocity v, on and back: the way
/// back ends beside where the way on began. Nor does a force in which z does not occur, since nothing makes
/// it forget what a cycle adds, unless both slopes are the same (an elastic force) or mirrored, where a
/// mirrored motion adds nothing.
bool loops_repeat(const Expression& g1, const Expression& g2, double z0);

/// The part that laws whose slope dz/du is a formula share: f = z, Ψ = z²/(2 k0) with the first
/// slope k0 (0 if k0 ≤ 0), and what a step loses is work − ΔΨ.
template <Number Real>
class DuhemLaw {
 public:
  using Scalar = Real;

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

  State rest() const {
    State state;
    state.f = at_rest_;
    return state;
  }

  Real stored(const State& state) const noexcept { return energy(state.f); }

  Real next_kink(const State&, int direction) const noexcept {
    return Real(direction * std::numeric_limits<double>::infinity());
  }

 protected:
  DuhemLaw(const Real& at_rest, const Real& first_slope)
      : at_rest_(at_rest), compliance_(first_slope > 0.0 ? 1.0 / first_slope : Real(0)) {}

  static int direction(const State& from, const Real& u) noexcept {
    return u > from.u ? 1 : u < from.u ? -1 : from.direction;
  }
  static Response<Real> stay(const State& from, const Real& slope, Status status,
                             State& to) noexcept {
    const Response<Real> unchanged{from.f, slope, Real(0), status};
    to = from;
    return unchanged;
  }
  Response<Real> arrive(const State& from, const Real& u, const Real& z, const Real& slope,
                        const Real& work, State& to) const noexcept {
    const Real before = energy(from.f);
    to.direction = direction(from, u);
    to.u = u;
    to.f = z;
    return {to.f, slope, work + before - energy(to.f)};
  }

 private:
  Real energy(const Real& z) const noexcept { return 0.5 * compliance_ * z * z; }

  Real at_rest_, compliance_;
};

/// Formulas decide about everything but memory, of which one state has none beyond itself.
inline constexpr Claims duhem_claims(Claim odd, Claim rate_independent) {
  return {.odd = odd,
          .rate_independent = rate_independent,
          .masing = fails,
          .return_point_memory = fails,
          .minor_loops_close = fails,
          .dissipative = depends("the formulas make it so, as g1 = 1 - z, g2 = 1 + z does"),
          .bounded = depends("the formulas make it so, as g1 = 1 - z, g2 = 1 + z does"),
          .planar_isotropic = not_applicable};
}

}  // namespace microslip
