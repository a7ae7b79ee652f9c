#pragma once

#include <string>
#include <string_view>
#include <vector>

/// Text in columns, for people.
namespace microslip::jobs {

/// Characters, not bytes.
std::size_t width(std::string_view utf8);

/// Lines of at most `columns` characters, each after the first indented.
std::string wrapped(std::string_view text, std::size_t indent, std::size_t columns = 96);

/// Columns that line up; the first row is the head. The first columns stand on the left, numbers on
/// the right; a last column on the left is wrapped.
std::string table_text(const std::vector<std::vector<std::string>>& rows,
                       std::size_t left_columns = 1);

}  // namespace microslip::jobs
