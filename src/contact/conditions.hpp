#pragma once

#include <algorithm>
#include <cmath>

#include "microslip/contact/solver.hpp"

namespace microslip::contact {

inline int side_of(Contact contact) {
  return contact == Contact::forward ? 1 : contact == Contact::backward ? -1 : 0;
}

inline Contact slip_towards(double direction) {
  return direction > 0 ? Contact::forward : Contact::backward;
}

/// The ways in which a node may go on.
struct Ways {
  bool open = false, stick = false, forward = false, backward = false;

  bool only_one() const { return open + stick + forward + backward == 1; }
  bool allows(Contact contact) const {
    switch (contact) {
      case Contact::open:
        return open;
      case Contact::stick:
        return stick;
      case Contact::forward:
        return forward;
      case Contact::backward:
        break;
    }
    return backward;
  }
};

/// The state that the motion v and the forces t of a node ask for: the present one if they meet its
/// conditions, else that of a step of the semismooth Newton method with the stiffness k as its
/// constant. Without friction a node that touches slips, in either direction.
struct NodeMotion {
  double mu, vn, vt, tn, tt, kn, kt;
};
inline Contact asked_for(Contact now, const Ways& ways, const NodeMotion& m, double v_tol,
                         double t_tol) {
  const auto& [mu, vn, vt, tn, tt, kn, kt] = m;
  const double pressure = -tn;
  if (ways.open) {
    if (now == Contact::open) {
      if (vn >= -v_tol) return now;
      if (mu == 0) return Contact::forward;
      const double contact = -kn * vn, shear = kt * vt;
      return std::abs(shear) <= mu * contact ? Contact::stick : slip_towards(shear);
    }
    if (pressure < -t_tol) return Contact::open;
  }
  if (mu == 0) return side_of(now) != 0 ? now : Contact::forward;
  if (now == Contact::stick) {
    if (ways.forward && tt - mu * pressure > t_tol) return Contact::forward;
    if (ways.backward && -tt - mu * pressure > t_tol) return Contact::backward;
    return now;
  }
  const int side = side_of(now);
  if (side * vt >= -v_tol) return now;
  // Slip against the force. Where both limits coincide it may be slip the other way.
  if (ways.forward && ways.backward) {
    const double shear = side * mu * pressure + kt * vt;
    if (std::abs(shear) > mu * std::max(pressure, 0.0)) return slip_towards(shear);
  }
  return Contact::stick;
}

}  // namespace microslip::contact
