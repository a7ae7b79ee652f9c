#pragma once

#include "laws/subject.hpp"

namespace microslip::laws {

/// Registers all tests of a law, named <law>.<check>; call it while static objects are made.
void check_law(const Subject& subject);

}  // namespace microslip::laws
