#pragma once

#include "microslip/catalog/registry/law_entry.hpp"

namespace microslip::catalog {

/// The law `sliders`: a system of many sliders chosen by numbers or read from files.
Law sliders_entry();

}  // namespace microslip::catalog
