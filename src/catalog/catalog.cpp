#include "microslip/catalog/catalog.hpp"

#include <algorithm>
#include <map>
#include <vector>

#include "microslip/core/text.hpp"
#include "model_text.hpp"
#include "sliders_law.hpp"
#include "sum.hpp"

namespace microslip::catalog {

std::vector<Law> all_entries();  // generated from laws.txt

namespace {

/// One law of a model text with the values meant for it.
struct Request {
  std::string label;
  const Law* law;
  ParameterValues parameters;
  OptionValues options;
};

bool has(const auto& infos, std::string_view name) {
  return std::any_of(infos.begin(), infos.end(),
                     [&](const auto& info) { return info.name == name; });
}

OptionValue as_option(const Value& value) {
  if (const auto* number = std::get_if<double>(&value)) return *number;
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  throw Error("an option must be a number or a name");
}

std::vector<Request> requests_in(std::string_view model) {
  std::vector<Request> requests;
  std::map<std::string, int> seen;
  for (const TermText& term : parse_model_text(model)) {
    const int number = ++seen[term.law];
    Request request{
        term.law + (number > 1 ? std::to_string(number) : ""), &find_law(term.law), {}, {}};
    for (const auto& [name, text] : term.settings) {
      if (has(request.law->description.options, name))
        request.options[name] = as_option(parse_value(text));
      else
        request.parameters[name] = parse_value(text);
    }
    requests.push_back(std::move(request));
  }
  return requests;
}

/// The term that "jenkins.k" or "k" speaks of, and the name it has there.
std::pair<Request*, std::string> addressee(std::vector<Request>& requests, const std::string& name,
                                           const std::string& what, const auto& infos_of) {
  const auto dot = name.find('.');
  if (dot != std::string::npos)
    for (Request& request : requests)
      if (request.label == name.substr(0, dot)) return {&request, name.substr(dot + 1)};
  std::vector<Request*> owners;
  std::vector<std::string> names;
  for (Request& request : requests) {
    if (requests.size() == 1 || has(infos_of(request), name)) owners.push_back(&request);
    for (const auto& info : infos_of(request)) names.push_back(request.label + "." + info.name);
  }
  if (owners.size() == 1) return {owners.front(), name};
  if (owners.size() > 1)
    throw Error(what + " '" + name + "' belongs to several terms; write " + owners.front()->label +
                "." + name);
  throw Error("unknown " + what + " '" + name + "' for this model" + suggestion(name, names));
}

}  // namespace

std::span<const Law> laws() {
  static const std::vector<Law> all = [] {
    std::vector<Law> list = all_entries();
    list.push_back(sliders_entry());
    return list;
  }();
  return all;
}

const Law& find_law(std::string_view name) {
  std::vector<std::string> names;
  for (const Law& law : laws()) {
    if (law.description.name == name) return law;
    names.push_back(law.description.name);
  }
  throw Error("unknown model '" + std::string(name) + "'" + suggestion(name, names));
}

AnyModel make(const ModelSpec& spec) {
  auto requests = requests_in(spec.model);
  for (const auto& [name, value] : spec.parameters) {
    const auto [request, own] = addressee(requests, name, "parameter", [](const Request& r) {
      return r.law->description.parameters;
    });
    request->parameters[own] = value;
  }
  for (const auto& [name, value] : spec.options) {
    const auto [request, own] = addressee(
        requests, name, "option", [](const Request& r) { return r.law->description.options; });
    request->options[own] = value;
  }
  std::vector<Term> terms;
  for (const Request& request : requests)
    terms.push_back({request.label, request.law->make(request.parameters, request.options)});
  return terms.size() == 1 ? terms.front().model : make_sum(std::move(terms));
}

Description describe_model(std::string_view model) {
  const auto requests = requests_in(model);
  if (requests.size() == 1) return requests.front().law->description;
  std::vector<std::string> labels;
  std::vector<Description> descriptions;
  for (const Request& request : requests) {
    labels.push_back(request.label);
    descriptions.push_back(request.law->description);
  }
  return describe_sum(labels, descriptions);
}

}  // namespace microslip::catalog
