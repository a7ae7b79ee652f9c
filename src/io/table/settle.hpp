#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "microslip/io/csv.hpp"

namespace microslip::io {

/// Leaves out or fills rows of a table with missing numbers, and notes it. `place` names a row (from 0) as it
/// was; `see` is called while the table still is. Throws Error where no row is left.
void settle_missing_rows(Table& table, Missing how,
                         const std::function<std::string(std::size_t)>& place,
                         const std::function<void(const MissingRows&)>& see = {});

}  // namespace microslip::io
