#pragma once

#include <span>
#include <string>

#include "microslip/core/any_model.hpp"

/// Things put around a law: another law results.
namespace microslip::catalog {

/// The model inside a wrapper. `prefix` stands before its parameters, options and states: the
/// label of a single law and a dot, or nothing for a sum, whose names carry labels already.
struct Inside {
  std::string prefix;
  AnyModel model;
};

struct Wrapper {
  Description description;  ///< of the wrapper alone; parameters are its own
  AnyModel (*make)(const ParameterValues& own, Inside inside);
  bool around_force = false;  ///< takes laws driven by force, and drives them by displacement
};

std::span<const Wrapper> all_wrappers();

/// The description of a wrapper with a model inside it.
Description describe_wrapped(const Wrapper& wrapper, const std::string& prefix,
                             const Description& inside);

/// A number of a saved state. Throws when it is missing.
double one_number(const StateRecord& record, const std::string& name);

}  // namespace microslip::catalog
