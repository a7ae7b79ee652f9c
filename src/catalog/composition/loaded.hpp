#pragma once

#include "catalog/composition/wrapped.hpp"

namespace microslip::catalog {

/// loaded(MODEL, N=…, N_ref=…): the friction limits of a law are multiplied by N/N_ref, where N is a formula of t
/// or rows [t, N]. Between two rows N is linear; a formula is followed by chords.
Wrapper loaded_wrapper();

}  // namespace microslip::catalog
