#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "catalog/composition/model_text.hpp"
#include "catalog/composition/sum.hpp"
#include "catalog/composition/wrapped.hpp"
#include "microslip/catalog/catalog.hpp"
#include "microslip/core/text.hpp"
#include "microslip/io/csv.hpp"

/// From the text of a model to the model: laws, sums of laws, wrappers around either.
namespace microslip::catalog {
namespace {

/// A law or a wrapper of a model text with the values meant for it.
struct Request {
  std::string label;
  const Law* law = nullptr;
  const Wrapper* wrapper = nullptr;
  ParameterValues parameters;
  OptionValues options;
  std::vector<Request> inside;  ///< the terms of the model in a wrapper

  const Description& own() const { return law ? law->description : wrapper->description; }
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

const Wrapper* find_wrapper(std::string_view name) {
  for (const Wrapper& wrapper : all_wrappers())
    if (wrapper.description.name == name) return &wrapper;
  return nullptr;
}

std::vector<Request> requests_in(std::string_view model) {
  std::vector<Request> requests;
  std::map<std::string, int> seen;
  for (const TermText& term : parse_model_text(model)) {
    const int number = ++seen[term.law];
    Request request;
    request.label = term.law + (number > 1 ? std::to_string(number) : "");
    request.wrapper = find_wrapper(term.law);
    if (!request.wrapper) {
      request.law = &find_law(term.law);
      if (!term.inside.empty())
        throw Error("'" + term.inside + "' inside " + term.law + "(…) must be written name=value");
    } else if (term.inside.empty()) {
      throw Error(term.law + " goes around a law: write " + term.law + "(jenkins(k=1,phi=0.5), " +
                  request.own().parameters.front().name + "=…)");
    } else {
      request.inside = requests_in(term.inside);
    }
    for (const auto& [name, text] : term.settings) {
      if (has(request.own().options, name))
        request.options[name] = as_option(parse_value(text));
      else
        request.parameters[name] = parse_value(text);
    }
    requests.push_back(std::move(request));
  }
  return requests;
}

/// A value of the whole model: its full name, whose it is, and its name there.
struct Address {
  std::string full;
  Request* request;
  std::string own;
};

/// Full names: a law alone has bare ones; the terms of a sum and what is in a wrapper have labels,
/// "jenkins.k", "backlash.jenkins.k".
void collect(std::vector<Request>& requests, const std::string& prefix, bool labelled,
             const auto& infos_of, std::vector<Address>& addresses) {
  for (Request& request : requests) {
    const std::string mine =
        labelled || requests.size() > 1 ? prefix + request.label + "." : prefix;
    for (const auto& info : infos_of(request.own()))
      addresses.push_back({mine + info.name, &request, info.name});
    collect(request.inside, mine, true, infos_of, addresses);
  }
}

/// The full name, or a part of it from a dot on that only one value has.
Address addressee(std::vector<Request>& requests, const std::string& name, const std::string& what,
                  const auto& infos_of) {
  std::vector<Address> addresses;
  collect(requests, "", false, infos_of, addresses);
  std::vector<const Address*> meant;
  for (const Address& address : addresses) {
    if (address.full == name) return address;
    // A law or wrapper alone may be called by its name too.
    const std::string called =
        requests.size() == 1 ? requests.front().label + "." + address.full : address.full;
    if (("." + called).ends_with("." + name)) meant.push_back(&address);
  }
  if (meant.size() == 1) return *meant.front();
  if (meant.size() > 1)
    throw Error(what + " '" + name + "' belongs to several terms; write " + meant.front()->full);
  if (requests.size() == 1 && requests.front().law) {  // the law itself says what it knows
    const std::string prefix = requests.front().label + ".";
    return {name, &requests.front(), name.starts_with(prefix) ? name.substr(prefix.size()) : name};
  }
  std::vector<std::string> names;
  for (const Address& address : addresses) names.push_back(address.full);
  throw Error("unknown " + what + " '" + name + "' for this model" + suggestion(name, names));
}

/// What stands before the names of a model inside a wrapper.
std::string prefix_of(const std::vector<Request>& inside) {
  return inside.size() == 1 ? inside.front().label + "." : "";
}

AnyModel build(const std::vector<Request>& requests);

/// `@curve.csv`: the column with the name of the parameter; `@curve.csv:force`: that column.
std::vector<double> list_from_file(const std::string& text, const std::string& parameter) {
  const std::size_t colon = text.rfind(':');
  const std::string file = text.substr(1, colon == std::string::npos ? colon : colon - 1);
  io::Wanted wanted{{parameter}, {}, {}};
  if (colon != std::string::npos) wanted.named[parameter] = text.substr(colon + 1);
  return io::read_csv(file, wanted).at(parameter).values;
}

AnyModel build(const Request& request) {
  if (request.law) {
    ParameterValues parameters = request.parameters;
    for (const ParameterInfo& info : request.own().parameters) {
      const auto found = parameters.find(info.name);
      if (found == parameters.end() || info.kind != Kind::vector) continue;
      const auto* text = std::get_if<std::string>(&found->second);
      if (text && text->starts_with('@')) found->second = list_from_file(*text, info.name);
    }
    return request.law->make(parameters, request.options);
  }
  if (!request.options.empty())
    throw Error("unknown option '" + request.options.begin()->first + "' for " + request.label);
  return request.wrapper->make(request.parameters,
                               {prefix_of(request.inside), build(request.inside)});
}

AnyModel build(const std::vector<Request>& requests) {
  if (requests.size() == 1) return build(requests.front());
  std::vector<Term> terms;
  for (const Request& request : requests) terms.push_back({request.label, build(request)});
  return make_sum(std::move(terms));
}

Description describe(const std::vector<Request>& requests);

/// The description of a wrapper says where `axis` lies only with its numbers.
Description describe_around(const Request& request) {
  Description all =
      describe_wrapped(*request.wrapper, prefix_of(request.inside), describe(request.inside));
  const auto number = [&](const char* name) {
    const auto found = request.parameters.find(name);
    const auto* x =
        found == request.parameters.end() ? nullptr : std::get_if<double>(&found->second);
    return x ? static_cast<int>(*x) : 0;
  };
  if (all.on_direction > 0) set_direction(std::max(1, number("direction")), number("of"), all);
  return all;
}

Description describe(const std::vector<Request>& requests) {
  std::vector<std::string> labels;
  std::vector<Description> descriptions;
  for (const Request& request : requests) {
    labels.push_back(request.label);
    descriptions.push_back(request.law ? request.law->description : describe_around(request));
  }
  return requests.size() == 1 ? descriptions.front() : describe_sum(labels, descriptions);
}

}  // namespace

namespace {

std::vector<Request> requests_of(const ModelSpec& spec) {
  auto requests = requests_in(spec.model);
  for (const auto& [name, value] : spec.parameters) {
    const Address to =
        addressee(requests, name, "parameter", [](const Description& d) { return d.parameters; });
    to.request->parameters[to.own] = value;
  }
  for (const auto& [name, value] : spec.options) {
    const Address to =
        addressee(requests, name, "option", [](const Description& d) { return d.options; });
    to.request->options[to.own] = value;
  }
  return requests;
}

}  // namespace

AnyModel make(const ModelSpec& spec) { return build(requests_of(spec)); }

Description describe_model(std::string_view model) {
  if (const Wrapper* wrapper = find_wrapper(model)) return wrapper->description;
  return describe(requests_in(model));
}

std::vector<Description> wrappers() {
  std::vector<Description> result;
  for (const Wrapper& wrapper : all_wrappers()) result.push_back(wrapper.description);
  return result;
}

}  // namespace microslip::catalog
