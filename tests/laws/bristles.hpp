#pragma once

#include "laws/samples.hpp"

namespace microslip::laws {

/// Witnesses for lugre and laws with its parameters.
inline Sets bristle_sets(std::string_view claim, bool holding) {
  const ParameterValues standard{}, dry{{"sigma1", 0.0}, {"sigma2", 0.0}};
  const ParameterValues flat{{"sigma1", 0.0}, {"sigma2", 0.0}, {"zc", 1.0}, {"zs", 1.0}};
  // Fast motions right after slow ones get back more than friction takes.
  const ParameterValues steep{{"sigma1", 10.0}, {"sigma2", 0.0}, {"zs", 10.0}, {"vs", 5.0}};
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

}  // namespace microslip::laws
