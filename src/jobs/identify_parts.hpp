#pragma once

#include <string>
#include <vector>

#include "microslip/catalog/files/addresses.hpp"
#include "microslip/catalog/files/identification_file.hpp"
#include "microslip/identify/identify.hpp"

/// From an identification file to what `identify` takes.
namespace microslip::jobs::identify_parts {

struct Task {
  identify::Build build;
  std::vector<identify::Unknown> unknowns;
  std::vector<identify::Datum> data;
};

/// Throws Error for what cannot be identified.
Task task_of(const catalog::IdentificationFile& file);

/// What the measurement says against the laws: a resonance that rises with the level, which joints that soften do
/// not have.
std::vector<std::string> doubts(const catalog::IdentificationFile& file,
                                const identify::Result& result);

}  // namespace microslip::jobs::identify_parts
