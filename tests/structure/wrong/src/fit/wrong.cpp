#include <ceres/ceres.h>

#include <microslip/loops/right.hpp>
#include <microslip/models/jenkins.hpp>
