#include "microslip/catalog/fitting/special_cases.hpp"

#include <map>
#include <optional>
#include <set>

#include "catalog/composition/model_text.hpp"
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

ParameterValues with_prefix(const ParameterValues& values, const std::string& prefix) {
  ParameterValues result;
  for (const auto& [name, value] : values) result[prefix + name] = value;
  return result;
}

/// Those that begin with the prefix, without it; the others go to `rest`.
ParameterValues without_prefix(const ParameterValues& values, const std::string& prefix,
                               ParameterValues& rest) {
  ParameterValues result;
  for (const auto& [name, value] : values) {
    if (name.starts_with(prefix))
      result[name.substr(prefix.size())] = value;
    else
      rest[name] = value;
  }
  return result;
}

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
  ParameterValues fixed;
  for (const ParameterInfo& info : special.description().parameters) {
    if (used[info.name]) continue;
    const auto value = scalar_of(special.parameters(), info.name);
    if (!value || info.unit != "1") return {};
    fixed[info.name] = *value;
  }
  return SpecialCase{relation.special,
                     [from, constant](const ParameterValues& fitted) {
                       ParameterValues lifted = constant;
                       for (const auto& [to, name] : from) lifted[to] = fitted.at(name);
                       return lifted;
                     },
                     fixed};
}

std::vector<SpecialCase> cases_of_law(const std::string& law) {
  std::vector<SpecialCase> result;
  for (const Relation& relation : relations())
    if (relation.general == law && is_one_law(relation.special))
      if (auto found = special_case(relation)) result.push_back(std::move(*found));
  return result;
}

std::string text_of(const TermText& term) {
  return term.inside.empty() ? term.law : term.law + "(" + term.inside + ")";
}

/// What stands before the names of a model in a wrapper: those of a sum have labels already.
std::string inner_prefix(const std::string& model) {
  const std::vector<TermText> terms = parse_model_text(model);
  return terms.size() == 1 ? terms.front().law + "." : "";
}

/// The wrapper around special cases of what is inside; backlash without a gap is what is inside.
std::vector<SpecialCase> cases_of_wrapper(const TermText& term) {
  std::vector<SpecialCase> result;
  const std::string general = inner_prefix(term.inside);
  for (const SpecialCase& inner : special_cases(term.inside))
    result.push_back({term.law + "(" + inner.law + ")",
                      [inner, general, special = inner_prefix(inner.law)](const auto& fitted) {
                        ParameterValues own, inside = fitted;
                        if (!special.empty()) inside = without_prefix(fitted, special, own);
                        ParameterValues all = with_prefix(inner.lifted(inside), general);
                        all.insert(own.begin(), own.end());
                        return all;
                      },
                      with_prefix(inner.fixed, inner_prefix(inner.law))});
  if (term.law == "backlash")
    result.push_back({term.inside, [general](const auto& fitted) {
                        ParameterValues all = with_prefix(fitted, general);
                        all["gap"] = 0.0;
                        return all;
                      }});
  return result;
}

/// One term replaced by a special case of it, the others as they are; a spring may also be left
/// out.
std::vector<SpecialCase> cases_of_sum(const std::vector<TermText>& terms) {
  std::vector<SpecialCase> result;
  std::set<std::string> labels;
  for (const TermText& term : terms)
    if (!labels.insert(term.law).second) return {};  // two of a kind have numbered labels
  const auto sum_with = [&](std::size_t i, const std::string& instead) {
    std::string text;
    for (std::size_t j = 0; j < terms.size(); ++j) {
      const std::string part = j == i ? instead : text_of(terms[j]);
      if (!part.empty()) text += (text.empty() ? "" : "+") + part;
    }
    return text;
  };
  for (std::size_t i = 0; i < terms.size(); ++i) {
    for (const SpecialCase& own : special_cases(text_of(terms[i]))) {
      const std::vector<TermText> instead = parse_model_text(own.law);
      const bool taken =
          instead.front().law != terms[i].law && labels.contains(instead.front().law);
      if (instead.size() != 1 || taken) continue;
      result.push_back({sum_with(i, own.law),
                        [own, from = instead.front().law + ".",
                         to = terms[i].law + "."](const ParameterValues& fitted) {
                          ParameterValues others;
                          const ParameterValues mine = without_prefix(fitted, from, others);
                          ParameterValues all = with_prefix(own.lifted(mine), to);
                          all.insert(others.begin(), others.end());
                          return all;
                        },
                        with_prefix(own.fixed, instead.front().law + ".")});
    }
    if (terms[i].law != "linear") continue;
    const std::string rest = sum_with(i, "");
    result.push_back({rest, [prefix = inner_prefix(rest)](const ParameterValues& fitted) {
                        ParameterValues all = with_prefix(fitted, prefix);
                        all["linear.k"] = 0.0;
                        return all;
                      }});
  }
  return result;
}

}  // namespace

std::vector<SpecialCase> special_cases(const std::string& general) {
  const std::vector<TermText> terms = parse_model_text(general);
  for (const TermText& term : terms)
    if (!term.settings.empty()) return {};  // part of the law is given, and would be lost
  if (terms.size() > 1) return cases_of_sum(terms);
  return terms.front().inside.empty() ? cases_of_law(general) : cases_of_wrapper(terms.front());
}

}  // namespace microslip::catalog
