#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace microslip::loops {

/// Rows where one column jumps away and comes back while the other does not: a wild value, no motion.
/// Where both jump the same way the motion is real, only coarsely sampled. None below 16 rows.
std::vector<std::size_t> rows_that_jump(std::span<const double> u, std::span<const double> f);

/// The same for a motion by itself.
std::vector<std::size_t> rows_that_jump(std::span<const double> motion);

/// "row 151 and 2 more jump"; rows count from 1.
std::string jumping_rows_text(const std::vector<std::size_t>& rows);

}  // namespace microslip::loops
