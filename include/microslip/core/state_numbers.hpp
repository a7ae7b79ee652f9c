#pragma once

#include <vector>

#include "microslip/core/dual.hpp"

namespace microslip {

/// `growing`: beside its numbers the state remembers reversals, whose count changes.
enum class Memory { fixed, growing };

/// A hidden state may also be one of these: it tells where its numbers lie, u first, so that a host
/// can look for a state (a closed loop, say) instead of only marching to it. A state that remembers
/// reversals tells its numbers while there are none: on its virgin curve they are all of it.
template <Number Real>
struct StateNumbers {
  virtual Memory find_numbers(std::vector<Real*>& numbers) = 0;

 protected:
  ~StateNumbers() = default;
};

}  // namespace microslip
