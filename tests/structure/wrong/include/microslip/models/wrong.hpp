#pragma once

#include <Eigen/Core>
#include <boost/math/constants/constants.hpp>
#include <cmath>
#include <microslip/core/right.hpp>
#include <microslip/io/right.hpp>
#include <microslip/models/sibling.hpp>
#include <nlohmann/json.hpp>
