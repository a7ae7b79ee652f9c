#pragma once

/// # lampaert: LuGre-type friction on a Masing model
///
///     z' = u' (1 − sgn(Fh/s) |Fh/s|^n),   Fh = Σ_i stop_{φ_i}[k_i z]
///     s(v) = sgn(v) (fc + (fs − fc) exp(−(|v|/vs)^δ))
///     f  = Fh + σ1 z' + σ2 u'
///
/// (82), (85), (86) of the review by Mathis et al. The bristles are Jenkins elements in parallel,
/// driven by z, which follows the motion until their force Fh comes near the limit s(u'). So small
/// motions have hysteresis with memory of their reversals, and large ones the friction of Stribeck.
/// If Σ φ_i is smaller than the limit, the elements slip before the bristles do and carry Σ φ_i.
///
/// A limit that falls with speed may leave Fh above it: z then moves back against the motion until
/// Fh is down at the limit.
///
/// A step is exact between the corners of Masing's curve, but for the last of the way down from
/// above the limit, which is error-controlled (kernels/masing_friction.hpp).
///
/// Energy: Ψ is that of the Masing model at z. Its elements lose what they lose, the rest of the
/// bristles |Fh| |Fh/s|^n per length; as in lugre, a fast motion after a slow one may give energy
/// back through σ1.

#include "microslip/core/concepts.hpp"
#include "microslip/core/fit_hints.hpp"
#include "microslip/detail/kernels/masing_friction.hpp"

namespace microslip {

template <Number Real>
class Lampaert : public MasingFrictionLaw<Real, SlidesFrom::elements> {
 public:
  using typename MasingFrictionLaw<Real, SlidesFrom::elements>::Params;

  static constexpr Info info{
      .name = "lampaert",
      .sentence = "Friction with a Masing model as its bristles: memory below, Stribeck above.",
      .equation =
          "z' = u'(1 − sgn(Fh/s)|Fh/s|ⁿ),  Fh = Σ_i stop_φi[k_i z],  f = Fh + σ1 z' + σ2 u'",
      .citation =
          "V. Lampaert, J. Swevers, F. Al-Bender, Modification of the Leuven integrated friction "
          "model structure, IEEE Transactions on Automatic Control 47 (2002) 683–687",
      .claims = {.odd = holds,
                 .rate_independent = depends("fs = fc and sigma1 = sigma2 = 0"),
                 .masing = fails,
                 .return_point_memory = fails,
                 .minor_loops_close = fails,
                 .dissipative = depends("sigma1 (max(fs,fc)^n/min(fs,fc)^n - 1) <= sigma2"),
                 .bounded = depends("sigma1 = sigma2 = 0"),
                 .planar_isotropic = not_applicable},
  };

  static FitHints fit_hints() {
    return {.elements = {
                {.by = "phi",
                 .over = "k",
                 .sliders = true,
                 // Bristles that never slide all at once are the sliders of `masing`.
                 .sliders_alone = {{"fc", 3}, {"fs", 3}, {"n", 4}, {"sigma1", 0}, {"sigma2", 0}}}}};
  }

  explicit Lampaert(const Params& params, const NoOptions& = {})
      : MasingFrictionLaw<Real, SlidesFrom::elements>(info.name, params) {}
};

}  // namespace microslip
