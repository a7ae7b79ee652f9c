#pragma once

#include "loops/output.hpp"
#include "microslip/io/figure.hpp"

namespace microslip::app {

io::Figure loops_figure(const MeasuredRecord& record, const loops::Loops& found);

}  // namespace microslip::app
