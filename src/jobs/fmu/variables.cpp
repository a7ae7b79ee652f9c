#include "jobs/fmu/variables.hpp"

#include <cstdint>

#include "microslip/io/json.hpp"
#include "microslip/io/parameters.hpp"
#include "microslip/version.hpp"

namespace microslip::fmu {

void add_parameters(const AnyModel& law, unsigned reference, std::size_t index,
                    std::vector<Variable>& all) {
  const auto add = [&](const ParameterInfo& info, double start) -> Variable& {
    all.push_back({info.name, reference++, Role::parameter, info.unit, info.sentence, index++,
                   info.bounds, start, info.name});
    return all.back();
  };
  for (const ParameterInfo& info : law.description().parameters) {
    const Value& value = law.parameters().at(info.name);
    if (const auto* x = std::get_if<double>(&value)) {
      add(info, *x);
    } else if (const auto* list = std::get_if<std::vector<double>>(&value)) {
      for (std::size_t i = 0; i < list->size(); ++i) {
        Variable& element = add(info, (*list)[i]);
        element.name += "[" + std::to_string(i + 1) + "]";
        element.element = i;
        element.one_of_a_list = true;
      }
    }
  }
}

AnyModel with_parameters(const AnyModel& law, const std::vector<Variable>& variables,
                         std::size_t joint, const double* values) {
  ParameterValues all = law.parameters();
  for (const Variable& v : variables) {
    if (v.role != Role::parameter || v.joint != joint) continue;
    if (v.one_of_a_list)
      std::get<std::vector<double>>(all[v.parameter])[v.element] = values[v.index];
    else
      all[v.parameter] = values[v.index];
  }
  return law.with(all);
}

Contents contents_of(const AnyModel& law) {
  const Description& d = law.description();
  // A law that is driven by force takes forces and returns displacements.
  const bool by_force = d.driven == Driven::force;
  const std::string given = by_force ? "force" : "displacement";
  const std::string answer = by_force ? "displacement" : "force";
  const std::string f = by_force ? "u" : "f", u = by_force ? "f" : "u";
  const std::string in = by_force ? "F" : "L", out = by_force ? "L" : "F";
  Contents result;
  std::vector<Variable>& all = result.variables;
  const auto input = [&](const std::string& name, unsigned reference) {
    all.push_back({name, reference, Role::input, in, given + " at the end of the step", reference});
  };
  const auto output = [&](const std::string& name, unsigned reference, const std::string& unit,
                          const std::string& sentence) {
    all.push_back({name, reference, Role::output, unit, sentence, reference - force});
  };
  const unsigned forces[] = {force, force_y, force_n};
  if (d.directions.empty()) {
    input(u, 0);
    output(f, force, out, answer + " at the end of the step");
    output("tangent", tangent, out + "/" + in,
           "d" + f + "/d" + u + " in the direction of the motion");
  }
  for (unsigned i = 0; i < d.directions.size(); ++i) input(u + d.directions[i], i);
  for (unsigned i = 0; i < d.directions.size(); ++i)
    output(f + d.directions[i], forces[i], out, answer + " at the end of the step");
  output("energy", energy, "F*L", "dissipated so far");
  output("stored", stored, "F*L", "recoverable energy");
  add_parameters(law, first_parameter, 0, all);
  result.sentence = d.sentence;
  result.guid =
      guid_of(d.name + io::values_json(law.parameters()) + io::values_json(law.options()));
  result.prefix = d.name + ".";
  result.interpolates = result.reads_through = result.structured = true;
  result.resource = "model.json";
  result.text = io::parameters_text({d.name, law.parameters(), law.options()});
  return result;
}

std::string guid_of(std::string_view text) {
  const std::string versioned = std::string(version) + std::string(text);
  const auto hash = [&](std::uint64_t h) {
    for (const char c : versioned) h = (h ^ static_cast<unsigned char>(c)) * 1099511628211ull;
    return h;
  };
  const std::uint64_t halves[] = {hash(14695981039346656037ull), hash(0x9e3779b97f4a7c15ull)};
  constexpr char digits[] = "0123456789abcdef";
  std::string guid = "{";
  for (int i = 0; i < 32; ++i) {
    if (i == 8 || i == 12 || i == 16 || i == 20) guid += '-';
    guid += digits[(halves[i / 16] >> (4 * (i % 16))) & 15];
  }
  return guid + "}";
}

}  // namespace microslip::fmu
