#pragma once

#include "laws/cases.hpp"
#include "microslip/models/prager.hpp"

namespace microslip::laws {

template <>
struct Samples<Prager<double>> {
  using Params = Prager<double>::Params;
  static constexpr bool jumps = true;

  static std::vector<Params> sets(std::string_view claim, bool holding) {
    if (claim != "bounded") return {};
    Params rigid;
    rigid.k = 0;
    return {holding ? rigid : Params{}};
  }
};

}  // namespace microslip::laws
