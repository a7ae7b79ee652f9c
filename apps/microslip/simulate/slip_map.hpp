#pragma once

#include <filesystem>
#include <vector>

#include "simulate/input.hpp"

namespace microslip::app {

/// Which slider slips when: for the law `sliders` alone, from rest. Throws Error otherwise.
void refuse_slip_map(const std::vector<Job>& jobs);
void draw_slip_map(const std::filesystem::path& path, const Job& job, const Input& input,
                   bool from_first_row);

}  // namespace microslip::app
