#pragma once

#include <span>
#include <vector>

namespace microslip::loops {

/// f̄ = f − a u − b |u|: what a thin loop has besides a bilinear trend (Biswas, thesis 2018, eq. 6.3).
struct Widening {
  double a = 0, b = 0;
  double f(double u_measured, double f_measured) const {
    return f_measured - a * u_measured - b * (u_measured < 0 ? -u_measured : u_measured);
  }
};

/// a and b are `share` times those of the least-squares fit of f = a u + b |u|; the thesis takes
/// 0.999, which leaves a trace of the trend. Throws Error when u and f differ in length or u stands
/// still. Where u has one sign, b is 0, since |u| then says nothing that u does not.
Widening widening(std::span<const double> u, std::span<const double> f, double share = 0.999);

}  // namespace microslip::loops
