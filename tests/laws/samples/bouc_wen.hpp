#pragma once

#include "laws/cases.hpp"
#include "microslip/models/bouc_wen.hpp"

namespace microslip::laws {

template <>
struct Samples<BoucWen<double>> {
  using Params = BoucWen<double>::Params;

  static std::vector<Params> sets(std::string_view claim, bool holding) {
    if (claim != "bounded") return {};
    Params limited, spring, unlimited;
    limited.a = unlimited.a = 0;
    unlimited.gamma = -unlimited.beta;  // loading is then z' = A u'
    if (holding) return {limited};
    return {spring, unlimited};
  }
};

}  // namespace microslip::laws
