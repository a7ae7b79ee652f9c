#pragma once

#include <Eigen/Core>

#include "microslip/contact/plane.hpp"

namespace microslip::contact {

using ElementMatrix = Eigen::Matrix<double, 8, 8>;

struct Rectangle {
  double width, height, thickness, E, nu;
  Plane plane;
};

/// Four nodes, counted against the clock from the lower left, x and z of each; with incompatible
/// modes 1 − ξ², 1 − η² condensed out.
ElementMatrix rectangle_stiffness(const Rectangle& element);

}  // namespace microslip::contact
