#include "microslip/contact/rectangle.hpp"

#include <Eigen/LU>
#include <cmath>

namespace microslip::contact {

ElementMatrix rectangle_stiffness(const Rectangle& e) {
  const double E = plane_modulus(e.E, e.nu, e.plane), nu = plane_ratio(e.nu, e.plane);
  Eigen::Matrix3d D;
  D << 1, nu, 0, nu, 1, 0, 0, 0, (1 - nu) / 2;
  D *= E / (1 - nu * nu);
  constexpr double corner[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
  const double to_x = 2 / e.width, to_z = 2 / e.height;
  Eigen::Matrix<double, 12, 12> K = Eigen::Matrix<double, 12, 12>::Zero();
  const double gauss = 1 / std::sqrt(3.0);
  for (const double xi : {-gauss, gauss})
    for (const double eta : {-gauss, gauss}) {
      Eigen::Matrix<double, 3, 12> B = Eigen::Matrix<double, 3, 12>::Zero();
      const auto fill = [&](int column, double dx, double dz) {
        B(0, column) = B(2, column + 1) = dx;
        B(1, column + 1) = B(2, column) = dz;
      };
      for (int n = 0; n < 4; ++n)
        fill(2 * n, 0.25 * corner[n][0] * (1 + corner[n][1] * eta) * to_x,
             0.25 * corner[n][1] * (1 + corner[n][0] * xi) * to_z);
      fill(8, -2 * xi * to_x, 0);
      fill(10, 0, -2 * eta * to_z);
      K += B.transpose() * D * B * (e.thickness * 0.25 * e.width * e.height);
    }
  const Eigen::Matrix4d inner = K.bottomRightCorner<4, 4>();
  return K.topLeftCorner<8, 8>() -
         K.topRightCorner<8, 4>() * inner.inverse() * K.bottomLeftCorner<4, 8>();
}

}  // namespace microslip::contact
