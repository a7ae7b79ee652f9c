#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

#include "microslip/core/description.hpp"
#include "microslip/core/error.hpp"

/// Parameter files on disk; their format is that of io/parameters.hpp.
namespace microslip::catalog {

/// Every model of a file: one, or the fits in their order. A file with the key `kind` describes a
/// system of sliders. File names among the values of sliders count from the folder of the file.
/// Throws Error with the place for a file that cannot be read.
std::vector<ModelSpec> read_parameters(const std::filesystem::path& path);

/// The same of a text; `name` is used in messages. File names in it stay as they are.
std::vector<ModelSpec> parse_parameters(std::string_view text, std::string_view name);

/// What a law says about a value of a file, with the file and, where that can be told, the line:
/// "joint.toml, line 4: jenkins.phi = -2 must lie in (0, inf)". `spec` is what the file gave.
Error at_value(const std::filesystem::path& path, const ModelSpec& spec, const Error& refusal);

/// One model of a file: the fit of the law `fit`, or the first.
ModelSpec read_model_spec(const std::filesystem::path& path, std::string_view fit = {});

}  // namespace microslip::catalog
