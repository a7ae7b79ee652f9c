#pragma once

#include <limits>

#include "microslip/core/dual.hpp"

namespace microslip {

/// The normal part of contact laws: N = max(0, N0 + kn un). The rest of the structure holds a
/// positive N0 while un = 0, so the law's force is what is added to it; a negative N0 is a gap.
template <Number Real>
struct UnilateralSpring {
  Real kn, N0;

  /// N, negative where the contact is open.
  constexpr Real load(const Real& un) const noexcept { return N0 + kn * un; }
  /// N − max(N0, 0). Of a closed contact with a preload it is kn un, whose digits do not depend on N0.
  constexpr Real force(const Real& un) const noexcept {
    const bool closed = value_of(load(un)) > 0, preloaded = value_of(N0) > 0;
    if (closed) return preloaded ? Real(kn * un) : load(un);
    return preloaded ? Real(-N0) : Real(0);
  }
  /// ∫ (N − max(N0, 0)) dun from 0.
  constexpr Real stored(const Real& un) const noexcept {
    const bool closed = value_of(load(un)) > 0, preloaded = value_of(N0) > 0;
    if (closed) return preloaded ? Real(0.5 * kn * un * un) : Real(0.5 / kn * square(load(un)));
    return preloaded ? Real(-N0 * un - 0.5 / kn * square(N0)) : Real(0);
  }
  /// The part of a motion along which un changes by `way` until N = 0; infinite if it is not reached.
  constexpr Real change_of_state(const Real& un, const Real& way) const noexcept {
    const Real N = load(un);
    const Real part = -N / (kn * way);
    return value_of(part) > 0 ? part : Real(std::numeric_limits<double>::infinity());
  }
};

}  // namespace microslip
