#pragma once

/// # coulomb: dry friction
///
///     f = fc sgn(u')
///
/// At u' = 0 any force between −fc and fc is admissible; the law keeps the last one (zero before
/// the first motion). All work is lost: fc per distance, 4 fc U in a cycle of amplitude U. Driven
/// by force it has no unique displacement.
///
/// The option epsilon > 0 replaces the sign by tanh(u'/epsilon), a different, rate-dependent law.

#include <tuple>

#include "microslip/core/concepts.hpp"
#include "microslip/detail/kernels/sliding.hpp"

namespace microslip {

template <Number Real>
class Coulomb : public SlidingLaw<Real> {
 public:
  using Options = SlidingOptions;
  struct Params {
    Real fc{1};
    static constexpr auto fields =
        std::tuple{field(&Params::fc, "fc", "F", positive, "friction force while sliding")};
  };

  static constexpr Info info{
      .name = "coulomb",
      .sentence = "Dry friction: a force of constant size against the motion.",
      .equation = "f = fc sgn u'",
      .citation = "C. A. Coulomb, Théorie des machines simples, Paris (1785)",
      .claims = {.odd = holds,
                 .rate_independent = holds,
                 .masing = holds,
                 .return_point_memory = holds,
                 .minor_loops_close = holds,
                 .dissipative = holds,
                 .bounded = holds,
                 .planar_isotropic = not_applicable},
  };

  explicit constexpr Coulomb(const Params& params, const Options& options = {})
      : Coulomb(checked_fields(info.name, params), options, were_checked) {}
  constexpr Coulomb(const Params& params, const Options& options, WereChecked) noexcept
      : SlidingLaw<Real>({params.fc, params.fc, Real(1), Real(1)}, Real(0), options) {}
};

}  // namespace microslip
