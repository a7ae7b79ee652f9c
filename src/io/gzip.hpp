#pragma once

#include <string>
#include <string_view>

namespace microslip::io {

/// Whether a content begins as files of gzip do.
bool is_gzip(std::string_view content);

/// What was compressed. Throws Error that names the file when it is cut off or damaged.
std::string unzipped(std::string_view content, std::string_view name);

}  // namespace microslip::io
