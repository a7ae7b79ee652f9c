#pragma once

#include "laws/cases.hpp"
#include "microslip/models/bouc_wen_degrading.hpp"

namespace microslip::laws {

template <>
struct Samples<BoucWenDegrading<double>> {
  static constexpr std::size_t effort = 20;
};

}  // namespace microslip::laws
