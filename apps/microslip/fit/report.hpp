#pragma once

#include <string>

#include "fit/output.hpp"

namespace microslip::app {

/// The page that --report writes; it needs nothing else.
std::string fit_report(const FitResult& answer);

}  // namespace microslip::app
