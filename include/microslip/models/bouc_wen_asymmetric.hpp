#pragma once

/// # bouc-wen-asymmetric: Bouc–Wen with different limits in the two directions
///
///     z' = u' {A − |z|ⁿ [β sgn(u' z) + γ + δ (sgn u' + sgn z)]}
///     f  = a k u + (1 − a) k z
///
/// Loading upwards the coefficient of |z|ⁿ is β + γ + 2δ, loading downwards β + γ − 2δ, so z tends
/// to (A/(β+γ+2δ))^(1/n) or −(A/(β+γ−2δ))^(1/n); in unloading sgn u' + sgn z = 0 and δ drops out.
/// δ = 0 is `bouc-wen`.
///
/// Admissible: β + γ > 2|δ|, so that both limits exist, and β ≥ |γ|, as for `bouc-wen`.
///
/// Energy: Ψ = ½ a k u² + ½ (1−a) k z²/A.

#include <tuple>

#include "microslip/core/concepts.hpp"
#include "microslip/core/fit_hints.hpp"
#include "microslip/detail/kernels/bouc_wen_law.hpp"
#include "microslip/detail/kernels/bouc_wen_params.hpp"

namespace microslip {

template <Number Real>
class BoucWenAsymmetric : public BoucWenLaw<Real, Hysteretic::length> {
 public:
  struct Params {
    Real A{1};
    Real beta{0.5};
    Real gamma{0.3};
    Real delta{0.1};
    Real n{1};
    Real k{1};
    Real a{0.1};

    static constexpr auto fields = std::tuple{
        bouc_wen_rows::A<Params>(),
        bouc_wen_rows::beta<Params>(),
        bouc_wen_rows::gamma<Params>(),
        field(&Params::delta, "delta", "L^-n", any_number,
              "asymmetry: positive lowers the upper limit; below (beta + gamma)/2 in size"),
        bouc_wen_rows::n<Params>(),
        bouc_wen_rows::k<Params>(),
        bouc_wen_rows::a<Params>(),
    };
  };
  using Options = NoOptions;

  static constexpr Info info{
      .name = "bouc-wen-asymmetric",
      .sentence = "Bouc-Wen with different limits for upward and downward loading.",
      .equation = "z' = u'{A − |z|ⁿ[β sgn(u'z) + γ + δ(sgn u' + sgn z)]},  f = a k u + (1 − a) k z",
      .citation =
          "J. Song, A. Der Kiureghian, Generalized Bouc–Wen model for highly asymmetric "
          "hysteresis, Journal of Engineering Mechanics 132 (2006) 610–618, where the term in "
          "delta is ascribed to C.-H. Wang and Y.-K. Wen (1998)",
      .claims = {.odd = depends("delta = 0"),
                 .rate_independent = holds,
                 .masing = fails,
                 .return_point_memory = fails,
                 .minor_loops_close = fails,
                 .dissipative = holds,
                 .bounded = depends("a = 0"),
                 .planar_isotropic = not_applicable},
  };

  static FitHints fit_hints() {
    return {.ratios = {{"gamma", "beta", closed_interval(-1, 1)},
                       {"delta", "beta", open_interval(-1, 1)}},
            .look = {{"n", open_interval(0.5, 4)}},
            .springs = {"a"}};
  }

  explicit constexpr BoucWenAsymmetric(const Params& params, const Options& options = {})
      : BoucWenAsymmetric(checked(params), options, were_checked) {}
  constexpr BoucWenAsymmetric(const Params& params, const Options&, WereChecked) noexcept
      : BoucWenLaw<Real, Hysteretic::length>(
            {.A = params.A,
             .loading_down = params.beta + params.gamma - 2.0 * params.delta,
             .loading_up = params.beta + params.gamma + 2.0 * params.delta,
             .unloading = params.beta - params.gamma,
             .spring = params.a * params.k,
             .hysteretic = (1.0 - params.a) * params.k,
             .n = params.n}),
        odd_(params.delta == 0.0) {}

  constexpr bool odd() const { return odd_; }

 private:
  static constexpr const Params& checked(const Params& params) {
    check_fields(info.name, params);
    const double beta = value_of(params.beta);
    const double gamma = value_of(params.gamma);
    check_value(info.name, "gamma", gamma, closed_interval(-beta, beta));
    const double most = 0.5 * (beta + gamma);
    check_value(info.name, "delta", value_of(params.delta), open_interval(-most, most));
    return params;
  }

  bool odd_;
};

}  // namespace microslip
