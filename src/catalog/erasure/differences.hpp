#pragma once

#include "microslip/core/any_model.hpp"

namespace microslip::catalog {

/// A law on dual numbers when its source is written for double alone: each direction of
/// derivatives is a pair of copies of the law, with parameters and motion a little to both sides,
/// and the difference of their answers. For laws whose force is piecewise smooth the error is that
/// of a central difference, except where a kink lies between the copies.
AnyDualModel dual_by_differences(const AnyModel& model, const DualValues& derivatives);

}  // namespace microslip::catalog
