#pragma once

#include <string>

#include "microslip/core/any_model.hpp"

/// Laws for programs that give numbers and keep numbers: parameters in the order of a law's table, and
/// the memory of the law in state variables of the host.
///
///     1       how many of them are in use; 0: at rest
///     2       energy dissipated so far
///     then, for each field of the law's state in alphabetical order, how many numbers it has and
///     these numbers
///
/// They are ordinary numbers, so a host may print, store and restore them as it likes. Increments that
/// it rejects, and restarts, need nothing from us.
namespace microslip::hosts {

/// The law with these numbers; a list of n elements takes n of them. Kept for the next call of the
/// same thread: laws are immutable, so that changes nothing but the time.
const AnyModel& kept_law(const std::string& name, const double* props, int count);

AnyState unpacked(const AnyModel& law, const double* statev, int count);
std::vector<double> packed(const AnyModel& law, const AnyState& state, double energy);

struct Answer {
  double force, tangent, energy, stored;
};

/// From the state variables at the start of the increment to those at its end, which may be the same
/// array. Throws c::Stopped when the law has no answer, Error for bad input; the state variables then
/// keep their values.
Answer step(const std::string& name, const double* props, int prop_count, double u, double dt,
            const double* from, double* to, int state_count);

}  // namespace microslip::hosts
