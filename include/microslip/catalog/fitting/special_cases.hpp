#pragma once

#include <functional>
#include <string>
#include <vector>

#include "microslip/core/any_model.hpp"

namespace microslip::catalog {

/// A law that another one contains, and how its parameters are written in the other one.
struct SpecialCase {
  std::string law;
  std::function<ParameterValues(const ParameterValues&)> lifted;
  /// Numbers that must have these values: lugre contains dahl with n = 1 only.
  ParameterValues fixed{};
};

/// The special cases of a law, from the relations between laws: a fit of the general law that
/// starts from the fit of a special case ends no worse than that one. A relation says in `lift` how the
/// parameters go over. A wrapper or a sum has the
/// special cases of what is in it, backlash(bouc-wen) that of backlash(bouc), and is one without its
/// gap or its spring.
std::vector<SpecialCase> special_cases(const std::string& general);

}  // namespace microslip::catalog
