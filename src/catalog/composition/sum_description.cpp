#include <algorithm>

#include "catalog/composition/sum.hpp"
#include "microslip/core/error.hpp"

namespace microslip::catalog {
namespace {

/// What is true of every term is true of the sum; otherwise it takes a closer look.
Claim combined(const std::vector<Description>& terms, Claim Claims::*member) {
  const Claim& first = terms.front().claims.*member;
  const bool same = std::all_of(terms.begin(), terms.end(), [&](const Description& term) {
    return (term.claims.*member).verdict == first.verdict;
  });
  if (same && (first.verdict == Verdict::holds || first.verdict == Verdict::not_applicable))
    return first;
  return depends("it holds when it holds for every term");
}

/// A law on one direction goes along with as many directions as the others have.
void set_directions(const std::vector<Description>& terms, Description& sum) {
  const Description* leading = &terms.front();
  for (const Description& term : terms) {
    const bool more = term.directions.size() > leading->directions.size();
    if (leading->on_direction > 0 && (term.on_direction == 0 || more)) leading = &term;
  }
  for (const Description& term : terms) {
    const bool fits = term.on_direction == 0
                          ? term.directions == leading->directions
                          : term.on_direction <= static_cast<int>(leading->directions.size());
    if (!fits)
      throw Error(leading->name + " and " + term.name +
                  " cannot be added: they have different directions");
  }
  sum.directions = leading->directions;
  sum.family = leading->family;
  sum.on_direction = 0;
}

}  // namespace

Description describe_sum(const std::vector<std::string>& labels,
                         const std::vector<Description>& terms) {
  Description sum = terms.front();
  sum.name.clear();
  sum.equation.clear();
  sum.citation.clear();
  sum.parameters.clear();
  sum.options.clear();
  sum.states.clear();
  sum.fit_hints = {};
  sum.friction_limits.clear();
  sum.sentence = "Several laws under the same displacement.";
  set_directions(terms, sum);
  for (std::size_t i = 0; i < terms.size(); ++i) {
    const Description& term = terms[i];
    if (term.driven != terms.front().driven)
      throw Error(terms.front().name + " and " + term.name +
                  " cannot be added: they are driven by different quantities");
    if (term.family == Family::rate_dependent) sum.family = Family::rate_dependent;
    sum.rigid = sum.rigid || term.rigid;
    if (term.state == StateSize::growing) sum.state = StateSize::growing;
    const std::string separator = i == 0 ? "" : "+";
    sum.name += separator + term.name;
    sum.equation += (i == 0 ? "" : "\n") + labels[i] + ": " + term.equation;
    sum.citation += (i == 0 ? "" : "\n") + labels[i] + ": " + term.citation;
    const auto prefixed = [&](auto rows, auto& into) {
      for (auto& row : rows) {
        row.name = labels[i] + "." + row.name;
        into.push_back(std::move(row));
      }
    };
    prefixed(term.parameters, sum.parameters);
    prefixed(term.options, sum.options);
    prefixed(term.states, sum.states);
    for (const std::string& limit : term.friction_limits)
      sum.friction_limits.push_back(labels[i] + "." + limit);
    sum.fit_hints.add(labels[i] + ".", term.fit_hints);
  }
  // A load changes all of them or none.
  for (const Description& term : terms)
    if (term.friction_limits.empty()) sum.friction_limits.clear();
  for (const auto member : Claims::members) sum.claims.*member = combined(terms, member);
  return sum;
}

}  // namespace microslip::catalog
