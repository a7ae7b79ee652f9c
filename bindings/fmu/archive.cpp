#include "archive.hpp"

#include <array>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <set>

#include "microslip/core/error.hpp"
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

std::string scalar_variable(const Variable& v) {
  const bool parameter = v.role == Role::parameter, input = v.role == Role::input;
  std::string text = "    <ScalarVariable" + attribute("name", v.name) +
                     attribute("valueReference", std::to_string(v.reference)) +
                     attribute("description", v.sentence) +
                     attribute("causality", parameter ? "parameter"
                                            : input   ? "input"
                                                      : "output") +
                     attribute("variability", parameter ? "fixed" : "continuous");
  if (parameter) text += attribute("initial", "exact");
  if (v.role == Role::output) text += attribute("initial", "calculated");
  text += ">\n      <Real" + attribute("unit", v.unit);
  if (parameter && std::isfinite(v.bounds.lo)) text += attribute("min", number(v.bounds.lo));
  if (parameter && std::isfinite(v.bounds.hi)) text += attribute("max", number(v.bounds.hi));
  if (v.role != Role::output) text += attribute("start", number(v.start));
  return text + "/>\n    </ScalarVariable>\n";
}

std::uint32_t crc32(const std::string& bytes) {
  static const auto table = [] {
    std::array<std::uint32_t, 256> t{};
    for (std::uint32_t i = 0; i < 256; ++i) {
      std::uint32_t c = i;
      for (int k = 0; k < 8; ++k) c = (c & 1) ? 0xEDB88320u ^ (c >> 1) : c >> 1;
      t[i] = c;
    }
    return t;
  }();
  std::uint32_t c = 0xFFFFFFFFu;
  for (const char byte : bytes) c = table[(c ^ static_cast<unsigned char>(byte)) & 255] ^ (c >> 8);
  return c ^ 0xFFFFFFFFu;
}

void put(std::string& out, std::uint64_t x, int bytes) {
  for (int i = 0; i < bytes; ++i) out.push_back(static_cast<char>(x >> (8 * i)));
}

/// What the local and the central heading of an entry share (APPNOTE, sections 4.3.7 and 4.3.12).
void put_heading(std::string& out, const Entry& entry, std::uint32_t crc) {
  put(out, 20, 2);            // version needed: 2.0
  put(out, 0x0800, 2);        // names are UTF-8
  put(out, 0, 2);             // stored
  put(out, 0, 2);             // time
  put(out, (1 << 5) | 1, 2);  // date: 1980-01-01, so that the same joint gives the same file
  put(out, crc, 4);
  put(out, entry.bytes.size(), 4);
  put(out, entry.bytes.size(), 4);
  put(out, entry.name.size(), 2);
  put(out, 0, 2);  // nothing extra
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

std::string model_description(const Contents& contents, const std::string& name) {
  const std::vector<Variable>& variables = contents.variables;
  std::set<std::string> units;
  std::string inputs, outputs, unknowns, list;
  for (std::size_t i = 0; i < variables.size(); ++i) {
    const std::string index = std::to_string(i + 1);
    units.insert(variables[i].unit);
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
  std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiModelDescription";
  text += attribute("fmiVersion", "2.0") + attribute("modelName", name) +
          attribute("guid", contents.guid) + attribute("description", contents.sentence) +
          attribute("version", std::string(version)) +
          attribute("generationTool", "microslip " + std::string(version)) +
          attribute("variableNamingConvention", contents.structured ? "structured" : "flat") +
          ">\n";
  text += "  <CoSimulation" + attribute("modelIdentifier", identifier_of(name)) +
          attribute("canHandleVariableCommunicationStepSize", "true") +
          attribute("canInterpolateInputs", contents.interpolates ? "true" : "false") +
          attribute("maxOutputDerivativeOrder", "0") +
          attribute("canBeInstantiatedOnlyOncePerProcess", "false") +
          attribute("canNotUseMemoryManagementFunctions", "true") +
          attribute("canGetAndSetFMUstate", "true") + attribute("canSerializeFMUstate", "true") +
          attribute("providesDirectionalDerivative", "false") + "/>\n  <UnitDefinitions>\n";
  for (const std::string& unit : units) text += "    <Unit" + attribute("name", unit) + "/>\n";
  text += "  </UnitDefinitions>\n  <LogCategories>\n";
  for (const char* category : {"logStatusWarning", "logStatusDiscard", "logStatusError"})
    text += "    <Category" + attribute("name", category) + "/>\n";
  return text + "  </LogCategories>\n" +
         "  <DefaultExperiment startTime=\"0\" stopTime=\"1\" stepSize=\"0.01\"/>\n" +
         "  <ModelVariables>\n" + list + "  </ModelVariables>\n  <ModelStructure>\n" +
         "    <Outputs>\n" + outputs + "    </Outputs>\n    <InitialUnknowns>\n" + unknowns +
         "    </InitialUnknowns>\n  </ModelStructure>\n</fmiModelDescription>\n";
}

std::string archive(const Contents& contents, const std::string& name, const std::string& library,
                    const std::vector<Entry>& beside) {
  std::vector<Entry> entries{
      {"modelDescription.xml", model_description(contents, name)},
      {"resources/" + contents.resource, contents.text},
      {"binaries/linux64/" + identifier_of(name) + ".so", library},
  };
  for (const Entry& entry : beside)
    entries.push_back({"binaries/linux64/" + entry.name, entry.bytes});
  return zip(entries);
}

std::string zip(const std::vector<Entry>& entries) {
  std::string out, directory;
  for (const Entry& entry : entries) {
    const std::size_t offset = out.size();
    if (offset + entry.bytes.size() > 0xF0000000u) throw Error("the archive is larger than 4 GB");
    const std::uint32_t crc = crc32(entry.bytes);
    put(out, 0x04034b50, 4);
    put_heading(out, entry, crc);
    out += entry.name + entry.bytes;
    put(directory, 0x02014b50, 4);
    put(directory, (3 << 8) | 20, 2);  // made on Unix
    put_heading(directory, entry, crc);
    put(directory, 0, 2);  // no comment
    put(directory, 0, 2);  // first disk
    put(directory, 0, 2);  // attributes of DOS
    const bool program = entry.name.find(".so") != std::string::npos;
    put(directory, (program ? 0100755u : 0100644u) << 16, 4);
    put(directory, offset, 4);
    directory += entry.name;
  }
  const std::size_t start = out.size();
  out += directory;
  put(out, 0x06054b50, 4);
  put(out, 0, 4);  // one disk
  put(out, entries.size(), 2);
  put(out, entries.size(), 2);
  put(out, directory.size(), 4);
  put(out, start, 4);
  put(out, 0, 2);
  return out;
}

}  // namespace microslip::fmu
