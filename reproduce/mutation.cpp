#include "mutation.hpp"

#include <string>
#include <utility>

#include "microslip/catalog/catalog.hpp"
#include "microslip/core/error.hpp"

namespace microslip::reproduce {
namespace {

thread_local MutationScope* current = nullptr;

void multiply(Value& value, double factor) {
  if (auto* number = std::get_if<double>(&value)) {
    *number *= factor;
  } else if (auto* list = std::get_if<std::vector<double>>(&value)) {
    for (double& x : *list) x *= factor;
  } else if (auto* matrix = std::get_if<Matrix<double>>(&value)) {
    *matrix *= factor;
  } else {
    throw Error("a formula cannot be mutated");
  }
}

}  // namespace

MutationScope::MutationScope(const Mutation& mutation) : mutation_(mutation) {
  if (current != nullptr) throw Error("one mutation at a time");
  current = this;
}

MutationScope::~MutationScope() { current = nullptr; }

double input(std::string_view name, double value) {
  if (current == nullptr || current->mutation_.input != name) return value;
  current->used_ = true;
  return value * current->mutation_.factor;
}

ModelSpec mutated(ModelSpec law) {
  if (current == nullptr) return law;
  for (auto& [name, value] : law.parameters) {
    if (current->mutation_.input != law.model + "." + name) continue;
    multiply(value, current->mutation_.factor);
    current->used_ = true;
  }
  return law;
}

AnyModel make(const ModelSpec& law) { return catalog::make(mutated(law)); }

}  // namespace microslip::reproduce
