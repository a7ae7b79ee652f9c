#pragma once

#include <span>
#include <string>
#include <string_view>

#include "microslip/catalog/law_entry.hpp"
#include "microslip/core/any_model.hpp"

/// Every law by name, and laws composed by expression.
namespace microslip::catalog {

/// All laws, in the order of src/catalog/laws.txt.
std::span<const Law> laws();

/// Throws with what is near when there is no such law.
const Law& find_law(std::string_view name);

/// Builds a law, or a sum of laws, which acts as one law: forces, energies and states of its terms
/// side by side. Values given inside the brackets are the defaults of `parameters` and `options`.
/// Parameters of a sum are named after their term, "jenkins.k", and from the second term of the
/// same law on with its number, "jenkins2.k"; a bare name that only one term has is understood too.
AnyModel make(const ModelSpec& spec);

/// The description a model text would have, without building it (parameters at their defaults).
Description describe_model(std::string_view model);

/// A value as written on the command line or inside an expression: `1.5`, `1,2,3`, `[1,2,3]`,
/// `[[1,0],[0,1]]`, or any other text, which is kept (an expression, or the name of a choice).
Value parse_value(std::string_view text);

}  // namespace microslip::catalog
