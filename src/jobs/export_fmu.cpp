#include "microslip/jobs/export_fmu.hpp"

#include <algorithm>

#include "jobs/fmu/description.hpp"
#include "jobs/fmu/structure_contents.hpp"
#include "jobs/structure_form.hpp"
#include "microslip/catalog/catalog.hpp"
#include "microslip/core/error.hpp"
#include "microslip/jobs/respond.hpp"

namespace microslip::jobs {
namespace {

/// What FMI 2.0 and 3.0 call the folder of an operating system, and how its binaries end.
struct Platform {
  const char* name;
  const char* name_3;
  const char* ending;
};
constexpr Platform platforms[] = {{"linux64", "x86_64-linux", ".so"},
                                  {"win64", "x86_64-windows", ".dll"}};

std::vector<FmuBinary> binaries_of(const std::string& name, FmiVersion fmi) {
  const bool two = fmi == FmiVersion::v2;
  std::vector<FmuBinary> all;
  for (const Platform& platform : platforms)
    all.push_back({platform.name,
                   std::string("microslip_fmu") + (two ? "2" : "3") + platform.ending,
                   std::string("binaries/") + (two ? platform.name : platform.name_3) + "/" +
                       fmu::identifier_of(name) + platform.ending});
  return all;
}

fmu::Contents contents_of(const catalog::StructureFile& file) {
  fmu::Contents contents = fmu::contents_of(fmu::driven_structure(file));
  const auto& all = file.analyses;
  const auto time =
      std::find_if(all.begin(), all.end(), [](const auto& one) { return one.kind == "time"; });
  if (time != all.end()) {
    contents.stop = time_options(*time).until;
    contents.step = time->step.value_or(0.01 * contents.stop);
  }
  return contents;
}

}  // namespace

ExportFmuResult export_fmu(const ExportFmuRequest& request, const Control& /*control*/) {
  if (request.law.has_value() == request.structure.has_value())
    throw Error("an FMU holds one law or one structure: give 'law' or 'structure'");
  fmu::Contents contents;
  std::string name = request.name;
  if (request.law) {
    const NamedLaw& law = *request.law;
    const AnyModel model = catalog::make({law.model, law.parameters, law.options});
    contents = fmu::contents_of(model);
    if (name.empty()) name = law.label.empty() ? model.description().name : law.label;
  } else {
    contents = contents_of(*request.structure);
    if (name.empty()) name = "structure";
  }
  ExportFmuResult result{
      name,
      request.fmi,
      binaries_of(name, request.fmi),
      {{"modelDescription.xml", fmu::model_description(contents, name, request.fmi)},
       {"documentation/index.html", fmu::documentation(contents, name)},
       {"documentation/licenses/license.txt", fmu::licenses()},
       {"resources/" + contents.resource, contents.text}}};
  const std::vector<fmu::Variable>& all = contents.variables;
  if (std::any_of(all.begin(), all.end(), [](const auto& v) { return v.name == "own_loads"; }))
    result.notes.push_back(
        "The loads of the file act beside the inputs; with the parameter own_loads = false they do "
        "not.");
  return result;
}

MICROSLIP_TEXT_FORM(ExportFmuRequest)
MICROSLIP_TEXT_FORM(ExportFmuResult)

}  // namespace microslip::jobs
