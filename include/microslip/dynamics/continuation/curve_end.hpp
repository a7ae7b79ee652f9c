#pragma once

namespace microslip::dynamics {

/// Why a branch ends where it does.
enum class CurveEnd {
  reached,
  turned_back,
  stopped,
  stuck,
  too_long,
  unbounded  ///< the vibration outgrows everything that the loads could move
};

}  // namespace microslip::dynamics
