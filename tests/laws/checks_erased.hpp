#pragma once

#include "laws/cases.hpp"

/// Whole histories are single steps one after the other, bit by bit; they can be cut, saved and
/// driven by force.
namespace microslip::laws {

/// A history is the plain loop over single steps, whatever is recorded; a trial step that is thrown
/// away leaves no trace.
template <class P>
Fault any_model(const Case<P>& c);

/// A history that is saved and resumed in the middle is the same history.
template <class P>
Fault saved_states(const Case<P>& c);

/// Driven by the force it answered, the law finds the displacement, as long as force determines it.
Fault force_drive(const Case<double>& c);

/// A bounded law cannot carry any force: a status, and the rows before it stand.
Fault unreachable_force(const Case<double>& c);

}  // namespace microslip::laws
