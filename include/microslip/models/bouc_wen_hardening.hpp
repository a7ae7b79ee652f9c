#pragma once

/// # bouc-wen-hardening: Bouc–Wen in ductility, with a stiffness after yield
///
///     dz/dv = 1 − |z|ⁿ (β sgn(v' z) + γ),   v = u/uy,  γ = 1 − β
///     f = fp ((1 − κ) z + κ v)
///
/// Displacement counts in yield displacements and force in plastic forces, so that |z| < 1 and the
/// parameters read off a measured loop: first slope fp/uy, slope after yield κ fp/uy. It is
/// `bouc-wen` with A = 1, a = κ, k = fp/uy and z scaled by uy.
///
/// Admissible: β ≥ ½, which is β ≥ |γ|; below, cycles create energy.
///
/// Energy: Ψ = ½ fp uy ((1 − κ) z² + κ v²).

#include <tuple>

#include "microslip/core/concepts.hpp"
#include "microslip/core/fit_hints.hpp"
#include "microslip/detail/kernels/bouc_wen_law.hpp"
#include "microslip/detail/kernels/bouc_wen_params.hpp"

namespace microslip {

template <Number Real>
class BoucWenHardening : public BoucWenLaw<Real, Hysteretic::number> {
 public:
  using Params = HardeningParams<Real>;
  using Options = NoOptions;

  static constexpr Info info{
      .name = "bouc-wen-hardening",
      .sentence = "Bouc-Wen in yield displacements and plastic force, with post-yield stiffness.",
      .equation = "dz/dv = 1 − |z|ⁿ(β sgn(v'z) + 1 − β),  v = u/uy,  f = fp((1 − κ) z + κ v)",
      .citation =
          "H. P. Gavin, Dynamic models for yielding and friction hysteresis, lecture notes "
          "CEE 541, Duke University (2018), extension 5",
      .claims = {.odd = holds,
                 .rate_independent = holds,
                 .masing = fails,
                 .return_point_memory = fails,
                 .minor_loops_close = fails,
                 .dissipative = holds,
                 .bounded = depends("kappa = 0"),
                 .planar_isotropic = not_applicable},
  };

  static FitHints fit_hints() { return {.springs = {"kappa"}}; }

  explicit constexpr BoucWenHardening(const Params& params, const Options& options = {})
      : BoucWenHardening(checked_fields(info.name, params), options, were_checked) {}
  constexpr BoucWenHardening(const Params& params, const Options&, WereChecked) noexcept
      : BoucWenLaw<Real, Hysteretic::number>({.A = 1.0 / params.uy,
                                              .loading_down = 1.0 / params.uy,  // β + γ = 1
                                              .loading_up = 1.0 / params.uy,
                                              .unloading = (2.0 * params.beta - 1.0) / params.uy,
                                              .spring = params.kappa * params.fp / params.uy,
                                              .hysteretic = (1.0 - params.kappa) * params.fp,
                                              .n = params.n}) {}
};

}  // namespace microslip
