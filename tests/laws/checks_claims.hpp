#pragma once

#include "laws/cases.hpp"

/// What a law claims about itself, tested both ways: a claim that holds must hold on every case;
/// one that fails must be seen broken; one that depends must do both, on the law's own sample sets.
/// A violation is relative to the scales of the case.
namespace microslip::laws {

template <class P>
using Violation = std::function<double(const Case<P>&)>;

/// f[−u] = −f[u]
template <class P>
double odd_violation(const Case<P>& c);
/// The same path at another speed.
double rate_violation(const Case<double>& c);
/// Branches are the doubled backbone: the first branch after a virgin loading, and a reloading.
double masing_violation(const Case<double>& c);
/// A reversal and the return to where it began: the force must be the old one.
double closing_violation(const Case<double>& c);
/// An excursion with loops of its own; then the law goes on as if it had not been.
double memory_violation(const Case<double>& c);
/// No step loses a negative energy, and nothing is owed to the store.
template <class P>
double dissipation_violation(const Case<P>& c);
/// Energy created by repeating the path as a cycle, once it is steady.
template <class P>
double creation_violation(const Case<P>& c);
/// How the force grows far out, as an exponent of the displacement: 1 for a spring, and for a
/// dashpot, since the time stays the same. A law that saturates slowly still shows a little growth
/// between 1e8 and 1e12 slip displacements.
template <class P>
double bound_violation(const Case<P>& c);
/// Turning the path in the plane turns the force.
template <class P>
double isotropy_violation(const Case<P>& c);

/// A claim by its name. `broken` measures the violation that a failing claim must show.
template <class P>
Fault check_claim(const Subject& subject, std::string_view name, const Claim& claim,
                  double tolerance, const Violation<P>& violation, const Violation<P>& broken);
/// Mostly it is the same.
template <class P>
Fault check_claim(const Subject& subject, std::string_view name, const Claim& claim,
                  double tolerance, const Violation<P>& violation) {
  return check_claim<P>(subject, name, claim, tolerance, violation, violation);
}

}  // namespace microslip::laws
