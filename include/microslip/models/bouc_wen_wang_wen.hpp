#pragma once

/// # bouc-wen-wang-wen: two coupled Bouc–Wen equations of any sharpness
///
///     z_i' = A u_i' − z_i Σ_j |z_j|^(n−1) (β |u_j'| + γ u_j' sgn z_j)
///     f    = a k u + (1 − a) k z
///
/// Wang and Wen's extension of bouc-wen-park, which it is for n = 2. Along an axis it is bouc-wen;
/// along another line it has that shape with another limit, (A/((β+γ) Σ|e_j|^n))^(1/n) for the
/// direction e: not isotropic. The form is that in which the paper is usually quoted.
///
/// The step is exact for n = 2, else error-controlled to rounding, the places where a z_i changes
/// its sign located (kernels/bouc_wen_planar.hpp). Admissible: β ≥ |γ|, n ≥ 1.
///
/// Energy: Ψ = ½ a k |u|² + ½ (1−a) k |z|²/A.

#include <tuple>

#include "microslip/core/concepts.hpp"
#include "microslip/detail/kernels/bouc_wen_params.hpp"
#include "microslip/detail/kernels/bouc_wen_planar_law.hpp"

namespace microslip {

template <Number Real>
class BoucWenWangWen : public BoucWenPlanarLaw<Real> {
 public:
  struct Params {
    Real A{1};
    Real beta{0.5};
    Real gamma{0.5};
    Real n{2};
    Real k{1};
    Real a{0.1};
    static constexpr auto fields = std::tuple{
        bouc_wen_rows::A<Params>(),
        bouc_wen_rows::beta<Params>(),
        bouc_wen_rows::gamma<Params>(),
        bouc_wen_rows::n<Params>(Interval{.lo = 1, .lo_open = false}),
        bouc_wen_rows::k<Params>(),
        bouc_wen_rows::a<Params>(),
    };
  };
  using Options = NoOptions;

  static constexpr Info info{
      .name = "bouc-wen-wang-wen",
      .sentence = "Two coupled Bouc–Wen equations for motion in the plane, with any n.",
      .equation =
          "z_i' = A u_i' − z_i Σ_j|z_j|ⁿ⁻¹(β|u_j'| + γ u_j' sgn z_j),  f = a k u + (1 − a) k z",
      .citation =
          "C.-H. Wang, Y.-K. Wen, Evaluation of pre-Northridge low-rise steel buildings. I: "
          "Modeling, Journal of Structural Engineering 126 (2000) 1160–1168",
      .claims = planar_bouc_wen_claims(fails),
  };

  explicit constexpr BoucWenWangWen(const Params& params, const Options& options = {})
      : BoucWenWangWen(BoucWenWangWen::checked(info.name, params), options, were_checked) {}
  constexpr BoucWenWangWen(const Params& params, const Options&, WereChecked) noexcept
      : BoucWenPlanarLaw<Real>({.A = params.A,
                                .beta = params.beta,
                                .gamma = params.gamma,
                                .n = params.n,
                                .k = params.k,
                                .a = params.a},
                               bouc_wen::Coupling::components) {}
};

}  // namespace microslip
