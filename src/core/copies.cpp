#include "core/copies.hpp"

namespace microslip {

bool engine_calls_optimised_copy() { return optimised_copy<double>(); }

bool engine_is_optimised() {
#ifdef __OPTIMIZE__
  return true;
#else
  return false;
#endif
}

}  // namespace microslip
