#pragma once

#include <span>
#include <string>
#include <string_view>
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

/// Whether a parameter is the wrapper's own.
bool is_own(const Wrapper& wrapper, std::string_view name);
/// The wrapper's own numbers in their order, defaults filled in. Throws for unknown names and values
/// out of bounds.
std::vector<double> own_numbers(const Wrapper& wrapper, const ParameterValues& own);
std::vector<WideDual> own_duals(const Wrapper& wrapper, const ParameterValues& parameters,
                                const DualValues& derivatives);

/// Values meant for the model inside, under its own names.
template <class Values>
Values inner_part(const Wrapper& wrapper, const std::string& prefix, const Values& values) {
  Values part;
  for (const auto& [name, value] : values)
    if (!is_own(wrapper, name) && name.starts_with(prefix))
      part.emplace(name.substr(prefix.size()), value);
  return part;
}

/// The directions of `axis`. Throws if `of` is too small.
void set_direction(int direction, int of, Description& axis);

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

/// The same of its parities: the wrapper's own numbers are forces and displacements.
template <class Real>
void parities_around(AnyState& inside, std::size_t own, std::vector<Parity>& parities) {
  parities.clear();
  if (auto* numbered = dynamic_cast<StateNumbers<Real>*>(&inside.get()))
    numbered->find_parities(parities);
  parities.insert(parities.begin(), own, Parity::odd);
}

/// A number of a saved state. Throws when it is missing.
double one_number(const StateRecord& record, const std::string& name);

}  // namespace microslip::catalog
