#pragma once

/// # m-state: plasticity with an ellipsoidal elastic domain, any number of states
///
/// The two-state law with m slip states q:
///
///     f = (1 + ks) u − bᵀq,   s = b u − α q,   A = diag(a).
///
/// No slip while sᵀA⁻¹s ≤ 1; otherwise q slips along the outward normal A⁻¹s so that s stays on the
/// ellipsoid. The papers solve a 2m×2m eigenproblem a row for the slip direction and advance by an
/// explicit map; here the flow itself is followed to rounding (core/ellipsoid_flow.hpp) for any
/// size of step.
///
/// With k∞ = 1 + ks − |b|²/α and R = √(bᵀA b):
///
///     f = k∞ u + bᵀs/α,   Ψ = ½ k∞ u² + |s|²/(2α),   dissipation ∫ sᵀdq.
///
/// First slope 1 + ks, saturated slope k∞, saturated half gap R/α. The law is written for a
/// stiffness of 1 F/L, to which ks adds; (α, a, b) → (r²α, r²a, r b) changes nothing, so that 2m
/// numbers and ks describe it: α is never fitted together with a and b. The order of the states
/// and the sign of each b_i do not matter.

#include <cstddef>
#include <tuple>
#include <vector>

#include "microslip/core/concepts.hpp"
#include "microslip/core/ellipsoid_flow.hpp"

namespace microslip {

template <Number Real>
class MState {
 public:
  using Scalar = Real;

  struct Params {
    std::vector<Real> a{Real(0.0625), Real(0.25), Real(1)};
    Real alpha{1};
    std::vector<Real> b{Real(0.3), Real(0.5), Real(0.7)};
    Real ks{0};

    static constexpr auto fields = std::tuple{
        field(&Params::a, "a", "F^2", positive, "squared half axes of the elastic domain"),
        field(&Params::alpha, "alpha", "F/L", positive, "stiffness against slip of each state"),
        field(&Params::b, "b", "F/L", any_number,
              "coupling of the displacement to each state; not all 0"),
        field(&Params::ks, "ks", "F/L", any_number,
              "stiffness in parallel, added to the first slope of 1 F/L"),
    };
  };
  using Options = NoOptions;

  /// x = A^{−1/2}s.
  struct State : EllipsoidPoint<Real> {
    Real u{0};
    Real f{0};

    static constexpr auto fields = std::tuple{
        state_field(&State::u, "u", "L", "displacement"),
        state_field(&State::f, "f", "F", "force"),
        state_field(&State::x, "x", "1", "components of s, relative to their half axes"),
        state_field(&State::slipping, "slipping", "1", "sign of the motion that slips, 0 if none"),
    };
  };

  static constexpr Info info{
      .name = "m-state",
      .sentence =
          "Any number of slip states inside an ellipsoidal elastic domain: a reduced many-slider "
          "joint.",
      .equation =
          "f = (1 + ks) u − bᵀq,  s = b u − α q,  sᵀA⁻¹s ≤ 1,  dq = λ A⁻¹s,  λ ≥ 0,  A = diag(a)",
      .citation =
          "S. Biswas, Low-dimensional descriptions of high-dimensional frictional hysteresis, PhD "
          "thesis, Indian Institute of Technology Kanpur (2018), eqs 3.25–3.26",
      .claims = {.odd = holds,
                 .rate_independent = holds,
                 .masing = depends("b is an eigenvector of A"),
                 .return_point_memory = depends("b is an eigenvector of A"),
                 .minor_loops_close = depends("b is an eigenvector of A"),
                 .dissipative = holds,
                 .bounded = depends("k∞ = 0, that is |b|² = α(1 + ks)"),
                 .planar_isotropic = not_applicable},
  };

  explicit MState(const Params& params, const Options& = {})
      : flow_(checked(params).a, params.b),
        first_slope_(1.0 + params.ks),
        per_alpha_(1.0 / params.alpha) {
    Real bb(0);
    for (const Real& b : params.b) bb += b * b;
    last_slope_ = first_slope_ - bb / params.alpha;
  }

  State rest() const {
    State state;
    static_cast<EllipsoidPoint<Real>&>(state) = flow_.rest();
    return state;
  }

  Response<Real> step(const State& from, const Real& u, State& to) const noexcept {
    if (u == from.u) {
      const Response<Real> unchanged{from.f, tangent(from), Real(0)};
      to = from;
      return unchanged;
    }
    const EllipsoidMove<Real> move = flow_.move(from, from.u, u, to);
    to.u = u;
    to.f = last_slope_ * u + per_alpha_ * move.pull;
    return {to.f, to.slipping ? last_slope_ + per_alpha_ * move.slope : first_slope_,
            per_alpha_ * move.lost, move.status};
  }

  Real stored(const State& state) const noexcept {
    return 0.5 * (last_slope_ * state.u * state.u + per_alpha_ * flow_.square_norm(state));
  }

  /// Where slip starts.
  Real next_kink(const State& state, int direction) const noexcept {
    return state.u + static_cast<double>(direction) * flow_.distance_to_slip(state, direction);
  }

  /// k∞
  const Real& saturated_slope() const noexcept { return last_slope_; }
  /// Half the distance between the saturated branches.
  Real half_gap() const noexcept { return per_alpha_ * flow_.largest_pull(); }

 private:
  static const Params& checked(const Params& params) {
    check_fields(info.name, params);
    check_same_length(info.name, "a", params.a.size(), "b", params.b.size());
    for (const Real& b : params.b)
      if (value_of(b) != 0) return params;
    throw Error("m-state.b = 0 must have an element different from 0");
  }

  Real tangent(const State& state) const noexcept {
    return state.slipping ? last_slope_ + per_alpha_ * flow_.slope(state) : first_slope_;
  }

  EllipsoidFlow<Real> flow_;
  Real first_slope_, last_slope_, per_alpha_;
};

}  // namespace microslip
