#pragma once

/// # stribeck: friction that falls with speed
///
///     f = sgn(u') (fc + (fs − fc) exp(−(|u'|/vs)^δ)) + c u'
///
/// fs is felt at the onset of motion, fc beyond a few vs; then the viscous part takes over. The
/// falling part makes driven systems stick and slip. At rest the friction keeps its last value.
/// The option epsilon > 0 replaces the sign by tanh(u'/epsilon).
///
/// The review by Mathis et al. lists parameters of a Stribeck law but not its formula; this is the
/// usual one, with their names where they have them.

#include <tuple>

#include "microslip/core/concepts.hpp"
#include "microslip/core/fit_hints.hpp"
#include "microslip/detail/kernels/sliding.hpp"

namespace microslip {

template <Number Real>
class Stribeck : public SlidingLaw<Real> {
 public:
  using Options = SlidingOptions;
  struct Params {
    Real fc{1};
    Real fs{1.5};
    Real vs{1};
    Real delta{2};
    Real c{0.1};
    static constexpr auto fields = std::tuple{
        field(&Params::fc, "fc", "F", positive, "friction of fast sliding"),
        field(&Params::fs, "fs", "F", positive, "friction at the onset of sliding"),
        field(&Params::vs, "vs", "L/T", positive, "velocity of the transition"),
        field(&Params::delta, "delta", "1", positive, "sharpness of the transition"),
        field(&Params::c, "c", "F T/L", non_negative, "viscous coefficient"),
    };
  };

  static constexpr Info info{
      .name = "stribeck",
      .sentence = "Friction that falls from its static to its kinetic value with speed.",
      .equation = "f = sgn(u') (fc + (fs − fc) exp(−(|u'|/vs)^δ)) + c u'",
      .citation =
          "R. Stribeck, Die wesentlichen Eigenschaften der Gleit- und Rollenlager, Zeitschrift "
          "des Vereins Deutscher Ingenieure 46 (1902)",
      .claims = {.odd = holds,
                 .rate_independent = depends("fs = fc and c = 0"),
                 .masing = not_applicable,
                 .return_point_memory = not_applicable,
                 .minor_loops_close = not_applicable,
                 .dissipative = holds,
                 .bounded = depends("c = 0"),
                 .planar_isotropic = not_applicable},
  };

  static FitHints fit_hints() {
    return {.ratios = {{"fs", "fc", positive}}, .look = {{"fs", closed_interval(1, 10)}}};
  }

  explicit constexpr Stribeck(const Params& params, const Options& options = {})
      : Stribeck(checked_fields(info.name, params), options, were_checked) {}
  constexpr Stribeck(const Params& params, const Options& options, WereChecked) noexcept
      : SlidingLaw<Real>({params.fc, params.fs, params.vs, params.delta}, params.c, options) {}
};

}  // namespace microslip
