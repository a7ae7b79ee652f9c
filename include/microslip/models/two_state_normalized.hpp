#pragma once

/// # two-state-normalized: the two-state law with first slope 1, final slope 0 and gap 2
///
///     f = u − bᵀq,   s = b u − α q,   A = diag(σ, 1),
///     b1 = √(α(1−α)/(1−σ)),   b2 = √(α(α−σ)/(1−σ)),   0 < σ < α < 1.
///
/// These b make |b|² = α, so that the saturated slope 1 − |b|²/α is 0, and bᵀA b = α², so that the
/// saturated force is ±1 (thesis, eqs 4.16–4.19). Two numbers are left: they set how early and how
/// gradually the loop bends. It is `two-state` with μ = 1 and ks = 0, and integrated exactly in the
/// same way (kernels/ellipse_flow.hpp). Displacement and force are relative to their slip values; a
/// gain on input and output brings the units back.
///
///     f = bᵀs/α,   Ψ = |s|²/(2α),   dissipation ∫ sᵀdq.
///
/// b is never an eigenvector of A, so the law is never Masing.

#include <cmath>
#include <tuple>

#include "microslip/core/concepts.hpp"
#include "microslip/core/fit_hints.hpp"
#include "microslip/detail/kernels/ellipse_flow.hpp"
#include "microslip/detail/kernels/slip_law.hpp"

namespace microslip {

template <Number Real>
class TwoStateNormalized : public SlipLaw<Real, EllipseFlow<Real>> {
 public:
  struct Params {
    Real alpha{0.6666666666666666};  // eq. 4.20: bolted lap joints
    Real sigma{0.0625};

    static constexpr auto fields = std::tuple{
        field(&Params::alpha, "alpha", "1", open_interval(0, 1),
              "stiffness against slip of each state relative to the first slope"),
        field(&Params::sigma, "sigma", "1", open_interval(0, 1),
              "ratio of the squared half axes of the elastic domain; sigma < alpha"),
    };
  };
  using Options = NoOptions;

  static constexpr Info info{
      .name = "two-state-normalized",
      .sentence = "The two-state law with first slope 1, final slope 0 and gap 2.",
      .equation =
          "f = u − bᵀq,  s = b u − α q,  sᵀA⁻¹s ≤ 1,  dq = λ A⁻¹s,  λ ≥ 0,  A = diag(σ, 1),  "
          "b = (√(α(1−α)/(1−σ)), √(α(α−σ)/(1−σ)))",
      .citation =
          "S. Biswas, Low-dimensional descriptions of high-dimensional frictional hysteresis, PhD "
          "thesis, Indian Institute of Technology Kanpur (2018), eqs 4.16–4.20",
      .claims = {.odd = holds,
                 .rate_independent = holds,
                 .masing = fails,
                 .return_point_memory = fails,
                 .minor_loops_close = fails,
                 .dissipative = holds,
                 .bounded = holds,
                 .planar_isotropic = not_applicable},
  };

  static FitHints fit_hints() {
    return {.ratios = {{"sigma", "alpha", open_interval(0, 1)}},
            .left_out = "for normalised loops"};
  }

  explicit constexpr TwoStateNormalized(const Params& params, const Options& options = {})
      : TwoStateNormalized(checked(params), options, were_checked) {}
  constexpr TwoStateNormalized(const Params& params, const Options&, WereChecked) noexcept
      : SlipLaw<Real, EllipseFlow<Real>>(
            EllipseFlow<Real>(params.sigma, Real(1), b1(params), b2(params)), Real(1), Real(0),
            params.alpha) {}

  /// The coupling that the two numbers stand for.
  static constexpr Real b1(const Params& p) {
    using std::sqrt;
    return sqrt(p.alpha * (1.0 - p.alpha) / (1.0 - p.sigma));
  }
  static constexpr Real b2(const Params& p) {
    using std::sqrt;
    return sqrt(p.alpha * (p.alpha - p.sigma) / (1.0 - p.sigma));
  }

 private:
  static constexpr const Params& checked(const Params& params) {
    check_fields(info.name, params);
    if (!(params.sigma < params.alpha))
      throw Error("two-state-normalized.sigma = " + number_text(value_of(params.sigma)) +
                  " must be smaller than alpha = " + number_text(value_of(params.alpha)));
    return params;
  }
};

}  // namespace microslip
