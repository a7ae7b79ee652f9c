#pragma once

#include <tuple>

#include "microslip/core/field.hpp"

/// Parameters and state that laws of bristles have in common.
namespace microslip {

namespace bristle_rows {

template <class P>
constexpr auto sigma1() {
  return field(&P::sigma1, "sigma1", "F T/L", non_negative, "damping of the bristles");
}
template <class P>
constexpr auto sigma2() {
  return field(&P::sigma2, "sigma2", "F T/L", non_negative, "viscous coefficient");
}
template <class P>
constexpr auto vs() {
  return field(&P::vs, "vs", "L/T", positive, "velocity of the transition");
}
/// Of elastic bristles with Stribeck's curve.
template <class P>
constexpr auto elastic() {
  return std::tuple{
      field(&P::sigma0, "sigma0", "F/L", positive, "stiffness of the bristles"),
      sigma1<P>(),
      sigma2<P>(),
      field(&P::zc, "zc", "F", positive, "friction of fast sliding"),
      field(&P::zs, "zs", "F", positive, "friction at the onset of sliding"),
      vs<P>(),
  };
}

}  // namespace bristle_rows

template <class Real>
struct BristleParams {
  Real sigma0{1};
  Real sigma1{0.1};
  Real sigma2{0.1};
  Real zc{1};
  Real zs{1.2};
  Real vs{0.5};
  static constexpr auto fields = bristle_rows::elastic<BristleParams>();
};

template <class Real>
struct BristleState {
  Real u{0};
  Real f{0};
  Real z{0};
  static constexpr auto fields = std::tuple{
      state_field(&BristleState::u, "u", "L", "displacement"),
      state_field(&BristleState::f, "f", "F", "force"),
      state_field(&BristleState::z, "z", "L", "bend of the bristles"),
  };
};

}  // namespace microslip
