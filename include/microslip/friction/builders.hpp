#pragma once

/// Systems of the literature, by a few numbers.

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "microslip/friction/system.hpp"

namespace microslip::friction {

/// Thesis, footnote 3 of section 2.2.1: K = PᵀDP with random orthogonal P and eigenvalues uniform
/// in (0, 3), b standard normal, μ uniform in (0, 1). The same seed gives the same system on every
/// machine up to the rounding of its matrix products.
System random_system(Index n, std::uint64_t seed);

/// Thesis section 3.2: n springs of stiffness 1/n, pulled together, slider j slips at j μ0/n.
System iwan_system(Index n, double mu0);

/// n sliders in a row, neighbours joined by springs of stiffness k, both ends free; the load pulls
/// both ends the same way, b = (1, 0, …, 0, 1), as in the dissipative chain of Miller and Quinn,
/// Journal of Sound and Vibration 321 (2009) 201–219, eqs (20)–(21), whose k is twice this one and
/// whose F0 is this load. K is semidefinite. One μ serves all sliders, or there is one for each;
/// an empty b stands for the ends.
///
/// With k0 > 0 a displacement pulls through springs k0 b_i instead of a load: they join the stiffness, and b
/// becomes k0 b. K is definite then, so that the chain goes on when all of its sliders slip.
System chain_system(Index n, double k, std::span<const double> mu, std::span<const double> b = {},
                    double k0 = 0);

/// How friction is spread over a row of sliders: it grows from both ends to the middle with a power of the
/// distance from the nearer end, 0 (uniform), 1 (linear) or any other (power); or as x(1 − x) (parabolic).
/// A row that is pulled at one end is half of a row that is pulled at both, so that its friction is a list.
enum class Distribution : std::uint8_t { uniform, linear, parabolic, power };
/// Throws Error for another word.
Distribution distribution_of(std::string_view word);

/// n friction limits of the given sum; `exponent` is that of `power`. Throws Error unless it is finite and not
/// negative.
std::vector<double> friction_limits(Index n, double sum, Distribution distribution,
                                    double exponent = 1);

}  // namespace microslip::friction
