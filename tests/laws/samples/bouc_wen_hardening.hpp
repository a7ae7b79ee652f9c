#pragma once

#include "laws/cases.hpp"
#include "microslip/models/bouc_wen_hardening.hpp"

namespace microslip::laws {

template <>
struct Samples<BoucWenHardening<double>> {
  using Params = BoucWenHardening<double>::Params;

  static std::vector<Params> sets(std::string_view claim, bool holding) {
    if (claim != "bounded") return {};
    Params limited, spring;
    limited.kappa = 0;
    return {holding ? limited : spring};
  }
};

}  // namespace microslip::laws
