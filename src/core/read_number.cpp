#include "microslip/core/read_number.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <string>

namespace microslip {

namespace {

std::size_t digits(std::string_view text, std::size_t from) {
  std::size_t end = from;
  while (end < text.size() && text[end] >= '0' && text[end] <= '9') ++end;
  return end - from;
}

bool word_at(std::string_view text, std::size_t at, std::string_view word) {
  if (text.size() - at < word.size()) return false;
  for (std::size_t i = 0; i < word.size(); ++i)
    if (std::tolower(static_cast<unsigned char>(text[at + i])) != word[i]) return false;
  return true;
}

}  // namespace

NumberEnd read_number_by_strtod(std::string_view text, double& value) noexcept {
  std::size_t end = !text.empty() && text[0] == '-' ? 1 : 0;
  if (word_at(text, end, "inf") || word_at(text, end, "nan")) {
    const double size = word_at(text, end, "inf") ? HUGE_VAL : std::nan("");
    value = text[0] == '-' ? -size : size;
    return {end + (word_at(text, end, "infinity") ? 8 : 3), std::errc{}};
  }
  const std::size_t whole = digits(text, end);
  end += whole;
  std::size_t fraction = 0;
  if (end < text.size() && text[end] == '.') {
    fraction = digits(text, end + 1);
    if (whole + fraction > 0) end += 1 + fraction;
  }
  if (whole + fraction == 0) return {0, std::errc::invalid_argument};
  if (end < text.size() && (text[end] == 'e' || text[end] == 'E')) {
    std::size_t exponent = end + 1;
    if (exponent < text.size() && (text[exponent] == '-' || text[exponent] == '+')) ++exponent;
    if (const std::size_t count = digits(text, exponent); count > 0) end = exponent + count;
  }
  // strtod reads what it is given and no more: the text ends where the number does.
  const std::string number(text.substr(0, end));
  const double read = std::strtod(number.c_str(), nullptr);
  const bool zero =
      number.find_first_of("123456789") >= std::min(number.find_first_of("eE"), number.size());
  if (!std::isfinite(read) || (read == 0 && !zero)) return {end, std::errc::result_out_of_range};
  value = read;
  return {end, std::errc{}};
}

NumberEnd read_number(std::string_view text, double& value) noexcept {
#ifdef __cpp_lib_to_chars
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return {static_cast<std::size_t>(end - text.data()), error};
#else
  return read_number_by_strtod(text, value);
#endif
}

}  // namespace microslip
