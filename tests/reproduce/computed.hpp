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

/// What is wrong with the mutation of an entry; empty if its comparisons notice it. A law that
/// refuses the wrong input has noticed it, too.
inline std::string unnoticed(const Entry& entry) {
  const std::string id(entry.id), input(entry.mutation.input);
  MutationScope scope(entry.mutation);
  bool noticed = false;
  try {
    noticed = !entry.compute().as_recorded();
  } catch (const Error&) {
    noticed = true;
  }
  if (!scope.used()) return id + " has no input '" + input + "'";
  return noticed ? "" : id + " does not notice a wrong '" + input + "'";
}

}  // namespace microslip::reproduce
