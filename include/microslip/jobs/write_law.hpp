#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "microslip/core/description.hpp"

/// Laws in the input languages of other programs.
namespace microslip::jobs {

/// mujoco, modelica, opensees, abaqus.
std::vector<std::string> programs_with_laws();

/// The law as the program takes it, with its numbers; where the program has no such law, a comment in its language that
/// says so. `number` tells several joints apart. Throws Error for an unknown program.
std::string written_law(const ModelSpec& law, std::string_view program, int number);

}  // namespace microslip::jobs
