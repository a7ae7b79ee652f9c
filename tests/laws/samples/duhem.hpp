#pragma once

#include "laws/cases.hpp"
#include "microslip/models/duhem.hpp"

namespace microslip::laws {

template <>
struct Samples<Duhem<double>> {
  using Params = Duhem<double>::Params;

  static constexpr std::size_t effort = 5;

  static Params with(const char* g1, const char* g2) {
    return {.g1 = Expression::parse(g1, {"u", "z"}), .g2 = Expression::parse(g2, {"u", "z"})};
  }

  static Params draw(Rng& rng) {
    const Params laws[] = {with("1-z", "1+z"), with("1-z^3", "1+z^3"),
                           with("1.2-(z-0.2*u)", "1.2+(z-0.2*u)"), with("2-exp(z)", "2-exp(-z)")};
    return laws[rng.below(std::size(laws))];
  }

  static std::vector<Params> sets(std::string_view claim, bool holding) {
    if (holding) return {with("1-z", "1+z"), with("2-exp(z)", "2-exp(-z)")};
    if (claim == "odd") return {with("1-z", "1+z/2")};
    if (claim == "bounded") return {with("1.2-(z-0.2*u)", "1.2+(z-0.2*u)")};
    if (claim == "dissipative") return {with("1+0.5*tanh(z)", "1-0.5*tanh(z)")};
    return {};
  }
};

}  // namespace microslip::laws
