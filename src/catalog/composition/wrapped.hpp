#pragma once

#include <span>
#include <string>
#include <vector>

#include "microslip/core/any_model.hpp"
#include "microslip/core/state_numbers.hpp"

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

/// The numbers of a wrapper's state: its own and those of the law inside; none if that has none.
template <class Real>
Memory numbers_around(AnyState& inside, const std::vector<Real*>& own, Numbers which,
                      std::vector<Real*>& numbers) {
  std::vector<Real*> inner;
  Memory memory = Memory::fixed;
  if (auto* numbered = dynamic_cast<StateNumbers<Real>*>(&inside.get()))
    memory = numbered->find_numbers(which, inner);
  numbers.clear();
  if (inner.empty()) return memory;
  numbers = own;
  numbers.insert(numbers.end(), inner.begin(), inner.end());
  return memory;
}

/// A number of a saved state. Throws when it is missing.
double one_number(const StateRecord& record, const std::string& name);

}  // namespace microslip::catalog
