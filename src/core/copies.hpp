#pragma once

namespace microslip {

/// Whether the copy of this template that the linker kept was compiled with optimisation. A program and the
/// engine both instantiate it; tests and the command are linked so that the engine's copy is kept.
template <class Number>
[[gnu::noinline]] bool optimised_copy() {
#ifdef __OPTIMIZE__
  return true;
#else
  return false;
#endif
}

/// Which copy the engine calls, and whether the engine was compiled with optimisation.
bool engine_calls_optimised_copy();
bool engine_is_optimised();

}  // namespace microslip
