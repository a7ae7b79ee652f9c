#pragma once

#include <span>
#include <string>
#include <vector>

/// Which law is a special case of which: the map of the laws, every line of it tested.
namespace microslip::catalog {

struct Relation {
  std::string special;    ///< the law, or the expression of laws, that is contained in the other
  std::string general;    ///< the law that becomes it
  std::string condition;  ///< when
  /// Model texts of the general one that are the special one, or that approach it, each twice as
  /// close as the one before.
  std::vector<std::string> models;
  std::string equals;  ///< the special one with its numbers
  double tolerance;    ///< of the last of `models`: force difference over the largest force

  bool limit() const { return models.size() > 1; }
};

std::span<const Relation> relations();

}  // namespace microslip::catalog
