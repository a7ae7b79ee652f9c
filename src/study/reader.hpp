#pragma once

#include <filesystem>
#include <string>

#include "microslip/study/study.hpp"
#include "study/tables.hpp"
#include "study/varied_job.hpp"

namespace microslip::study {

/// { lognormal = [1.0, 0.2], truncated = [0.5, 2] }; `where` is for messages.
Distribution read_distribution(const Json& json, const std::string& where);

/// The groups of numbers of one entry of [vary].
std::vector<Group> read_group(const VariedJob& job, const std::string& address, const Json& entry,
                              const std::filesystem::path& folder);

Quantity read_quantity(const Json& entry, const std::string& where);

std::string whole_text(const Json& json, const std::string& where);
double plain_number(const Json& json, const std::string& where);

}  // namespace microslip::study
