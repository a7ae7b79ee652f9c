#include "variables.hpp"

#include <cstdint>

#include "microslip/io/json.hpp"
#include "microslip/version.hpp"

namespace microslip::fmu {

std::vector<Variable> variables_of(const AnyModel& law) {
  const Description& d = law.description();
  const bool planar = d.family == Family::planar;
  const std::string moved = d.driven == Driven::force ? "force" : "displacement";
  const std::string in = d.driven == Driven::force ? "F" : "L";
  const std::string out = d.driven == Driven::force ? "L" : "F";
  std::vector<Variable> all;
  all.push_back({planar ? "ux" : "u", 0, Role::input, in, moved + " at the end of the step"});
  if (planar) all.push_back({"uy", 1, Role::input, in, moved + " at the end of the step"});
  all.push_back({planar ? "fx" : "f", force, Role::output, out, "what the joint answers"});
  if (planar) all.push_back({"fy", force_y, Role::output, out, "what the joint answers"});
  if (!planar)
    all.push_back(
        {"tangent", tangent, Role::output, out + "/" + in, "df/du in the direction of the motion"});
  all.push_back({"energy", energy, Role::output, "F*L", "dissipated so far"});
  all.push_back({"stored", stored, Role::output, "F*L", "recoverable energy"});
  unsigned reference = first_parameter;
  for (const ParameterInfo& info : d.parameters) {
    const Value& value = law.parameters().at(info.name);
    const Variable base{info.name,   0, Role::parameter, info.unit, info.sentence,
                        info.bounds, 0, info.name};
    if (const auto* x = std::get_if<double>(&value)) {
      all.push_back(base);
      all.back().reference = reference++;
      all.back().start = *x;
    } else if (const auto* list = std::get_if<std::vector<double>>(&value)) {
      for (std::size_t i = 0; i < list->size(); ++i) {
        all.push_back(base);
        all.back().name += "[" + std::to_string(i + 1) + "]";
        all.back().reference = reference++;
        all.back().start = (*list)[i];
        all.back().element = i;
        all.back().one_of_a_list = true;
      }
    }
  }
  return all;
}

std::string guid_of(const AnyModel& law) {
  const std::string text = std::string(version) + law.description().name +
                           io::values_json(law.parameters()) + io::values_json(law.options());
  const auto hash = [&](std::uint64_t h) {
    for (const char c : text) h = (h ^ static_cast<unsigned char>(c)) * 1099511628211ull;
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
