#pragma once

#include "laws/cases.hpp"

/// Exactness for any size of step, energy, kinks, extreme steps.
namespace microslip::laws {

/// A path gives the same forces and energies however its legs are cut.
template <class P>
Fault substeps(const Case<P>& c);

/// Work = Δstored + dissipated, leg by leg; driven by force, the work is that of the load.
template <class P>
Fault energy_balance(const Case<P>& c);

/// Between kinks the force is smooth: polynomials converge.
template <class P>
Fault kinks(const Case<P>& c);

/// One step over a million slip displacements, and back, is as good as many.
template <class P>
Fault huge_steps(const Case<P>& c);

/// Steps and reversals at the limit of double precision answer numbers, and a later step does not
/// notice them.
template <class P>
Fault tiny_steps(const Case<P>& c);

/// Landing exactly on an earlier turning point is no different from landing a little beside it.
template <class P>
Fault exact_returns(const Case<P>& c);

/// A law that says that it is rigid slides with the force of its steps and begins to slip at its
/// limits; the force of any other does not jump where the motion turns.
Fault rigidity(const Case<double>& c);

}  // namespace microslip::laws
