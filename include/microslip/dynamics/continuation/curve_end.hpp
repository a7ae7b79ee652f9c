#pragma once

namespace microslip::dynamics {

/// Why a branch ends where it does.
enum class CurveEnd { reached, turned_back, stopped, stuck, too_long };

}  // namespace microslip::dynamics
