#pragma once

#include <string>
#include <vector>

#include "microslip/jobs/ringdown.hpp"

namespace microslip::jobs {

/// Rows that are missing in a record at equal steps, because their numbers are not finite or because the
/// time goes on by several steps, are filled by cubics through two rows on either side, or refused as
/// request.missing says. Sentences on what was done; throws Error where too much is missing: the same cubic
/// over rows that are there must miss less than 5 % of the motion nearby.
std::vector<std::string> fill_missing_rows(RingdownRequest& request);

}  // namespace microslip::jobs
