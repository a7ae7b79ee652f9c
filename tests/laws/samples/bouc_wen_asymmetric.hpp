#pragma once

#include "laws/cases.hpp"
#include "microslip/models/bouc_wen_asymmetric.hpp"

namespace microslip::laws {

template <>
struct Samples<BoucWenAsymmetric<double>> {
  using Params = BoucWenAsymmetric<double>::Params;

  static std::vector<Params> sets(std::string_view claim, bool holding) {
    if (claim != "odd" && claim != "bounded") return {};
    const Params standard;
    Params odd, limited;
    odd.delta = 0;
    limited.a = 0;
    if (!holding) return {standard};
    return {claim == "odd" ? odd : limited};
  }
};

}  // namespace microslip::laws
