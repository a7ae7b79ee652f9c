#include "microslip/catalog/fitting/special_cases.hpp"

#include <map>
#include <optional>

#include "microslip/catalog/catalog.hpp"
#include "microslip/catalog/registry/relations.hpp"

namespace microslip::catalog {
namespace {

const ParameterInfo* info_of(const Description& law, const std::string& name) {
  for (const ParameterInfo& info : law.parameters)
    if (info.name == name) return &info;
  return nullptr;
}

std::optional<double> scalar_of(const ParameterValues& values, const std::string& name) {
  const auto found = values.find(name);
  if (found == values.end()) return {};
  const double* value = std::get_if<double>(&found->second);
  return value ? std::optional(*value) : std::nullopt;
}

bool is_one_law(const std::string& text) { return text.find_first_of("+(") == std::string::npos; }

std::optional<SpecialCase> special_case(const Relation& relation) {
  // The last of the models is the nearest to the limit.
  const AnyModel general = make({relation.models.back(), {}, {}});
  const AnyModel special = make({relation.equals, {}, {}});
  std::map<std::string, std::string> from;  // parameter of the general law → of the special one
  std::map<std::string, bool> used;
  ParameterValues constant;
  for (const ParameterInfo& info : general.description().parameters) {
    const auto value = scalar_of(general.parameters(), info.name);
    if (!value) return {};
    const auto takes = [&](const std::string& name) {
      const ParameterInfo* other = info_of(special.description(), name);
      if (!other || other->unit != info.unit) return false;
      if (scalar_of(special.parameters(), name) != value) return false;
      from[info.name] = name;
      used[name] = true;
      return true;
    };
    if (takes(info.name)) continue;
    bool found = false;
    if (*value != 0 && info.unit != "1")
      for (const ParameterInfo& other : special.description().parameters)
        found = found || takes(other.name);
    if (!found && (*value == 0 || info.unit == "1")) constant[info.name] = *value;
    // Others have no effect in the special case, and are looked for as usual.
  }
  for (const ParameterInfo& info : special.description().parameters)
    if (!used[info.name]) return {};
  return SpecialCase{relation.special, [from, constant](const ParameterValues& fitted) {
                       ParameterValues lifted = constant;
                       for (const auto& [to, name] : from) lifted[to] = fitted.at(name);
                       return lifted;
                     }};
}

}  // namespace

std::vector<SpecialCase> special_cases(const std::string& general) {
  std::vector<SpecialCase> result;
  for (const Relation& relation : relations())
    if (relation.general == general && is_one_law(relation.special) && is_one_law(general))
      if (auto found = special_case(relation)) result.push_back(std::move(*found));
  return result;
}

}  // namespace microslip::catalog
