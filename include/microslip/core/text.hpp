#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace microslip {

/// Reads back as the same double; no exponent from 1 to 1e6; "inf" and "nan" as words.
std::string number_text(double x);

/// "a,b,,c" at ',' as a, b, "", c.
std::vector<std::string> cut_at(char separator, std::string_view text);

/// Levenshtein distance, blind to case: what a typing mistake costs.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The candidate a person probably meant, or "" when none is near. Of a single letter only the case
/// can be mistaken.
std::string nearest(std::string_view wrong, const std::vector<std::string>& candidates);

/// "; did you mean 'KT'?", or the whole list when nothing is near.
std::string suggestion(std::string_view wrong, const std::vector<std::string>& candidates);

}  // namespace microslip
