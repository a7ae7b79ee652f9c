#pragma once

#include <algorithm>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

namespace microslip {

/// Shortest decimal that reads back as the same double; "inf" and "nan" as words.
inline std::string number_text(double x) {
  char buffer[32];
  for (int digits = 1; digits <= 17; ++digits) {
    std::snprintf(buffer, sizeof buffer, "%.*g", digits, x);
    double back = 0;
    if (std::sscanf(buffer, "%lf", &back) != 1 || back == x) break;
  }
  return buffer;
}

/// "a,b,,c" as a, b, "", c.
inline std::vector<std::string> comma_separated(std::string_view text) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    parts.emplace_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

/// Levenshtein distance, blind to case: what a typing mistake costs.
inline std::size_t edit_distance(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t above = row[j];
      const std::size_t substituted = diagonal + (lower(a[i - 1]) != lower(b[j - 1]) ? 1 : 0);
      row[j] = std::min({above + 1, row[j - 1] + 1, substituted});
      diagonal = above;
    }
  }
  return row[b.size()];
}

/// The candidate a person probably meant, or "" when none is near. Of a single letter only the case
/// can be mistaken.
template <class Names>
std::string nearest(std::string_view wrong, const Names& candidates) {
  std::string best;
  std::size_t least = wrong.size() < 2 ? 1 : std::max<std::size_t>(1, wrong.size() / 3) + 1;
  for (const auto& candidate : candidates) {
    const std::size_t distance = edit_distance(wrong, candidate);
    if (distance < least) {
      least = distance;
      best = std::string(candidate);
    }
  }
  return best;
}

/// "; did you mean 'KT'?", or the whole list when nothing is near.
template <class Names>
std::string suggestion(std::string_view wrong, const Names& candidates) {
  const std::string near = nearest(wrong, candidates);
  if (!near.empty()) return "; did you mean '" + near + "'?";
  std::string list;
  for (const auto& candidate : candidates) {
    if (!list.empty()) list += ", ";
    list += std::string(candidate);
  }
  return list.empty() ? "; there are none" : "; there are: " + list;
}

}  // namespace microslip
