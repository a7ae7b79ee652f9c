#pragma once

/// What the analyses of periodic motions (frequency responses, nonlinear modes) have in common.

#include "microslip/dynamics/continuation/curve_end.hpp"
#include "microslip/dynamics/fourier/phasor.hpp"
#include "microslip/dynamics/joint/periodic_options.hpp"
