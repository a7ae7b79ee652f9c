#pragma once

/// # iwan-series-parallel: a spring and Prager elements in series
///
///     u = F/k0 + Σ_i play_φi[F]/k_i
///
/// Element i is a slider φ_i beside a spring k_i; it moves once the common force passes φ_i. The
/// chain is the inverse of a parallel system, and so it follows Masing's rules too, with the
/// inverse backbone
///
///     g⁻¹(F) = F/k0 + Σ (F − φ_i)₊/k_i,
///
/// a polyline whose compliance grows by 1/k_i at the force φ_i. Driven by displacement the law uses
/// g; `--drive force` inverts it.

#include <tuple>
#include <vector>

#include "microslip/core/concepts.hpp"
#include "microslip/core/fit_hints.hpp"
#include "microslip/detail/kernels/masing.hpp"
#include "microslip/detail/kernels/polyline_backbone.hpp"

namespace microslip {

template <Number Real>
class IwanSeriesParallel : public MasingLaw<PolylineBackbone<Real>> {
 public:
  struct Params {
    Real k0{1};
    std::vector<Real> k{Real(1), Real(0.5)};
    std::vector<Real> phi{Real(0.4), Real(0.8)};

    static constexpr auto fields = std::tuple{
        field(&Params::k0, "k0", "F/L", positive, "stiffness of the leading spring"),
        field(&Params::k, "k", "F/L", positive, "stiffness of the spring of each element"),
        field(&Params::phi, "phi", "F", positive, "slip force of the slider of each element"),
    };
  };
  using Options = NoOptions;

  static constexpr Info info{
      .name = "iwan-series-parallel",
      .sentence = "A spring and spring-slider pairs in series: each yields at its own force.",
      .equation = "u = F/k0 + Σ_i play_φi[F]/k_i",
      .citation =
          "W. D. Iwan, On a class of models for the yielding behavior of continuous and "
          "composite systems, Journal of Applied Mechanics 34 (1967) 612–617",
      .claims = {.odd = holds,
                 .rate_independent = holds,
                 .masing = holds,
                 .return_point_memory = holds,
                 .minor_loops_close = holds,
                 .dissipative = holds,
                 .bounded = fails,
                 .planar_isotropic = not_applicable},
  };

  static FitHints fit_hints() {
    return {.elements = {{.by = "phi", .in_parallel = false, .sliders = true, .spring = "k0"}}};
  }

  explicit IwanSeriesParallel(const Params& params, const Options& = {})
      : MasingLaw<PolylineBackbone<Real>>(built(params)) {}

 private:
  static PolylineBackbone<Real> built(const Params& p) {
    check_fields(info.name, p);
    check_same_length(info.name, "k", p.k.size(), "phi", p.phi.size());
    PolylineBackbone<Real> backbone(p.k0);
    Real compliance = 1.0 / p.k0;
    Real force(0);
    Real u(0);
    for (const std::size_t i : ascending(p.phi)) {
      u += compliance * (p.phi[i] - force);
      force = p.phi[i];
      compliance += 1.0 / p.k[i];
      backbone.bend(u, 1.0 / compliance);
    }
    return backbone;
  }
};

}  // namespace microslip
