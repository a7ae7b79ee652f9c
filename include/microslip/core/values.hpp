#pragma once

#include <map>
#include <string>
#include <variant>
#include <vector>

#include "microslip/core/field.hpp"

/// Values of parameters and options at run time: what front ends, files and fits work with.
namespace microslip {

/// A parameter's value: a number, a list, a matrix, or the text of an expression.
using Value = std::variant<double, std::vector<double>, Matrix<double>, std::string>;

/// An option's value: a number, or the name of a choice.
using OptionValue = std::variant<double, std::string>;

using ParameterValues = std::map<std::string, Value, std::less<>>;
using OptionValues = std::map<std::string, OptionValue, std::less<>>;

}  // namespace microslip
