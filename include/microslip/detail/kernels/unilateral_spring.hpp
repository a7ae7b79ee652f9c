#pragma once

#include <limits>
#include <tuple>

#include "microslip/core/dual.hpp"
#include "microslip/core/field.hpp"

namespace microslip {

/// Of laws with one such spring and friction.
template <class Real>
struct ContactParams {
  Real kt{1};
  Real kn{1};
  Real mu{0.5};
  Real N0{1};
  static constexpr auto fields = std::tuple{
      field(&ContactParams::kt, "kt", "F/L", positive, "tangential stiffness while it sticks"),
      field(&ContactParams::kn, "kn", "F/L", positive, "normal stiffness while it is closed"),
      field(&ContactParams::mu, "mu", "1", non_negative, "coefficient of friction"),
      field(&ContactParams::N0, "N0", "F", any_number,
            "normal force at un = 0, held by the rest of the structure; negative: a gap −N0/kn"),
  };
};

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
