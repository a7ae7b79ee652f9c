#pragma once

#include <vector>

#include "microslip/core/dual.hpp"

namespace microslip {

/// A hidden state may also be one of these: it tells where its numbers lie, u first, so that a host
/// can look for a state (a closed loop, say) instead of only marching to it. None if the law
/// remembers turning points, whose number changes.
template <Number Real>
struct StateNumbers {
  virtual void find_numbers(std::vector<Real*>& numbers) = 0;

 protected:
  ~StateNumbers() = default;
};

}  // namespace microslip
