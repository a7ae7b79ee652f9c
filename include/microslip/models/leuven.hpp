#pragma once

/// # leuven: LuGre-type friction on the branches of a Masing model
///
///     z' = u' (1 − sgn(Fd/(s − Fb)) |Fd/(s − Fb)|^n),   Fh = Fb + Fd
///     s(v) = sgn(v) (fc + (fs − fc) exp(−(|v|/vs)^δ))
///     f  = Fh + σ1 z' + σ2 u'
///
/// (81)–(84) of the review by Mathis et al. Fb is the force at the last reversal of the motion not
/// yet wiped out, Fd the transition curve from there. The review leaves that curve open; here it is
/// the one of Jenkins elements k_i, φ_i in parallel, by Masing's rules: with its backbone g,
/// Fd = g(z) at first and 2 g(z/2) after a reversal, z from there. So Fh is a Masing model of z, as
/// in lampaert, and every branch bends towards the limit from its own beginning.
///
/// Where a loop closes an older Fb takes over, and z' jumps: the known weakness of this law, which
/// lampaert does not have.
///
/// A limit that falls with speed may leave Fh above it: z then moves back along its branch until
/// Fh is down at the limit. If it falls below Fb (a reversal of a slow motion above fc, another one
/// soon after it, and a fast motion) the law is undefined, and a step says so.
/// With fs = fc, the default, that cannot happen.
///
/// A step is exact between the corners of g, but for the last of the way down from above the limit,
/// which is error-controlled (kernels/masing_friction.hpp).
///
/// Energy: Ψ is that of the Masing model at z. Right after a reversal the bristles slide with the
/// motion while their force still pulls the other way: such a step gives back more than Ψ held, and
/// its loss is negative; the rest of the cycle takes it back.

#include "microslip/core/concepts.hpp"
#include "microslip/core/fit_hints.hpp"
#include "microslip/detail/kernels/masing_friction.hpp"

namespace microslip {

template <Number Real>
class Leuven : public MasingFrictionLaw<Real, SlidesFrom::branch> {
 public:
  using typename MasingFrictionLaw<Real, SlidesFrom::branch>::Params;

  static constexpr Info info{
      .name = "leuven",
      .sentence = "Friction whose way to sliding begins anew at every reversal of the motion.",
      .equation =
          "z' = u'(1 − sgn(Fd/(s − Fb))|Fd/(s − Fb)|ⁿ),  Fh = Fb + Fd(z),  "
          "f = Fh + σ1 z' + σ2 u'",
      .citation =
          "J. Swevers, F. Al-Bender, C. G. Ganseman, T. Prajogo, An integrated friction model "
          "structure with improved presliding behavior for accurate friction compensation, IEEE "
          "Transactions on Automatic Control 45 (2000) 675–686, doi:10.1109/9.847103",
      .claims = {.odd = holds,
                 .rate_independent = depends("fs = fc and sigma1 = sigma2 = 0"),
                 .masing = fails,
                 .return_point_memory = fails,
                 .minor_loops_close = fails,
                 .dissipative = depends("fs = fc"),
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

  explicit Leuven(const Params& params, const NoOptions& = {})
      : MasingFrictionLaw<Real, SlidesFrom::branch>(info.name, params) {}
};

}  // namespace microslip
