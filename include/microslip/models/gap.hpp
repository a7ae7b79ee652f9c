#pragma once

/// # gap: a spring with a dead band on both sides
///
///     f = k (u − clamp(u, −gap, gap))
///
/// Nothing is carried while |u| ≤ gap; beyond it a spring of stiffness k acts, on either side:
/// clearance in a pin joint, backlash of elastic teeth, snubbers. The law is elastic: it stores
/// f²/(2k) and loses nothing. `backlash(LAW, gap=2g)` is the same around any other law.

#include <limits>
#include <tuple>

#include "microslip/core/concepts.hpp"
#include "microslip/detail/kernels/elastic.hpp"

namespace microslip {

template <Number Real>
struct GapCurve {
  using Scalar = Real;
  Real k, gap;

  constexpr ElasticPoint<Real> at(const Real& u, int side) const noexcept {
    const Real above = u - gap, below = u + gap;
    if (above > 0.0 || (above == 0.0 && side > 0)) return {k * above, k};
    if (below < 0.0 || (below == 0.0 && side < 0)) return {k * below, k};
    return {Real(0), Real(0)};
  }
  constexpr Real energy(const Real& u) const noexcept { return 0.5 / k * square(at(u, 1).force); }
  constexpr Real next_kink(const Real& u, int direction) const noexcept {
    const double d = direction;
    if (gap == 0.0) return Real(d * std::numeric_limits<double>::infinity());
    if (d * u < -gap) return -d * gap;
    if (d * u < gap) return d * gap;
    return Real(d * std::numeric_limits<double>::infinity());
  }
};

template <Number Real>
class Gap : public ElasticLaw<GapCurve<Real>> {
 public:
  struct Params {
    Real k{1};
    Real gap{0.5};

    static constexpr auto fields = std::tuple{
        field(&Params::k, "k", "F/L", positive, "stiffness beyond the gap"),
        field(&Params::gap, "gap", "L", non_negative, "free way on either side of the origin"),
    };
  };
  using Options = NoOptions;

  static constexpr Info info{
      .name = "gap",
      .sentence = "An elastic spring with clearance on both sides: a dead band of ±gap.",
      .equation = "f = k (u − clamp(u, −gap, gap))",
      .citation =
          "S. W. Shaw, P. J. Holmes, A periodically forced piecewise linear oscillator, Journal of "
          "Sound and Vibration 90 (1983) 129–155",
      .claims = {.odd = holds,
                 .rate_independent = holds,
                 .masing = depends("gap = 0"),
                 .return_point_memory = holds,
                 .minor_loops_close = holds,
                 .dissipative = holds,
                 .bounded = fails,
                 .planar_isotropic = not_applicable},
  };

  explicit constexpr Gap(const Params& params, const Options& options = {})
      : Gap(checked_fields(info.name, params), options, were_checked) {}
  constexpr Gap(const Params& params, const Options&, WereChecked) noexcept
      : ElasticLaw<GapCurve<Real>>({params.k, params.gap}) {}
};

}  // namespace microslip
