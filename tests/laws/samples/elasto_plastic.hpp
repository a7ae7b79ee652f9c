#pragma once

#include "laws/cases.hpp"
#include "microslip/models/elasto_plastic.hpp"

namespace microslip::laws {

template <>
struct Samples<ElastoPlastic<double>> {
  using Params = ElastoPlastic<double>::Params;
  static constexpr bool kinks_depend_on_velocity = true;

  static std::vector<Params> sets(std::string_view claim, bool holding) {
    Params standard, dry, flat, steep;
    dry.sigma1 = dry.sigma2 = flat.sigma1 = flat.sigma2 = 0;
    flat.zs = flat.zc;
    // Fast motions right after slow ones get back more than friction takes.
    steep.sigma1 = 10;
    steep.sigma2 = 0;
    steep.zs = 10;
    steep.vs = 5;
    if (claim == "bounded") return {holding ? dry : standard};
    if (claim == "rate_independent") {
      if (holding) return {flat};
      return {standard, dry};
    }
    if (claim == "dissipative") {
      if (holding) return {standard, dry, flat};
      return {steep};
    }
    return {};
  }
};

}  // namespace microslip::laws
