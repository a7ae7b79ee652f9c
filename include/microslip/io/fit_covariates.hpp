#pragma once

#include <filesystem>
#include <map>
#include <string>

namespace microslip::io {

/// The key `covariates` of a fit result: preload, friction coefficient and the like at which its laws
/// stand. Empty where the file has none.
std::map<std::string, double> fit_covariates(const std::filesystem::path& fit_result);

}  // namespace microslip::io
