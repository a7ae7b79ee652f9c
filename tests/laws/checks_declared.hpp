#pragma once

#include "laws/cases.hpp"

/// What laws declare so that nobody has to try them: their force at a velocity, and what a mirrored
/// motion does to their states.
namespace microslip::laws {

/// After a step the force at the velocity of the step is that of the step; its derivatives, by the
/// velocity and on dual numbers, are those of the force at other velocities.
Fault force_in_motion(const Case<double>& c);

/// The numbers of the states of an odd law under mirrored motions differ as their parities say.
template <class P>
Fault parities(const Case<P>& c);

}  // namespace microslip::laws
