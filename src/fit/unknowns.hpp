#pragma once

#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "microslip/fit/problem.hpp"

/// How the numbers of a law become unknowns of the order of 1.
namespace microslip::fit {

/// How far beyond the region of starts a logarithm may go: a factor of 10⁵.
inline constexpr double start_room = 11.5;

/// A unit as powers: "F T/L", "F^2", "1/L", "L^-n".
struct Unit {
  double force = 0, length = 0, time = 0;
  std::string symbol{};  ///< L to the power of minus this parameter
};
Unit parse_unit(std::string_view text);

/// Entries of a parameter by the names that people use: "k", or "k[1]", "k[2]", …
std::string element_name(const std::string& parameter, std::size_t element, std::size_t count);
std::size_t element_count(const Value& value);
double element_of(const Value& value, std::size_t element);

/// How long records are, for numbers of the measurement that belong to time.
struct Clock {
  double quarter = 1;  ///< of a cycle, more or less
  double whole = 1;    ///< the longest record
  bool times = true;   ///< false: rows are counted
};

/// The list of unknowns of a law with this set-up. Throws for names that nothing has.
std::vector<Unknown> list_unknowns(const AnyModel& model, const Setup& setup, const Scales& scales,
                                   const Clock& clock, std::size_t records,
                                   const std::vector<Beginning>& beginnings);

/// p = reference · (other p) · length^-n · (e^x or x), the same lines for numbers and dual numbers.
template <class Real>
std::vector<Real> values_at(const std::vector<Unknown>& unknowns, const std::vector<Real>& x) {
  using std::exp;
  using std::log;
  std::vector<Real> p(unknowns.size(), Real(0));
  std::vector<bool> known(unknowns.size(), false);
  // A reference may stand later in the list; no chain is longer than the list.
  for (std::size_t left = unknowns.size(), round = 0; left > 0 && round < unknowns.size(); ++round)
    for (std::size_t i = 0; i < unknowns.size(); ++i) {
      const Unknown& unknown = unknowns[i];
      const auto ready = [&](int j) { return j < 0 || known[static_cast<std::size_t>(j)]; };
      if (known[i] || !ready(unknown.ratio_to) || !ready(unknown.exponent_of)) continue;
      p[i] = unknown.log ? Real(unknown.reference * exp(x[i])) : Real(unknown.reference * x[i]);
      if (unknown.ratio_to >= 0) p[i] *= p[static_cast<std::size_t>(unknown.ratio_to)];
      if (unknown.exponent_of >= 0)
        p[i] *= exp(-std::log(unknown.length) * p[static_cast<std::size_t>(unknown.exponent_of)]);
      known[i] = true;
      --left;
    }
  return p;
}

}  // namespace microslip::fit
