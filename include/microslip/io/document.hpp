#pragma once

#include <string>
#include <string_view>

namespace microslip::io {

/// A document in JSON or TOML as the text of the same tree in JSON. Throws Error with line and column
/// for what is neither, for a key that stands twice, and for a number that no double holds.
std::string json_document(std::string_view text, std::string_view name);

}  // namespace microslip::io
