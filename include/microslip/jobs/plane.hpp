#pragma once

#include "microslip/contact/plane.hpp"
#include "microslip/jobs/members.hpp"
#include "microslip/jobs/text.hpp"

namespace microslip::jobs {

template <>
inline constexpr std::array<std::string_view, 2> words_of<contact::Plane>{"stress", "strain"};

}  // namespace microslip::jobs
