#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "microslip/loops/loops.hpp"

/// Numbers of one loop.
namespace microslip::loops {

struct Slope {
  double value = 0, error = 0;
};

/// Standard deviations of the noise of both columns.
struct Noise {
  double u = 0, f = 0;
};

/// Slope where a branch begins, just after a reversal or with the record, or where it ends. An
/// infinite error says that the rows do not show it; the value is then less than the true one.
Slope slope_at_start(const Branch& branch, const Noise& noise, bool after_reversal);
Slope slope_at_end(const Branch& branch);

/// Force at n + 1 equal steps along u, from the start of the branch to its end.
std::vector<double> resampled(const Branch& branch, std::size_t n);

/// Whether a branch becomes soft after its reversal and stiff again before its end, as with
/// clearance: in smooth friction the slope only falls.
bool stiffens_again(const Branch& branch);

/// Whether the force jumps at the turn, as with rigid friction. The row at the tip may then show the
/// force before the turn, after it, or anything between. Needs the force range of the cycle.
bool turns_rigidly(const Cycle& cycle);

/// Everything of a cycle that follows from its two branches.
void measure(Cycle& cycle, const Noise& noise);

}  // namespace microslip::loops
