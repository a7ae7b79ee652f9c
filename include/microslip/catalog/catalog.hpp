#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "microslip/catalog/registry/law_entry.hpp"
#include "microslip/core/any_model.hpp"

/// Every law by name, and laws composed by expression.
namespace microslip::catalog {

/// All laws, in the order of src/catalog/laws.txt.
std::span<const Law> laws();

/// Throws with what is near when there is no such law.
const Law& find_law(std::string_view name);

/// What can be put around a scalar law or a sum: wrapper(MODEL, name=value, …). Parameters are the
/// wrapper's own.
std::vector<Description> wrappers();

/// Builds a law, or a sum of laws, which acts as one law: forces, energies and states of its terms
/// side by side; or a wrapper around either, `backlash(jenkins(k=1,phi=0.5), gap=0.1)`. Values
/// given inside the brackets are the defaults of `parameters` and `options`. Parameters of a sum
/// are named after their term, "jenkins.k", and from the second term of the same law on with its
/// number, "jenkins2.k"; those of a law in a wrapper have its label too, "jenkins.k" beside the
/// wrapper's own "gap", and "backlash.jenkins.k" in a sum. The end of a name that only one value
/// has, "k" or "jenkins.k", is understood too.
AnyModel make(const ModelSpec& spec);

/// The description a model text would have, without building it (parameters at their defaults).
Description describe_model(std::string_view model);

/// A value as written on the command line or inside an expression: `1.5`, `1,2,3`, `[1,2,3]`,
/// `[[1,0],[0,1]]`, or any other text, which is kept (an expression, or the name of a choice).
Value parse_value(std::string_view text);

}  // namespace microslip::catalog
