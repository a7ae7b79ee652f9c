#pragma once

#include "laws/cases.hpp"
#include "microslip/models/valanis.hpp"

namespace microslip::laws {

template <>
struct Samples<Valanis<double>> {
  using Params = Valanis<double>::Params;

  static std::vector<Params> sets(std::string_view claim, bool holding) {
    if (claim != "bounded") return {};
    Params limited, spring;
    limited.Et = 0;
    return {holding ? limited : spring};
  }
};

}  // namespace microslip::laws
