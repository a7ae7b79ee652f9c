#pragma once

#include <filesystem>
#include <string_view>

#include "microslip/core/error.hpp"

/// Errors that laws and solvers report about values which came from a file.
namespace microslip::catalog {

/// True if a message is about the value of this name: it says "phi = -2", "'phi'" or "mu(2)".
bool names_value(std::string_view message, std::string_view name);

/// The same error with the file and the line of the key that it speaks of: "plates.E = -1" of
/// [plates], "until = -1" with that value, a text in quotes. Unchanged if the TOML file has no such
/// key, or if the error names the file already.
Error at_key(const std::filesystem::path& file, const Error& error);

}  // namespace microslip::catalog
