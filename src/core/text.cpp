#include "microslip/core/text.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>

namespace microslip {

std::string number_text(double x) {
  char buffer[32];
  for (int digits = 1; digits <= 17; ++digits) {
    std::snprintf(buffer, sizeof buffer, "%.*g", digits, x);
    double back = 0;
    const bool exact = std::sscanf(buffer, "%lf", &back) != 1 || back == x;
    const bool plain = std::abs(x) < 1 || std::abs(x) >= 1e6 || !std::strchr(buffer, 'e');
    if (exact && plain) break;
  }
  return buffer;
}

std::vector<std::string> cut_at(char separator, std::string_view text) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(separator, begin), text.size());
    parts.emplace_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
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

std::string nearest(std::string_view wrong, const std::vector<std::string>& candidates) {
  std::string best;
  std::size_t least = wrong.size() < 2 ? 1 : std::max<std::size_t>(1, wrong.size() / 3) + 1;
  for (const auto& candidate : candidates) {
    const std::size_t distance = edit_distance(wrong, candidate);
    if (distance < least) {
      least = distance;
      best = candidate;
    }
  }
  return best;
}

std::string suggestion(std::string_view wrong, const std::vector<std::string>& candidates) {
  const std::string near = nearest(wrong, candidates);
  if (!near.empty()) return "; did you mean '" + near + "'?";
  std::string list;
  for (const auto& candidate : candidates) {
    if (!list.empty()) list += ", ";
    list += candidate;
  }
  return list.empty() ? "; there are none" : "; there are: " + list;
}

}  // namespace microslip
