#pragma once

#include "laws/cases.hpp"

/// Tangents and parameter sensitivities: dual numbers, differences and the law's own tangent agree.
namespace microslip::laws {

/// Tangent = derivative by dual numbers = one-sided difference; and the power is balanced:
/// d(stored + dissipated)/du = f, or u df/du if driven by force.
template <class P>
Fault tangents(const Case<P>& c);

/// The tangent of the virgin law is the elastic one: that of a motion without size.
Fault virgin_tangent(const Case<double>& c);

/// Derivatives of the forces by the displacements of a whole history are the same without losses,
/// where a law may take many steps at once.
Fault dual_runs(const Case<double>& c);

/// Derivatives of forces and energies of a whole history with respect to each parameter.
template <class P>
Fault sensitivities(const Case<P>& c);

}  // namespace microslip::laws
