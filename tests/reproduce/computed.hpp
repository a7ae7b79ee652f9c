#pragma once

#include <map>
#include <string>

#include "microslip/core/error.hpp"
#include "reproduce/reproduction.hpp"

namespace microslip::reproduce {

/// Some entries take seconds, so that each is computed once for all tests of a program.
inline const Outcome& computed(const Entry& entry) {
  static std::map<std::string_view, Outcome> known;
  const auto found = known.find(entry.id);
  if (found != known.end()) return found->second;
  return known.emplace(entry.id, entry.compute()).first->second;
}

/// What is wrong with the mutation of an entry; empty if the comparison that it names leaves the
/// verdict on record. An entry that names none is not covered, and its mutation must be read.
inline std::string unnoticed(const Entry& entry) {
  const std::string id(entry.id), input(entry.mutation.input);
  MutationScope scope(entry.mutation);
  std::string wrong;
  try {
    const Outcome outcome = entry.compute();
    const std::string name(entry.mutation.noticed_by);
    const Comparison* named = nullptr;
    for (const Comparison& one : outcome.comparisons)
      if (named == nullptr && one.what == name) named = &one;
    if (name.empty())
      for (const Comparison& one : outcome.comparisons) {
        if (one.could_fail() && !one.as_recorded())
          wrong = id + " does not say that '" + one.what + "' notices a wrong '" + input + "'";
      }
    else if (named == nullptr)
      wrong = id + " has no comparison '" + name + "'";
    else if (!named->could_fail())
      wrong = id + ": '" + name + "' could not have failed";
    else if (named->as_recorded())
      wrong = id + ": '" + name + "' does not notice a wrong '" + input + "'";
  } catch (const Error& error) {
    wrong = id + " stops at a wrong '" + input + "': " + error.what();
  }
  if (!scope.used()) return id + " has no input '" + input + "'";
  return wrong;
}

}  // namespace microslip::reproduce
