#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "microslip/core/any_model.hpp"

/// The variables of a joint as an FMU. The exporter writes them into modelDescription.xml, and the
/// binary finds them again from the law alone, so the two cannot disagree.
namespace microslip::fmu {

enum class Role { input, output, parameter };

/// Value references of inputs are 0, 1; of outputs 10 and up, in this order; of parameters 100 and
/// up, in the order of the law's table.
enum Output : unsigned { force = 10, force_y, tangent, energy, stored, end_of_outputs };
inline constexpr unsigned first_parameter = 100;

struct Variable {
  std::string name;
  unsigned reference;
  Role role;
  std::string unit;
  std::string sentence;
  Interval bounds{};
  double start = 0;         ///< of inputs and parameters
  std::string parameter{};  ///< of the law
  std::size_t element = 0;  ///< of a list
  bool one_of_a_list = false;
};

/// Inputs, outputs, then parameters. Formulas, matrices and options are fixed when it is exported.
std::vector<Variable> variables_of(const AnyModel& law);

/// What tells exports of different laws, tables or versions apart.
std::string guid_of(const AnyModel& law);

}  // namespace microslip::fmu
