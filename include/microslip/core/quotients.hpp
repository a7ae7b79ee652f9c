#pragma once

#include <cmath>

#include "microslip/core/dual.hpp"

/// Quotients that are smooth through their 0/0, in value and derivatives. With them a special case
/// such as "n = 1" is not a branch of its own.
namespace microslip {

/// (eᶻ − 1)/z.
template <Number B>
B exprel(const B& z) {
  using std::expm1;
  if (std::abs(value_of(z)) > 0.5) return expm1(z) / z;
  B sum(1);
  for (int k = 14; k >= 2; --k) sum = 1.0 + sum * z / static_cast<double>(k);  // 0.5^14/15! < eps
  return sum;
}

/// ln(1 + z)/z, z > −1.
template <Number B>
B log1prel(const B& z) {
  using std::log1p;
  if (std::abs(value_of(z)) > 1e-3) return log1p(z) / z;
  B sum(0);
  for (int k = 6; k >= 1; --k) sum = 1.0 / k - z * sum;  // the next term is 1e-18/7
  return sum;
}

}  // namespace microslip
