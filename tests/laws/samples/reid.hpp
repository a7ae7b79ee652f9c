#pragma once

#include "laws/cases.hpp"
#include "microslip/models/reid.hpp"

namespace microslip::laws {

template <>
struct Samples<Reid<double>> {
  static constexpr bool jumps = true;
};

}  // namespace microslip::laws
