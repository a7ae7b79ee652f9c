#pragma once

#include <cmath>

/// The method of order five that integrates motions between events, and the path inside a step.
namespace microslip::dynamics::dormand_prince {

// Dormand and Prince, Journal of Computational and Applied Mathematics 6 (1980) 19–26.
inline constexpr int stages = 7;
inline constexpr double c[stages] = {0, 1. / 5, 3. / 10, 4. / 5, 8. / 9, 1, 1};
inline constexpr double a[stages][stages] = {
    {},
    {1. / 5},
    {3. / 40, 9. / 40},
    {44. / 45, -56. / 15, 32. / 9},
    {19372. / 6561, -25360. / 2187, 64448. / 6561, -212. / 729},
    {9017. / 3168, -355. / 33, 46732. / 5247, 49. / 176, -5103. / 18656},
    {35. / 384, 0, 500. / 1113, 125. / 192, -2187. / 6784, 11. / 84}};
inline constexpr double e[stages] = {71. / 57600,      0,         -71. / 16695, 71. / 1920,
                                     -17253. / 339200, 22. / 525, -1. / 40};

/// Displacement and velocity of a joint inside a step, by the quintic through both ends.
struct Quintic {
  double u0, v0, a0, u1, v1, a1, h;
  double size;  ///< of the displacements that u is the difference of

  struct Point {
    double u, v, a;
  };
  Point at(double s) const {
    const double dv = h * (v1 - v0 - h * a0);
    const double da = h * h * (a1 - a0);
    double d = u1 - u0 - h * v0 - 0.5 * h * h * a0;
    // Over a short step the displacements may tell nothing but their rounding.
    const double from_velocity = dv / 2 - da / 12;
    if (std::abs(d - from_velocity) <= 4e-16 * size) d = from_velocity;
    const double c3 = 10 * d - 4 * dv + 0.5 * da;
    const double c4 = -15 * d + 7 * dv - da;
    const double c5 = 6 * d - 3 * dv + 0.5 * da;
    const double s2 = s * s;
    return {u0 + s * (h * v0 + s * (0.5 * h * h * a0 + s * (c3 + s * (c4 + s * c5)))),
            v0 + (s * h * h * a0 + s2 * (3 * c3 + s * (4 * c4 + s * 5 * c5))) / h,
            a0 + (s * (6 * c3 + s * (12 * c4 + s * 20 * c5))) / (h * h)};
  }
};

}  // namespace microslip::dynamics::dormand_prince
