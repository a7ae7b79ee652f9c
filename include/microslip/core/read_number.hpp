#pragma once

#include <cstddef>
#include <string_view>
#include <system_error>

namespace microslip {

struct NumberEnd {
  std::size_t length;  ///< characters that were read
  std::errc error;     ///< invalid_argument, result_out_of_range or none
};

/// Reads a number at the beginning of a text as std::from_chars does: no blanks, no leading +, a
/// decimal point in every locale. The value is changed only if there is no error.
NumberEnd read_number(std::string_view text, double& value) noexcept;

/// The same for a standard library whose from_chars reads no floating-point numbers (Emscripten's),
/// in the locale "C".
NumberEnd read_number_by_strtod(std::string_view text, double& value) noexcept;

}  // namespace microslip
