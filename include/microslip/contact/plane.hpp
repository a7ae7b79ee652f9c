#pragma once

#include <cstdint>

namespace microslip::contact {

enum class Plane : std::uint8_t { stress, strain };

/// Modulus and Poisson's ratio that turn the equations of plane stress into those of the plane.
constexpr double plane_modulus(double E, double nu, Plane plane) {
  return plane == Plane::stress ? E : E / (1 - nu * nu);
}
constexpr double plane_ratio(double nu, Plane plane) {
  return plane == Plane::stress ? nu : nu / (1 - nu);
}

}  // namespace microslip::contact
