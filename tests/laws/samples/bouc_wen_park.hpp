#pragma once

#include "laws/cases.hpp"
#include "microslip/models/bouc_wen_park.hpp"

namespace microslip::laws {

template <>
struct Samples<BoucWenPark<double>> {
  using Params = BoucWenPark<double>::Params;

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
