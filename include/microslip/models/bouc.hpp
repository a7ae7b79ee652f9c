#pragma once

/// # bouc: hysteresis with exponential branches
///
///     z' = (A − α d z) u',   f = k u + z,   d = sgn u'
///
/// The first of its family. Every branch runs exponentially towards d A/α:
///
///     z ← d A/α + (z − d A/α) e^(−α|Δu|),
///
/// the solution that kernels/bouc_wen.hpp has for n = 1: bouc is `bouc-wen` with β = α, γ = 0, n = 1,
/// and `dahl` with n = 1, σ₀ = A, zc = A/α, beside a spring.
///
/// Energy: Ψ = ½ k u² + z²/(2A); lost are α z²/A per displacement.

#include <tuple>

#include "microslip/core/concepts.hpp"
#include "microslip/detail/kernels/bouc_wen_law.hpp"

namespace microslip {

template <Number Real>
class Bouc : public BoucWenLaw<Real, Hysteretic::force> {
 public:
  struct Params {
    Real A{1};
    Real alpha{1};
    Real k{0.1};

    static constexpr auto fields = std::tuple{
        field(&Params::A, "A", "F/L", positive, "slope of z at z = 0"),
        field(&Params::alpha, "alpha", "1/L", positive, "rate at which z approaches A/alpha"),
        field(&Params::k, "k", "F/L", non_negative, "stiffness of the spring beside"),
    };
  };
  using Options = NoOptions;

  static constexpr Info info{
      .name = "bouc",
      .sentence = "Hysteresis whose branches are exponentials, beside a spring.",
      .equation = "z' = (A − α z sgn u') u',  f = k u + z",
      .citation = "R. Bouc, Modèle mathématique d'hystérésis, Acustica 24 (1971) 16–25",
      .claims = {.odd = holds,
                 .rate_independent = holds,
                 .masing = fails,
                 .return_point_memory = fails,
                 .minor_loops_close = fails,
                 .dissipative = holds,
                 .bounded = depends("k = 0"),
                 .planar_isotropic = not_applicable},
  };

  explicit constexpr Bouc(const Params& params, const Options& options = {})
      : Bouc(checked_fields(info.name, params), options, were_checked) {}
  constexpr Bouc(const Params& params, const Options&, WereChecked) noexcept
      : BoucWenLaw<Real, Hysteretic::force>({.A = params.A,
                                             .loading_down = params.alpha,
                                             .loading_up = params.alpha,
                                             .unloading = params.alpha,
                                             .spring = params.k,
                                             .hysteretic = Real(1),
                                             .n = Real(1)}) {}
};

}  // namespace microslip
