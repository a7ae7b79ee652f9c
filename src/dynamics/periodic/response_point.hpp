#pragma once

#include "dynamics/balance/harmonic_balance.hpp"
#include "microslip/dynamics/periodic/frequency_response.hpp"

namespace microslip::dynamics {

/// One point of a response from a solution of harmonic balance.
ResponsePoint response_point(HarmonicBalance& balance, const Eigen::VectorXd& y);

}  // namespace microslip::dynamics
