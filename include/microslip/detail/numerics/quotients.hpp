#pragma once

#include <array>
#include <cmath>
#include <cstddef>

#include "microslip/core/dual.hpp"

/// Quotients that are smooth through their 0/0, in value and derivatives. With them a special case
/// such as "n = 1" is not a branch of its own.
namespace microslip {

/// Σ coefficients[n] zⁿ, the first `count` of them.
template <Number B, std::size_t N>
constexpr B power_series(const std::array<double, N>& coefficients, std::size_t count, const B& z) {
  B sum(coefficients[count - 1]);
  for (std::size_t n = count - 1; n > 0; --n) sum = coefficients[n - 1] + z * sum;
  return sum;
}

/// The same with the coefficients of a table `Table::value` and a number of terms that are known to the
/// compiler: constants inside the instructions, without a loop and without memory.
template <class Table, std::size_t count, std::size_t n = 0, Number B>
constexpr B short_series(const B& z) {
  constexpr double coefficient = Table::value[n];
  if constexpr (n + 1 == count)
    return B(coefficient);
  else
    return coefficient + z * short_series<Table, count, n + 1>(z);
}

/// (eᶻ − 1)/z.
template <Number B>
constexpr B exprel(const B& z) {
  using std::expm1;
  constexpr auto coefficients = [] {  // 1/(n+1)!
    std::array<double, 15> result{1};
    for (std::size_t n = 1; n < 15; ++n) result[n] = result[n - 1] / static_cast<double>(n + 1);
    return result;
  }();
  const double size = std::abs(value_of(z));
  if (size > 0.5) return expm1(z) / z;
  return power_series(coefficients, size > 0.03 ? 14 : 8, z);  // 0.5^14/15!, 0.03^8/9! < eps/10
}

/// φ1 = (eᶻ − 1)/z, φ2 = (φ1 − 1)/z, φ3 = (φ2 − ½)/z: a constant, integrated with eᶻ over a step once,
/// twice and three times.
template <Number B>
struct ExponentialIntegrals {
  B phi1, phi2, phi3;
};

template <Number B>
constexpr ExponentialIntegrals<B> exponential_integrals(const B& z) {
  using std::expm1;
  constexpr auto coefficients = [] {  // 1/(n+3)!
    std::array<double, 18> result{1.0 / 6};
    for (std::size_t n = 1; n < 18; ++n) result[n] = result[n - 1] / static_cast<double>(n + 3);
    return result;
  }();
  const double size = std::abs(value_of(z));
  if (size > 1) {
    const B phi1 = expm1(z) / z, phi2 = (phi1 - 1.0) / z;
    return {phi1, phi2, (phi2 - 0.5) / z};
  }
  const B phi3 = power_series(coefficients, size > 0.1 ? 18 : 9, z);  // 1/21!, 1e-9/12! < eps/10
  const B phi2 = 0.5 + z * phi3;
  return {1.0 + z * phi2, phi2, phi3};
}

/// ln(1 + z)/z, z > −1.
template <Number B>
constexpr B log1prel(const B& z) {
  using std::log1p;
  if (std::abs(value_of(z)) > 1e-3) return log1p(z) / z;
  B sum(0);
  for (int k = 6; k >= 1; --k) sum = 1.0 / k - z * sum;  // the next term is 1e-18/7
  return sum;
}

}  // namespace microslip
