#pragma once

/// # masing: Jenkins elements in parallel
///
///     f = Σ_i stop_{φ_i}[k_i u]
///
/// Element i slips at the displacement φ_i/k_i, so the backbone is a polyline with a corner at each
/// of them: all stiffnesses at rest, one less after each corner. Any history follows from it by
/// Masing's rules (kernels/masing.hpp), so a step costs a binary search, not a loop over elements.

#include <tuple>
#include <vector>

#include "microslip/core/concepts.hpp"
#include "microslip/core/fit_hints.hpp"
#include "microslip/detail/kernels/masing.hpp"
#include "microslip/detail/kernels/polyline_backbone.hpp"

namespace microslip {

template <Number Real>
class Masing : public MasingLaw<PolylineBackbone<Real>> {
 public:
  struct Params {
    std::vector<Real> k{Real(0.5), Real(0.3), Real(0.2)};
    std::vector<Real> phi{Real(0.25), Real(0.3), Real(0.45)};

    static constexpr auto fields = std::tuple{
        field(&Params::k, "k", "F/L", positive, "stiffness of each element"),
        field(&Params::phi, "phi", "F", positive, "slip force of each element"),
    };
  };
  using Options = NoOptions;

  static constexpr Info info{
      .name = "masing",
      .sentence = "Several Jenkins elements in parallel: slip spreads from element to element.",
      .equation = "f = Σ_i stop_φi[k_i u]",
      .citation =
          "G. Masing, Eigenspannungen und Verfestigung beim Messing, Proc. 2nd Int. "
          "Congress of Applied Mechanics, Zürich (1926) 332–335",
      .claims = masing_claims,
  };

  static FitHints fit_hints() {
    return {.elements = {{.by = "phi", .over = "k", .sliders = true}}};
  }

  explicit constexpr Masing(const Params& params, const Options& = {})
      : MasingLaw<PolylineBackbone<Real>>(built(params)) {}

 private:
  static constexpr PolylineBackbone<Real> built(const Params& p) {
    check_fields(info.name, p);
    check_same_length(info.name, "k", p.k.size(), "phi", p.phi.size());
    return parallel_elements(p.k, p.phi);
  }
};

}  // namespace microslip
