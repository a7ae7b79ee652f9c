#pragma once

#include <ceres/jet.h>

#include <microslip/microslip.hpp>
