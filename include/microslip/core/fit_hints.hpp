#pragma once

#include <string>
#include <utility>
#include <vector>

#include "microslip/core/field.hpp"
#include "microslip/core/values.hpp"

namespace microslip {

/// What a law knows about fitting it, besides the bounds of each parameter. A law that knows
/// something brings a static function, with its own names of parameters:
///
///     static FitHints fit_hints() {
///       return {.ratios = {{"gamma", "beta", closed_interval(-1, 1)}}};
///     }
///
/// Sums and wrappers forward the hints of their laws, with the label of the law before each name.
struct FitHints {
  /// A relation that the law insists on: bounds of a parameter divided by another one.
  struct Ratio {
    std::string parameter, to;
    Interval bounds;
  };

  struct Range {
    std::string parameter;
    Interval range;
  };

  /// Lists that describe elements of the law, one value for each element.
  struct Elements {
    std::string by;           ///< elements are sorted by this list
    std::string over{};       ///< divided by this one, if it is named
    bool in_parallel = true;  ///< elements share the stiffness; otherwise the displacement
    bool sliders = false;     ///< their slip makes a backbone of straight pieces
    std::string spring{};     ///< slope before any of them slips; the last piece may rise then
    /// Values of other parameters with which the sliders act alone; forces relative to the largest
    /// force of the record.
    std::vector<std::pair<std::string, double>> sliders_alone{};
    std::string prefix{};  ///< of all names, set by sums and wrappers
  };

  /// Different parameters may give the same forces: `choose` puts the agreed ones in their place.
  struct Canonical {
    void (*choose)(const std::string& prefix, ParameterValues& parameters);
    std::vector<std::string> parameters;  ///< which it changes
    std::string prefix{};
  };

  std::vector<Ratio> ratios{};
  std::vector<Range> bounds{};  ///< signs that do not matter
  std::vector<Range> look{};    ///< where published values lie
  /// Parameters that are held, because the second one of each pair does the same to the force.
  std::vector<std::pair<std::string, std::string>> held{};
  bool spring = false;  ///< the law, or a term of the sum, is a spring and nothing else
  /// Stiffnesses of springs beside the rest of the law: superfluous beside such a term.
  std::vector<std::string> springs{};
  std::vector<Elements> elements{};
  std::vector<Canonical> canonical{};
  std::string left_out{};  ///< why a fit of all laws leaves this one out; empty: it does not

  /// Adds the hints of a law inside a sum or a wrapper.
  void add(const std::string& prefix, const FitHints& inside);
};

}  // namespace microslip
