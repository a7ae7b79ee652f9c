#include <algorithm>
#include <memory>

#include "command.hpp"
#include "microslip/catalog/catalog.hpp"
#include "microslip/catalog/registry/relations.hpp"
#include "microslip/core/text.hpp"
#include "microslip/io/json.hpp"
#include "terminal.hpp"

namespace microslip::app {
namespace {

constexpr const char* details = R"(Examples
  microslip models                       every law in one line
  microslip models iwan4                 equation, parameters, claims and source of one law
  microslip models jenkins+iwan4         a sum of laws, as simulate takes it
  microslip models 'backlash(iwan4)'     something put around a law
  microslip models --relations           which law is a special case of which
  microslip models --json | jq '.[].name'

The claims are tested for every law. 'fails' is a tested statement too: there is a motion that
breaks the rule.
)";

template <class AnyValue>
std::string text_of_value(const AnyValue& value) {
  if (const auto* number = std::get_if<double>(&value)) return number_text(*number);
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  // Lists are written as JSON does.
  if constexpr (std::is_same_v<AnyValue, Value>) {
    const std::string json = io::values_json(ParameterValues{{"", value}});
    return json.substr(4, json.size() - 5);
  }
  return "";
}

std::string bounds_text(const ParameterInfo& info) {
  if (info.kind != Kind::expression) return info.bounds.text();
  std::string text = "formula in ";
  for (const auto& variable : info.variables)
    text += (&variable == &info.variables.front() ? "" : ", ") + variable;
  return text;
}

std::string choices_text(const OptionInfo& info) {
  if (info.choices.empty()) return info.bounds.text();
  std::string text;
  for (const auto& choice : info.choices) text += (text.empty() ? "" : " | ") + choice;
  return text;
}

/// Two lines a law: name, family and parameters, and under them the sentence.
std::string list_text() {
  std::size_t name_width = 4;
  for (const auto& law : catalog::laws())
    name_width = std::max(name_width, width(law.description.name) + 2);
  const std::size_t family_width = 18;
  const auto line = [&](std::string_view name, std::string_view family, std::string_view rest) {
    return padded(name, name_width) + padded(family, family_width) +
           wrapped(rest, name_width + family_width) + '\n';
  };
  std::string text = line("law", "family", "parameters");
  for (const auto& law : catalog::laws()) {
    std::string names;
    for (const auto& info : law.description.parameters)
      names += (names.empty() ? "" : ", ") + info.name;
    text += line(law.description.name, io::text_of(law.description.family), names) + "    " +
            wrapped(law.description.sentence, 4) + '\n';
  }
  text += "\nAround any scalar law or sum, wrapper(MODEL, name=value, …):\n";
  for (const Description& wrapper : catalog::wrappers()) {
    std::string names;
    for (const auto& info : wrapper.parameters) names += (names.empty() ? "" : ", ") + info.name;
    text += line(wrapper.name, "wrapper", names) + "    " + wrapped(wrapper.sentence, 4) + '\n';
  }
  return text + "\n'microslip models NAME' shows everything about a law.\n";
}

/// "bouc  =  bouc-wen  if n = 1 …"; the arrow marks a limit.
std::string relations_text() {
  std::vector<std::vector<std::string>> rows{{"law", "", "is contained in", "when"}};
  for (const catalog::Relation& relation : catalog::relations())
    rows.push_back(
        {relation.special, relation.limit() ? "←" : "=", relation.general, relation.condition});
  return table_text(rows, 4) + "\n← is a limit. Every line is tested over random reversals.\n";
}

std::string relations_json() {
  std::string text = "[\n";
  for (const catalog::Relation& relation : catalog::relations()) {
    const ParameterValues row{{"special", relation.special},
                              {"general", relation.general},
                              {"condition", relation.condition},
                              {"kind", std::string(relation.limit() ? "limit" : "equal")},
                              {"special_model", relation.equals},
                              {"general_model", relation.models.back()}};
    text += (text.size() > 2 ? ",\n" : "") + io::values_json(row);
  }
  return text + "\n]\n";
}

std::string indented(const std::string& table) {
  std::string text;
  for (std::size_t begin = 0; begin < table.size();) {
    const std::size_t end = table.find('\n', begin);
    text += "  " + table.substr(begin, end - begin + 1);
    begin = end + 1;
  }
  return text;
}

std::string claims_text(const Claims& claims) {
  std::string text;
  for (std::size_t i = 0; i < std::size(Claims::names); ++i) {
    const Claim& claim = claims.*Claims::members[i];
    const std::string verdict =
        std::string(io::text_of(claim.verdict)) +
        (claim.condition.empty() ? "" : ": " + std::string(claim.condition));
    text += "  " + padded(Claims::names[i], 22) + wrapped(verdict, 24) + '\n';
  }
  return text;
}

std::string one_text(const Description& law) {
  std::string text = law.name + ": " + wrapped(law.sentence, 2) + "\n\n  " +
                     wrapped(law.equation, 2) + "\n\nfamily      " +
                     std::string(io::text_of(law.family)) + "\ndriven by   " +
                     (law.driven == Driven::force ? "force" : "displacement") + "\n";
  if (!law.directions.empty()) {
    text += "directions ";
    for (const std::string& direction : law.directions) text += " " + direction;
    text += "\n";
  }
  std::vector<std::vector<std::string>> rows{{"name", "unit", "default", "allowed", "meaning"}};
  for (const auto& info : law.parameters)
    rows.push_back({info.name, info.unit, text_of_value(info.default_value), bounds_text(info),
                    info.sentence});
  text += "\nparameters\n" + indented(table_text(rows, 5));
  if (!law.options.empty()) {
    rows = {{"name", "default", "allowed", "meaning"}};
    for (const auto& info : law.options)
      rows.push_back(
          {info.name, text_of_value(info.default_value), choices_text(info), info.sentence});
    text += "\noptions (numerical, never fitted)\n" + indented(table_text(rows, 4));
  }
  rows = {{"name", "unit", "meaning"}};
  for (const auto& info : law.states) rows.push_back({info.name, info.unit, info.sentence});
  text += "\nstate\n" + indented(table_text(rows, 3));
  text += "\nclaims\n" + claims_text(law.claims);
  return text + "\nsource\n  " + wrapped(law.citation, 2) + "\n";
}

std::string list_json() {
  std::string text = "[\n";
  for (const auto& law : catalog::laws())
    text += (text.size() > 2 ? ",\n" : "") + io::description_json(law.description);
  return text + "\n]\n";
}

Run declare(CLI::App& options, const Context&) {
  struct Settings {
    std::string name;
    bool json = false;
    bool relations = false;
  };
  const auto settings = std::make_shared<Settings>();
  OptionGroup group(options, "Options");
  group.word("MODEL", settings->name, "[MODEL]",
             "a law, a sum of laws, or a wrapper; all laws if left out", false);
  group.flag("--json", settings->json, "write JSON");
  group.flag("--relations", settings->relations, "which law is a special case of which");
  return [settings] {
    if (settings->relations) {
      if (!settings->name.empty())
        throw Error("--relations prints the whole map; leave out '" + settings->name + "'");
      print(settings->json ? relations_json() : relations_text());
    } else if (settings->name.empty()) {
      print(settings->json ? list_json() : list_text());
    } else {
      const Description law = catalog::describe_model(settings->name);
      print(settings->json ? io::description_json(law) + "\n" : one_text(law));
    }
    return 0;
  };
}

}  // namespace

Command models_command() {
  return {"models", "List the laws, or show everything about one.", details, declare};
}

}  // namespace microslip::app
