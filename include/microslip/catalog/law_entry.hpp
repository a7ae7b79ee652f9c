#pragma once

#include <memory>
#include <utility>

#include "microslip/catalog/erased.hpp"
#include "microslip/core/any_model.hpp"

/// How a law enters the catalogue: from its type alone.
namespace microslip::catalog {

/// A law that can be built by name.
struct Law {
  Description description;
  AnyModel (*make)(const ParameterValues&, const OptionValues&);
};

template <template <class> class M>
Law make_entry() {
  static_assert(AnyLaw<M<double>>, "a law must satisfy one of the concepts in core/concepts.hpp");
  return {describe<M<double>>(), &make_any<M<double>>};
}

}  // namespace microslip::catalog
