#include "microslip/catalog/fitting/special_cases.hpp"

#include <map>
#include <set>

#include "catalog/composition/model_text.hpp"
#include "microslip/catalog/catalog.hpp"
#include "microslip/catalog/registry/relations.hpp"
#include "microslip/core/read_number.hpp"

namespace microslip::catalog {
namespace {

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

/// "zs=zc, sigma1=0": names of parameters, or numbers.
struct Assignments {
  std::map<std::string, std::string> names;
  ParameterValues numbers;
};
Assignments assignments(const std::string& text) {
  Assignments all;
  if (text.empty()) return all;
  const std::vector<TermText> terms = parse_model_text("law(" + text + ")");
  for (const auto& [name, value] : terms.front().settings) {
    double number = 0;
    if (read_number(value, number).error == std::errc{})
      all.numbers[name] = number;
    else
      all.names[name] = value;
  }
  return all;
}

SpecialCase special_case(const Relation& relation) {
  const Assignments lift = assignments(relation.lift);
  return {relation.special,
          [lift](const ParameterValues& fitted) {
            ParameterValues lifted = lift.numbers;
            for (const auto& [to, name] : lift.names) lifted[to] = fitted.at(name);
            return lifted;
          },
          assignments(relation.fixed).numbers};
}

std::vector<SpecialCase> cases_of_law(const std::string& law) {
  std::vector<SpecialCase> result;
  for (const Relation& relation : relations())
    if (relation.general == law && !relation.lift.empty()) result.push_back(special_case(relation));
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
