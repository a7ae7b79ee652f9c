#pragma once

#include <memory>

#include "microslip/friction/solver.hpp"

namespace microslip::friction {

std::unique_ptr<Solver> make_event_solver(const System&, const SolverOptions&);
/// Friction that changes in time.
std::unique_ptr<Solver> make_varying_solver(const System&, const SolverOptions&);
/// For diagonal K, where the turning points of the load say everything.
std::unique_ptr<Solver> make_stack_solver(const System&, const SolverOptions&);
std::unique_ptr<Solver> make_active_set_solver(const System&, const SolverOptions&);
std::unique_ptr<Solver> make_lemke_solver(const System&, const SolverOptions&);
std::unique_ptr<Solver> make_regularised_solver(const System&, const SolverOptions&);

/// −1, 0 or 1.
inline int sign_of(double x) { return (x > 0) - (x < 0); }

/// Limits up to rounding: 1 where r_i = μ_i, −1 where r_i = −μ_i.
std::vector<std::int8_t> sides_of(const Vector& r, const Vector& mu);

/// The force to the ground that belongs to a state: exactly ±μ where the state says so, and within
/// the limits everywhere.
Vector ground_force(const System& system, const State& state);

/// Why no increment from x to the load f can be found: which sliders slide as a whole; empty if one
/// can.
std::string floating_part(const System& system, const Vector& x, double f, double factor = 1);

/// Throws Error unless the factor on friction is finite and not negative.
void check_factor(double factor);

}  // namespace microslip::friction
