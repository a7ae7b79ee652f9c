#pragma once

/// # prandtl-ishlinskii: a weighted sum of play operators
///
///     f = w0 u + Σ_i w_i play_ri[u],     play ← max(u − r, min(u + r, play))
///
/// A play of half-width r follows the motion once the slack is used up, so the virgin curve bends
/// by w_i at r_i and a branch bends at 2 r_i after a reversal: Masing's rules with the backbone
/// g(x) = w0 x + Σ w_i (x − r_i)₊.
///
/// A play loses −w_i r_i per distance that it is dragged: the law dissipates when all w_i ≤ 0
/// (softening) and creates energy when one is positive. Stored: ½ w0 u² + Σ w_i (p_i u − ½ p_i²).

#include <tuple>
#include <vector>

#include "microslip/core/concepts.hpp"
#include "microslip/core/fit_hints.hpp"
#include "microslip/detail/kernels/masing.hpp"
#include "microslip/detail/kernels/polyline_backbone.hpp"

namespace microslip {

template <Number Real>
class PrandtlIshlinskii : public MasingLaw<PolylineBackbone<Real>> {
 public:
  struct Params {
    std::vector<Real> r{Real(0.5), Real(1)};
    std::vector<Real> w{Real(-0.5), Real(-0.3)};
    Real w0{1};

    static constexpr auto fields = std::tuple{
        field(&Params::r, "r", "L", positive, "half-width of each play"),
        field(&Params::w, "w", "F/L", any_number, "weight of each play; negative ones dissipate"),
        field(&Params::w0, "w0", "F/L", any_number, "weight of the motion itself: slope at rest"),
    };
  };
  using Options = NoOptions;

  static constexpr Info info{
      .name = "prandtl-ishlinskii",
      .sentence = "A weighted sum of play operators: any convex or concave Masing loop.",
      .equation = "f = w0 u + Σ_i w_i play_ri[u]",
      .citation = "A. Visintin, Differential Models of Hysteresis, Springer (1994)",
      .claims = {.odd = holds,
                 .rate_independent = holds,
                 .masing = holds,
                 .return_point_memory = holds,
                 .minor_loops_close = holds,
                 .dissipative = depends("all w ≤ 0"),
                 .bounded = depends("w0 + Σ w = 0"),
                 .planar_isotropic = not_applicable},
  };

  static FitHints fit_hints() {
    return {.elements = {{.by = "r", .sliders = true, .spring = "w0"}}};
  }

  explicit PrandtlIshlinskii(const Params& params, const Options& = {})
      : MasingLaw<PolylineBackbone<Real>>(built(params)) {}

 private:
  static PolylineBackbone<Real> built(const Params& p) {
    check_fields(info.name, p);
    check_same_length(info.name, "r", p.r.size(), "w", p.w.size());
    PolylineBackbone<Real> backbone(p.w0);
    Real slope = p.w0;
    for (const std::size_t i : ascending(p.r)) {
      slope += p.w[i];
      backbone.bend(p.r[i], slope);
    }
    return backbone;
  }
};

}  // namespace microslip
