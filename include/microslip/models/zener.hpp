#pragma once

/// # zener: a spring beside a Maxwell branch
///
///     f = e1 u + e2 e,   e' = u' − e/τ
///
/// The standard linear solid, (9) of the review by Mathis et al.: its relaxation function is
/// G(t) = e1 + e2 exp(−t/τ), so a fast motion meets e1 + e2 and a slow one e1. Losses peak near
/// ω τ = √(e1/(e1 + e2)) relative to the energy. Exact for any step; the two springs store
/// ½ e1 u² + ½ e2 e².

#include <tuple>

#include "microslip/core/concepts.hpp"
#include "microslip/detail/kernels/relaxation.hpp"

namespace microslip {

template <Number Real>
class Zener : public RelaxationLaw<Real> {
 public:
  struct Params {
    Real e1{1};
    Real e2{1};
    Real tau{1};
    static constexpr auto fields = std::tuple{
        field(&Params::e1, "e1", "F/L", non_negative, "stiffness of the spring that stays"),
        field(&Params::e2, "e2", "F/L", positive, "stiffness that relaxes"),
        field(&Params::tau, "tau", "T", positive, "relaxation time"),
    };
  };
  using Options = NoOptions;

  static constexpr Info info{
      .name = "zener",
      .sentence = "A spring beside a Maxwell branch: the standard linear solid.",
      .equation = "f = e1 u + e2 e,  e' = u' − e/τ",
      .citation = "R. Lakes, Viscoelastic Materials, Cambridge University Press (2009)",
      .claims = relaxation_claims,
  };

  explicit Zener(const Params& params, const Options& = {}) : RelaxationLaw<Real>(built(params)) {}

 private:
  static RelaxationSpectrum<Real> built(const Params& p) {
    check_fields(info.name, p);
    return {p.e1, Real(0), {p.e2}, {p.tau}};
  }
};

}  // namespace microslip
