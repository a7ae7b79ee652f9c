#pragma once

/// # bouc-wen-planar: smooth hysteresis in the plane, truly isotropic
///
///     z' = A u' − z |z|^(n−2) (β |z·u'| + γ z·u')
///     f  = a k u + (1 − a) k z
///
/// Harvey and Gavin's law for any sharpness n of the knee. On a line it is bouc-wen, along any
/// line. Across the motion z decays; along it z tends to (A/(β+γ))^(1/n).
///
/// With `coupling = printed` the bracket is Σ (β |z_i u_i'| + γ z_i u_i'), as in the review by
/// Mathis et al., (48), and in Gavin's notes, (9). That sum of absolute values depends on the axes:
/// turning the path does not turn the force (by 8 % and more for β = 0.9, γ = 0.1, n = 2). With
/// n = 2 it is bouc-wen-park. The print of (47) loses factors z_i; here they are restored.
///
/// The step is exact for n = 2 and, for any n, while z stays along the motion; else it is
/// error-controlled to rounding (kernels/bouc_wen_planar.hpp). Admissible: β ≥ |γ|.
///
/// Energy: Ψ = ½ a k |u|² + ½ (1−a) k |z|²/A; never less than nothing is lost.

#include <tuple>

#include "microslip/core/concepts.hpp"
#include "microslip/detail/kernels/bouc_wen_params.hpp"
#include "microslip/detail/kernels/bouc_wen_planar_law.hpp"

namespace microslip {

template <Number Real>
class BoucWenPlanar : public BoucWenPlanarLaw<Real> {
 public:
  struct Params {
    Real A{1};
    Real beta{0.5};
    Real gamma{0.5};
    Real n{2};
    Real k{1};
    Real a{0.1};
    static constexpr auto fields = std::tuple{
        bouc_wen_rows::A<Params>(), bouc_wen_rows::beta<Params>(), bouc_wen_rows::gamma<Params>(),
        bouc_wen_rows::n<Params>(), bouc_wen_rows::k<Params>(),    bouc_wen_rows::a<Params>(),
    };
  };

  enum class Coupled { isotropic, printed };
  struct Options {
    Coupled coupling = Coupled::isotropic;
    static constexpr auto fields = std::tuple{
        option(&Options::coupling, "coupling", {"isotropic", "printed"},
               "|z·u'|, or the printed sum of |z_i u_i'|, which depends on the axes"),
    };
  };

  static constexpr Info info{
      .name = "bouc-wen-planar",
      .sentence = "Smooth hysteresis in the plane that is the same in all directions.",
      .equation = "z' = A u' − z|z|ⁿ⁻²(β|z·u'| + γ z·u'),  f = a k u + (1 − a) k z",
      .citation =
          "P. S. Harvey, H. P. Gavin, Truly isotropic biaxial hysteresis with arbitrary knee "
          "sharpness, Earthquake Engineering & Structural Dynamics 43 (2014) 2051–2057",
      .claims = planar_bouc_wen_claims(holds),
  };

  explicit constexpr BoucWenPlanar(const Params& params, const Options& options = {})
      : BoucWenPlanar(BoucWenPlanar::checked(info.name, params), options, were_checked) {}
  constexpr BoucWenPlanar(const Params& params, const Options& options, WereChecked) noexcept
      : BoucWenPlanarLaw<Real>({.A = params.A,
                                .beta = params.beta,
                                .gamma = params.gamma,
                                .n = params.n,
                                .k = params.k,
                                .a = params.a},
                               options.coupling == Coupled::isotropic
                                   ? bouc_wen::Coupling::isotropic
                                   : bouc_wen::Coupling::sum) {}
};

}  // namespace microslip
