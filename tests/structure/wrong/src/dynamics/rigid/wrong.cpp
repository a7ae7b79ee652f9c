#include "dynamics/rigid/right.hpp"
#include "dynamics/time/motion.hpp"
#include "microslip/dynamics/periodic/frequency_response.hpp"
#include "microslip/dynamics/structure/right.hpp"
