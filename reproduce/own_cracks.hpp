#pragma once

#include <array>
#include <string>
#include <vector>

#include "microslip/contact/cracks.hpp"
#include "support.hpp"

/// Plates with 32 random cracks as in section 6.2 of the thesis, whose own two draws are not
/// printed: seeds 2 and 3 stand for models 1 and 2.
namespace microslip::reproduce {

struct CrackCase {
  double sigma_x, sigma_y;  ///< MPa
  const char* signal;
};
/// Table 6.1.
inline constexpr CrackCase crack_cases[] = {{-20, 100, "sin(2*pi*t)"},
                                            {-50, 100, "sin(2*pi*t)"},
                                            {-70, 100, "sin(2*pi*t)"},
                                            {-100, 100, "sin(2*pi*t)"},
                                            {-120, 100, "sin(2*pi*t)"},
                                            {-160, 100, "sin(2*pi*t)"},
                                            {150, -200, "sin(2*pi*t) + 0.4*sin(8*pi*t)"},
                                            {150, -200, "sin(2*pi*t) + 0.4*sin(10*pi*t)"},
                                            {150, -200, "sin(2*pi*t) + 0.5*sin(12*pi*t)"},
                                            {150, -200, "sin(2*pi*t) + 0.5*sin(14*pi*t)"},
                                            {150, -200, "sin(2*pi*t) + 0.3*sin(16*pi*t)"},
                                            {150, -200, "sin(2*pi*t) + 0.3*sin(18*pi*t)"}};

struct CrackSettings {
  std::uint64_t seed = 2;
  double mu = -1;  ///< of all cracks; negative: drawn from 0 to 1
  bool interaction = true;
  bool finite = false;  ///< the square of 10 mm instead of an infinite plate
  int nodes = 4;
  double amplitude = 1;
  double step = 0.005;  ///< of the rows, in periods
};

/// One and a half periods: the last period begins at half of one.
struct CrackLoop {
  std::vector<double> f, xi, energy;
  std::size_t last = 0;  ///< the row at which the last period begins
  /// Friction loss of the last period.
  double loss() const { return energy.back() - energy[last]; }
  double energy_error = 0;
};
/// Loss of a period of one tone of the cracks of a field, each as if it were alone, in closed form. A
/// factor on all friction coefficients is for mutations.
double loss_alone(const CrackCase& one, std::uint64_t seed, double factor);
/// Throws Error where the computation stops.
CrackLoop crack_loop(const CrackCase& one, const CrackSettings& settings);

}  // namespace microslip::reproduce
