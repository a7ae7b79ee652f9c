#pragma once

/// # m-state: plasticity with an ellipsoidal elastic domain, any number of states
///
/// The two-state law with m slip states q:
///
///     f = (1 + ks) u − bᵀq,   s = b u − α q,   A = diag(a).
///
/// No slip while sᵀA⁻¹s ≤ 1; otherwise q slips along the outward normal A⁻¹s so that s stays on the
/// ellipsoid. The papers solve a 2m×2m eigenproblem a row for the slip direction and advance by an
/// explicit map; here the flow itself is followed to rounding (kernels/ellipsoid_flow.hpp) for any
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
#include "microslip/core/fit_hints.hpp"
#include "microslip/detail/kernels/ellipsoid_flow.hpp"
#include "microslip/detail/kernels/slip_law.hpp"

namespace microslip {

template <Number Real>
class MState : public SlipLaw<Real, EllipsoidFlow<Real>> {
 public:
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

  static FitHints fit_hints() {
    return {.elements = {{.by = "a", .in_parallel = false}},
            .left_out = "two-state has two of its states"};
  }

  explicit MState(const Params& params, const Options& = {})
      : SlipLaw<Real, EllipsoidFlow<Real>>(
            EllipsoidFlow<Real>(checked(params).a, params.b), 1.0 + params.ks,
            1.0 + params.ks - squares(params.b) / params.alpha, params.alpha) {}

 private:
  static const Params& checked(const Params& params) {
    check_fields(info.name, params);
    check_same_length(info.name, "a", params.a.size(), "b", params.b.size());
    for (const Real& b : params.b)
      if (value_of(b) != 0) return params;
    throw Error("m-state.b = 0 must have an element different from 0");
  }

  static Real squares(const std::vector<Real>& b) {
    Real sum(0);
    for (const Real& x : b) sum += x * x;
    return sum;
  }
};

}  // namespace microslip
