#pragma once

#include "laws/cases.hpp"
#include "microslip/models/coulomb.hpp"

namespace microslip::laws {

template <>
struct Samples<Coulomb<double>> {
  using Params = Coulomb<double>::Params;
  /// The law knows no length.
  static Scales scale(const Params& p) { return {.u = 1, .f = p.fc}; }
};

}  // namespace microslip::laws
