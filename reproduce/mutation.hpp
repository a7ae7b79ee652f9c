#pragma once

#include <string_view>

#include "microslip/core/any_model.hpp"
#include "microslip/core/description.hpp"

/// A reproduction that cannot fail shows nothing. Each entry names one of its inputs; with that
/// input multiplied by a factor, the comparison that the entry names must leave the verdict on record.
/// Only one that could have failed makes the entry *covered*.
namespace microslip::reproduce {

struct Mutation {
  std::string_view input;  ///< "law.parameter", or the name given to input()
  double factor = 1.05;    ///< −1 turns the sign
  std::string_view
      noticed_by{};  ///< `what` of the comparison that notices it; "" if none that could fail
};

/// While it lives, the mutated input of this thread is wrong. Entries are plain functions, so that
/// the hook is kept beside them instead of being handed through every helper.
class MutationScope {
 public:
  explicit MutationScope(const Mutation& mutation);
  ~MutationScope();
  MutationScope(const MutationScope&) = delete;
  MutationScope& operator=(const MutationScope&) = delete;

  /// The input was asked for: a misspelt name mutates nothing.
  bool used() const { return used_; }

 private:
  friend double input(std::string_view name, double value);
  friend ModelSpec mutated(ModelSpec law);
  Mutation mutation_;
  bool used_ = false;
};

/// A number of an entry that a mutation can name.
double input(std::string_view name, double value);

/// The parameters of a law that a mutation can name, as "law.parameter".
ModelSpec mutated(ModelSpec law);

/// A law of the catalogue, mutated if it is the turn of one of its parameters.
AnyModel make(const ModelSpec& law);

}  // namespace microslip::reproduce
