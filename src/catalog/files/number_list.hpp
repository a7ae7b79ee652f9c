#pragma once

#include <filesystem>
#include <vector>

namespace microslip::catalog {

/// A column of a Matrix Market file, or the numbers of a plain text file, apart by blanks, commas or line
/// ends; # begins a comment there. Throws Error with the place of what is no number.
std::vector<double> read_number_list(const std::filesystem::path& file);

}  // namespace microslip::catalog
