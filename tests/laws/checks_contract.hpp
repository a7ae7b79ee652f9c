#pragma once

#include "laws/cases.hpp"

/// The contract of step and of the tables, whatever the physics.
namespace microslip::laws {

/// The same input gives the same bits; `from` is only read; what was in `to` does not matter, not
/// even when it is `from`; the new state holds the displacement and the force.
template <class P>
Fault purity(const Case<P>& c);
/// The same with each choice of each option.
template <class P>
Fault purity_of_options(const Case<P>& c);

/// u == from.u: the committed force to the bit, nothing lost, nothing moved.
template <class P>
Fault zero_step(const Case<P>& c);

/// Once `to` has seen as long a history, nothing allocates: also with more nested reversals than a
/// state holds inline.
template <class P>
Fault no_allocation(const Case<P>& c);

/// Defaults are admissible; a number outside its interval is refused in one sentence that names
/// it, its value and the interval.
Fault tables(const Subject& subject);

}  // namespace microslip::laws
