#pragma once

#include <string>
#include <vector>

#include "microslip/io/figure.hpp"
#include "microslip/jobs/ringdown.hpp"

/// What `microslip ringdown` shows of a decay.
namespace microslip::app {

using dynamics::RingdownMode;
using jobs::DecayRecord;

std::string ringdown_text(const DecayRecord& record, const std::vector<RingdownMode>& modes);
std::string ringdown_csv(const DecayRecord& record, const std::vector<RingdownMode>& modes,
                         const std::string& command_line);
io::Figure ringdown_figure(const DecayRecord& record, const std::vector<RingdownMode>& modes);

}  // namespace microslip::app
