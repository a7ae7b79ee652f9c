#pragma once

#include <cmath>
#include <optional>

#include "dynamics/fourier/fourier.hpp"
#include "dynamics/fourier/gauss_six.hpp"
#include "dynamics/rigid/rigid_friction.hpp"

namespace microslip::dynamics {

/// An excitation, as coefficients and at the stages of the grid.
struct GridExcitation {
  const Eigen::VectorXd& coefficients;
  const Eigen::VectorXd& values;
  double cell;
};

struct ExcitationExtreme {
  double theta, excitation;
};
inline ExcitationExtreme extreme(const GridExcitation& excitation, int sign) {
  Eigen::Index place = 0;
  (sign * excitation.values).maxCoeff(&place);
  const double near = (static_cast<double>(place / 3) + gauss_six.c[place % 3]) * excitation.cell;
  double theta = near;
  for (int iteration = 0; iteration < 20; ++iteration) {
    const FourierPoint p = fourier_point(excitation.coefficients, theta);
    if (!(sign * p.curvature < 0)) break;
    const double change = -p.slope / p.curvature;
    if (!(std::abs(theta + change - near) < excitation.cell)) break;
    theta += change;
    if (std::abs(change) < 1e-14) break;
  }
  const double value = fourier_point(excitation.coefficients, theta).value;
  return sign * value >= sign * excitation.values[place]
             ? ExcitationExtreme{theta, value}
             : ExcitationExtreme{near, excitation.values[place]};
}

/// Where friction holds an excitation for the whole period.
struct PlaceOfRest {
  double u;
  double theta = 0;   ///< when the excitation has moved it there
  double yields = 0;  ///< by how much, for a unit of excitation; 0 if it was there before
};

/// From `at`, where a preload left a mass on a spring k, or where the excitation has moved it to until it
/// holds. None if it never does. `limits_at(u)` are the limits of friction.
template <class LimitsAt>
std::optional<PlaceOfRest> place_of_rest(const GridExcitation& excitation, double k, double at,
                                         LimitsAt&& limits_at) {
  const ExcitationExtreme high = extreme(excitation, 1);
  const ExcitationExtreme low = extreme(excitation, -1);
  double u = at;
  double slope = 0;
  RigidFriction::Limits at_u = limits_at(u);
  const int side = high.excitation - k * u > at_u.on    ? 1
                   : low.excitation - k * u < at_u.back ? -1
                                                        : 0;
  for (int iteration = 0; side != 0 && iteration < 60; ++iteration) {
    const double limit = side > 0 ? at_u.on : at_u.back;
    const double more =
        ((side > 0 ? high.excitation : low.excitation) - k * u - limit) / (k + slope);
    if (std::abs(more) <= 1e-15 * std::abs(u)) break;
    at_u = limits_at(u + more);
    slope = ((side > 0 ? at_u.on : at_u.back) - limit) / more;
    u += more;
  }
  const double rounding = 1e-13 * excitation.values.cwiseAbs().maxCoeff();
  if (high.excitation - k * u > at_u.on + rounding || low.excitation - k * u < at_u.back - rounding)
    return {};
  if (side == 0) return PlaceOfRest{u};
  return PlaceOfRest{u, (side > 0 ? high : low).theta, 1 / (k + slope)};
}

}  // namespace microslip::dynamics
