#pragma once

/// # generalized-maxwell: a spring beside several Maxwell branches
///
///     f = k0 u + Σ k_i e_i,   e_i' = u' − e_i/τ_i
///
/// Relaxation function G(t) = k0 + Σ k_i exp(−t/τ_i), a Prony series: with enough branches, any
/// solid or fluid that only forgets. Each branch is solved exactly for any step
/// (kernels/relaxation.hpp); the springs store ½ k0 u² + ½ Σ k_i e_i².

#include <tuple>
#include <vector>

#include "microslip/core/concepts.hpp"
#include "microslip/core/fit_hints.hpp"
#include "microslip/detail/kernels/relaxation.hpp"

namespace microslip {

template <Number Real>
class GeneralizedMaxwell : public RelaxationLaw<Real> {
 public:
  struct Params {
    Real k0{0.5};
    std::vector<Real> k{Real(0.3), Real(0.2)};
    std::vector<Real> tau{Real(0.3), Real(3)};
    static constexpr auto fields = std::tuple{
        field(&Params::k0, "k0", "F/L", non_negative, "stiffness of the spring that stays"),
        field(&Params::k, "k", "F/L", positive, "stiffness of each branch"),
        field(&Params::tau, "tau", "T", positive, "relaxation time of each branch"),
    };
  };
  using Options = NoOptions;

  static constexpr Info info{
      .name = "generalized-maxwell",
      .sentence = "A spring beside several Maxwell branches: a Prony series of relaxation times.",
      .equation = "f = k0 u + Σ k_i e_i,  e_i' = u' − e_i/τ_i",
      .citation =
          "M. Kaliske, H. Rothert, Formulation and implementation of three-dimensional "
          "viscoelasticity at small and finite strains, Computational Mechanics 19 (1997) 228–239",
      .claims = relaxation_claims,
  };

  static FitHints fit_hints() { return {.elements = {{.by = "tau"}}}; }

  explicit GeneralizedMaxwell(const Params& params, const Options& = {})
      : RelaxationLaw<Real>(built(params)) {}

 private:
  static RelaxationSpectrum<Real> built(const Params& p) {
    check_fields(info.name, p);
    check_same_length(info.name, "k", p.k.size(), "tau", p.tau.size());
    return {p.k0, Real(0), p.k, p.tau};
  }
};

}  // namespace microslip
