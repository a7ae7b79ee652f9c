#pragma once

#include <vector>

#include "microslip/core/dual.hpp"
#include "microslip/core/field.hpp"

namespace microslip {

/// `growing`: beside its numbers the state remembers reversals, whose count changes.
enum class Memory { fixed, growing };

/// Which numbers of a state: those of the reversals that it remembers now are among them or not.
enum class Numbers { without_reversals, with_reversals };

/// A hidden state may also be one of these: it says where its numbers lie, u first, so that a host
/// can look for a state (a closed loop, say) instead of only marching to it. Without reversals there
/// are none while the state remembers some: on its virgin curve the others are all of it.
template <Number Real>
struct StateNumbers {
  virtual Memory find_numbers(Numbers which, std::vector<Real*>& numbers) = 0;
  /// What of the state is no real number: directions of motion, sides in contact. In the same order
  /// for plain and dual numbers.
  virtual void find_switches(std::vector<int*>& switches) = 0;
  /// What a mirrored motion does to the numbers, as they are declared: in the order of the numbers
  /// without reversals.
  virtual void find_parities(std::vector<Parity>& parities) = 0;

 protected:
  ~StateNumbers() = default;
};

}  // namespace microslip
