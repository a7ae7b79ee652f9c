#pragma once

#include "laws/cases.hpp"
#include "microslip/models/iwan_pinning.hpp"

namespace microslip::laws {

template <>
struct Samples<IwanPinning<double>> {
  using Params = IwanPinning<double>::Params;

  static std::vector<Params> sets(std::string_view claim, bool holding) {
    if (claim != "bounded" && claim != "masing") return {};
    Params free, pinned;
    free.KP = 0;
    pinned.delta_p = 0.5;
    return {holding ? free : pinned};
  }
};

}  // namespace microslip::laws
