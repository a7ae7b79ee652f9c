#pragma once

/// Systems of the literature, by a few numbers.

#include <cstdint>
#include <span>

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
System chain_system(Index n, double k, std::span<const double> mu, std::span<const double> b = {});

}  // namespace microslip::friction
