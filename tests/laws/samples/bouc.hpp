#pragma once

#include "laws/cases.hpp"
#include "microslip/models/bouc.hpp"

namespace microslip::laws {

template <>
struct Samples<Bouc<double>> {
  using Params = Bouc<double>::Params;

  static std::vector<Params> sets(std::string_view claim, bool holding) {
    if (claim != "bounded") return {};
    Params limited, spring;
    limited.k = 0;
    return {holding ? limited : spring};
  }
};

}  // namespace microslip::laws
