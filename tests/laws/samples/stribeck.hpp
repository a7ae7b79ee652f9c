#pragma once

#include "laws/cases.hpp"
#include "microslip/models/stribeck.hpp"

namespace microslip::laws {

template <>
struct Samples<Stribeck<double>> {
  using Params = Stribeck<double>::Params;
  /// Speeds around vs; the law knows no length.
  static Scales scale(const Params& p) { return {.u = p.vs, .f = std::max(p.fc, p.fs)}; }

  static std::vector<Params> sets(std::string_view claim, bool holding) {
    Params standard, dry, flat;
    dry.c = flat.c = 0;
    flat.fs = flat.fc;
    if (claim == "bounded") return {holding ? dry : standard};
    if (holding) return {flat};
    return {standard, dry};
  }
};

}  // namespace microslip::laws
