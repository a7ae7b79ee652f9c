#pragma once

#include <string>
#include <vector>

#include "microslip/io/figure.hpp"
#include "microslip/jobs/damping.hpp"

/// What `microslip damping` writes, prints and draws.
namespace microslip::app {

using jobs::damping_quantities;
using jobs::DampingCurve;
using jobs::MatchTarget;
using jobs::quantity_of;

std::string damping_text(const std::vector<DampingCurve>& curves);
std::string damping_csv(const std::vector<DampingCurve>& curves, double omega,
                        const std::string& command_line);
io::Figure damping_figure(const std::vector<DampingCurve>& curves, const MatchTarget& target,
                          bool log);

}  // namespace microslip::app
