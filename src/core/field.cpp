#include "microslip/core/field.hpp"

#include "microslip/core/text.hpp"

namespace microslip {
namespace {

std::string full_name(std::string_view law, std::string_view name) {
  return std::string(law) + "." + std::string(name);
}

}  // namespace

std::string Interval::text() const {
  return (lo_open ? "(" : "[") + number_text(lo) + ", " + number_text(hi) + (hi_open ? ")" : "]");
}

void refuse_value(std::string_view law, std::string_view name, double x, const Interval& bounds) {
  throw Error(full_name(law, name) + " = " + number_text(x) + " must lie in " + bounds.text());
}

void check_values(std::string_view law, std::string_view name, const std::vector<double>& x,
                  const Interval& bounds) {
  if (x.empty()) throw Error(full_name(law, name) + " must not be empty");
  for (std::size_t i = 0; i < x.size(); ++i)
    check_value(law, std::string(name) + "[" + std::to_string(i + 1) + "]", x[i], bounds);
}

void check_same_length(std::string_view law, std::string_view one, std::size_t length_one,
                       std::string_view other, std::size_t length_other) {
  if (length_one == length_other) return;
  throw Error(full_name(law, one) + " has " + std::to_string(length_one) + " elements and " +
              full_name(law, other) + " has " + std::to_string(length_other) +
              "; they must have the same number");
}

}  // namespace microslip
