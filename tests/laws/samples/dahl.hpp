#pragma once

#include "laws/cases.hpp"
#include "microslip/models/dahl.hpp"

namespace microslip::laws {

template <>
struct Samples<Dahl<double>> {
  using Params = Dahl<double>::Params;

  /// The claims that depend hold for the elastic-plastic element alone.
  static std::vector<Params> sets(std::string_view, bool holding) {
    Params element, brittle, exponential, ductile;
    element.n = 0;
    brittle.n = 0.5;
    ductile.n = 2;
    if (holding) return {element};
    return {brittle, exponential, ductile};
  }
};

}  // namespace microslip::laws
