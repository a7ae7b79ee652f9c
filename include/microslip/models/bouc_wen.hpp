#pragma once

/// # bouc-wen: smooth hysteresis from one differential equation
///
///     z' = A u' − β |u'| |z|^(n−1) z − γ u' |z|^n
///     f  = a k u + (1 − a) k z
///
/// z is a length. Loading (z and u' of one sign) it tends to ±(A/(β+γ))^(1/n); unloading it moves
/// at A + (β−γ)|z|^n per displacement. n sets how sharp the knee is; a is the stiffness left after
/// yield, relative to k (at A = 1).
///
/// Conventions differ by sign. Here, and in Biswas's thesis with A = α₁, β = α₂, γ = α₃, the sum
/// β + γ limits z. The review by Mathis et al. prints (34) as z' = (A − (α sgn(z u') − β)|z|^n) u':
/// its α is β here, its β is −γ. Its figures 9–11 follow that; its Table 1 needs β = +γ.
///
/// Admissible: β ≥ |γ|. Otherwise unloading may never reach z = 0, and cycles create energy; the
/// condition A > 0, β + γ > 0 sometimes printed is not enough.
///
/// The step is exact for any size (kernels/bouc_wen.hpp), the crossing of z = 0 inside it included.
///
/// Energy: Ψ = ½ a k u² + ½ (1−a) k z²/A. The rest of the work is lost, at the rate
/// (1−a) k |z| |z|^n (β ± γ)/A per displacement, + loading and − unloading, never negative.

#include <tuple>

#include "microslip/core/concepts.hpp"
#include "microslip/core/fit_hints.hpp"
#include "microslip/kernels/bouc_wen_law.hpp"

namespace microslip {

template <Number Real>
class BoucWen : public BoucWenLaw<Real, Hysteretic::length> {
 public:
  struct Params {
    Real A{1};
    Real beta{0.5};
    Real gamma{0.5};
    Real n{1};
    Real k{1};
    Real a{0.1};

    static constexpr auto fields = std::tuple{
        field(&Params::A, "A", "1", positive, "slope of z against u at z = 0"),
        field(&Params::beta, "beta", "L^-n", non_negative,
              "part of the slope lost with |z|^n in loading and gained in unloading"),
        field(&Params::gamma, "gamma", "L^-n", any_number,
              "part of the slope lost with |z|^n in both; between -beta and beta"),
        field(&Params::n, "n", "1", positive, "sharpness of the knee"),
        field(&Params::k, "k", "F/L", positive, "stiffness at rest when A = 1"),
        field(&Params::a, "a", "1", closed_interval(0, 1),
              "share of the stiffness that is a plain spring"),
    };
  };
  using Options = NoOptions;

  static constexpr Info info{
      .name = "bouc-wen",
      .sentence = "Smooth hysteresis whose internal displacement obeys one differential equation.",
      .equation = "z' = A u' − β|u'||z|ⁿ⁻¹z − γ u'|z|ⁿ,  f = a k u + (1 − a) k z",
      .citation =
          "Y.-K. Wen, Method for random vibration of hysteretic systems, Journal of the "
          "Engineering Mechanics Division 102 (1976) 249–263",
      .claims = {.odd = holds,
                 .rate_independent = holds,
                 .masing = fails,
                 .return_point_memory = fails,
                 .minor_loops_close = fails,
                 .dissipative = holds,
                 .bounded = depends("a = 0 and beta + gamma > 0"),
                 .planar_isotropic = not_applicable},
  };

  static FitHints fit_hints() {
    return {.ratios = {{"gamma", "beta", closed_interval(-1, 1)}},
            .look = {{"n", open_interval(0.5, 4)}},
            .springs = {"a"}};
  }

  explicit BoucWen(const Params& params, const Options& = {})
      : BoucWenLaw<Real, Hysteretic::length>({.A = checked(params).A,
                                              .loading_down = params.beta + params.gamma,
                                              .loading_up = params.beta + params.gamma,
                                              .unloading = params.beta - params.gamma,
                                              .spring = params.a * params.k,
                                              .hysteretic = (1.0 - params.a) * params.k,
                                              .n = params.n}) {}

 private:
  static const Params& checked(const Params& params) {
    check_fields(info.name, params);
    const double beta = value_of(params.beta);
    check_value(info.name, "gamma", value_of(params.gamma), closed_interval(-beta, beta));
    return params;
  }
};

}  // namespace microslip
