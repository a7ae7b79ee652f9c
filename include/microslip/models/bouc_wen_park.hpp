#pragma once

/// # bouc-wen-park: two Bouc–Wen equations, coupled
///
///     z_x' = A u_x' − z_x (β (|u_x' z_x| + |u_y' z_y|) + γ (u_x' z_x + u_y' z_y)),  and x ↔ y
///     f    = a k u + (1 − a) k z
///
/// Park, Wen and Ang's law for n = 2; (47) of the review by Mathis et al. and (8) of Gavin's notes,
/// with the factors z that their prints lose. Along an axis, and along any line from rest, it is
/// bouc-wen with n = 2. But the sum of absolute values depends on the axes: turning the path does
/// not turn the force, by several per cent. bouc-wen-planar repairs that.
///
/// The step is exact for any size: between changes of sign of z_x and z_y the equations are those
/// of a linear-fractional map, and the energy lost along it is closed too
/// (kernels/bouc_wen_planar.hpp). Admissible: β ≥ |γ|.
///
/// Energy: Ψ = ½ a k |u|² + ½ (1−a) k |z|²/A.

#include <tuple>

#include "microslip/core/concepts.hpp"
#include "microslip/detail/kernels/bouc_wen_params.hpp"
#include "microslip/detail/kernels/bouc_wen_planar_law.hpp"

namespace microslip {

template <Number Real>
class BoucWenPark : public BoucWenPlanarLaw<Real> {
 public:
  struct Params {
    Real A{1};
    Real beta{0.5};
    Real gamma{0.5};
    Real k{1};
    Real a{0.1};
    static constexpr auto fields = std::tuple{
        bouc_wen_rows::A<Params>(),
        field(&Params::beta, "beta", "L^-2", non_negative,
              "part of the slope lost with |z|^2 in loading and gained in unloading"),
        field(&Params::gamma, "gamma", "L^-2", any_number,
              "part of the slope lost with |z|^2 in both; between -beta and beta"),
        bouc_wen_rows::k<Params>(),
        bouc_wen_rows::a<Params>(),
    };
  };
  using Options = NoOptions;

  static constexpr Info info{
      .name = "bouc-wen-park",
      .sentence = "Two coupled Bouc–Wen equations for motion in the plane, with n = 2.",
      .equation = "z_i' = A u_i' − z_i Σ_j(β|u_j' z_j| + γ u_j' z_j),  f = a k u + (1 − a) k z",
      .citation =
          "Y. J. Park, Y. K. Wen, A. H.-S. Ang, Random vibration of hysteretic systems under "
          "bi-directional ground motions, Earthquake Engineering & Structural Dynamics 14 (1986) "
          "543–557",
      .claims = planar_bouc_wen_claims(fails),
  };

  explicit constexpr BoucWenPark(const Params& params, const Options& options = {})
      : BoucWenPark(BoucWenPark::checked(info.name, params), options, were_checked) {}
  constexpr BoucWenPark(const Params& params, const Options&, WereChecked) noexcept
      : BoucWenPlanarLaw<Real>({.A = params.A,
                                .beta = params.beta,
                                .gamma = params.gamma,
                                .n = Real(2),
                                .k = params.k,
                                .a = params.a},
                               bouc_wen::Coupling::sum) {}
};

}  // namespace microslip
