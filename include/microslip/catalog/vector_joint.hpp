#pragma once

#include <memory>

#include "microslip/dynamics/structure/interface.hpp"

namespace microslip::catalog {

/// A law with several directions as a joint of a structure. Throws Error for laws with one.
std::shared_ptr<const dynamics::InterfaceLaw> vector_joint(AnyModel law);

}  // namespace microslip::catalog
