#pragma once

/// # iwan-pinning: a bolted joint whose bolt meets the rim of its hole
///
///     f = iwan4[u] + KP sgn(u) (|u| − δp)₊
///
/// Beyond the clearance δp the shank bears on the hole with the stiffness KP, without loss. The
/// joint keeps its return-point memory, but the pin acts at fixed displacements, so branches are no
/// longer the doubled backbone.

#include <cmath>
#include <tuple>

#include "microslip/core/concepts.hpp"
#include "microslip/detail/kernels/iwan4_backbone.hpp"
#include "microslip/detail/kernels/masing.hpp"

namespace microslip {

template <Number Real>
class IwanPinning {
 public:
  using Scalar = Real;

  struct Params {
    Real Fs{1};
    Real KT{1};
    Real chi{-0.5};
    Real beta{0.1};
    Real delta_p{2};
    Real KP{0.5};

    static constexpr auto fields = std::tuple{
        field(&Params::Fs, "Fs", "F", positive, "force at which the whole joint slips"),
        field(&Params::KT, "KT", "F/L", positive, "tangent stiffness at rest"),
        field(&Params::chi, "chi", "1", left_open_interval(-1, 0),
              "exponent of the slider density: small cycles lose energy like amplitude^(3+chi)"),
        field(&Params::beta, "beta", "1", non_negative,
              "stiffness lost at once at full slip, relative to that lost before"),
        field(&Params::delta_p, "delta_p", "L", non_negative, "clearance of the pin"),
        field(&Params::KP, "KP", "F/L", non_negative, "stiffness of the pin in contact"),
    };
  };
  using Options = NoOptions;
  using State = MasingState<Real>;

  static constexpr Info info{
      .name = "iwan-pinning",
      .sentence = "iwan4 with a pin that bears after a clearance: slip, then stiffening.",
      .equation = "f = iwan4[u] + KP sgn(u) (|u| − δp)₊",
      .citation =
          "M. R. W. Brake, A reduced Iwan model that includes pinning for bolted joint "
          "mechanics, Nonlinear Dynamics 87 (2017) 1335–1349",
      .claims = {.odd = holds,
                 .rate_independent = holds,
                 .masing = depends("KP = 0"),
                 .return_point_memory = holds,
                 .minor_loops_close = holds,
                 .dissipative = holds,
                 .bounded = depends("KP = 0"),
                 .planar_isotropic = not_applicable},
  };

  explicit constexpr IwanPinning(const Params& params, const Options& options = {})
      : IwanPinning(checked_fields(info.name, params), options, were_checked) {}
  constexpr IwanPinning(const Params& params, const Options&, WereChecked) noexcept
      : backbone_(params.Fs, params.KT, params.chi, params.beta),
        clearance_(params.delta_p),
        pin_(params.KP) {}

  constexpr State rest() const { return {}; }

  constexpr Response<Real> step(const State& from, const Real& u, State& to) const noexcept {
    const Real committed = from.f;
    const bool moves = u != from.u;
    if (&to != &from) {
      if (!to.reversals.assign(from.reversals))
        return {committed, Real(0), Real(0), Status::out_of_memory};
      to.u = from.u;
      to.lost = from.lost;
      to.direction = from.direction;
    }
    to.f = committed - pin_force(to.u);  // the joint's own share
    Response<Real> reply = masing::step(backbone_, to, u, to);
    if (bears(u, to.direction)) reply.tangent += pin_;
    to.f = moves ? reply.force + pin_force(u) : committed;
    reply.force = to.f;
    return reply;
  }

  constexpr Real stored(const State& state) const noexcept {
    using std::abs;
    const Real penetration = abs(state.u) - clearance_;
    const Real pin = penetration > 0.0 ? 0.5 * pin_ * penetration * penetration : Real(0);
    return masing::stored<Real>(state, state.f - pin_force(state.u)) + pin;
  }

  constexpr Real next_kink(const State& state, int direction) const noexcept {
    const double d = direction;
    Real kink = masing::next_kink(backbone_, state, direction);
    for (const Real& contact : {Real(-clearance_), clearance_})
      if (d * (contact - state.u) > 0.0 && d * (contact - kink) < 0.0) kink = contact;
    return kink;
  }

 private:
  constexpr Real pin_force(const Real& u) const noexcept {
    if (u > clearance_) return pin_ * (u - clearance_);
    if (u < -clearance_) return pin_ * (u + clearance_);
    return Real(0);
  }
  /// In contact, or about to be if the motion goes on.
  constexpr bool bears(const Real& u, int direction) const noexcept {
    const Real outward = static_cast<double>(direction) * u;
    return outward >= clearance_ || outward < -clearance_;
  }

  Iwan4Backbone<Real> backbone_;
  Real clearance_, pin_;
};

}  // namespace microslip
