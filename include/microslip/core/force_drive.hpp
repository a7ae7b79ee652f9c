#pragma once

#include <functional>

#include "microslip/core/response.hpp"

/// Any scalar law can be driven by force: find the displacement at which its step carries it.
namespace microslip {

struct DisplacementFor {
  double u;
  Status status;
};

/// `try_step(u)` is a step of the law from the committed state to u, answering a Response;
/// `u0` is the committed displacement and `f0` its force.
/// Moves in the direction in which a positive tangent gains force, and takes the u at which
/// f − wanted changes sign, to rounding: on a softening law the one before the peak of the force.
/// Where the force jumps at u0, as dry friction does, every force of the jump holds it there.
/// Beyond the peak the law snaps through to the next u that carries it. Status `unreachable` when
/// no motion does.
DisplacementFor displacement_for(double wanted, double u0, double f0,
                                 const std::function<Response<double>(double)>& try_step);

}  // namespace microslip
