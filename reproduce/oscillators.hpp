#pragma once

#include "microslip/core/description.hpp"
#include "microslip/dynamics/structure/structure.hpp"

/// Structures that several entries share.
namespace microslip::reproduce {

/// m x″ + c x′ + k x + scale · f[x] = force · cos ωt, f a law.
dynamics::Structure oscillator(const ModelSpec& law, double force, double c = 0, double scale = 1,
                               double m = 1, double k = 1);

}  // namespace microslip::reproduce
