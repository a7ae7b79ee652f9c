/// Writes the symbols of all behaviours from the table of laws:
///
///     generate_behaviours TURNING_POINTS FILE

#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include "laws.hpp"
#include "microslip/catalog/catalog.hpp"
#include "microslip/core/state_numbers.hpp"
#include "microslip/io/csv.hpp"

namespace {

using namespace microslip;

/// What a turning point takes in a record of a state: u, f and the stored energy there.
constexpr std::size_t numbers_of_a_turning_point = 3;

std::string identifier(std::string name) {
  for (char& c : name)
    if (c == '-') c = '_';
  return name;
}

std::string list(const std::vector<std::string>& texts) {
  std::string out;
  for (const std::string& text : texts) out += "\"" + text + "\", ";
  return "{" + out + "nullptr}";
}

struct Property {
  std::string name, symbol;
  Interval bounds;
};

/// One displacement, and all parameters are numbers or lists of numbers.
bool fits(const Description& d) {
  bool fits = d.family != Family::planar;
  for (const ParameterInfo& info : d.parameters)
    fits = fits && (info.kind == Kind::scalar || info.kind == Kind::vector);
  return fits;
}

std::vector<Property> properties_of(const AnyModel& law) {
  std::vector<Property> properties;
  for (const ParameterInfo& info : law.description().parameters) {
    const Value& value = law.parameters().at(info.name);
    if (info.kind == Kind::scalar) {
      properties.push_back({info.name, info.name, info.bounds});
      continue;
    }
    for (std::size_t i = 0; i < std::get<std::vector<double>>(value).size(); ++i) {
      const std::string index = std::to_string(i);
      properties.push_back(
          {info.name + "[" + index + "]", info.name + "_mfront_index_" + index, info.bounds});
    }
  }
  return properties;
}

/// The law remembers turning points, whose number changes.
bool grows(const AnyModel& law) {
  AnyState state = law.rest();
  std::vector<double*> numbers;
  auto* numbered = dynamic_cast<StateNumbers<double>*>(&state.get());
  return !numbered ||
         numbered->find_numbers(Numbers::without_reversals, numbers) == Memory::growing;
}

/// Names of the state variables, as laws.hpp orders them.
std::vector<std::string> states_of(const AnyModel& law, std::size_t turning_points) {
  std::vector<std::string> names{"StateSize", "DissipatedEnergy"};
  const std::size_t size = hosts::packed(law, law.rest(), 0).size();
  if (grows(law)) {
    for (std::size_t i = 1; i + 2 <= size + numbers_of_a_turning_point * turning_points; ++i)
      names.push_back("Memory_" + std::to_string(i));
    return names;
  }
  for (const auto& [field, numbers] : law.save(law.rest())) {
    names.push_back("Size_" + field);
    for (std::size_t i = 0; i < numbers.size(); ++i)
      names.push_back("State_" + field + (numbers.size() > 1 ? "_" + std::to_string(i + 1) : ""));
  }
  return names;
}

void write(std::ostream& out, const std::string& behaviour, const AnyModel& law, bool cohesive,
           const std::vector<Property>& properties, const std::vector<std::string>& states) {
  const Description& d = law.description();
  const bool by_force = d.driven == Driven::force;
  const std::string gradient = cohesive   ? "OpeningDisplacement"
                               : by_force ? "Force"
                                          : "RelativeDisplacement";
  const std::string force = cohesive   ? "CohesiveForce"
                            : by_force ? "RelativeDisplacement"
                                       : "Force";
  out << "\nstatic const microslip::mgis::Behaviour microslip_behaviour_of_" << behaviour << "{\""
      << d.name << "\", " << properties.size() << ", " << states.size() << "};\n"
      << "MICROSLIP_BEHAVIOUR(" << behaviour << ", " << (cohesive ? 3 : 0) << ", "
      << (cohesive ? 2 : 0) << ", \"" << gradient << "\", \"" << force << "\", "
      << (cohesive ? 2 : 0) << ")\n"
      << "MICROSLIP_TEXT(" << behaviour << ", src, \"microslip: " << d.name << "\")\n"
      << "MICROSLIP_TEXT(" << behaviour << ", build_id, MICROSLIP_VERSION)\n";
  std::vector<std::string> hypotheses{"AxisymmetricalGeneralisedPlaneStrain",
                                      "AxisymmetricalGeneralisedPlaneStress"};
  // A vector has one component in these two, and more in the others.
  if (!cohesive)
    for (const char* more : {"Axisymmetrical", "PlaneStress", "PlaneStrain",
                             "GeneralisedPlaneStrain", "Tridimensional"})
      hypotheses.push_back(more);
  out << "MICROSLIP_NUMBER(" << behaviour << ", nModellingHypotheses, " << hypotheses.size()
      << ")\nextern const char* const " << behaviour
      << "_ModellingHypotheses[] = " << list(hypotheses) << ";\n";
  for (const std::string& hypothesis : hypotheses)
    out << "MICROSLIP_HYPOTHESIS(" << behaviour << ", " << hypothesis << ")\n";
  std::vector<std::string> names;
  for (const Property& property : properties) names.push_back(property.name);
  out << "MICROSLIP_NUMBER(" << behaviour << ", nMaterialProperties, " << names.size()
      << ")\nextern const char* const " << behaviour << "_MaterialProperties[] = " << list(names)
      << ";\nMICROSLIP_NUMBER(" << behaviour << ", nInternalStateVariables, " << states.size()
      << ")\nextern const char* const " << behaviour
      << "_InternalStateVariables[] = " << list(states) << ";\nextern const int " << behaviour
      << "_InternalStateVariablesTypes[" << states.size() << "] = {};\n";
  for (const Property& property : properties) {
    const auto bound = [&](double x, const char* side) {
      if (std::isfinite(x))
        out << "extern const long double " << behaviour << "_" << property.symbol << "_" << side
            << "PhysicalBound = " << io::exact_text(x) << ";\n";
    };
    bound(property.bounds.lo, "Lower");
    bound(property.bounds.hi, "Upper");
  }
}

}  // namespace

int main(int count, char** words) {
  if (count != 3) {
    std::cerr << "usage: generate_behaviours TURNING_POINTS FILE\n";
    return 2;
  }
  const std::size_t turning_points = std::stoul(words[1]);
  std::ofstream out(words[2]);
  out << "// Written by generate_behaviours from the table of laws.\n#include \"behaviour.hpp\"\n"
         "#include \"microslip/version.hpp\"\n#define MICROSLIP_VERSION microslip::version.data()\n"
         "\nextern \"C\" {\n";
  std::vector<std::string> all;
  for (const auto& entry : catalog::laws()) {
    if (!fits(entry.description)) continue;
    const AnyModel law = catalog::make({entry.description.name, {}, {}});
    const std::vector<Property> properties = properties_of(law);
    const std::vector<std::string> states = states_of(law, turning_points);
    all.push_back(identifier(law.description().name));
    write(out, all.back(), law, false, properties, states);
    if (law.description().driven == Driven::force) continue;
    all.push_back(all.back() + "_cohesive");
    write(out, all.back(), law, true, properties, states);
  }
  out << "\nMICROSLIP_NUMBER(microslip, nBehaviours, " << all.size()
      << ")\nextern const char* const microslip_Behaviours[] = " << list(all) << ";\n}\n";
  return out.flush() ? 0 : 1;
}
