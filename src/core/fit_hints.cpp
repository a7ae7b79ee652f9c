#include "microslip/core/fit_hints.hpp"

namespace microslip {

void FitHints::add(const std::string& prefix, const FitHints& inside) {
  for (const Ratio& hint : inside.ratios)
    ratios.push_back({prefix + hint.parameter, prefix + hint.to, hint.bounds});
  for (const Range& hint : inside.bounds) bounds.push_back({prefix + hint.parameter, hint.range});
  for (const Range& hint : inside.look) look.push_back({prefix + hint.parameter, hint.range});
  for (const auto& [name, twin] : inside.held) held.emplace_back(prefix + name, prefix + twin);
  for (const std::string& name : inside.springs) springs.push_back(prefix + name);
  for (Elements hint : inside.elements) {
    hint.prefix = prefix + hint.prefix;
    elements.push_back(std::move(hint));
  }
  for (Canonical hint : inside.canonical) {
    hint.prefix = prefix + hint.prefix;
    canonical.push_back(std::move(hint));
  }
  spring = spring || inside.spring;
}

}  // namespace microslip
