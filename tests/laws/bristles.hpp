#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

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

/// Bristles made of one to six Jenkins elements, some or all of which slip below the limit; a limit
/// that falls, rises or stays with speed, on both sides of the velocity of its transition.
inline ParameterValues draw_elements_as_bristles(Rng& rng) {
  const double limit = rng.log_uniform(0.1, 10), n = rng.log_uniform(0.1, 30);
  std::vector<double> k, phi;
  for (std::size_t i = 1 + rng.below(6); i > 0; --i) {
    k.push_back(rng.log_uniform(0.05, 20));
    phi.push_back(limit * rng.log_uniform(0.03, 10));
  }
  // Above the limit bristles spring back by (fs/fc)^n times the motion: beyond some hundred the
  // smallest motion matters, and paths are no longer alike.
  const double ratio = std::exp(rng.uniform(-1, 1) * std::min(std::log(2.0), std::log(300.0) / n));
  return {{"sigma1", rng.chance(0.3) ? 0.0 : rng.log_uniform(0.02, 2)},
          {"sigma2", rng.chance(0.3) ? 0.0 : rng.log_uniform(0.02, 2)},
          {"fc", limit},
          {"fs", rng.chance(0.3) ? limit : limit * ratio},
          {"vs", rng.log_uniform(0.05, 20)},
          {"delta", rng.log_uniform(0.3, 6)},
          {"n", n},
          {"k", k},
          {"phi", phi}};
}

}  // namespace microslip::laws
