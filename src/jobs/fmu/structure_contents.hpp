#pragma once

#include "jobs/fmu/variables.hpp"
#include "microslip/jobs/structure.hpp"

/// A structure with joints as an FMU: what its file says, without the file.
namespace microslip::fmu {

/// Whether it acts by itself, beside what the master gives.
bool has_history(const dynamics::Load& load);

/// Method, step, tolerance and initial values are those of the first analysis of kind "time", or `events`
/// and rest. Throws Error for what cannot be moved step by step.
jobs::DrivenStructure driven_structure(catalog::StructureFile file);

Contents contents_of(const jobs::DrivenStructure& driven);

/// Gives the laws of the joints the parameters of an instance, in the order of the contents.
void set_parameters(dynamics::Structure& structure, const std::vector<Variable>& variables,
                    const double* values);

}  // namespace microslip::fmu
