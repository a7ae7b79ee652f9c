#pragma once

/// # coulomb-viscous: dry friction and a dashpot
///
///     f = fc sgn(u') + c u'
///
/// At rest the friction keeps its last value and the dashpot has none. The option epsilon > 0
/// replaces the sign by tanh(u'/epsilon).

#include <tuple>

#include "microslip/core/concepts.hpp"
#include "microslip/detail/kernels/sliding.hpp"

namespace microslip {

template <Number Real>
class CoulombViscous : public SlidingLaw<Real> {
 public:
  using Options = SlidingOptions;
  struct Params {
    Real fc{1};
    Real c{0.5};
    static constexpr auto fields = std::tuple{
        field(&Params::fc, "fc", "F", positive, "dry friction force while sliding"),
        field(&Params::c, "c", "F T/L", non_negative, "viscous coefficient"),
    };
  };

  static constexpr Info info{
      .name = "coulomb-viscous",
      .sentence = "Dry friction beside a dashpot.",
      .equation = "f = fc sgn u' + c u'",
      .citation =
          "B. Armstrong-Hélouvry, P. Dupont, C. Canudas de Wit, A survey of models, analysis tools "
          "and compensation methods for the control of machines with friction, Automatica 30 "
          "(1994) 1083–1138",
      .claims = {.odd = holds,
                 .rate_independent = depends("c = 0"),
                 .masing = not_applicable,
                 .return_point_memory = not_applicable,
                 .minor_loops_close = not_applicable,
                 .dissipative = holds,
                 .bounded = depends("c = 0"),
                 .planar_isotropic = not_applicable},
  };

  explicit constexpr CoulombViscous(const Params& params, const Options& options = {})
      : CoulombViscous(checked_fields(info.name, params), options, were_checked) {}
  constexpr CoulombViscous(const Params& params, const Options& options, WereChecked) noexcept
      : SlidingLaw<Real>({params.fc, params.fc, Real(1), Real(1)}, params.c, options) {}
};

}  // namespace microslip
