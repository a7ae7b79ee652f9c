#pragma once

#include <string>
#include <vector>

#include "microslip/jobs/identify.hpp"

namespace microslip::app {

/// A page that needs nothing else: the numbers, and each measured column beside the answer of the structure.
std::string identify_page(const std::string& file, const jobs::FitResult& result,
                          const std::vector<jobs::ShownChannel>& shown);

}  // namespace microslip::app
