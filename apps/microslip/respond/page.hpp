#pragma once

#include <string>
#include <vector>

#include "microslip/jobs/respond.hpp"

namespace microslip::app {

/// All analyses on one page that needs nothing else.
struct PageEntry {
  const catalog::Analysis* analysis;
  jobs::AnalysisResult result;
};
std::string respond_page(const std::string& name, const catalog::StructureFile& file,
                         const std::vector<PageEntry>& entries, const std::string& command_line);

}  // namespace microslip::app
