#include "jobs/kinds.hpp"
#include "microslip/jobs/cracks.hpp"
#include "microslip/jobs/export_fmu.hpp"
#include "microslip/jobs/identify.hpp"
#include "microslip/jobs/joint.hpp"

namespace microslip::jobs {
namespace {

/// An FMU is called as its file.
std::string fmu_request(const std::string& text, const std::filesystem::path& name) {
  ExportFmuRequest request;
  request.name = name.stem().string();
  request.structure = catalog::parse_structure(text, name);
  return to_text(request, -1);
}

}  // namespace

std::span<const Kind> kinds_not_in_browsers() {
  static constexpr Kind kinds[] = {
      {"cracks", run_text<CracksRequest, cracks>,
       text_from_file<CracksRequest, &CracksRequest::cracks, catalog::parse_cracks>},
      {"cracks-ensemble", run_text<EnsembleRequest, cracks_ensemble>,
       text_from_file<EnsembleRequest, &EnsembleRequest::cracks, catalog::parse_cracks>},
      {"export-fmu", run_text<ExportFmuRequest, export_fmu>, fmu_request},
      {"identify", run_text<IdentifyRequest, identify>,
       text_from_file<IdentifyRequest, &IdentifyRequest::file, catalog::parse_identification>},
      {"joint", run_text<JointRequest, joint>,
       text_from_file<JointRequest, &JointRequest::joint, catalog::parse_joint>}};
  return kinds;
}

}  // namespace microslip::jobs
