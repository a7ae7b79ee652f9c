#pragma once

/// # bouc-wen-planar-hardening: planar Bouc–Wen in ductility, with a stiffness after yield
///
///     dz/dt = v' − z |z|^(n−2) (β |z·v'| + γ z·v'),   v = u/uy,  γ = 1 − β
///     f = fp ((1 − κ) z + κ v)
///
/// bouc-wen-hardening in the plane, the same in all directions: on a line it is that law, |z| < 1, and
/// the parameters read off a measured loop: first slope fp/uy, slope after yield κ fp/uy. It is
/// bouc-wen-planar with A = 1, a = κ, k = fp/uy and z in units of uy, β and γ in units of uy^(−n).
///
/// Admissible: β ≥ ½, which is β ≥ |γ|; below, cycles create energy.
///
/// Energy: Ψ = ½ fp/uy ((1 − κ) |uy z|² + κ |u|²).

#include <cmath>
#include <tuple>

#include "microslip/core/concepts.hpp"
#include "microslip/detail/kernels/bouc_wen_params.hpp"
#include "microslip/detail/kernels/bouc_wen_planar_law.hpp"

namespace microslip {

template <Number Real>
class BoucWenPlanarHardening : public BoucWenPlanarLaw<Real> {
 public:
  using Params = HardeningParams<Real>;
  using Options = NoOptions;

  static constexpr Info info{
      .name = "bouc-wen-planar-hardening",
      .sentence =
          "Planar Bouc-Wen in yield displacements and plastic force, with post-yield stiffness.",
      .equation = "z' = v' − z|z|ⁿ⁻²(β|z·v'| + (1 − β) z·v'),  v = u/uy,  f = fp((1 − κ) z + κ v)",
      .citation =
          "H. P. Gavin, Dynamic models for yielding and friction hysteresis, lecture notes "
          "CEE 541, Duke University (2018), extensions 4 and 5; P. S. Harvey, H. P. Gavin, Truly "
          "isotropic biaxial hysteresis with arbitrary knee sharpness, Earthquake Engineering & "
          "Structural Dynamics 43 (2014) 2051–2057",
      .claims = {.odd = holds,
                 .rate_independent = holds,
                 .masing = not_applicable,
                 .return_point_memory = not_applicable,
                 .minor_loops_close = not_applicable,
                 .dissipative = holds,
                 .bounded = depends("kappa = 0"),
                 .planar_isotropic = holds},
  };

  explicit constexpr BoucWenPlanarHardening(const Params& params, const Options& options = {})
      : BoucWenPlanarHardening(checked_fields(info.name, params), options, were_checked) {}
  constexpr BoucWenPlanarHardening(const Params& params, const Options&, WereChecked) noexcept
      : BoucWenPlanarLaw<Real>(coefficients(params), bouc_wen::Coupling::isotropic) {}

 private:
  static constexpr typename BoucWenPlanarLaw<Real>::Coefficients coefficients(const Params& p) {
    using std::pow;
    const Real per_length = pow(p.uy, Real(-p.n));
    return {.A = Real(1),
            .beta = p.beta * per_length,
            .gamma = (1.0 - p.beta) * per_length,
            .n = p.n,
            .k = p.fp / p.uy,
            .a = p.kappa};
  }
};

}  // namespace microslip
