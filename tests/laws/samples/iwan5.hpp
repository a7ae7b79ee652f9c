#pragma once

#include "laws/cases.hpp"
#include "microslip/models/iwan5.hpp"

namespace microslip::laws {

template <>
struct Samples<Iwan5<double>> {
  using Params = Iwan5<double>::Params;

  /// The smallest reversal makes sliders stick, which then carry more.
  static constexpr bool trembling_matters = true;

  static std::vector<Params> sets(std::string_view claim, bool holding) {
    if (claim != "masing" && claim != "return_point_memory") return {};
    Params plain, dropping;
    plain.theta = 1;
    return {holding ? plain : dropping};
  }
};

}  // namespace microslip::laws
