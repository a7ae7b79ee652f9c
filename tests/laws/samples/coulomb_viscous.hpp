#pragma once

#include "laws/cases.hpp"
#include "microslip/models/coulomb_viscous.hpp"

namespace microslip::laws {

template <>
struct Samples<CoulombViscous<double>> {
  using Params = CoulombViscous<double>::Params;
  /// At unit velocities both parts are felt; the law knows no length.
  static Scales scale(const Params& p) { return {.u = 1, .f = p.fc + p.c}; }

  static std::vector<Params> sets(std::string_view, bool holding) {
    Params dry, wet;
    dry.c = 0;
    return {holding ? dry : wet};
  }
};

}  // namespace microslip::laws
