#include "jobs/fmu/structure_contents.hpp"

#include <algorithm>

#include "microslip/catalog/vector_joint.hpp"
#include "microslip/core/error.hpp"
#include "microslip/jobs/respond.hpp"

namespace microslip::fmu {
using dynamics::Stepper;
using jobs::DrivenStructure;

bool has_history(const dynamics::Load& load) {
  const auto* tones = std::get_if<dynamics::Tones>(&load.signal);
  return !std::holds_alternative<dynamics::Constant>(load.signal) &&
         !(tones && tones->list.empty());
}

jobs::DrivenStructure driven_structure(catalog::StructureFile file) {
  DrivenStructure driven;
  for (const catalog::Analysis& analysis : file.analyses) {
    if (analysis.kind != "time") continue;
    const dynamics::TimeOptions time = jobs::time_options(analysis);
    driven.options.method = time.method;
    driven.options.step = time.step;
    driven.options.tolerance = time.tolerance;
    driven.options.x0 = time.x0;
    driven.options.v0 = time.v0;
    break;
  }
  driven.structure = std::move(file.structure);
  driven.labels = std::move(file.labels);
  driven.load_units = std::move(file.load_units);
  // Tones of periodic analyses have no frequency of their own.
  for (dynamics::Load& load : driven.structure.loads)
    if (auto* tones = std::get_if<dynamics::Tones>(&load.signal))
      std::erase_if(tones->list, [](const dynamics::Tone& tone) { return !(tone.omega > 0); });
  // What a stepper refuses is refused here and not in the master.
  const Stepper trial(driven.structure, driven.options);
  return driven;
}

Contents contents_of(const DrivenStructure& driven) {
  const dynamics::Structure& s = driven.structure;
  dynamics::refuse_other_interfaces(s, "an FMU");
  Contents result;
  result.sentence = "A structure with " + std::to_string(s.size()) + " degrees of freedom and " +
                    std::to_string(s.joints.size() + s.interfaces.size()) + " joints.";
  result.resource = "structure.json";
  result.text = jobs::to_text(driven, -1);
  result.guid = guid_of(result.text);
  std::vector<Variable>& all = result.variables;
  unsigned reference = 0;
  std::size_t outputs = 0;
  for (std::size_t i = 0; i < s.loads.size(); ++i) {
    const std::string number = std::to_string(i + 1);
    all.push_back({"load" + number, reference++, Role::input, driven.load_units[i],
                   "load " + number + " of the structure, held during a step", i});
    if (const auto* constant = std::get_if<dynamics::Constant>(&s.loads[i].signal))
      all.back().start = constant->value;
  }
  const auto output = [&](const std::string& name, const std::string& unit,
                          const std::string& sentence) {
    all.push_back({name, reference++, Role::output, unit, sentence, outputs++});
  };
  const auto motion = [&](const std::string& label, const std::string& of) {
    output("x" + label, "L", "displacement of " + of);
    output("v" + label, "L/T", "velocity of " + of);
  };
  for (const std::string& label : driven.labels) motion(label, "degree of freedom " + label);
  for (const dynamics::Sensor& sensor : s.sensors) motion("_" + sensor.name, "the sensor");
  for (std::size_t j = 1; j <= s.joints.size(); ++j)
    output("f_joint" + std::to_string(j), "F", "force of joint " + std::to_string(j));
  for (std::size_t i = 0; i < s.interfaces.size(); ++i) {
    const std::string number = std::to_string(s.joints.size() + i + 1);
    for (const std::string& direction : s.interfaces[i].law->model()->directions())
      output("f_joint" + number + "_" + direction, "F",
             "force of joint " + number + " along " + direction);
  }
  output("energy", "F*L", "dissipated in the joints so far");
  std::size_t parameters = 0;
  const std::size_t joints = s.joints.size() + s.interfaces.size();
  for (std::size_t j = 0; j < joints; ++j) {
    const std::size_t first = all.size();
    add_parameters(
        j < s.joints.size() ? s.joints[j].model : *s.interfaces[j - s.joints.size()].law->model(),
        reference, parameters, all);
    for (std::size_t i = first; i < all.size(); ++i) {
      all[i].name = "joint" + std::to_string(j + 1) + "." + all[i].name;
      all[i].joint = j + 1;
    }
    parameters += all.size() - first;
    reference += static_cast<unsigned>(all.size() - first);
  }
  if (std::any_of(s.loads.begin(), s.loads.end(), has_history)) {
    Variable own{"own_loads", reference, Role::parameter, "", "", parameters};
    own.sentence = "whether the time histories of the file's loads act beside the inputs";
    own.start = 1;
    own.boolean = true;
    all.push_back(own);
  }
  return result;
}

void set_parameters(dynamics::Structure& s, const std::vector<Variable>& variables,
                    const double* values) {
  for (std::size_t j = 0; j < s.joints.size(); ++j)
    s.joints[j].model = with_parameters(s.joints[j].model, variables, j + 1, values);
  for (std::size_t i = 0; i < s.interfaces.size(); ++i)
    s.interfaces[i].law = catalog::vector_joint(
        with_parameters(*s.interfaces[i].law->model(), variables, s.joints.size() + i + 1, values));
}

}  // namespace microslip::fmu
