#pragma once

/// # contact: friction under a normal force that changes, and opening
///
///     N  = max(0, N0 + kn un)
///     ft ← clamp(ft + kt Δut, −μN, μN),   ft = 0 while N = 0
///     fn = N − max(N0, 0)
///
/// A unilateral spring against the surface and a spring with a Coulomb slider along it. un is positive
/// where the surfaces approach. The rest of the structure holds a positive N0 at rest; a negative N0 is
/// a gap of −N0/kn that carries nothing.
///
/// The step is exact. Over a straight motion N, the elastic force and so the distance between force and
/// limit are linear in the path parameter. Slip that has begun goes on to the end of the step or to
/// opening, because its rate kt ut′ ∓ μ kn un′ is constant: one clamp at the end, of the force of a
/// spring that begins at ft, or at zero where the contact closes on the way. The joint slips when N falls
/// while ut rests, and sticks while μN grows faster than kt ut.
///
/// Energy: Ψ = ft²/(2kt) + ∫ (N − max(N0, 0)) dun. Slip by ds = dut − dft/kt loses μN |ds|: over a piece
/// the mean limit times the distance.
///
/// In slip ∂ft/∂un = ±μkn and ∂fn/∂ut = 0: the tangent is not symmetric.

#include <memory>
#include <tuple>

#include "microslip/core/concepts.hpp"
#include "microslip/detail/kernels/contact_walk.hpp"
#include "microslip/detail/kernels/friction_spring.hpp"
#include "microslip/detail/kernels/unilateral_spring.hpp"

namespace microslip {

template <Number Real>
class Contact {
 public:
  using Scalar = Real;
  static constexpr auto directions = microslip::directions::contact;

  using Params = ContactParams<Real>;
  using Options = NoOptions;

  struct State {
    Vec2<Real> u = Vec2<Real>(Real(0), Real(0));
    Vec2<Real> f = Vec2<Real>(Real(0), Real(0));
    static constexpr auto fields = std::tuple{
        state_field(&State::u, "u", "L", "displacement"),
        state_field(&State::f, "f", "F", "force"),
    };
  };

  static constexpr Info info{
      .name = "contact",
      .sentence = "Friction along one direction under a normal force that changes and may vanish.",
      .equation = "N = max(0, N0 + kn un),  ft ← clamp(ft + kt Δut, −μN, μN),  fn = N − max(N0, 0)",
      .citation =
          "C. H. Menq, B. D. Yang, Non-linear spring resistance and friction damping of frictional "
          "constraint having two-dimensional motion, Journal of Sound and Vibration 217 (1998) "
          "127–143; E. P. Petrov, D. J. Ewins, Analytical formulation of friction interface "
          "elements "
          "for analysis of nonlinear multi-harmonic vibrations of bladed disks, Journal of "
          "Turbomachinery 125 (2003) 364–371",
      .claims = {.odd = fails,
                 .rate_independent = holds,
                 .masing = not_applicable,
                 .return_point_memory = not_applicable,
                 .minor_loops_close = not_applicable,
                 .dissipative = holds,
                 .bounded = fails,
                 .planar_isotropic = not_applicable},
  };

  explicit constexpr Contact(const Params& params, const Options& options = {})
      : Contact(checked_fields(info.name, params), options, were_checked) {}
  constexpr Contact(const Params& params, const Options&, WereChecked) noexcept
      : element_{params.kt, params.mu, {params.kn, params.N0}} {}

  constexpr State rest() const { return {}; }

  constexpr VectorResponse<Real, 2> step(const State& from, const Vec2<Real>& u,
                                         State& to) const noexcept {
    if (u[0] == from.u[0] && u[1] == from.u[1]) {
      const VectorResponse<Real, 2> unchanged{
          from.f, element_.tangent_at_rest(from.u[1], from.f[0]), Real(0)};
      to = from;
      return unchanged;
    }
    const VectorResponse<Real, 2> reply = element_.step(from.u, from.f[0], u);
    const Vec2<Real> target = u;  // `to` may hold `u`
    to.u = target;
    to.f = reply.force;
    return reply;
  }

  constexpr Real stored(const State& state) const noexcept {
    return element_.stored(state.u[1], state.f[0]);
  }

  /// Opening, closing, or the onset of slip.
  constexpr Real next_kink(const State& state, const Vec2<Real>& along) const noexcept {
    return element_.next_kink(state.u, state.f[0], along);
  }

  std::unique_ptr<Walk> walk() const {
    return std::make_unique<ContactWalk>(
        value_of(element_.kt), value_of(element_.mu),
        UnilateralSpring<double>{value_of(element_.normal.kn), value_of(element_.normal.N0)});
  }

 private:
  FrictionSpring<Real> element_;
};

}  // namespace microslip
