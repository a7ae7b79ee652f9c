#pragma once

#include <map>
#include <string>
#include <vector>

#include "microslip/core/field.hpp"
#include "microslip/core/fit_hints.hpp"
#include "microslip/core/info.hpp"
#include "microslip/core/values.hpp"

/// The tables of a law as run-time values: what front ends, files and fits work with.
namespace microslip {

enum class Kind { scalar, vector, matrix, expression };

struct ParameterInfo {
  std::string name, unit;
  Kind kind;
  Interval bounds;
  std::vector<std::string> variables;  ///< of an expression
  Value default_value;
  std::string sentence;
};

struct OptionInfo {
  std::string name;
  Interval bounds;
  std::vector<std::string> choices;  ///< empty for a number
  OptionValue default_value;
  std::string sentence;
};

struct StateInfo {
  std::string name, unit, sentence;
};

/// `planar`: several directions (two or three).
enum class Family { rate_independent, rate_dependent, planar };

/// A law as front ends see it.
struct Description {
  std::string name, sentence, equation, citation;
  Claims claims;
  Driven driven = Driven::displacement;
  Family family = Family::rate_independent;
  StateSize state = StateSize::growing;
  bool rigid = false;  ///< set-valued friction, for some of its parameters and options
  std::vector<ParameterInfo> parameters;
  std::vector<OptionInfo> options;
  std::vector<StateInfo> states;
  FitHints fit_hints{};
  /// Names of the directions of a law with several, in their order; empty for a scalar law.
  std::vector<std::string> directions{};
  /// A scalar law on one of several directions: its number from 1. Such a law goes along with laws of
  /// as many directions or more. 0 for others.
  int on_direction = 0;
  /// Parameters that are friction limits, which a load multiplies; empty if the law declares none.
  std::vector<std::string> friction_limits{};

  std::size_t direction_count() const { return directions.empty() ? 1 : directions.size(); }
};

/// What it takes to build a model; the content of a parameter file.
struct ModelSpec {
  std::string model;  ///< a law, or an expression of laws: "jenkins(k=1,phi=0.5)+iwan4(KT=2)"
  ParameterValues parameters;
  OptionValues options;
};

/// A saved state: numbers by field name. Exact: the same doubles come back.
using StateRecord = std::map<std::string, std::vector<double>, std::less<>>;

}  // namespace microslip
