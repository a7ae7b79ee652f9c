#include "microslip/loops/widening.hpp"

#include <cmath>

#include "microslip/core/error.hpp"

namespace microslip::loops {

Widening widening(std::span<const double> u, std::span<const double> f, double share) {
  if (u.size() != f.size()) throw Error("displacement and force must have the same number of rows");
  // Each sign of u has its own slope: a + b where u > 0, a − b where u < 0.
  double uu[2] = {0, 0}, uf[2] = {0, 0};
  for (std::size_t i = 0; i < u.size(); ++i) {
    const std::size_t side = u[i] < 0 ? 0 : 1;
    uu[side] += u[i] * u[i];
    uf[side] += u[i] * f[i];
  }
  if (uu[0] == 0 && uu[1] == 0) throw Error("the displacement is zero everywhere");
  if (uu[0] == 0 || uu[1] == 0) return {share * (uf[0] + uf[1]) / (uu[0] + uu[1]), 0};
  const double below = uf[0] / uu[0], above = uf[1] / uu[1];
  return {share * 0.5 * (above + below), share * 0.5 * (above - below)};
}

}  // namespace microslip::loops
