#pragma once

#include <cstdint>
#include <vector>

#include "microslip/fit/problem.hpp"

namespace microslip::fit {

/// Points that fill the region in which starts look: Halton's sequence, shifted by the seed.
class Design {
 public:
  Design(const std::vector<Unknown>& unknowns, std::uint64_t seed);
  std::vector<double> point(std::size_t index) const;

 private:
  const std::vector<Unknown>& unknowns_;
  std::vector<double> shift_;
};

}  // namespace microslip::fit
