#pragma once

#include <string>

#include "microslip/io/figure.hpp"
#include "microslip/jobs/joint.hpp"

/// What `microslip joint` prints, writes and draws.
namespace microslip::app {

using jobs::JointMoment;
using jobs::JointResult;

std::string joint_csv(const JointResult& result);
std::string joint_text(const JointResult& result);
/// Parameters of the law `sliders`, for `simulate --params`, `reduce` and `respond`.
std::string joint_sliders(const JointResult& result, const std::string& path);

io::Figure joint_figure(const JointResult& result);
io::Figure joint_slip_map(const JointResult& result);

}  // namespace microslip::app
