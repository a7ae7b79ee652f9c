#pragma once

/// # reid: a spring that is stiffer on the way out than on the way back
///
///     f = k (1 + η sgn(u u')) u
///
/// A loop of two triangles that meet at the origin; energy per cycle 2 k η U² at amplitude U,
/// whatever the frequency. The force jumps by 2 k η |u| at a reversal. Standing still keeps the
/// last force.
///
/// The law has no natural stored energy. Reported is Ψ = ½ k (1 − η) u², all that a return to the
/// origin gives back: k η (u₁² − u₀²) is lost on the way out, nothing on the way back.

#include <limits>
#include <tuple>

#include "microslip/core/concepts.hpp"

namespace microslip {

template <Number Real>
class Reid {
 public:
  using Scalar = Real;

  struct Params {
    Real k{1};
    Real eta{0.2};

    static constexpr auto fields = std::tuple{
        field(&Params::k, "k", "F/L", positive, "mean stiffness"),
        field(&Params::eta, "eta", "1", closed_interval(0, 1),
              "part by which the stiffness is larger outwards and smaller inwards"),
    };
  };
  using Options = NoOptions;

  struct State {
    Real u{0};
    Real f{0};
    int direction = 0;  ///< of the last motion; 0 at rest

    static constexpr auto fields = std::tuple{
        state_field(&State::u, "u", "L", "displacement"),
        state_field(&State::f, "f", "F", "force"),
        state_field(&State::direction, "direction", "1", "sign of the last motion"),
    };
  };

  static constexpr Info info{
      .name = "reid",
      .sentence =
          "A spring stiffer outwards than inwards: a triangular loop pinched at the origin.",
      .equation = "f = k (1 + η sgn(u u')) u",
      .citation =
          "T. J. Reid, Free vibration and hysteretic damping, Journal of the Royal Aeronautical "
          "Society 60 (1956) 283",
      .claims = {.odd = holds,
                 .rate_independent = holds,
                 .masing = fails,
                 .return_point_memory = holds,
                 .minor_loops_close = holds,
                 .dissipative = holds,
                 .bounded = fails,
                 .planar_isotropic = not_applicable},
  };

  explicit constexpr Reid(const Params& params, const Options& options = {})
      : Reid(checked_fields(info.name, params), options, were_checked) {}
  constexpr Reid(const Params& params, const Options&, WereChecked) noexcept
      : outward_(params.k * (1.0 + params.eta)), inward_(params.k * (1.0 - params.eta)) {}

  constexpr State rest() const { return {}; }

  constexpr Response<Real> step(const State& from, const Real& u, State& to) const noexcept {
    if (u == from.u) {
      const Response<Real> unchanged{from.f, slope(u, from.direction), Real(0)};
      to = from;
      return unchanged;
    }
    const int direction = u > from.u ? 1 : -1;
    // Only the part of the way that leads outwards loses energy.
    const Real start = static_cast<double>(direction) * from.u > 0.0 ? from.u : Real(0);
    const Real end = static_cast<double>(direction) * u > 0.0 ? u : Real(0);
    const Real lost = 0.5 * (outward_ - inward_) * (end - start) * (end + start);
    to.u = u;
    to.f = slope(u, direction) * u;
    to.direction = direction;
    return {to.f, slope(u, direction), lost};
  }

  /// It holds between what the way back gives and what the way out takes.
  constexpr Rigidity rigidity() const noexcept { return {.rigid = outward_ != inward_}; }
  constexpr SlipForce<Real> slip(const State&, int side, const Real& u,
                                 const Real& /*v*/) const noexcept {
    return {slope(u, side) * u, slope(u, side), Real(0)};
  }

  constexpr Real stored(const State& state) const noexcept {
    return 0.5 * inward_ * square(state.u);
  }

  /// The origin.
  constexpr Real next_kink(const State& state, int direction) const noexcept {
    const double d = direction;
    return d * state.u < 0.0 ? Real(0) : Real(d * std::numeric_limits<double>::infinity());
  }

 private:
  /// Leaving the origin counts as outward; at rest every motion does.
  constexpr Real slope(const Real& u, int direction) const noexcept {
    return static_cast<double>(direction) * u < 0.0 ? inward_ : outward_;
  }

  Real outward_, inward_;
};

}  // namespace microslip
