#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include "microslip/core/error.hpp"

/// What readers of files from elsewhere have in common.
namespace microslip::io {

/// What stands in a file may be anything; a message is one line that a terminal shows as it is.
inline std::string printable(std::string text) {
  for (char& c : text)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';
  return text;
}

[[noreturn]] inline void fail_at(std::string_view name, std::size_t line, std::string sentence) {
  throw Error::at(name, line, 1, printable(std::move(sentence)));
}

/// A few bytes must not take gigabytes: rows beyond these need a file that is as long.
inline long most_rows(std::string_view text) {
  return static_cast<long>(std::max<std::size_t>(10'000'000, text.size()));
}

}  // namespace microslip::io
