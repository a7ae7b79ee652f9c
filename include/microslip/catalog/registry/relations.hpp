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
  /// Where a fit of the general law may begin with a fit of the special one: each parameter of the general
  /// law as one of the special law or as a number, "zs=zc, sigma1=0". Others have no effect.
  std::string lift{};
  std::string fixed{};  ///< parameters of the special law that must have these values, "n=1"

  bool limit() const { return models.size() > 1; }
};

std::span<const Relation> relations();

}  // namespace microslip::catalog
