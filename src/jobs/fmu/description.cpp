#include "jobs/fmu/description.hpp"

#include <cctype>
#include <cmath>
#include <set>

#include "microslip/io/csv.hpp"
#include "microslip/version.hpp"

namespace microslip::fmu {
namespace {

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  return out;
}

std::string attribute(const std::string& name, const std::string& value) {
  return " " + name + "=\"" + escaped(value) + "\"";
}

/// xs:double writes infinity as INF.
std::string number(double x) {
  if (std::isnan(x)) return "NaN";
  if (std::isinf(x)) return x > 0 ? "INF" : "-INF";
  return io::exact_text(x);
}

const char* causality(const Variable& v) {
  return v.role == Role::parameter ? "parameter" : v.role == Role::input ? "input" : "output";
}

const char* type(const Variable& v, const char* real) { return v.boolean ? "Boolean" : real; }

/// Unit, bounds and start value, which both versions write alike.
std::string value_attributes(const Variable& v) {
  if (v.boolean) return attribute("start", v.start != 0 ? "true" : "false");
  std::string text = attribute("unit", v.unit);
  const bool parameter = v.role == Role::parameter;
  if (parameter && std::isfinite(v.bounds.lo)) text += attribute("min", number(v.bounds.lo));
  if (parameter && std::isfinite(v.bounds.hi)) text += attribute("max", number(v.bounds.hi));
  if (v.role != Role::output) text += attribute("start", number(v.start));
  return text;
}

std::string scalar_variable(const Variable& v) {
  const bool parameter = v.role == Role::parameter;
  std::string text = "    <ScalarVariable" + attribute("name", v.name) +
                     attribute("valueReference", std::to_string(v.reference)) +
                     attribute("description", v.sentence) + attribute("causality", causality(v)) +
                     attribute("variability", parameter ? "fixed" : "continuous");
  if (parameter) text += attribute("initial", "exact");
  if (v.role == Role::output) text += attribute("initial", "calculated");
  return text + ">\n      <" + type(v, "Real") + value_attributes(v) +
         "/>\n    </ScalarVariable>\n";
}

std::string head(const Contents& contents, const std::string& name, const char* fmi_version,
                 const char* token) {
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiModelDescription" +
         attribute("fmiVersion", fmi_version) + attribute("modelName", name) +
         attribute(token, contents.guid) + attribute("description", contents.sentence) +
         attribute("version", std::string(version)) +
         attribute("generationTool", "microslip " + std::string(version)) +
         attribute("variableNamingConvention", contents.structured ? "structured" : "flat") + ">\n";
}

std::string units_and_categories(const Contents& contents) {
  std::set<std::string> units{"T"};
  for (const Variable& v : contents.variables)
    if (!v.boolean) units.insert(v.unit);
  std::string text = "  <UnitDefinitions>\n";
  for (const std::string& unit : units) text += "    <Unit" + attribute("name", unit) + "/>\n";
  text += "  </UnitDefinitions>\n  <LogCategories>\n";
  for (const char* category : {"logStatusDiscard", "logStatusError"})
    text += "    <Category" + attribute("name", category) + "/>\n";
  return text + "  </LogCategories>\n  <DefaultExperiment startTime=\"0\"" +
         attribute("stopTime", number(contents.stop)) +
         attribute("stepSize", number(contents.step)) + "/>\n";
}

std::string description_2(const Contents& contents, const std::string& name) {
  const std::vector<Variable>& variables = contents.variables;
  std::string inputs, outputs, unknowns, list;
  for (std::size_t i = 0; i < variables.size(); ++i) {
    const std::string index = std::to_string(i + 1);
    list += scalar_variable(variables[i]);
    if (variables[i].role == Role::input) inputs += (inputs.empty() ? "" : " ") + index;
  }
  for (std::size_t i = 0; i < variables.size(); ++i) {
    if (variables[i].role != Role::output) continue;
    const std::string index = attribute("index", std::to_string(i + 1));
    outputs += "      <Unknown" + index +
               attribute("dependencies", contents.reads_through ? inputs : "") + "/>\n";
    unknowns += "      <Unknown" + index + "/>\n";
  }
  std::string text = head(contents, name, "2.0", "guid");
  text += "  <CoSimulation" + attribute("modelIdentifier", identifier_of(name)) +
          attribute("canHandleVariableCommunicationStepSize", "true") +
          attribute("canInterpolateInputs", contents.interpolates ? "true" : "false") +
          attribute("maxOutputDerivativeOrder", "0") +
          attribute("canBeInstantiatedOnlyOncePerProcess", "false") +
          attribute("canNotUseMemoryManagementFunctions", "true") +
          attribute("canGetAndSetFMUstate", "true") + attribute("canSerializeFMUstate", "true") +
          attribute("providesDirectionalDerivative", "false") + "/>\n";
  return text + units_and_categories(contents) + "  <ModelVariables>\n" + list +
         "  </ModelVariables>\n  <ModelStructure>\n" + "    <Outputs>\n" + outputs +
         "    </Outputs>\n    <InitialUnknowns>\n" + unknowns +
         "    </InitialUnknowns>\n  </ModelStructure>\n</fmiModelDescription>\n";
}

std::string typed_variable(const Variable& v) {
  const bool parameter = v.role == Role::parameter;
  std::string text = std::string("    <") + type(v, "Float64") + attribute("name", v.name) +
                     attribute("valueReference", std::to_string(v.reference)) +
                     attribute("description", v.sentence) + attribute("causality", causality(v)) +
                     attribute("variability", parameter ? "fixed" : "continuous");
  if (parameter) text += attribute("initial", "exact");
  if (v.role == Role::output) text += attribute("initial", "calculated");
  return text + value_attributes(v) + "/>\n";
}

std::string description_3(const Contents& contents, const std::string& name) {
  std::string inputs, outputs, unknowns, list;
  for (const Variable& v : contents.variables) {
    list += typed_variable(v);
    if (v.role == Role::input) inputs += (inputs.empty() ? "" : " ") + std::to_string(v.reference);
  }
  list += "    <Float64" + attribute("name", "time") +
          attribute("valueReference", std::to_string(time_reference)) +
          attribute("description", "time of the last communication point") +
          attribute("causality", "independent") + attribute("variability", "continuous") +
          attribute("unit", "T") + "/>\n";
  for (const Variable& v : contents.variables) {
    if (v.role != Role::output) continue;
    const std::string reference = attribute("valueReference", std::to_string(v.reference));
    outputs += "    <Output" + reference +
               attribute("dependencies", contents.reads_through ? inputs : "") + "/>\n";
    unknowns += "    <InitialUnknown" + reference + "/>\n";
  }
  std::string text = head(contents, name, "3.0", "instantiationToken");
  text += "  <CoSimulation" + attribute("modelIdentifier", identifier_of(name));
  for (const char* able :
       {"canGetAndSetFMUState", "canSerializeFMUState", "canHandleVariableCommunicationStepSize"})
    text += attribute(able, "true");
  for (const char* not_able :
       {"canBeInstantiatedOnlyOncePerProcess", "providesDirectionalDerivatives",
        "providesAdjointDerivatives", "providesPerElementDependencies",
        "providesIntermediateUpdate", "mightReturnEarlyFromDoStep",
        "canReturnEarlyAfterIntermediateUpdate", "hasEventMode"})
    text += attribute(not_able, "false");
  text += attribute("maxOutputDerivativeOrder", "0") + "/>\n";
  return text + units_and_categories(contents) + "  <ModelVariables>\n" + list +
         "  </ModelVariables>\n  <ModelStructure>\n" + outputs + unknowns +
         "  </ModelStructure>\n</fmiModelDescription>\n";
}

}  // namespace

std::string identifier_of(const std::string& name) {
  std::string text;
  for (const char c : name) {
    const bool good =
        std::isalnum(static_cast<unsigned char>(c)) && static_cast<signed char>(c) > 0;
    if (good)
      text += c;
    else if (!text.empty() && text.back() != '_')
      text += '_';
  }
  while (!text.empty() && text.back() == '_') text.pop_back();
  if (text.empty() || std::isdigit(static_cast<unsigned char>(text.front())))
    text = "joint_" + text;
  return text;
}

std::string model_description(const Contents& contents, const std::string& name,
                              jobs::FmiVersion fmi) {
  return fmi == jobs::FmiVersion::v2 ? description_2(contents, name)
                                     : description_3(contents, name);
}

std::string documentation(const Contents& contents, const std::string& name) {
  std::string text = "<!DOCTYPE html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\"><title>" +
                     escaped(name) + "</title></head>\n<body>\n<h1>" + escaped(name) +
                     "</h1>\n<p>" + escaped(contents.sentence) + "</p>\n<p>" +
                     (contents.interpolates ? "Inputs are values at the end of a step."
                                            : "Inputs are held during a step.") +
                     " Units are symbolic: F force, L length, T time, in any consistent set.</p>\n"
                     "<table>\n<tr><th>variable</th><th>reference</th><th></th><th>unit</th>"
                     "<th>start</th><th></th></tr>\n";
  for (const Variable& v : contents.variables)
    text += "<tr><td>" + escaped(v.name) + "</td><td>" + std::to_string(v.reference) + "</td><td>" +
            causality(v) + "</td><td>" + escaped(v.unit) + "</td><td>" +
            (v.role == Role::output ? "" : number(v.start)) + "</td><td>" + escaped(v.sentence) +
            "</td></tr>\n";
  return text + "</table>\n<p>Written by microslip " + std::string(version) +
         ".</p>\n</body>\n</html>\n";
}

}  // namespace microslip::fmu
